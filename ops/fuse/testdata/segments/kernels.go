// Package segments has loops each turn of which fills what lies between two offsets of an array. The last line of a
// kernel's comment says whether it becomes rows.
package segments

// Doubled is such a loop.
// Rows: true
//
//surge:kernel
func Doubled(offsets []int, x []float64) []float64 {
	out := make([]float64, len(x))
	for r := 0; r+1 < len(offsets); r++ {
		for e := offsets[r]; e < offsets[r+1]; e++ {
			out[e] = 2 * x[e]
		}
	}
	return out
}

// Shares reads what it has assigned, in its own segment, and counts there.
// Rows: true
//
//surge:kernel
func Shares(offsets []int32, x []float64) ([]float64, []int) {
	out, at := make([]float64, len(x)), make([]int, len(x))
	for r := 1; r < len(offsets); r++ {
		sum, n := 0.0, 0
		for e := offsets[r-1]; e < offsets[r]; e++ {
			if x[e] > 0 {
				out[e] = x[e]
			}
			at[e] = n
			n++
			sum += out[e]
		}
		for e := offsets[r-1]; e < offsets[r]; e++ {
			out[e] /= sum + 1
		}
	}
	return out, at
}

// Sliced counts from the beginning of each segment.
// Rows: true
//
//surge:kernel
func Sliced(offsets []int, x []float64) []float64 {
	out := make([]float64, len(x))
	for r := 0; r < len(offsets)-1; r++ {
		lo, hi := offsets[r], offsets[r+1]
		for i, v := range x[lo:hi] {
			out[lo+i] = v + float64(i)
		}
		for i := 0; i < hi-lo; i++ {
			out[i+lo]++
		}
	}
	return out
}

// Neighbour reads the element before, which may be that of another segment.
// Rows: false
//
//surge:kernel
func Neighbour(offsets []int, x []float64) []float64 {
	out := make([]float64, len(x))
	for r := 0; r+1 < len(offsets); r++ {
		for e := offsets[r]; e < offsets[r+1]; e++ {
			if e > 0 {
				out[e] = out[e-1] + x[e]
			}
		}
	}
	return out
}

// Apart has segments between offsets that are not one behind the other.
// Rows: false
//
//surge:kernel
func Apart(offsets []int, x []float64) []float64 {
	out := make([]float64, len(x))
	for r := 0; r+2 < len(offsets); r++ {
		for e := offsets[r]; e < offsets[r+2]; e++ {
			out[e] += x[e]
		}
	}
	return out
}

// Before reads the array before the loop has filled it, and changes it afterwards.
// Rows: false
//
//surge:kernel
func Before(offsets []int, x []float64) []float64 {
	out := make([]float64, len(x))
	if len(out) > 2 {
		out[1] = 3
	}
	for r := 0; r+1 < len(offsets); r++ {
		for e := offsets[r]; e < offsets[r+1]; e++ {
			out[e] += x[e]
		}
	}
	return out
}

// Behind changes an element when all segments are filled.
// Rows: false
//
//surge:kernel
func Behind(offsets []int, x []float64) []float64 {
	out := make([]float64, len(x))
	for r := 0; r+1 < len(offsets); r++ {
		for e := offsets[r]; e < offsets[r+1]; e++ {
			out[e] += x[e]
		}
	}
	if len(out) > 2 {
		out[1] = 3
	}
	return out
}
