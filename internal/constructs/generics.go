// Generics

package constructs

import (
	"cmp"

	"github.com/surge-ndp/surge/ops"
)

type numeric interface{ ~int32 | ~int64 | ~float64 }

func clamped[T cmp.Ordered](v, low, high T) T {
	switch {
	case v < low:
		return low
	case v > high:
		return high
	}
	return v
}

func meanOf[T numeric](x []T) float64 {
	var sum T
	for _, v := range x {
		sum += v
	}
	return float64(sum) / asFloat(T(len(x)+1))
}

// asFloat converts a number.
func asFloat[T numeric](v T) float64 { return float64(v) }

// Clamped calls generic functions for several types.
//
// Construct: generic functions, with constraints, conversions to type parameters and their zero values
//
//surge:kernel
func Clamped(x []float64, k []int32) ([]float64, float64) {
	return ops.Map(func(v float64) float64 { return clamped(v, -1, 1) * float64(clamped[int32](3, 1, 2)) }, x), meanOf(x) + meanOf(k)
}

type window[T numeric] struct {
	last, sum T
	n         int
}

func (w *window[T]) add(v T) {
	w.last = v
	w.sum += v
	w.n++
}

func (w window[T]) mean() float64 { return float64(w.sum) / float64(w.n+1) }

type span[A, B any] struct {
	first  A
	second B
}

func (s span[A, B]) swapped() span[B, A] { return span[B, A]{s.second, s.first} }

// Windows uses generic types and their methods.
//
// Construct: generic types with methods
//
//surge:kernel
func Windows(x []float64, k []int64) (float64, float64) {
	var w window[float64]
	for _, v := range x {
		w.add(v)
	}
	u := window[int64]{n: 1}
	for _, v := range k {
		u.add(v)
	}
	s := span[float64, int64]{w.mean(), u.last}.swapped()
	return s.second + float64(s.first), u.mean()
}

// Shifts is compiled for several types.
//
// Construct: generic kernels, compiled for the types that //surge:instantiate lists
//
//surge:kernel
//surge:instantiate [float32] [int64]
func Shifts[T float32 | int64](x []T, by T) []T {
	return ops.Map(func(v T) T { return v + by }, x)
}
