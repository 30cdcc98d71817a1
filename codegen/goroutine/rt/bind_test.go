package rt

import (
	"errors"
	"slices"
	"testing"

	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
)

// TestBind checks that preparation comes before inspection, that what is wrong ends both, and that inputs that are not
// checked are prepared.
func TestBind(t *testing.T) {
	wrong := errors.New("wrong")
	var done []string
	step := func(name string, err error) Func {
		return func(_ any, w *Worker, _ *Launch) {
			if done = append(done, name); err != nil {
				w.Fail(err)
			}
		}
	}
	for _, c := range []struct {
		prepare    Func
		unchecked  bool
		inspectors []Func
		want       []string
		err        error
	}{
		{step("p", nil), false, []Func{step("1", nil), step("2", nil)}, []string{"p", "1", "2"}, nil},
		{step("p", nil), true, []Func{step("1", wrong)}, []string{"p"}, nil},
		{step("p", wrong), false, []Func{step("1", nil)}, []string{"p"}, wrong},
		{nil, false, []Func{step("1", wrong), step("2", nil)}, []string{"1"}, wrong},
	} {
		done = nil
		err := Bind(2, nil, c.unchecked, c.prepare, c.inspectors...)
		if !errors.Is(err, c.err) || err != nil && c.err == nil || !slices.Equal(done, c.want) {
			t.Errorf("%v and %v, want %v and %v", done, err, c.want, c.err)
		}
	}
}

// TestStored checks that a launch stores as its variant says.
func TestStored(t *testing.T) {
	for text, want := range map[string]int{"execution_resource_1=lane,store_algo_1=stream": 2, "execution_resource_1=lane,store_algo_1=cached": 1, "unroll_1=1": 1} {
		policy, err := param.Parse(text, 1)
		if err != nil {
			t.Fatal(err)
		}
		l, err := Func(nil).prepare(selector.Variant{Policy: policy})
		if err != nil {
			t.Fatal(err)
		}
		if got := Stored(l, 1, 2); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}

// TestGrowAll checks that all slices grow, and keep their memory where that is enough.
func TestGrowAll(t *testing.T) {
	a, b := make([]int, 1, 8), []int(nil)
	first := &a[0]
	GrowAll(5, &a, &b)
	if len(a) != 5 || len(b) != 5 || &a[0] != first {
		t.Errorf("lengths %d and %d, the first one has its memory: %t", len(a), len(b), &a[0] == first)
	}
}

// TestZeroed checks that scratch memory that was written to is zero.
func TestZeroed(t *testing.T) {
	err := Inspect(1, nil, func(_ any, w *Worker, _ *Launch) {
		mark := w.Mark()
		for i := range Scratch[int](w, 100) {
			Scratch[int](w, 100)[i] = 1
		}
		w.Release(mark)
		for i, x := range Zeroed[int](w, 1000) {
			if x != 0 {
				t.Errorf("element %d is %d", i, x)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}
