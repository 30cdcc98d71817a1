package interp_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/interp"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/eval"
)

// frame has x, 0, 1, … below 8, y, z, which nothing was written to, and n = 8.
func frame() *interp.Frame {
	x := interp.NewArray(ir.Int, 8)
	for i := range x.Data {
		x.Data[i] = eval.Int(i)
	}
	return &interp.Frame{Arrays: map[string]*interp.Array{"x": x, "y": interp.NewArray(ir.Int, 8), "z": interp.NewArray(ir.Int, 8)},
		Scalars: map[string]ir.Const{"n": eval.Int(8)}}
}

const arrays = `  array x int global
  array y int global
  array z int global
  array l int local 1
  host n int
`

// onDevice runs launches in two workgroups of four work-items, in subgroups of two.
func onDevice(t *testing.T, body string) error {
	t.Helper()
	d, err := kir.ParseDevice("device f {\n" + arrays + body + "}\n")
	if err != nil {
		t.Fatal(err)
	}
	return interp.Device(d, frame(), interp.Options{Items: 4, Subgroup: 2, Steps: 1000})
}

// onPool runs a function in chunks of one element.
func onPool(t *testing.T, body string) error {
	t.Helper()
	f, err := kir.ParseFunc("func f {\n" + strings.Replace(arrays, "  array l int local 1\n", "  array p int partial\n  array s int scratch\n", 1) + body + "}\n")
	if err != nil {
		t.Fatal(err)
	}
	return interp.Func(f, frame(), interp.Options{Chunk: 1, Steps: 1000})
}

// launch is a launch of eight work-items.
func launch(lines ...string) string {
	return "  launch f per item over n {\n    " + strings.Join(lines, "\n    ") + "\n  }\n"
}

// TestDeviceFaults makes each mistake that device code can make, and sees it named with its line.
func TestDeviceFaults(t *testing.T) {
	for name, test := range map[string]struct {
		body string
		kind interp.FaultKind
		text string // of the line
	}{
		"one element written by all":         {launch("y[0] = 1"), interp.Race, "y[0] = 1"},
		"an element of another workgroup":    {launch("y[$global] = 1", "barrier global", "a: int = y[(7 - $global)]"), interp.Race, "y[$global] = 1"},
		"a barrier for local memory only":    {launch("y[$global] = 1", "barrier", "a: int = y[(($group * 4) + (3 - $item))]"), interp.Race, "a: int = y[(($group * 4) + (3 - $item))]"},
		"local memory without a barrier":     {launch("l[$item] = 1", "a: int = l[(3 - $item)]"), interp.Race, "l[$item] = 1"},
		"local memory read, then written":    {launch("l[$item] = 1", "barrier", "a: int = l[(3 - $item)]", "l[$item] = a"), interp.Race, "a: int = l[(3 - $item)]"},
		"one result of several work-items":   {launch("result r = $item"), interp.Race, "result r = $item"},
		"a barrier for some":                 {launch("if ($item < 2) {", "  barrier", "}"), interp.Diverging, "barrier"},
		"a barrier in another turn":          {launch("stride i = 0 to 2 step 1 {", "  if (i == ($item % 2)) {", "    barrier", "  }", "}"), interp.Diverging, "barrier"},
		"barriers in two places":             {launch("if ($item < 2) {", "  barrier", "} else {", "  barrier global", "}"), interp.Diverging, "barrier"},
		"a shuffle for some":                 {launch("if ($subitem == 0) {", "  a: int = shuffle($item, 0)", "}"), interp.Diverging, "a: int = shuffle($item, 0)"},
		"a shuffle from nobody":              {launch("a: int = shuffle($item, 2)"), interp.Bounds, "a: int = shuffle($item, 2)"},
		"an element behind the last":         {launch("a: int = x[($global + 1)]"), interp.Bounds, "a: int = x[($global + 1)]"},
		"an element before the first":        {launch("a: int = l[($item - 1)]"), interp.Bounds, "a: int = l[($item - 1)]"},
		"a result of what was not written":   {launch("y[$global] = l[$item]"), interp.Unset, "y[$global] = l[$item]"},
		"an index that was not written":      {launch("a: int = x[z[$global]]"), interp.Unset, "a: int = x[z[$global]]"},
		"a branch on what was not written":   {launch("if (z[$global] == 0) {", "  y[$global] = 1", "}"), interp.Unset, "if (z[$global] == 0) {"},
		"an index that overflows":            {launch("a: int = ((x[$global] + 9223372036854775807) + 1)"), interp.Overflow, "a: int = ((x[$global] + 9223372036854775807) + 1)"},
		"a division by zero":                 {launch("a: int = (1 / x[$global])"), interp.Invalid, "a: int = (1 / x[$global])"},
		"a loop without an end":              {launch("while {", "} (0 == 0) {", "}"), interp.Endless, "while {"},
		"memory of another work-item's turn": {"  temporary b[1] int per group of launch 0\n" + launch("b[$group] = $item"), interp.Race, "b[$group] = $item"},
	} {
		var fault *interp.Fault
		if err := onDevice(t, test.body); !errors.As(err, &fault) || fault.Kind != test.kind || fault.Text != test.text {
			t.Errorf("%s: %v, want %s in the line %s", name, err, test.kind, test.text)
		}
	}
}

