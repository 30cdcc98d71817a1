package ops_test

import (
	"errors"
	"math"
	"testing"

	"github.com/surge-ndp/surge/ops"
)

// TestMisuse checks the message of every misuse, and that no function argument is called first.
func TestMisuse(t *testing.T) {
	never := func() int { panic("called before the arguments were checked") }
	ab := func(_, _ int) int { return never() }
	abc := func(_, _, _ int) int { return never() }
	abcd := func(_, _, _, _ int) int { return never() }
	one, two, three := []int{1}, []int{1, 2}, []int{1, 2, 3}
	units := make([]struct{}, math.MaxInt)

	for _, c := range []struct {
		misuse func()
		want   string
	}{
		{func() { ops.Map2(ab, three, two) }, "ops.Map2: b has 2 elements, but a has 3; they must have the same length [length]"},
		{func() { ops.Map2(ab, nil, one) }, "ops.Map2: b has 1 element, but a has 0; they must have the same length [length]"},
		{func() { ops.Map3(abc, three, two, three) }, "ops.Map3: b has 2 elements, but a has 3; they must have the same length [length]"},
		{func() { ops.Map3(abc, three, three, two) }, "ops.Map3: c has 2 elements, but a has 3; they must have the same length [length]"},
		{func() { ops.Map4(abcd, two, three, two, two) }, "ops.Map4: b has 3 elements, but a has 2; they must have the same length [length]"},
		{func() { ops.Map4(abcd, two, two, three, two) }, "ops.Map4: c has 3 elements, but a has 2; they must have the same length [length]"},
		{func() { ops.Map4(abcd, two, two, two, three) }, "ops.Map4: d has 3 elements, but a has 2; they must have the same length [length]"},
		{func() { ops.ReduceByKey(ab, two, three, 0) }, "ops.ReduceByKey: k has 3 elements, but s has 2; they must have the same length [length]"},
		{func() { ops.Zip(two, three) }, "ops.Zip: b has 3 elements, but a has 2; they must have the same length [length]"},
		{func() { ops.Zip3(two, two, three) }, "ops.Zip3: c has 3 elements, but a has 2; they must have the same length [length]"},
		{func() { ops.Zip4(two, two, two, three) }, "ops.Zip4: d has 3 elements, but a has 2; they must have the same length [length]"},

		{func() { ops.Gather(three, []int32{0, 2, 3}) }, "ops.Gather: idx[2] = 3 is outside s, which has 3 elements [index]"},
		{func() { ops.Gather(three, []int64{-1}) }, "ops.Gather: idx[0] = -1 is outside s, which has 3 elements [index]"},
		{func() { ops.Gather(one, []uint64{0, math.MaxUint64}) }, "ops.Gather: idx[1] = 18446744073709551615 is outside s, which has 1 element [index]"},
		{func() { ops.Gather([]int{}, []uint8{0}) }, "ops.Gather: idx[0] = 0 is outside s, which has 0 elements [index]"},
		{func() { ops.Scatter(two, three, three) }, "ops.Scatter: idx has 3 elements, but s has 2; they must have the same length [length]"},
		{func() { ops.ScatterUnique(two, []int{1, 1}, three) }, "ops.ScatterUnique: idx[0] and idx[1] are both 1; positions must not repeat [duplicate]"},
		{func() { ops.ScatterUnique(two, []int{0, -1}, three) }, "ops.ScatterUnique: idx[1] = -1 is outside d, which has 3 elements [index]"},
		{func() { ops.ScatterUnique(two, three, three) }, "ops.ScatterUnique: idx has 3 elements, but s has 2; they must have the same length [length]"},
		{func() { ops.Scatter(two, []int{0, 3}, three) }, "ops.Scatter: idx[1] = 3 is outside d, which has 3 elements [index]"},

		{func() { ops.Range(0, 10, 0) }, "ops.Range: stride is 0; it must be positive to count up or negative to count down [stride]"},
		{func() { ops.Range(0, math.Inf(1), 1) }, "ops.Range: end is +Inf; it must be finite [range]"},
		{func() { ops.Range(math.NaN(), 1, 1) }, "ops.Range: start is NaN; it must be finite [range]"},
		{func() { ops.Range(0, 1, float32(math.NaN())) }, "ops.Range: stride is NaN; it must be finite [range]"},
		{func() { ops.Range(0, 1, 1e-300) }, "ops.Range: from 0 to 1 in steps of 1e-300 is more than 140737488355328 elements, which cannot be held in memory [size]"},
		{func() { ops.Range(1e20, 2e20, 1) }, "ops.Range: from 1e+20 to 2e+20 in steps of 1 is more than 140737488355328 elements, which cannot be held in memory [size]"},
		{func() { ops.Range(math.MinInt64, math.MaxInt64, int64(1)) }, "ops.Range: a result of 18446744073709551615 elements of 8 bytes cannot be held in memory [size]"},
		{func() { ops.Replicate(1, -1) }, "ops.Replicate: n is -1; it must not be negative [size]"},
		{func() { ops.Replicate(1.5, math.MaxInt) }, "ops.Replicate: a result of 9223372036854775807 elements of 8 bytes cannot be held in memory [size]"},
		{func() { ops.Join(units, units) }, "ops.Join: the product of the lengths [9223372036854775807 9223372036854775807] is too large to be held in memory [size]"},
		{func() { ops.Join3(units, three, units) }, "ops.Join3: the product of the lengths [9223372036854775807 3 9223372036854775807] is too large to be held in memory [size]"},

		{func() { ops.Split(three, 0) }, "ops.Split: size is 0; it must be positive [size]"},
		{func() { ops.Split([]int{}, -4) }, "ops.Split: size is -4; it must be positive [size]"},
		{func() { ops.Cyclic(three, 0) }, "ops.Cyclic: size is 0; it must be positive [size]"},
		{func() { ops.Cyclic(three, math.MaxInt) }, "ops.Cyclic: a result of 9223372036854775807 elements of 24 bytes cannot be held in memory [size]"},
		{func() { ops.Striding(three, 0) }, "ops.Striding: stride is 0; it must be positive [stride]"},
		{func() { ops.Striding(three, -2) }, "ops.Striding: stride is -2; it must be positive [stride]"},

		{func() { ops.Nest(three, []int{}) }, "ops.Nest: offsets is empty; r rows need r+1 offsets, so at least one [offsets]"},
		{func() { ops.Nest(three, []int32{0, 2, 1, 3}) }, "ops.Nest: offsets[2] = 1 is less than offsets[1] = 2; offsets must not decrease [offsets]"},
		{func() { ops.Nest(three, []int32{-1, 3}) }, "ops.Nest: offsets[0] = -1 is outside s, which has 3 elements [offsets]"},
		{func() { ops.Nest(three, []int64{0, 4}) }, "ops.Nest: offsets[1] = 4 is outside s, which has 3 elements [offsets]"},
		{func() { ops.Nest(three, []uint64{0, 1 << 63}) }, "ops.Nest: offsets[1] = 9223372036854775808 is outside s, which has 3 elements [offsets]"},
	} {
		got := recovered(c.misuse)
		var e *ops.Error
		if !errors.As(got, &e) {
			t.Errorf("got %v\nwant a *ops.Error: %s", got, c.want)
		} else if e.Error() != c.want {
			t.Errorf("got  %s\nwant %s", e, c.want)
		} else if want := "ops." + e.Op + ": " + e.Detail + " [" + e.Code + "]"; want != c.want {
			t.Errorf("the fields give %s", want)
		}
	}
}

// recovered is the error that f panics with.
func recovered(f func()) (err error) {
	defer func() { err, _ = recover().(error) }()
	f()
	return nil
}
