// Package capped has Maps whose rows have as many elements as a loop finds. The comment of each kernel ends with the
// sequences of its computations.
package capped

// Best has the places of the k greatest of each row, which it sorts while it looks for them: there is room for k.
//
// Sequences: map ▷ map; map ▷ map
//
//surge:kernel
func Best(x []float64, d int, k int) [][]int {
	d = max(d, 1)
	out := make([][]int, len(x)/d)
	for i := range out {
		row := x[i*d : (i+1)*d]
		best := make([]int, 0, k)
		for j, v := range row {
			if len(best) == k {
				if k == 0 || row[best[k-1]] >= v {
					continue
				}
				best = best[:k-1]
			}
			best = append(best, j)
			for at := len(best) - 1; at > 0 && row[best[at-1]] < v; at-- {
				best[at], best[at-1] = best[at-1], best[at]
			}
		}
		out[i] = best
	}
	return out
}

// Both has two rows of one length for each element, and how often it went on.
//
// Sequences: map ▷ map; map ▷ map
//
//surge:kernel
func Both(x []int, k int) ([][]int, [][]float64, []int) {
	seeds, halves := make([][]int, len(x)), make([][]float64, len(x))
	turns := make([]int, len(x))
	for i, v := range x {
		seen, half := make([]int, 0, k), make([]float64, 0, k)
		v = max(v, -v)
		for v > 1 && len(seen) < k {
			if v%3 != 0 {
				seen, half = append(seen, v), append(half, float64(v)/2)
			}
			v -= 1 + v%4
			turns[i]++
		}
		seeds[i], halves[i] = seen, half
	}
	return seeds, halves, turns
}

// Sorted sorts a copy of what it has found, in the row that it returns.
//
// Sequences: map ▷ update+map; map ▷ map
//
//surge:kernel
func Sorted(x []int, d int, k int) [][]int {
	d = max(d, 1)
	out := make([][]int, len(x)/d)
	for i := range out {
		row := x[i*d : (i+1)*d]
		found := make([]int, 0, k)
		for _, v := range row {
			if v > 0 && len(found) < k {
				found = append(found, v)
			}
		}
		list := make([]int, len(found))
		for j := range list {
			list[j] = found[j]
		}
		for a := 1; a < len(list); a++ {
			for b := a; b > 0 && list[b-1] > list[b]; b-- {
				list[b-1], list[b] = list[b], list[b-1]
			}
		}
		out[i] = list
	}
	return out
}

// Ten has room for ten in each row, which is what a row begins with: it gets more where that is not enough.
//
// Sequences: map ▷ map
//
//surge:kernel
func Ten(x []int, d int) [][]int {
	d = max(d, 1)
	out := make([][]int, len(x)/d)
	for i := range out {
		row := x[i*d : (i+1)*d]
		found := make([]int, 0, 10)
		for _, v := range row {
			if v > 1 && len(found) < 10 {
				found = append(found, v)
			}
		}
		out[i] = found
	}
	return out
}

// Own has room for as many as the row of the input has elements.
//
// Sequences: map ▷ map; map ▷ map
//
//surge:kernel
func Own(x [][]int) [][]int {
	out := make([][]int, len(x))
	for i, row := range x {
		found := make([]int, 0, len(row))
		for _, v := range row {
			if v > 1 && (len(found) == 0 || found[len(found)-1] < v) {
				found = append(found, v)
			}
		}
		out[i] = found
	}
	return out
}

// Pairs has room for twice as many as the row of the input has elements: the lengths are found first.
//
// Sequences: map ▷ map
//
//surge:kernel
func Pairs(x [][]int) [][]int {
	out := make([][]int, len(x))
	for i, row := range x {
		found := make([]int, 0, 2*len(row))
		for _, v := range row {
			if v > 1 && (len(found) == 0 || found[len(found)-1] < v) {
				found = append(found, v, v+1)
			}
		}
		out[i] = found
	}
	return out
}

// Known has rows whose lengths take no loop.
//
// Sequences: map ▷ map
//
//surge:kernel
func Known(x [][]int, k int) [][]int {
	out := make([][]int, len(x))
	for i, row := range x {
		first := make([]int, min(max(k, 0), len(row)))
		for j := range first {
			first[j] = row[j] + 1
		}
		out[i] = first
	}
	return out
}