// TestDeviceRight runs code that only looks wrong.
func TestDeviceRight(t *testing.T) {
	for name, body := range map[string]string{
		"each its own":                      launch("y[$global] = x[$global]"),
		"one element read by all":           launch("y[$global] = x[0]"),
		"local memory behind a barrier":     launch("l[$item] = x[$global]", "barrier", "y[$global] = l[(3 - $item)]"),
		"global memory behind a barrier":    launch("z[$global] = 1", "barrier global", "y[$global] = z[(($group * 4) + (3 - $item))]"),
		"another launch reads":              launch("z[$global] = 1") + strings.Replace(launch("y[$global] = z[(7 - $global)]"), "launch f", "launch g", 1),
		"a branch that nobody asked for":    launch("a: int = z[$global]", "b: int = 0", "if (a == 0) {", "  b = 1", "}", "if ($item < 0) {", "  y[$global] = b", "}"),
		"a value of the subgroup":           launch("y[$global] = (shuffle($item, 1) + subgroup.add($item))", "result_: int = subgroup.scan.add(1)"),
		"a sum of the user's that may wrap": launch("y[$global] = (x[$global] +% 9223372036854775807)"),
		"the operand that is not looked at": launch("if (($global < 7) & (x[min(($global + 1), 7)] > 0)) {", "  y[$global] = 1", "}"),
		"barriers as often, in equal turns": launch("stride i = 0 to 3 step 1 {", "  l[$item] = i", "  barrier", "  y[$global] = l[(3 - $item)]", "  barrier", "}"),
		"a check that holds":                launch("check index(0, 1) \"index\" \"x\" leave end", "y[$global] = 1", "label end"),
	} {
		if err := onDevice(t, body); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFound runs launches of which the second has as much memory as the first finds: less makes it write beyond that,
// and none is found where there are no elements.
func TestFound(t *testing.T) {
	body := "  temporary most[1] int per item of launch 0\n  temporary row[found_by(0)] int per item of launch 1\n" +
		strings.Replace(launch("most[$global] = %"), "over n", "over n finds most", 1) +
		strings.Replace(launch("for i = 0 to x[$global] step 1 {", "  row[(($global * found_by(0)) + i)] = i", "}"), "launch f", "launch g", 1)
	if err := onDevice(t, strings.Replace(body, "%", "x[$global]", 1)); err != nil {
		t.Error(err)
	}
	var fault *interp.Fault
	if err := onDevice(t, strings.Replace(body, "%", "(x[$global] - 1)", 1)); !errors.As(err, &fault) {
		t.Errorf("rows that are longer than what was found: %v", err)
	}
	// A launch in which a check fails has not found what those behind it need, which do not run.
	fails := strings.Replace(body, "most[$global] = %", "check index(9, 1) \"index\" \"x\" leave end\nmost[$global] = x[$global]\nlabel end", 1)
	var failure *interp.Failure
	if err := onDevice(t, fails); !errors.As(err, &failure) {
		t.Errorf("a check that fails before memory is taken: %v", err)
	}
	d, err := kir.ParseDevice("device f {\n" + arrays + strings.ReplaceAll(strings.Replace(body, "%", "9", 1), "over n", "over 0") + launch("y[$global] = found_by(0)") + "}\n")
	if err != nil {
		t.Fatal(err)
	}
	f := frame()
	if err := interp.Device(d, f, interp.Options{Items: 4, Steps: 1000}); err != nil || f.Arrays["y"].Data[3].Int() != 0 {
		t.Errorf("%v, %v", err, f.Arrays["y"].Data)
	}
}

// TestPoolFaults does the same for code of the worker pool.
func TestPoolFaults(t *testing.T) {
	par := func(more string, lines ...string) string {
		return "  parallel 1 over n chunk c from lo to hi" + more + " {\n    " + strings.Join(lines, "\n    ") + "\n  }\n"
	}
	for name, test := range map[string]struct {
		body string
		kind interp.FaultKind // "" if nothing is wrong
	}{
		"each its own":                     {par("", "y[lo] = x[lo]"), ""},
		"one element of all chunks":        {par("", "y[0] = 1"), interp.Race},
		"an element of another chunk":      {par("", "y[lo] = 1", "a: int = y[(7 - lo)]"), interp.Race},
		"a loop behind another":            {par("", "y[lo] = 1") + par("", "z[lo] = y[(7 - lo)]"), ""},
		"a partial result of each":         {par(" partials(p)", "p[c] = lo") + "  result r = p[7]\n", ""},
		"one partial result of all":        {par(" partials(p)", "p[0] = lo"), interp.Race},
		"scratch of its own":               {par("", "scope {", "  scratch s[2]", "  s[0] = lo", "  y[lo] = s[0]", "}"), ""},
		"scratch that was given back":      {"  scope {\n    scratch s[2]\n  }\n  s[0] = 1\n", interp.Bounds},
		"scratch that was not written":     {"  scope {\n    scratch s[2]\n    y[0] = s[0]\n  }\n", interp.Unset},
		"a prefix from chunk to chunk":     {par(" chain k int from 5", "a: int = wait k c", "y[lo] = a", "publish k c (a + 1)"), ""},
		"a prefix that is not handed on":   {par(" chain k int from 5", "a: int = wait k c", "y[lo] = a"), interp.Diverging},
		"turns in lanes":                   {"  for i = 0 to n step 1 lanes 4 {\n    y[i] = x[i]\n  }\n", ""},
		"turns that use another's element": {"  y[0] = 0\n  for i = 1 to n step 1 lanes 4 {\n    y[i] = y[(i - 1)]\n  }\n", interp.Race},
		"turns that share a variable":      {"  a: int = 0\n  for i = 0 to n step 1 lanes 4 {\n    a = i\n  }\n", interp.Race},
		"lanes beyond the end":             {"  v: intx4 = x[6]:intx4\n", interp.Bounds},
		"lanes beyond the end, with masks": {"  v: intx4 = x[6 where first_lanes(6, 8):boolx4/64]:intx4\n", ""},
		"lanes that were not written":      {"  v: intx4 = z[0]:intx4\n  y[0] = lane0(v)\n", interp.Unset},
	} {
		err := onPool(t, test.body)
		var fault *interp.Fault
		if test.kind == "" && err != nil || test.kind != "" && (!errors.As(err, &fault) || fault.Kind != test.kind) {
			t.Errorf("%s: %v, want %q", name, err, test.kind)
		}
	}
}

// TestFailure checks that a failed check is the error of compiled code: on the pool that of the first chunk, in any
// order.
func TestFailure(t *testing.T) {
	const want = "kernel: ops.Gather: idx[1] = 1 is outside of [0, 1) [index]"
	check := `check index(x[lo], 1) "Gather" "idx" at lo`
	for order := range interp.Order(3) {
		f, err := kir.ParseFunc("func f {\n  array x int global\n  host n int\n  parallel 1 over n chunk c from lo to hi {\n    " + check + "\n  }\n}\n")
		if err != nil {
			t.Fatal(err)
		}
		var failure *interp.Failure
		if err := interp.Func(f, frame(), interp.Options{Chunk: 1, Order: order}); !errors.As(err, &failure) || failure.Error() != want {
			t.Errorf("order %d: %v, want %s", order, err, want)
		}
	}
	err := onDevice(t, launch("lo: int = $global", check+" leave end", "y[lo] = 1", "label end"))
	if err == nil || !strings.Contains(err.Error(), "idx[1] = 1 is outside of [0, 1)") {
		t.Errorf("on a device: %v, want %s", err, want)
	}
}
