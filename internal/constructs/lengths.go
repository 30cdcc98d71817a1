// Slices

package constructs

import "math/rand/v2"

type wave struct{ height, speed []float64 }

func (w *wave) step(c float64) {
	for i := 0; i+1 < len(w.height); i++ {
		w.speed[i] += c * (w.height[i+1] - w.height[i])
	}
	for i := 1; i < len(w.height)-1; i++ {
		w.height[i] += c * (w.speed[i] - w.speed[i-1])
	}
}

// Waved steps a wave on a string.
//
// Construct: a loop up to the length of a slice, or a field, whose elements it assigns: i+1 < len(w.height)
//
//surge:kernel
func Waved(x []float64, c float64, steps int) []float64 {
	w := &wave{height: make([]float64, len(x)), speed: make([]float64, len(x))}
	copy(w.height, x)
	for range min(steps, 20) {
		w.step(c)
	}
	return w.height
}

// Lifted moves what is lighter to the end, and doubles what comes last.
//
// Construct: such a loop, which appends to the slice or shortens it: the length is another one in each turn
//
//surge:kernel
func Lifted(x []int32) []int32 {
	y := append([]int32(nil), x...)
	for i := 0; i < len(y)-1; i++ {
		if y[i] < y[i+1] {
			y[i], y[i+1] = y[i+1], y[i]
		}
		switch {
		case y[i] > 50 && len(y) < 2*len(x):
			y = append(y, y[i]/2)
		case y[i] < -50:
			y = y[:len(y)-1]
		}
	}
	return y
}

// Shown shows room behind what was appended: what stood there, and zeros.
//
// Construct: a slice that is cut to more elements than it has, up to its capacity: y = y[:n]
//
//surge:kernel
func Shown(x []int32, n int) []int32 {
	n = max(0, min(n, 100))
	y := make([]int32, 0, len(x)+n)
	for _, v := range x {
		if v > 0 {
			y = append(y, v)
		}
	}
	y = y[:len(y)/2]
	y = y[:len(x)+n]
	return y
}

// Highest is the highest one of each window of numbers, by a queue of candidates.
//
// Construct: a slice that is a queue: appended to behind, taken from in front and behind
//
//surge:kernel
func Highest(x []int64, window int) []int64 {
	if window <= 0 || window > len(x) {
		return nil
	}
	var queue []int
	out := make([]int64, 0, len(x)-window+1)
	for i, v := range x {
		for len(queue) > 0 && x[queue[len(queue)-1]] <= v {
			queue = queue[:len(queue)-1]
		}
		queue = append(queue, i)
		if queue[0] <= i-window {
			queue = queue[1:]
		}
		if i >= window-1 {
			out = append(out, x[queue[0]])
		}
	}
	return out
}

// Cascaded sums up columns, and sets the rows in the middle to their first number.
//
// Construct: a loop over a part of rows that assigns their elements: for i, row := range rows[1:]
//
//surge:kernel
func Cascaded(x [][]int32, from, to uint8) [][]int32 {
	width := 0
	if len(x) > 0 {
		width = len(x[0])
	}
	rows := make([][]int32, len(x))
	for i := range rows {
		rows[i] = make([]int32, width)
		copy(rows[i], x[i])
	}
	if len(rows) == 0 {
		return rows
	}
	for i, row := range rows[1:] {
		for j := range row {
			row[j] += rows[i][j]
		}
	}
	low, high := from%8, to%16
	for _, row := range rows[low:min(high, uint8(min(len(rows), 255)))] {
		if len(row) > 1 {
			clear(row[1:])
		}
	}
	return rows
}

// Peeked adds up windows of a signal, and of what lies behind its end.
//
// Construct: a slice of a parameter that is cut to more elements than it has, up to its capacity, which runs the kernel
// once more as plain Go: x[lo:hi]
//
//surge:kernel
func Peeked(x []int32, at []uint8, rows [][]int32, n uint8) []int32 {
	sums := make([]int32, len(at))
	for i, lo := range at {
		for _, v := range x[lo : int(lo)+int(n)] {
			sums[i] += v
		}
	}
	for i, row := range rows {
		for _, v := range row[:n/2] {
			sums[i%len(at)] -= v
		}
	}
	return sums
}

// InputsPeeked has slices with room behind their ends, which is too little for some.
func InputsPeeked(n int, r *rand.Rand) []any {
	x := make([]int32, n+9)
	for i := range x {
		x[i] = r.Int32N(99)
	}
	at := make([]uint8, 1+n/2)
	for i := range at {
		at[i] = uint8(r.IntN(1 + min(n, 255)))
	}
	rows := make([][]int32, n/3)
	for i := range rows {
		rows[i] = x[:r.IntN(4)]
	}
	return []any{x[:n], at, rows, uint8(r.IntN(9))}
}
