package kir

import (
	"go/ast"
	goparser "go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const sound = `func f {
  host n int
  host total float64
  array x float64 global
  array parts float64 partial
  array strip float64 strip 8
  array rows int scratch
  array mass float64 global in bodiesStructs ".Mass" "Kilogram" apart 4 0
  parallel 1 over n chunk chunk from lo to hi partials(parts) even { // reduce, a.go:3:4
    acc: float64 = -0:float64
    wide: float64x4 = splat(+Inf:float64):float64x4
    scope {
      scratch rows[(n + 1)]
      rows[0] = 0
    }
    for i = lo to hi step 4 whole outlined { // reduce, a.go:3:4
      mask: boolx4/64 = first_lanes(i, hi):boolx4/64
      part: float64x4 = x[i where mask]:float64x4
      call @take_fields(&strip[0], &mass[i], 4)
      wide = (wide + select(mask, part, wide))
      wide = (wide + x[i by 2]:float64x4)
      store strip[0 by 2] = wide
    }
    acc = (acc + lanes.add(wide))
    func "score" s: float64, many: int = @go(acc, &x[lo], (hi - lo)) // a.go:7:8
    acc = (acc + s)
    for j = lo to hi step 1 lanes 8 add into acc {
      acc = (acc + x[j])
    }
    check index(lo, n) "index" "x[i]" at lo // a.go:5:6
    check index(lo, n) "index" "x[i]" // a.go:5:6
    at: int = (lo + n)
    check index(at, n) "index" "x[i]" // a.go:5:6
    leave: int = (lo + at)
    low: boolx4/64 = first_lanes(lo, hi):boolx4/64
    if any_lane(low) {
      check failed nonneg(lane_where(wide, low)) "shift" "s"
    }
    parts[chunk] = acc
  } combine k {
    result sum = parts[k]
  }
}
`

const soundDevice = `device f {
  array x int global
  array y int global
  host n int
  array shared int local 2
  temporary t[n] int per group of launch 0
  launch a per group over n grain 1 groups 4 { // scan, a.go:3:4
    stride i = @share_lo(0, n, $item, $items):int to n step $items {
      shared[$item] = x[i]
      check nonneg(x[i]) "shift" "s" leave out
      barrier
      y[i] = shared[0]
    }
    label out
  }
  launch b per one_group always {
    t[0] = groups_of(0)
  }
}
`

const findingDevice = `device f {
  array x int global
  host n int
  temporary long[1] int per item of launch 0
  temporary row[found_by(0)] int per item of launch 1
  launch a per item over n groups 4 finds long {
    long[$global] = x[$global]
  }
  launch b per item over n groups 4 {
    row[($global * found_by(0))] = 0
  }
}
`

func TestTextIsReadBack(t *testing.T) {
	f, err := ParseFunc(sound)
	if err != nil {
		t.Fatal(err)
	}
	if err := Verify(f); err != nil {
		t.Error(err)
	}
	if got := f.String(); !sameLines(got, sound) {
		t.Errorf("%s\nis read as\n%s", sound, got)
	}
	for _, text := range []string{soundDevice, findingDevice} {
		d, err := ParseDevice(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := VerifyDevice(d); err != nil {
			t.Error(err)
		}
		if got := d.String(); !sameLines(got, text) {
			t.Errorf("%s\nis read as\n%s", text, got)
		}
	}
}

// sameLines compares texts up to the order of declarations, which is that of the first use.
func sameLines(a, b string) bool {
	count := map[string]int{}
	for l := range strings.Lines(a) {
		count[strings.TrimSpace(l)]++
	}
	for l := range strings.Lines(b) {
		count[strings.TrimSpace(l)]--
	}
	for _, unused := range []string{"host total float64", "array strip float64 strip 8"} { // are not declared again
		delete(count, unused)
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

// TestVerify breaks each invariant, and expects the verifier to say so.
func TestVerify(t *testing.T) {
	for _, c := range []struct{ old, new, says string }{
		{"acc = (acc + lanes.add(wide))", "acc = (acc + wide)", "operands of the types float64 and float64x4"},
		{"acc = (acc + lanes.add(wide))", "acc = wide", "acc is wide of type float64x4, and not float64"},
		{"acc = (acc + lanes.add(wide))", "acc = (n + n)", "of type int, and not float64"},
		{"acc = (acc + lanes.add(wide))", "lo = n", "lo is assigned"},
		{"acc = (acc + lanes.add(wide))", "acc: float64 = x[0]", "two variables are called acc"},
		{"parts[chunk] = acc", "parts[chunk] = part", "part is not declared where it is used"},
		{"parts[chunk] = acc", "parts[chunk] = n", "an element of type int is stored into parts of float64"},
		{"parts[chunk] = acc", "parts[acc] = acc", "an index of parts is acc of type float64"},
		{"parts[chunk] = acc", "call @zero(&x[0])", "takes the arguments \"Ax\""},
		{"parts[chunk] = acc", "call @zero(n, n)", "argument 1 of"},
		{"parts[chunk] = acc", "call @nothing()", "no routine is called nothing"},
		{"parts[chunk] = acc", "barrier", "statement of devices"},
		{"parts[chunk] = acc", "parts[$item] = acc", "$item is an expression of devices"},
		{"parts[chunk] = acc", "if acc {\n}", "a condition is acc of type float64, and not bool"},
		{"step 4 whole", "step 0 whole", "has the step 0"},
		{"select(mask, part, wide)", "select(part, part, wide)", "is chosen by a value of type float64x4"},
		{"x[i where mask]:float64x4", "x[i where mask]:int64x4", "x of float64 is read as int64x4"},
		{"x[i by 2]", "x[i by 1]", "at a distance of 1 of x"},
		{"x[i by 2]", "x[i by -2]", "at a distance of -2 of x"},
		{"strip[0 by 2] = wide", "strip[0 by 2] = acc", "float64 is written to every element at a distance of 2 of strip"},
		{"scratch rows", "scratch parts", "is given scratch memory"},
		{"lanes.add(wide)", "lane4(wide)", "wide has 4 lanes"},
	} {
		text := strings.Replace(sound, c.old, c.new, 1)
		f, err := ParseFunc(text)
		if err != nil {
			t.Errorf("%s: %v", c.new, err)
			continue
		}
		if err := Verify(f); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %s", c.new, err, c.says)
		}
	}
	for _, c := range []struct{ in, old, new, says string }{
		{soundDevice, "leave out", "leave nowhere", "leaves to nowhere, which is no label"},
		{soundDevice, "groups_of(0)", "groups_of(1)", "launch 1 asks for the groups of launch 1"},
		{soundDevice, "y[i] = shared[0]", "vectors {\n}", "statement of the worker pool"},
		{soundDevice, "of launch 0", "of launch 7", "belongs to launch 7 of 2"},
		{soundDevice, "device f {", "device f rounds 3 from 2 {", "launch 2 of 2 is where rounds begin"},
		{findingDevice, "found_by(0))]", "found_by(1))]", "launch 1 asks for what launch 1 finds"},
		{findingDevice, "row[found_by(0)] int per item of launch 1", "row[found_by(0)] int per item of launch 0", "launch 0 asks for what launch 0 finds"},
		{findingDevice, "finds long {", "{", "launch 1 asks for what launch 0 finds"},
		{findingDevice, "per item of launch 0", "per group of launch 0", "long is not the first buffer of its launch"},
		{findingDevice, "per item of launch 0", "per item of launch 1", "long is no buffer of its launch"},
		{soundDevice, "one_group always {", "one_group always finds t {", "what finds something runs before all that does not"},
	} {
		d, err := ParseDevice(strings.Replace(c.in, c.old, c.new, 1))
		if err != nil {
			t.Errorf("%s: %v", c.new, err)
			continue
		}
		if err := VerifyDevice(d); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %s", c.new, err, c.says)
		}
	}
}

// TestParseErrors checks that text which is cut or wrong is refused with its line.
func TestParseErrors(t *testing.T) {
	for i := range len(sound) - 2 {
		if f, err := ParseFunc(sound[:i]); err == nil {
			t.Fatalf("%q is read as\n%s", sound[:i], f)
		}
	}
	for _, c := range []struct{ old, new, says string }{
		{"parts[chunk] = acc", "parts[chunk] = nobody", "line 39: no variable is called \"nobody\""},
		{"parts[chunk] = acc", "nobody[chunk] = acc", "line 39: no array is called \"nobody\""},
		{"(wide + select", "(wide ~ select", "line 20: \"~\" is no operator"},
		{"array strip float64 strip 8", "array strip float65 strip 8", "line 6: a kind of elements was expected"},
		{"array strip float64 strip 8", "array strip float64 nowhere 8", "line 6: \"nowhere\" is no memory space"},
	} {
		if _, err := ParseFunc(strings.Replace(sound, c.old, c.new, 1)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %s", c.new, err, c.says)
		}
	}
}

// TestEqual compares each expression of a text with each.
func TestEqual(t *testing.T) {
	f, err := ParseFunc(sound)
	if err != nil {
		t.Fatal(err)
	}
	var all []Expr
	Walk(f.Body, nil, func(x Expr) { all = append(all, x) })
	for _, x := range all {
		for _, y := range all {
			if got, want := Equal(x, y), Text(x) == Text(y); got != want {
				t.Errorf("%s and %s: equal %v", Text(x), Text(y), got)
			}
		}
	}
	if !Equal(nil, nil) || Equal(all[0], nil) || Equal(nil, all[0]) {
		t.Error("nil")
	}
}

// TestNodeTable checks that the table in the package comment has every node, and no other.
func TestNodeTable(t *testing.T) {
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]bool{}
	for l := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(l, "//\t"); ok {
			if name, _, _ = strings.Cut(name, " "); name != "node" {
				rows[name] = true
			}
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	expression := map[string]bool{}
	typed := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := goparser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil {
				continue
			}
			star, ok := fn.Recv.List[0].Type.(*ast.StarExpr)
			if !ok {
				continue
			}
			name := star.X.(*ast.Ident).Name
			switch fn.Name.Name {
			case "isStmt":
				expression[name] = true
			case "Type":
				typed[name] = true
			}
		}
	}
	for name := range typed {
		expression[name] = true
	}
	for name := range expression {
		if !rows[name] {
			t.Errorf("the table lacks %s", name)
		}
		delete(rows, name)
	}
	for name := range rows {
		t.Errorf("%s is no node", name)
	}
}
