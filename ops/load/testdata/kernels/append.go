package kernels

import (
	"slices"

	"github.com/surge-ndp/surge/ops"
)

// Filtered appends in a loop: the room is made before it.
//
//surge:kernel
func Filtered(x []float64, limit float64) ([]float64, []int) {
	var out []float64
	for _, v := range x {
		if v > limit {
			out = append(out, v)
		} else if v == limit {
			out = append(out, v, -v)
		}
	}
	var at []int
	for i := range x {
		if i%2 == 0 {
			at = append(at, i)
		}
	}
	at = append(at, at...)
	return out, at
}

// Pops uses slices as stacks: append, cut, look at the last.
//
//surge:kernel
func Pops(rows [][]int, room int) []int {
	return ops.Map(func(row []int) int {
		stack := make([]int, 0, len(row)+max(room, 0))
		popped := 0
		for _, v := range row {
			for len(stack) > 0 && stack[len(stack)-1] > v {
				popped += stack[len(stack)-1]
				stack = stack[:len(stack)-1]
			}
			stack = append(stack, v)
		}
		return popped*100 + len(stack)*10 + cap(stack)
	}, rows)
}

// Parts copies, clears and appends outside of loops.
//
//surge:kernel
func Parts(x []int, k int) ([]int, []int, []int) {
	y := append([]int(nil), x...)
	y = append(y, k)
	if k > 2 {
		y = append(y, k+1, k+2)
	}
	n := copy(y[1:], y)
	z := make([]int, len(x)+1)
	n += copy(z, x[len(x)/2:])
	n += copy(y[:1], z)
	n += copy(z[1:], z)
	clear(z[len(z)-1:])
	w := []int{n}
	w = append(w, len(y))
	clear(w[:1])
	return y, z, w
}

// Pushed appends by functions.
//
//surge:kernel
func Pushed(x []int32, n int) []int32 {
	heap := make([]int32, 0, len(x)+1)
	for _, v := range x {
		heap = pushed(heap, v)
	}
	all := evens(x)
	slices.Sort(all)
	all = append(all, -1)
	clear(all[:0])
	return append(slices.Clone(heap), all...)
}

func pushed(h []int32, v int32) []int32 {
	h = append(h, v)
	for i := len(h) - 1; i > 0 && h[i] < h[(i-1)/2]; i = (i - 1) / 2 {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
	}
	return h
}

func evens(x []int32) []int32 {
	out := []int32{}
	for _, v := range x {
		if v%2 == 0 {
			out = append(out, v)
		}
	}
	return out
}
