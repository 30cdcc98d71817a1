package ops

import "math"

// Number is what can be counted with.
type Number interface {
	Index | ~float32 | ~float64
}

// Range counts from start, included, to end, excluded, in steps of stride.
//
//	y[i] = start + i·stride        for all i ≥ 0 with y[i] < end (stride > 0) or y[i] > end (stride < 0)
//
// The result is empty if start has reached end already. The elements are calculated in T with the
// product rounded before the sum, not by repeated addition, so that they can be computed
// independently and floating-point errors do not pile up. Work O(len(y)), span O(1). Strongest
// schedule: independent. The result is fresh. Errors: "stride" if stride is zero; "range" if start,
// end or stride is infinite or not a number; "size" if the result cannot be held in memory. Paper:
// Table I, range.
func Range[T Number](start, end, stride T) []T {
	if stride == 0 {
		misuse("Range", CodeStride, "stride is 0; it must be positive to count up or negative to count down")
	}
	var n uint64
	if one, two := T(1), T(2); one/two != 0 {
		n = floatSteps(start, end, stride)
	} else {
		n = intSteps(start, end, stride)
	}
	y := makeResult[T]("Range", n)
	for i := range y {
		y[i] = rangeAt(start, stride, uint64(i))
	}
	return y
}

// rangeAt is element i of a range. The conversion around the product keeps the compiler from
// fusing it with the sum, which would round differently on some processors.
func rangeAt[T Number](start, stride T, i uint64) T {
	return start + T(T(i)*stride)
}

// intSteps counts the elements of a range of integers. The distance between two integers of any
// type fits 64 unsigned bits, so nothing overflows.
func intSteps[T Number](start, end, stride T) uint64 {
	switch {
	case stride > 0 && start < end:
		return (uint64(end)-uint64(start)-1)/uint64(stride) + 1
	case stride < 0 && start > end:
		return (uint64(start)-uint64(end)-1)/-uint64(stride) + 1
	}
	return 0
}

// floatSteps counts the elements of a range of floating-point numbers: the least n whose element
// has reached end. The quotient gives n up to rounding only (1, 1.3, 0.1 gives four by the quotient
// and three by the definition), so the definition is searched: elements never turn back as i grows.
func floatSteps[T Number](start, end, stride T) uint64 {
	names := [...]string{"start", "end", "stride"}
	for i, x := range [...]T{start, end, stride} {
		if v := float64(x); math.IsNaN(v) || math.IsInf(v, 0) {
			misuse("Range", CodeRange, "%s is %v; it must be finite", names[i], v)
		}
	}
	reached := func(i uint64) bool {
		x := rangeAt(start, stride, i)
		return stride > 0 && x >= end || stride < 0 && x <= end
	}
	if reached(0) {
		return 0
	}
	const limit = 1 << 47 // no memory holds as many
	hi := uint64(1)
	for !reached(hi) {
		if hi >= limit {
			misuse("Range", CodeSize, "from %v to %v in steps of %v is more than %d elements, which cannot be held in memory",
				start, end, stride, uint64(limit))
		}
		hi *= 2
	}
	for lo := hi / 2; hi-lo > 1; { // lo has not reached end, hi has
		if mid := lo + (hi-lo)/2; reached(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi
}

// Replicate repeats a value.
//
//	y[i] = v        0 ≤ i < n
//
// Work O(n), span O(1). Strongest schedule: independent. The result is fresh (if v is a slice, its
// elements are shared by all n). Error: "size" if n is negative or the result cannot be held in
// memory. Paper: Table I, replicate.
func Replicate[T any](v T, n int) []T {
	if n < 0 {
		misuse("Replicate", CodeSize, "n is %d; it must not be negative", n)
	}
	y := makeResult[T]("Replicate", uint64(n))
	for i := range y {
		y[i] = v
	}
	return y
}
