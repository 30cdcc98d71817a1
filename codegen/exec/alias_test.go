package exec

import (
	"errors"
	"strings"
	"testing"
)

// separate binds a kernel to args with options, as far as their memory matters.
func separate(t *testing.T, opts []Option, args ...Argument) *Error {
	t.Helper()
	var c Call
	c.Init(&Kernel{Name: "K", Pos: "k.go:3"}, opts)
	err := c.Separate(args...)
	if err == nil {
		return nil
	}
	var e *Error
	if !errors.As(err, &e) || e.Code != "aliased-result" || !strings.HasPrefix(err.Error(), "k.go:3: K: the destination of result ") {
		t.Errorf("%v, want an error with the code aliased-result", err)
	}
	return e
}

// TestSeparate takes destinations and arguments from one array, on both sides of every border where they begin to
// overlap.
func TestSeparate(t *testing.T) {
	x := make([]float64, 100)
	other := make([]float64, 100)
	rows := [][]float64{x[10:20], nil, x[40:40], x[30:40], other[5:6]}
	type point [3]int32
	points := make([]point, 10)
	for _, c := range []struct {
		name string
		opts []Option
		args []Argument
		want string // what the message names, "" for no error
	}{
		{"no destination", nil, []Argument{Flat("x", x)}, ""},
		{"a new slice", []Option{Into[float64](nil)}, []Argument{Flat("x", x)}, ""},
		{"another array", []Option{Into(other)}, []Argument{Flat("x", x)}, ""},
		{"in place", []Option{Into(x)}, []Argument{Flat("x", x)}, "result 1 shares memory with the argument x;"},
		{"one element at the end", []Option{Into(x[:50])}, []Argument{Flat("x", x[49:])}, "the argument x;"},
		{"one element at the beginning", []Option{Into(x[49:])}, []Argument{Flat("x", x[:50])}, "the argument x;"},
		{"a part", []Option{Into(x[5:6])}, []Argument{Flat("x", x)}, "the argument x;"},
		{"around", []Option{Into(x)}, []Argument{Flat("x", x[5:6])}, "the argument x;"},
		{"directly behind", []Option{Into(x[50:])}, []Argument{Flat("x", x[:50])}, ""},
		{"directly before", []Option{Into(x[:50])}, []Argument{Flat("x", x[50:])}, ""},
		{"an empty destination", []Option{Into(x[5:5])}, []Argument{Flat("x", x)}, ""},
		{"an empty argument", []Option{Into(x)}, []Argument{Flat("x", x[5:5]), Flat("y", x[:0]), Flat[float64]("z", nil)}, ""},
		{"the second argument", []Option{Into(x[50:])}, []Argument{Flat("x", x[:50]), Flat("y", x[60:61])}, "the argument y;"},
		{"the second result", []Option{Into(other), Into(x)}, []Argument{Flat("x", x)}, "result 2 shares memory with the argument x;"},
		{"after a new slice", []Option{Into[int](nil), Into(x)}, []Argument{Flat("x", x)}, "result 2 shares"},
		{"two results", []Option{Into(x[:50]), Into(x[49:])}, nil, "result 2 shares memory with that of result 1;"},
		{"two results, the same", []Option{Into(other), Into[int](nil), Into(x), Into(x)}, nil, "result 4 shares memory with that of result 3;"},
		{"two results side by side", []Option{Into(x[:50]), Into(x[50:])}, nil, ""},
		{"two empty results", []Option{Into(x[:0]), Into(x[:0]), Into(x)}, nil, ""},
		{"a row", []Option{Into(x[15:25])}, []Argument{Ragged("rows", rows)}, "the argument rows;"},
		{"the last element of a row", []Option{Into(x[39:])}, []Argument{Ragged("rows", rows)}, "the argument rows;"},
		{"the only element of the last row", []Option{Into(other)}, []Argument{Ragged("rows", rows)}, "the argument rows;"},
		{"between rows", []Option{Into(x[20:30])}, []Argument{Ragged("rows", rows)}, ""},
		{"where an empty row lies", []Option{Into(x[40:])}, []Argument{Ragged("rows", rows)}, ""},
		{"no rows", []Option{Into(x)}, []Argument{Ragged[[]float64]("rows", nil), Ragged("empty", [][]float64{})}, ""},
		{"large elements", []Option{Into(points[:3])}, []Argument{Flat("points", points[2:])}, "the argument points;"},
		{"large elements side by side", []Option{Into(points[:3])}, []Argument{Flat("points", points[3:])}, ""},
		{"large elements in rows", []Option{Into(points[7:])}, []Argument{Ragged("rows", [][]point{points[:8]})}, "the argument rows;"},
		{"large elements beside rows", []Option{Into(points[8:])}, []Argument{Ragged("rows", [][]point{points[:8]})}, ""},
		{"elements without size", []Option{Into(make([]struct{}, 3))}, []Argument{Flat("x", make([]struct{}, 3))}, ""},
		{"given up", []Option{Into(x), Fresh()}, []Argument{Flat("x", x)}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := separate(t, c.opts, c.args...)
			switch {
			case e == nil && c.want != "":
				t.Errorf("no error, want %s", c.want)
			case e != nil && (c.want == "" || !strings.Contains(e.Detail, c.want)):
				t.Errorf("%v, want %q", e, c.want)
			}
		})
	}
}

// TestSeparateAllocations: an iterative program may bind in every step.
func TestSeparateAllocations(t *testing.T) {
	x, rows := make([]float64, 8), [][]float64{{1}, {2, 3}}
	var c Call
	c.Init(&Kernel{}, []Option{Into(make([]float64, 8))})
	if n := testing.AllocsPerRun(100, func() {
		if err := c.Separate(Flat("x", x), Ragged("rows", rows)); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
