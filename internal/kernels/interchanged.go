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

// Carved takes a pixel out of each row of an image so many times, the darkest one near that of the row below.
//
//surge:kernel
func Carved(img []uint8, w, h, seams int) []uint8 {
	cur, cost := make([]uint8, len(img)), make([]int32, len(img))
	copy(cur, img)
	width := w
	for range min(seams, w) {
		for y := range h {
			for x := range width {
				cost[y*w+x] = int32(cur[y*w+x]) + int32(cur[max(y-1, 0)*w+x])
			}
		}
		at := 0
		for y := h - 1; y >= 0; y-- {
			row := cost[y*w : y*w+width]
			lo, hi := 0, width
			if y < h-1 {
				lo, hi = max(at-1, 0), min(at+2, width)
			}
			at = lo
			for x := lo + 1; x < hi; x++ {
				if row[x] < row[at] {
					at = x
				}
			}
			line := cur[y*w : y*w+width]
			copy(line[at:], line[at+1:])
		}
		width--
	}
	return cur
}
