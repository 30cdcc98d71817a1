package drive

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/surge-ndp/surge/codegen/exec"
)

type pair struct {
	A []float64
	B complex128
	C [2]string
}

// TestDifference checks that results are taken apart down to their numbers, and that floats may differ in rounding
// only.
func TestDifference(t *testing.T) {
	want := pair{[]float64{1, math.NaN(), 3}, 2 + 1i, [2]string{"a", "b"}}
	for i, test := range []struct {
		got   pair
		equal bool
	}{
		{pair{[]float64{1 + 1e-15, math.NaN(), 3}, 2 + 1i, want.C}, true},
		{pair{[]float64{1.01, math.NaN(), 3}, 2 + 1i, want.C}, false},
		{pair{[]float64{1, 0, 3}, 2 + 1i, want.C}, false},
		{pair{[]float64{1, math.NaN()}, 2 + 1i, want.C}, false},
		{pair{want.A, 2 + 1.1i, want.C}, false},
		{pair{want.A, want.B, [2]string{"a", "c"}}, false},
	} {
		diff := difference(reflect.ValueOf(test.got), reflect.ValueOf(want), 3)
		if (diff == "") != test.equal {
			t.Errorf("%d: %q", i, diff)
		}
	}
}

// TestIdentical checks that last places count, and signs of zeros and which bits a NaN has do not.
func TestIdentical(t *testing.T) {
	for i, test := range []struct {
		got, want any
		equal     bool
	}{
		{[]float64{1, math.NaN()}, []float64{1, -math.NaN()}, true},
		{[]float64{0}, []float64{math.Copysign(0, -1)}, true},
		{float32(1), math.Nextafter32(1, 2), false},
		{[]float32{1}, []float32{1}, true},
		{1.0, math.NaN(), false},
	} {
		if diff := identical(reflect.ValueOf(test.got), reflect.ValueOf(test.want)); (diff == "") != test.equal {
			t.Errorf("%d: %q", i, diff)
		}
	}
}

// TestAgreed checks which errors of compiled code are what plain Go ended with.
func TestAgreed(t *testing.T) {
	bad := errors.New("bad")
	for i, test := range []struct {
		err  error
		want outcome
		same bool
	}{
		{nil, outcome{fault: "text"}, false},
		{nil, outcome{err: bad}, false},
		{fmt.Errorf("k.go: text"), outcome{fault: "text"}, true},
		{fmt.Errorf("k.go: other"), outcome{fault: "text"}, false},
		{&exec.Error{Pos: "k.go"}, outcome{fault: errors.New("runtime error")}, true},
		{fmt.Errorf("k.go: index"), outcome{fault: errors.New("runtime error")}, false},
		{bad, outcome{err: bad, again: bad}, true},
		{fmt.Errorf("k.go: %w", bad), outcome{err: bad, again: bad}, false},
		{errors.New("bad"), outcome{err: bad, again: bad}, false},
		{errors.New("bad"), outcome{err: bad, again: errors.New("bad")}, true},
		{errors.New("good"), outcome{err: bad, again: errors.New("bad")}, false},
		{fmt.Errorf("row 1: %w", bad), outcome{err: fmt.Errorf("row 1: %w", bad), again: fmt.Errorf("row 1: %w", bad)}, true},
		{fmt.Errorf("row 1: %w", errors.New("bad")), outcome{err: fmt.Errorf("row 1: %w", bad), again: fmt.Errorf("row 1: %w", bad)}, false},
		{errors.New("row 1: bad"), outcome{err: fmt.Errorf("row 1: %w", bad), again: fmt.Errorf("row 1: %w", bad)}, false},
	} {
		if agreed(test.err, test.want) != test.same {
			t.Errorf("%d: %v, %v", i, test.err, test.want)
		}
	}
}

// TestArguments checks that inputs of each shape are made, the same each time, and with what is odd in odd ones only.
func TestArguments(t *testing.T) {
	k := &Kernel{Name: "K", Plain: func([]float64, [][]int8, string, *pair, [3]uint16, bool) int { return 0 }}
	for _, s := range []shape{{0, "usual"}, {64, "usual"}, {64, "odd"}, {64, "uneven"}} {
		a, err := k.arguments(s)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := k.arguments(s)
		odd := false
		for i := range a {
			if diff := difference(a[i], b[i], 0); diff != "" {
				t.Errorf("%v: argument %d differs: %s", s, i, diff)
			}
		}
		for _, v := range a[0].Interface().([]float64) {
			odd = odd || math.IsNaN(v) || math.IsInf(v, 0)
		}
		if n := a[0].Len(); s.mode != "uneven" && n != s.n || odd != (s.mode != "usual") {
			t.Errorf("%v: %d elements, odd %v", s, n, odd)
		}
	}
	if _, err := (&Kernel{Name: "K", Plain: func(map[int]int) int { return 0 }}).arguments(shape{1, "usual"}); err == nil {
		t.Error("a map was made")
	}
}
