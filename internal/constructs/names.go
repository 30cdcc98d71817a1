// Slices

package constructs

import "slices"

type canvas struct {
	width int
	cells []int32
	under []int32
}

func (c *canvas) box(x, y, w, h int, v int32) {
	cells, width := c.cells, c.width
	for j := y; j < y+h; j++ {
		row := cells[j*width : (j+1)*width]
		for i := x; i < x+w; i++ {
			row[i] += v
		}
	}
}

// soften is also a step of a filter whose two buffers have names.
func (c *canvas) soften() {
	from, to := c.cells, c.under
	for i := 1; i < len(from)-1; i++ {
		to[i] = (from[i-1] + 2*from[i] + from[i+1]) / 4
	}
	c.cells, c.under = to, from
}

// Painted paints boxes, and softens what comes of it.
//
// Construct: another name of a field whose elements it assigns, cells := c.cells, also where the fields get what the
// names stand for: c.cells, c.under = to, from
//
//surge:kernel
func Painted(boxes []int32, width, times int) []int32 {
	width = max(4, min(width, 40))
	c := &canvas{width: width, cells: make([]int32, 3*width), under: make([]int32, 3*width)}
	for _, b := range boxes {
		c.box(int(b&1), int(uint32(b)%3), 2, 1, b)
	}
	for range max(0, min(times, 9)) {
		c.soften()
	}
	return c.cells
}

func scaledBy(dst []float64, by float64) []float64 {
	out := dst
	for i := range out {
		out[i] *= by
	}
	return out
}

// Settled moves numbers towards those beside them.
//
// Construct: other names of variables, which change places: src, dst := a, b; and of a parameter that is updated
//
//surge:kernel
func Settled(x []float64, by float64, times int) []float64 {
	a, b := slices.Clone(x), make([]float64, len(x))
	src, dst := a, b
	for range max(0, min(times, 9)) {
		for i := range src {
			dst[i] = (src[max(i-1, 0)] + src[min(i+1, len(src)-1)]) / 2
		}
		src, dst = dst, src
	}
	result := scaledBy(src, by)
	return result
}

// Listed adds up lists until one has a sum below zero.
//
// Construct: a loop over a list of slices: for k, x := range [][]int32{a, b}
//
//surge:kernel
func Listed(a, b []int32) (int, []int) {
	c := make([]int32, 0, len(a))
	for i, v := range a {
		if i < len(b) && v != b[i] {
			c = append(c, v-b[i])
		}
	}
	total, lengths := 0, make([]int, 3)
	for k, x := range [][]int32{b, c, a} {
		sum := 0
		for _, v := range x {
			sum += int(v)
		}
		lengths[k] = len(x)
		if sum == 0 {
			continue
		}
		if total += sum; sum < 0 {
			break
		}
	}
	return total, lengths
}

type ages []int32

func (a *ages) add(x int32) {
	*a = append(*a, x)
	v := *a
	for i := len(v) - 1; i > 0 && v[(i-1)/2] < v[i]; i = (i - 1) / 2 {
		v[(i-1)/2], v[i] = v[i], v[(i-1)/2]
	}
}

func (a *ages) oldest() int32 {
	v := *a
	first, last := v[0], len(v)-1
	v[0] = v[last]
	v = v[:last]
	*a = v
	for i := 0; 2*i+1 < len(v); {
		c := 2*i + 1
		if c+1 < len(v) && v[c+1] > v[c] {
			c++
		}
		if v[i] >= v[c] {
			break
		}
		v[i], v[c] = v[c], v[i]
		i = c
	}
	return first
}

// Oldest takes the k greatest numbers of a heap.
//
// Construct: other names of what a pointer leads to, v := *a, also where it gets that again: v = v[:n]; *a = v
//
//surge:kernel
func Oldest(xs []int32, k uint8) []int32 {
	a := make(ages, 0, len(xs))
	for _, x := range xs {
		a.add(x)
	}
	out := make([]int32, 0, len(xs))
	for range min(int(k), len(xs)) {
		out = append(out, a.oldest())
	}
	return out
}

// Alternating fills two rows in turns, each from the other one.
//
// Construct: an array of slices, or a slice that lists some, with an index that turns compute: rows[turn&1]
//
//surge:kernel
func Alternating(xs []int32, turns uint8) ([]int32, []int32) {
	var rows [2][]int32
	for k := range rows {
		rows[k] = make([]int32, len(xs)+1)
	}
	best := [][]int32{make([]int32, len(xs)), make([]int32, len(xs))}
	for turn := range int(turns % 8) {
		now, before := rows[turn&1], rows[1-turn&1]
		for i, x := range xs {
			now[i+1] = max(now[i], before[i+1]) + x/4
			best[turn%2][i] = now[i+1] - best[(turn+1)%2][i]/2
		}
	}
	return rows[turns&1], best[0]
}
