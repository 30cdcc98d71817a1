package kernels

// Loops over the elements of an array, in a loop over what is accumulated into them.

// ColumnTotals adds the rows of a matrix, and counts what is negative, for each of its first w columns.
//
//surge:kernel
func ColumnTotals(a [][]float64, w int) (sums []float64, negative []int32) {
	sums = make([]float64, w)
	negative = make([]int32, w)
	for i := range a {
		for j := range sums {
			sums[j] += a[i][j]
			if a[i][j] < 0 {
				negative[j]++
			}
		}
	}
	return sums, negative
}

// Overlaid is the largest of shifted and weighted copies of a wave, at each place.
//
//surge:kernel
func Overlaid(wave, weights []float32, shift int) []float32 {
	top := make([]float32, len(wave))
	for k, f := range weights {
		at := k * shift
		for i := range top {
			if i >= at {
				top[i] = max(top[i], f*wave[i-at])
			}
		}
	}
	return top
}
