package goroutine

import "testing"

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
