package cluster

import (
	"cmp"
	"slices"
)

// column is a slice of values that can be put into another order; those with an order of their own can be keys.
type column interface {
	// permuted returns the elements at some places, zeros for negative ones.
	permuted(places []int) Value
	// compare compares element i with element j of a column of the same type. NaN is less than all else.
	compare(i int, other column, j int) int
}

type numbers[T cmp.Ordered] []T

func (s numbers[T]) permuted(places []int) Value { return permuted([]T(s), places) }

func (s numbers[T]) compare(i int, other column, j int) int {
	return cmp.Compare(s[i], other.(numbers[T])[j])
}

type truths []bool

func (s truths) permuted(places []int) Value  { return permuted([]bool(s), places) }
func (s truths) compare(int, column, int) int { panic("cluster: a bool is no key") }

func permuted[T any](s []T, places []int) []T {
	out := make([]T, len(places))
	for i, at := range places {
		if at >= 0 {
			out[i] = s[at]
		}
	}
	return out
}

// columnOf is a slice as a column, nil if it is none.
func columnOf(v Value) column {
	switch s := v.(type) {
	case []bool:
		return truths(s)
	case []int:
		return numbers[int](s)
	case []int8:
		return numbers[int8](s)
	case []int16:
		return numbers[int16](s)
	case []int32:
		return numbers[int32](s)
	case []int64:
		return numbers[int64](s)
	case []uint:
		return numbers[uint](s)
	case []uint8:
		return numbers[uint8](s)
	case []uint16:
		return numbers[uint16](s)
	case []uint32:
		return numbers[uint32](s)
	case []uint64:
		return numbers[uint64](s)
	case []float32:
		return numbers[float32](s)
	case []float64:
		return numbers[float64](s)
	}
	return nil
}

// inOrder returns the places of keys in their order, those of equal keys as they are.
func inOrder(keys column, n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		if c := keys.compare(i, keys, j); c != 0 {
			return c
		}
		return i - j
	})
	return order
}

// lasts leaves of elements in the order of their places the last one of each place.
func lasts(order, places []int) []int {
	n := 0
	for i, at := range order {
		if i+1 == len(order) || places[order[i+1]] != places[at] {
			order[n] = at
			n++
		}
	}
	return order[:n]
}

// spread returns which element is at each of the places from first to below end, -1 for none.
func spread(order, places []int, first, end int) []int {
	at := slices.Repeat([]int{-1}, end-first)
	for _, i := range order {
		if p := places[i]; p >= first && p < end {
			at[p-first] = i
		}
	}
	return at
}
