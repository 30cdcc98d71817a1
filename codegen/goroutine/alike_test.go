package goroutine

import (
	"slices"
	"strings"
	"testing"
)

// TestAlike checks that functions are the same if nothing but the names of their locals, and comments, differs.
func TestAlike(t *testing.T) {
	const one = "(env any, w *rt.Worker, chunk, lo, hi int) {\n\tf := env.(*kFrame)\n\tn, x := f.n, vec.Ptr(f.x)\n\tfor i := lo; i < hi; i++ { // map\n\t\tt := *vec.Elem(x, i)\n\t\tuse(t, n)\n\t}\n}\n"
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"itself", one, true},
		{"other names", "(env any, w *rt.Worker, chunk, lo2, hi2 int) {\n\tf := env.(*kFrame)\n\tn, y := f.n, vec.Ptr(f.x)\n\tfor i2 := lo2; i2 < hi2; i2++ {\n\t\tt9 := *vec.Elem(y, i2)\n\t\tuse(t9, n)\n\t}\n}\n", true},
		{"another field", "(env any, w *rt.Worker, chunk, lo, hi int) {\n\tf := env.(*kFrame)\n\tn, x := f.m, vec.Ptr(f.x)\n\tfor i := lo; i < hi; i++ {\n\t\tt := *vec.Elem(x, i)\n\t\tuse(t, n)\n\t}\n}\n", false},
		{"another local", "(env any, w *rt.Worker, chunk, lo, hi int) {\n\tf := env.(*kFrame)\n\tn, x := f.n, vec.Ptr(f.x)\n\tfor i := lo; i < hi; i++ {\n\t\tt := *vec.Elem(x, i)\n\t\tuse(t, i)\n\t}\n}\n", false},
		{"another function", "(env any, w *rt.Worker, chunk, lo, hi int) {\n\tf := env.(*kFrame)\n\tn, x := f.n, vec.Ptr(f.x)\n\tfor i := lo; i < hi; i++ {\n\t\tt := *vec.Elem(x, i)\n\t\tuses(t, n)\n\t}\n}\n", false},
	} {
		if got := alike(c.text) == alike(one); got != c.want {
			t.Errorf("%s: it is %t that they are alike:\n%s\n%s", c.name, got, alike(c.text), alike(one))
		}
	}
}

// TestFields checks that values whose names differ in the number at their end have the same field in two codes, and
// that no two values of one code have, nor values of two types.
func TestFields(t *testing.T) {
	u := NewUnit("K", "k1", "kFrame", "surgeEnv1")
	for i, c := range []struct {
		code  []string // name and type of each value
		wants []string
	}{
		{[]string{"k5", "int", "k9", "int", "k5", "int", "reduce2", "float64", "f2", "float64"}, []string{"k", "k2", "k", "reduce", "f2"}},
		{[]string{"k", "int", "k12", "int", "reduce4", "float64", "f", "float64", "l1", "int"}, []string{"k", "k2", "reduce", "f2", "l2"}},
		{[]string{"reduce7", "[]float64", "k3", "float64", "map3", "int"}, []string{"reduce2", "k3", "map2"}},
	} {
		clear(u.carried)
		for j, want := range c.wants {
			if got := u.field(c.code[2*j], c.code[2*j+1]); got != want {
				t.Errorf("code %d: %s %s has the field %s, want %s", i, c.code[2*j], c.code[2*j+1], got, want)
			}
		}
	}
	names := []string{"t10", "t9", "k", "t", "k2"}
	slices.SortFunc(names, byName)
	if got := strings.Join(names, " "); got != "k k2 t t9 t10" {
		t.Errorf("by name it is %s", got)
	}
}
