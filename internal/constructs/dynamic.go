// Slices

package constructs

// EditDistances are how many edits lead from a text to each other one.
//
// Construct: two buffers from outside of a loop, whose turns set them and let them change places: prev, cur = cur, prev
//
//surge:kernel
func EditDistances(texts [][]byte, text []byte) []int {
	longest := 0
	for _, t := range texts {
		longest = max(longest, len(t))
	}
	out := make([]int, len(texts))
	prev, cur := make([]int, longest+1), make([]int, longest+1)
	for r, t := range texts {
		for j := 0; j <= longest; j++ {
			prev[j] = j
		}
		for i, c := range text {
			cur[0] = i + 1
			for j := 1; j <= longest; j++ {
				cost := 1
				if j <= len(t) && t[j-1] == c {
					cost = 0
				}
				cur[j] = min(prev[j-1]+cost, prev[j]+1, cur[j-1]+1)
			}
			prev, cur = cur, prev
		}
		out[r] = prev[len(t)]
	}
	return out
}

// warp is the distance of two rows by dynamic time warping, or far if it is not below that.
func warp(a, b []float64, far float64, prev, cur []float64) float64 {
	for j := range prev {
		prev[j] = far
	}
	prev[0] = 0
	steps := 0
	for _, x := range a {
		for j := range cur {
			cur[j] = far
		}
		least := far
		for j, y := range b {
			d := x - y
			cur[j+1] = d*d + min(prev[j], prev[j+1], cur[j])
			least = min(least, cur[j+1])
		}
		if least >= far {
			return far
		}
		prev, cur, steps = cur, prev, steps+1
	}
	return prev[len(b)] + float64(steps)
}

// Warps are the distances of rows from one.
//
// Construct: buffers that a function lets change places, which the caller gives it again and again
//
//surge:kernel
func Warps(rows [][]float64, row []float64, far float64) []float64 {
	out := make([]float64, len(rows))
	prev, cur := make([]float64, len(row)+1), make([]float64, len(row)+1)
	for r, other := range rows {
		if len(other) == 0 {
			continue
		}
		if d := warp(other, row, far, prev, cur); d < far {
			out[r] = d
		}
	}
	return out
}

// Landmarks are the places of rows that differ most, by halves.
//
// Construct: stack = append(stack[:0], x), and keep = slices.Grow(keep[:0], n)[:n] with clear(keep), of buffers
//
//surge:kernel
func Landmarks(rows [][]float64, least float64) [][]int {
	out := make([][]int, len(rows))
	var stack [][2]int
	var keep []bool
	for r, row := range rows {
		if len(row) < 3 {
			continue
		}
		keep = append(keep[:0], make([]bool, len(row))...)
		keep[0], keep[len(row)-1] = true, true
		stack = append(stack[:0], [2]int{0, len(row) - 1})
		for len(stack) > 0 {
			lo, hi := stack[len(stack)-1][0], stack[len(stack)-1][1]
			stack = stack[:len(stack)-1]
			far, at := least, -1
			for i := lo + 1; i < hi; i++ {
				if d := row[i] - row[lo]; d*d > far {
					far, at = d*d, i
				}
			}
			if at < 0 {
				continue
			}
			keep[at] = true
			stack = append(stack, [2]int{lo, at}, [2]int{at, hi})
		}
		var kept []int
		for i, k := range keep {
			if k {
				kept = append(kept, i)
			}
		}
		out[r] = kept
	}
	return out
}
