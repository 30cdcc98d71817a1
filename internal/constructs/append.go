// Slices

package constructs

import "github.com/surge-ndp/surge/ops"

// Peaks collects what a loop finds.
//
// Construct: append in a loop that counts its turns
//
//surge:kernel
func Peaks(x []float64) ([]int, []float64) {
	var at []int
	values := []float64{}
	for i := 1; i < len(x)-1; i++ {
		if x[i] > x[i-1] && x[i] > x[i+1] {
			at = append(at, i)
			values = append(values, x[i])
		}
	}
	at = append(at, len(x))
	return at, values
}

// NextLarger uses a slice as a stack.
//
// Construct: make with a capacity, append up to it, s = s[:len(s)-1], cap
//
//surge:kernel
func NextLarger(x []int32) []int {
	next := make([]int, len(x))
	stack := make([]int, 0, len(x))
	for i, v := range x {
		for len(stack) > 0 && x[stack[len(stack)-1]] < v {
			next[stack[len(stack)-1]] = i
			stack = stack[:len(stack)-1]
		}
		stack = append(stack, i)
	}
	for _, i := range stack {
		next[i] = cap(stack)
	}
	return next
}

// Smallest keeps the smallest numbers of each row in a heap.
//
// Construct: append in a function that returns the slice
//
//surge:kernel
func Smallest(rows [][]int32) []int32 {
	return ops.Map(func(row []int32) int32 {
		heap := make([]int32, 0, len(row))
		for _, v := range row {
			heap = heapPush(heap, v)
		}
		if len(heap) == 0 {
			return 0
		}
		return heap[0]
	}, rows)
}

func heapPush(h []int32, v int32) []int32 {
	h = append(h, v)
	for i := len(h) - 1; i > 0 && h[i] < h[(i-1)/2]; i = (i - 1) / 2 {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
	}
	return h
}

// Moves moves parts of slices.
//
// Construct: copy, also within one slice, clear, append([]T(nil), s...)
//
//surge:kernel
func Moves(x []float64, k int) ([]float64, int) {
	y := append([]float64(nil), x...)
	k = min(max(k, 0), len(y))
	n := copy(y[k:], y)
	n += copy(y, x[k:])
	clear(y[len(y)-k:])
	y = append(y, 1, 2)
	return append(y, x...), n
}

// Despeckled takes the mean of nine neighbours without the least and the largest.
//
// Construct: append in nested loops whose bounds are constants
//
//surge:kernel
func Despeckled(pixels []uint8, width int) []uint8 {
	w := max(width, -width, 1)
	at := func(x, y int) uint8 { return pixels[min(max(y*w+x, 0), len(pixels)-1)] }
	out := make([]uint8, len(pixels))
	for i := range out {
		var window []uint8
		for dy := -1; dy <= 1; dy++ {
			for dx := 1; dx >= -1; dx-- {
				window = append(window, at(i%w+dx, i/w+dy))
			}
		}
		sum, least, most := 0, window[0], window[len(window)-1]
		for _, p := range window {
			sum, least, most = sum+int(p), min(least, p), max(most, p)
		}
		out[i] = uint8((sum - int(least) - int(most)) / (len(window) - 2))
	}
	return out
}

// Path is a path, as many steps as there are.
//
// Construct: append in a loop whose turns are not counted, of a slice that the loop does not read
//
//surge:kernel
func Path(x []int8, jump uint8) ([]int, []int8) {
	var at []int
	values := []int8{7}
	for i := 0; i < len(x); {
		at = append(at, i)
		if x[i] > 0 {
			values = append(values, x[i], -x[i])
		}
		values = append(values, x[i:min(i+2, len(x))]...)
		i += 1 + int(jump)%3
	}
	values = append(values, int8(len(at)))
	return at, values
}

// Filled copies to parts of an array.
//
// Construct: copy and clear of an array, or of a part of one
//
//surge:kernel
func Filled(key [4]uint32, n uint8) []uint32 {
	return ops.Map(func(i int) uint32 {
		state := [12]uint32{1, 2, 3}
		copy(state[4:8], key[:])
		copy(state[9:], state[3:6])
		if i%2 == 1 {
			clear(state[:2])
		}
		sum := uint32(0)
		for k := range state {
			sum = sum*31 + state[(k*5+i)%12]
		}
		return sum
	}, ops.Range(0, int(n), 1))
}

// Varints codes numbers with seven bits a byte.
//
// Construct: make with a capacity, and append beyond it, which runs the kernel once more as plain Go
//
//surge:kernel
func Varints(ids []uint32) []byte {
	buf := make([]byte, 0, 2*len(ids))
	for _, d := range ids {
		for d >= 0x80 {
			buf = append(buf, byte(d)|0x80)
			d >>= 7
		}
		buf = append(buf, byte(d))
	}
	return buf
}

// Firsts keeps each number that is larger than all before it, without touching what it reads.
//
// Construct: out := x[:0:0], and append to it
//
//surge:kernel
func Firsts(x []int32) []int32 {
	out := x[:0:0]
	for _, v := range x {
		if len(out) == 0 || out[len(out)-1] < v {
			out = append(out, v)
		}
	}
	return out
}

// Edges lists where values change, and where the last run ends.
//
// Construct: return append(out, v), behind loops that append to out
//
//surge:kernel
func Edges(x []int32) ([]int, int) {
	var out []int
	for i, v := range x {
		if i > 0 && x[i-1] != v {
			out = append(out, i)
		}
	}
	if len(out) == 0 {
		return out, 0
	}
	return append(out, len(x)), int(x[0])
}
