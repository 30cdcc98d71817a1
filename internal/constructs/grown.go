// Slices

package constructs

import "slices"

// Enlarged are the differences between each row, in order, and its mean with what lies before it.
//
// Construct: a buffer that turns make longer where cap(buf) < n, and cut to buf[:n], or where len(buf) < n
//
//surge:kernel
func Enlarged(rows [][]float64) []float64 {
	out := make([]float64, len(rows))
	var sorted, means []float64
	for i, row := range rows {
		n := len(row)
		if n == 0 {
			continue
		}
		if cap(sorted) < n {
			sorted = make([]float64, n, 2*n)
		}
		sorted = sorted[:n]
		copy(sorted, row)
		slices.Sort(sorted)
		if len(means) < n+1 {
			means = make([]float64, n+1)
		}
		for j := range n + 1 {
			means[j] = 0
		}
		for j, x := range sorted {
			means[j+1] = (means[j]*float64(j) + x) / float64(j+1)
			out[i] += x - means[j]
		}
	}
	return out
}

// Waiting are the least of each number and the few before it. The queue is moved to the front of its memory when that
// is full.
//
// Construct: q = q[:copy(q, q[head:])]
//
//surge:kernel
func Waiting(x []uint16, window uint8) []uint16 {
	w := int(window) + 1
	var out []uint16
	queue := make([]int, 0, 2*w)
	head := 0
	for i, v := range x {
		for len(queue) > head && x[queue[len(queue)-1]] > v {
			queue = queue[:len(queue)-1]
		}
		if len(queue) == cap(queue) {
			queue = queue[:copy(queue, queue[head:])]
			head = 0
		}
		queue = append(queue, i)
		for queue[head] <= i-w {
			head++
		}
		out = append(out, x[queue[head]])
	}
	return out
}

func keepBest[T any](list []T, x T, k int, better func(a, b T) bool) []T {
	if len(list) == k {
		if k == 0 || !better(x, list[k-1]) {
			return list
		}
		list = list[:k-1]
	}
	list = append(list, x)
	for i := len(list) - 1; i > 0 && better(x, list[i-1]); i-- {
		list[i], list[i-1] = list[i-1], list[i]
	}
	return list
}

type placed struct {
	place int32
	score int16
}

// Foremost lists the places of the greatest numbers of each row.
//
// Construct: s = f(s, x, better), where f is generic, appends to its parameter under conditions, and returns it
//
//surge:kernel
func Foremost(rows [][]int16, most uint8) [][]int32 {
	out := make([][]int32, len(rows))
	k := int(most % 8)
	better := func(a, b placed) bool { return a.score > b.score }
	for i, row := range rows {
		best := make([]placed, 0, k)
		for j, v := range row {
			best = keepBest(best, placed{int32(j), v}, k, better)
		}
		places := make([]int32, len(best))
		for j, r := range best {
			places[j] = r.place
		}
		out[i] = places
	}
	return out
}

func copyRows(a [][]int32) [][]int32 {
	m := make([][]int32, len(a))
	for i, row := range a {
		m[i] = slices.Clone(row)
	}
	return m
}

// Lowered are the rows, less their number and the sum of the first one.
//
// Construct: a parameter that becomes a copy of itself, and rows that are read before their elements are assigned
//
//surge:kernel
func Lowered(m [][]int32) [][]int32 {
	if len(m) == 0 {
		return nil
	}
	m = copyRows(m)
	total := int32(len(m[0]))
	for _, v := range m[0] {
		total += v
	}
	for i := range m {
		for j := range m[i] {
			m[i][j] -= total + int32(i)
		}
	}
	return m
}

// Trailing are runs of numbers, each of which is made the sums of itself after it was appended.
//
// Construct: tail := s[len(s)-k:]; tail[i] = …, a part of a slice that turns append to
//
//surge:kernel
func Trailing(x []float64, most int) []float64 {
	var sums []float64
	for i := range x {
		from := len(sums)
		for k := range min(i, max(most, 0)) % 5 {
			sums = append(sums, x[i-k])
		}
		run := sums[from:]
		slices.Sort(run)
		for k := range run {
			if k > 0 {
				run[k] += run[k-1]
			}
		}
	}
	return sums
}

// regrown has n elements of buf, or of a new slice where that has no room for them.
func regrown[T any](buf []T, n int) []T {
	if cap(buf) < n {
		return make([]T, n, n+n/2)
	}
	return buf[:n]
}

// Regrown is how often numbers of each row are greater than half of the greatest one.
//
// Construct: a buffer that a function of the package makes longer and cuts: buf = grow(buf, n)
//
//surge:kernel
func Regrown(rows [][]float64) []int {
	out := make([]int, len(rows))
	var sorted []float64
	for i, row := range rows {
		if len(row) == 0 {
			continue
		}
		sorted = regrown(sorted, len(row))
		copy(sorted, row)
		slices.Sort(sorted)
		for _, v := range sorted {
			if 2*v > sorted[len(sorted)-1] {
				out[i]++
			}
		}
	}
	return out
}

// Enough are the places of the greatest numbers, each with what it is more than those beside it that were taken before,
// until there are as many as asked for, or as have places, or the numbers become negative.
//
// Construct: loops until as many elements are appended as a limit says, some of which append to other slices as well
//
//surge:kernel
func Enough(x []int16, most int8) (taken []int, gains []int32, turns int) {
	k := min(int(most), len(x))
	used := make([]bool, len(x))
	for len(taken) < k {
		turns++
		best := -1
		for i, v := range x {
			if !used[i] && (best < 0 || v > x[best]) {
				best = i
			}
		}
		used[best] = true
		if turns%3 == 1 && turns < len(x) {
			x := int32(turns)
			gains = append(gains, x)
			taken = append(taken, -1)
			used[best] = turns%2 == 0
			continue
		}
		gain := int32(x[best])
		if best > 0 && used[best-1] {
			gain -= int32(x[best-1])
		}
		taken = append(taken, best)
		if gain < 0 {
			break
		}
		gains = append(gains, gain)
	}
	for i := 0; k/2+2 >= len(gains) && i < len(x); i++ {
		for range 2 {
			gains = append(gains, int32(i))
		}
	}
	return taken, gains, turns
}
