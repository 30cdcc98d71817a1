package goroutine

import "testing"

func TestMentions(t *testing.T) {
	for _, c := range []struct {
		code, name string
		want       bool
	}{
		{"f.x = 1", "f", true},
		{"r.f, r.l = f, l", "l", true},
		{"r.f = 1", "f", false},
		{"buf.Add(1)", "f", false},
		{"for i := 0; i < n; i++ { // sum, f.go:3:4", "f", false},
		{`site := "f.go:3"`, "f", false},
		{"/* f */ g(f)", "f", true},
		{"x := math.Sqrt(2)", "math", true},
		{"x := rt.Func(math_go)", "math", false},
		{"`f.x`", "f", false},
		{"", "f", false},
	} {
		if got := mentions(c.code, c.name); got != c.want {
			t.Errorf("%q uses %s: %v, want %v", c.code, c.name, got, c.want)
		}
	}
}
