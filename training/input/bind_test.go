package input

import (
	"fmt"
	"strings"
	"testing"
)

// bindOne evaluates one expression that no parameter is bound to.
func bindOne(expr string, sources map[string]*Source, want Type) (Value, error) {
	values, err := Bind([]Parameter{{Type: want, Expr: expr}}, sources, Options{})
	if err != nil {
		return Value{}, err
	}
	return values[0], nil
}

func testSources(t testing.TB) map[string]*Source {
	read := func(s *Source, err error) *Source {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	text := "%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 1\n1 3 2\n2 2 3.5\n"
	sources := map[string]*Source{
		"A": read(readMatrixMarket(t.Context(), "A.mtx", strings.NewReader(text), -1)),
		"v": read(readText(t.Context(), "v.txt", strings.NewReader("1\n-2\n3\n"), 0)),
		"T": read(readCSV(t.Context(), "t.csv", strings.NewReader("price,net weight\n1,2\n3,4\n5,6\n"), 0)),
		"o": read(readText(t.Context(), "o.txt", strings.NewReader("0\n2\n2\n3\n"), 0)),
	}
	for name, s := range sources {
		s.spec = name + "-spec"
	}
	return sources
}

func TestBind(t *testing.T) {
	tests := []struct{ expr, want, out string }{
		{"A.values", "[]float64", "[1 2 3.5]"},
		{"A.values", "[]float32", "[1 2 3.5]"},
		{"A.columns", "[]int32", "[0 2 1]"},
		{"A.row_offsets", "[]int64", "[0 2 3]"},
		{"A.cols", "int", "[3]"},
		{"A.nnz", "float64", "[3]"},
		{"A", "[][]float64", "[1 2 3.5] [0 2 3]"},
		{"A.columns", "[][]int32", "[0 2 1] [0 2 3]"},
		{"v", "[]int32", "[1 -2 3]"},
		{"v.len", "int32", "[3]"},
		{"len(v)", "int", "[3]"},
		{"len(T)", "int", "[3]"},
		{"T", "[]float64", "[1 2 3 4 5 6]"},
		{"T", "[][]float64", "[1 2 3 4 5 6] [0 2 4 6]"},
		{"T.data", "[]int", "[1 2 3 4 5 6]"},
		{"T.price", "[]float64", "[1 3 5]"},
		{`T["net weight"]`, "[]float64", "[2 4 6]"},
		{"T[1]", "[]float64", "[2 4 6]"},
		{"nest(v, o)", "[][]float64", "[1 -2 3] [0 2 2 3]"},
		{"matrix(range(12), 2, 3, 2)", "[][][]int", "[0 1 2 3 4 5 6 7 8 9 10 11] [0 3 6] [0 2 4 6 8 10 12]"},
		{"matrix(range(12), 2, 3, 2)", "[]int", "[0 1 2 3 4 5 6 7 8 9 10 11]"},
		{"nest(matrix(v, 3, 1), o)", "[][][]float64", "[1 -2 3] [0 2 2 3] [0 1 2 3]"},
		{"nest(nest(v, o), list(0, 1, 3))", "[][][]float64", "[1 -2 3] [0 1 3] [0 2 2 3]"},
		{"matrix(range(6), 2, 3)", "[][]int", "[0 1 2 3 4 5] [0 3 6]"},
		{"range(3)", "[]int32", "[0 1 2]"},
		{"range(3, start=A.rows, step=0.25)", "[]float64", "[2 2.25 2.5]"},
		{"ones(A.rows + 1)", "[]int32", "[1 1 1]"},
		{"zeros(2)", "[]bool", "[false false]"},
		{"len(random(10))", "int", "[10]"},
		{"7/2", "int", "[3]"},
		{"-7/2", "int", "[-3]"},
		{"7/2.0", "float64", "[3.5]"},
		{"(1+2)*3 - -1", "int", "[10]"},
		{"7%4", "uint", "[3]"},
		{"1<<20", "int32", "[1048576]"},
		{"2k+3Ki", "int", "[5072]"},
		{"1.5k", "int", "[1500]"},
		{"8k/2k", "int", "[4]"},
		{"1e6", "int64", "[1000000]"},
		{"0.1", "float32", "[0.1]"},
		{"true", "bool", "[true]"},
		{"1", "bool", "[true]"},
		{"18446744073709551615", "uint64", "[18446744073709551615]"},
		{"integers(3, hi=1)", "[]int32", "[0 0 0]"},
		{`"AC\n"`, "[]uint8", "[65 67 10]"},
		{"list(1, -2, A.cols)", "[]int", "[1 -2 3]"},
		{"list(1, 0.5)", "[]float64", "[1 0.5]"},
		{`list("ab", "", "c")`, "[][]uint8", "[97 98 99] [0 2 2 3]"},
	}
	sources := testSources(t)
	for _, test := range tests {
		v, err := bindOne(test.expr, sources, must(ParseType(test.want)))
		if err != nil {
			t.Errorf("%s as %s: %v", test.expr, test.want, err)
			continue
		}
		got := fmt.Sprint(v.Data)
		if v.Offsets != nil {
			for _, level := range v.Offsets {
				got += " " + fmt.Sprint(level)
			}
		}
		if got != test.out || v.Type().String() != test.want {
			t.Errorf("%s as %s: got %s as %s, want %s", test.expr, test.want, got, v.Type(), test.out)
		}
	}
}

// TestBindParts binds parts of parameters: by expressions that name others, and by default to the fields of an input.
func TestBindParts(t *testing.T) {
	values, err := Bind([]Parameter{
		{Name: "m.Rows", Type: Type{Int, 0}, Expr: "2"},
		{Name: "m.Data", Type: Type{Float64, 1}, Expr: "zeros(m.Rows*len(x[0]))"},
		{Name: "x[0]", Type: Type{Int, 1}, Expr: "list(1, 2, 3)"},
		{Name: "T.price", Type: Type{Int, 1}, Expr: ""},
	}, testSources(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(values[1].Data, values[3].Data); got != "[0 0 0 0 0 0] [1 3 5]" {
		t.Error(got)
	}
	for _, expr := range []string{`list(1, "a")`, `list("a", 1)`, "list(v)", "list(m.Rows)"} {
		if v, err := bindOne(expr, testSources(t), Type{}); err == nil {
			t.Errorf("%s is %v", expr, v)
		}
	}
}

func TestBindSeveral(t *testing.T) {
	sources := testSources(t)
	values, err := Bind([]Parameter{
		{Name: "x", Type: Type{Float64, 1}, Expr: "random(len(v) + n)"},
		{Name: "y", Type: Type{Float64, 1}, Expr: "random(len(x))"},
		{Name: "v", Type: Type{Int, 1}, Expr: ""},
		{Name: "n", Type: Type{}, Expr: "2*A.rows"},
	}, sources, Options{})
	if err != nil {
		t.Fatal(err)
	}
	x, y := values[0].Data.([]float64), values[1].Data.([]float64)
	if len(x) != 7 || len(y) != 7 || x[0] == y[0] || fmt.Sprint(values[2].Data, values[3].Data) != "[1 -2 3] [4]" {
		t.Error(values)
	}
}

func TestBindErrors(t *testing.T) {
	tests := []struct{ expr, want, message string }{
		{"A", "[]float64", "p = A:1:1: a matrix is not one array [which-field]"},
		{"A.vals", "[]float64", `p = A.vals:1:3: there is no field "vals" [unknown-field]`},
		{"B.values", "[]float64", `p = B.values:1:1: unknown name "B" [unknown-name]`},
		{"A.values", "[]int32", "p = A.values:1:1: element 2, 3.5, does not fit int32 [out-of-range]"},
		{"A.values", "float64", "p = A.values:1:1: float64[3] cannot be a float64 [type-mismatch]"},
		{"3", "[]float64", "p = 3:1:1: int64 = 3 cannot be a []float64 [type-mismatch]"},
		{"v", "[]uint32", "p = v:1:1: element 1, -2, does not fit uint32 [out-of-range]"},
		{"v", "[][]float64", "p = v:1:1: int64[3] has no rows [type-mismatch]"},
		{"T[2]", "[]float64", `p = T[2]:1:1: there is no field "2" [unknown-field]`},
		{"nest(v, v)", "[][]float64", "p = nest(v, v):1:9: offset 0 is 1 [bad-offsets]"},
		{"matrix(v, 3, 1)", "[][][]float64", "p = matrix(v, 3, 1):1:1: int64[3][1] has 2 dimensions [type-mismatch]"},
		{"nest(nest(v, o), o)", "[][]float64", "p = nest(nest(v, o), o):1:1: int64[3 and 3 rows, 3 elements] has 3 dimensions [type-mismatch]"},
		{"nest(nest(v, o), list(0, 4))", "[][][]float64", "p = nest(nest(v, o), list(0, 4)):1:18: offset 1 is 4 [bad-offsets]"},
		{"matrix(v, 2, 2, 2)", "[][][]float64", "p = matrix(v, 2, 2, 2):1:1: 3 elements are not 2 × 2 × 2 [type-mismatch]"},
		{"matrix(v, 2, 2)", "[][]float64", "p = matrix(v, 2, 2):1:1: 3 elements are not 2 × 2 [type-mismatch]"},
		{"1e10", "int32", "p = 1e10:1:1: 10000000000 does not fit int32 [out-of-range]"},
		{"1e300", "float32", "p = 1e300:1:1: 1e+300 does not fit float32 [out-of-range]"},
		{"1/0", "int", "p = 1/0:1:3: division by zero [bad-expression]"},
		{"1<<64", "int", "p = 1<<64:1:2: << cannot be used here [bad-expression]"},
		{"1e999999999", "float64", "p = 1e999999999:1:1: the result is out of range [out-of-range]"},
		{"v+1", "[]int", "p = v+1:1:1: a number is needed here [type-mismatch]"},
		{"random(3, sed=4)", "[]float64", `p = random(3, sed=4):1:11: random has no argument "sed", or has it already [unknown-argument]`},
		{"random(3, 4)", "[]float64", "p = random(3, 4):1:11: only the first argument stands alone [bad-argument]"},
		{"random()", "[]float64", "p = random():1:1: random needs a number of elements [bad-argument]"},
		{"random(-1)", "[]float64", "p = random(-1):1:1: n=-1: the length is -1 [bad-size]"},
		{"random(1e15)", "[]float64", "p = random(1e15):1:1: n=1000000000000000: 1000000000000000 elements do not fit in memory [too-large]"},
		{"random(2.5)", "[]float64", "p = random(2.5):1:1: n is 2.5 [bad-argument]"},
		{"randm(3)", "[]float64", `p = randm(3):1:1: unknown function "randm" [unknown-function]`},
		{"range", "[]int", `p = range:1:1: unknown name "range" [unknown-name]`},
		{"seed = 4", "int", "p = seed = 4:1:6: a named argument outside of a call [bad-expression]"},
		{"v[", "[]int", "p = v[:1:3: the expression is not complete or not well-formed [bad-expression]"},
		{"1Ki..1Mi", "int", "p = 1Ki..1Mi:1:1: a range LOW..HIGH stands where one value is wanted [bad-range]"},
		{"random(8..64)", "[]float64", "p = random(8..64):1:1: a range LOW..HIGH stands where one value is wanted [bad-range]"},
		{"func() {}()", "int", "p = func() {}():1:8: the expression is not complete or not well-formed [bad-expression]"},
		{"A.rows()", "int", "p = A.rows():1:1: this is not a function [unknown-function]"},
		{"q", "int", "q = p:1:1: parameter p depends on itself [bad-binding]"},
		{"", "int", "p = (nothing): parameter p (int) is not bound [unbound]"},
	}
	sources := testSources(t)
	for _, test := range tests {
		_, err := Bind([]Parameter{{Name: "p", Type: must(ParseType(test.want)), Expr: test.expr}, {Name: "q", Type: Type{}, Expr: "p"}}, sources, Options{MaxBytes: 1 << 30})
		if err == nil {
			t.Errorf("%q as %s: no error", test.expr, test.want)
			continue
		}
		checkError(t, err)
		if first, _, _ := strings.Cut(err.Error(), "\n"); first != test.message {
			t.Errorf("%q as %s:\n got %s\nwant %s", test.expr, test.want, first, test.message)
		}
	}
	_, err := bindOne("A.colums", sources, Type{})
	if err == nil || !strings.Contains(err.Error(), "perhaps columns") {
		t.Error(err)
	}
}

func FuzzBindExpr(f *testing.F) {
	for _, expr := range []string{"A.values", "random(A.cols, seed=34)", "range(3)*2", `T["net weight"]`, "nest(v, o)", "4k+1<<3", "-1/(2-2)", "1e99999", "len(matrix(v,1,3))", "func(){}", "/*"} {
		f.Add(expr)
	}
	sources := testSources(f)
	f.Fuzz(func(t *testing.T, expr string) {
		for _, want := range []Type{{}, {Float64, 1}, {Int32, 0}, {Float32, 2}} {
			values, err := Bind([]Parameter{{Name: "p", Type: want, Expr: expr}}, sources, Options{MaxBytes: 1 << 16})
			if err != nil {
				e, ok := err.(*Error)
				if !ok || e.Code == "" || e.What == "" {
					t.Fatalf("%q: incomplete error %#v", expr, err)
				}
				continue
			}
			if want.Kind != Invalid && values[0].Type() != want {
				t.Fatalf("%q as %v gives %v", expr, want, values[0].Type())
			}
		}
	})
}
