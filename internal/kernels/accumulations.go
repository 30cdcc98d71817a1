package kernels

import "math"

// Tally counts values, and remembers for each the largest weight and where it was last, in one loop.
//
//surge:kernel
func Tally(values []int32, weights []uint8, bins int) (counts []int32, most []uint8, last []int, all int) {
	counts = make([]int32, bins)
	most = make([]uint8, bins)
	last = make([]int, bins)
	for i := range last {
		last[i] = -1 - i
	}
	for i, v := range values {
		counts[v]++
		most[v] = max(most[v], weights[i])
		if weights[i] > 7 {
			last[v] = max(last[v], i)
			all += int(weights[i])
		}
	}
	return counts, most, last, all
}

// PairDistances counts the pairs of two sets by the bin that their distance falls into: limits grow.
//
//surge:kernel
func PairDistances(a, b, limits []float32) (bins []int64) {
	bins = make([]int64, len(limits)+1)
	for _, p := range a {
		for _, q := range b {
			d := (p - q) * (p - q)
			low, high := 0, len(limits)
			for low < high {
				mid := (low + high) / 2
				if d < limits[mid] {
					high = mid
				} else {
					low = mid + 1
				}
			}
			bins[low]++
		}
	}
	return bins
}

// WordCounts counts the words of documents of two kinds: rows of different lengths, and tables that follow each other.
//
//surge:kernel
func WordCounts(words, first []int32, spam []bool, size int) (counts []int32, total [2]int) {
	counts = make([]int32, 2*size)
	for d, s := range spam {
		kind := 0
		if s {
			kind = 1
		}
		for _, w := range words[first[d]:first[d+1]] {
			counts[kind*size+int(w)]++
		}
		total[kind]++
	}
	return counts, total
}

// Moments are sums that may be taken in any order: of all, of rows, and of bins.
//
//surge:kernel
//surge:reassociate
func Moments(x []float64, at []int32, width, bins int) (mean, square float64, rows, sums []float64, product float64) {
	product = 1
	for _, v := range x {
		mean += v
		square += v * v
		product *= 1 + v/64
	}
	height := 0
	if width > 0 {
		height = len(x) / width
	}
	rows = make([]float64, height)
	for i := range rows {
		s := 1.0
		for j := 0; j < width; j++ {
			s += x[i*width+j] * x[j]
		}
		rows[i] = s
	}
	sums = make([]float64, bins)
	for i, b := range at {
		sums[b] -= x[i]
	}
	return mean, square, rows, sums, product
}

// Relaxed moves numbers towards their mean again and again: a sum in the turns of a loop.
//
//surge:kernel
//surge:reassociate
func Relaxed(x []float64, turns int) []float64 {
	now := make([]float64, len(x))
	copy(now, x)
	next := make([]float64, len(x))
	for range turns {
		s := 0.0
		for _, v := range now {
			s += v
		}
		for i, v := range now {
			next[i] = v + 0.5*(s/float64(len(x))-v)
		}
		now, next = next, now
	}
	return now
}

// Places are those of extremes: the first of the least by its place, the last of the greatest with its partner, the
// first byte above a number of which there is more than one.
//
//surge:kernel
func Places(x, y []float64, b []uint8, level uint8) (least int, most float64, last int32, partner float64, high uint8, at int) {
	for i, v := range x {
		if v < x[least] {
			least = i
		}
	}
	last, partner = -1, -1
	for i, v := range y {
		if w := v*v - v; w >= most {
			most, last, partner = w, int32(i), x[i]
		}
	}
	high, at = level, -1
	for i := 1; i < len(b); i++ {
		if high < b[i] {
			high, at = b[i], i
		}
	}
	return
}

// Contours is the case of each cell of marching squares, and how long the lines in them are, in the order of cells.
//
//surge:kernel
func Contours(field []float64, w, h int, level float64) ([]uint8, float64) {
	cases := make([]uint8, (w-1)*(h-1))
	total := 0.0
	for y := 0; y < h-1; y++ {
		for x := 0; x < w-1; x++ {
			var c uint8
			for k, at := range [4]int{y*w + x, y*w + x + 1, (y+1)*w + x + 1, (y+1)*w + x} {
				if field[at] > level {
					c |= 1 << k
				}
			}
			cases[y*(w-1)+x] = c
			switch c {
			case 1, 2, 4, 7, 8, 11, 13, 14:
				total += math.Sqrt(math.Abs(field[y*w+x])) / 2
			case 3, 6, 9, 12:
				total++
			case 5, 10:
				total -= math.Sqrt2
			}
		}
	}
	return cases, total
}
