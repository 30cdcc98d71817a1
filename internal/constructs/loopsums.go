// Loops that accumulate

package constructs

import "math"

// Summary counts, sums up and finds extremes in one loop.
//
// Construct: a loop at the top level that counts, adds integers or finds extremes, which runs in parallel
//
//surge:kernel
func Summary(x []int, limit int) (n, sum, least, most int, all bool) {
	least, most, all = math.MaxInt, math.MinInt, true
	for i, v := range x {
		if v > limit {
			n++
			sum += v * i
		}
		if v < least {
			least = v
		}
		most = max(most, v)
		if v < 0 {
			all = false
		}
	}
	return
}

// Peak finds the greatest value of a row of a matrix, and counts in two loops.
//
// Construct: integers that are added in a loop in a loop
//
//surge:kernel
func Peak(x []float64, width int, level float64) (float64, int) {
	peak, above := math.Inf(-1), 0
	for i := 0; i < len(x)-width; i++ {
		for j := 0; j < width; j++ {
			if x[i+j] > level {
				above += j
			}
		}
		peak = max(peak, x[i])
	}
	return peak, above
}

// Hues counts pixels by their colour, and finds the brightest one of each.
//
// Construct: integers that are counted, added, or compared at computed places, which runs in parallel
//
//surge:kernel
func Hues(colour, light []uint8) (counts []int, brightest []uint8) {
	counts = make([]int, 256)
	brightest = make([]uint8, 256)
	for i, c := range colour {
		counts[c]++
		brightest[c] = max(brightest[c], light[i])
	}
	return counts, brightest
}

// Overlaps counts, for each pair of two sets of marks, the place where they meet.
//
// Construct: counts at computed places in a loop in a loop
//
//surge:kernel
func Overlaps(x, y []int, size int) []int {
	at := make([]int, size)
	for _, v := range x {
		for _, w := range y {
			if d := v - w; d >= 0 && d < size {
				at[d]++
			}
		}
	}
	return at
}

// Nearest finds the station that is nearest to a place, and how far it is.
//
// Construct: the place of the least or the greatest element, which is found in parallel: the first or the last of
// equal ones
//
//surge:kernel
func Nearest(x, y []float64, px, py float64) (at int, distance float64) {
	at, distance = -1, math.Inf(1)
	for i := 0; i < min(len(x), len(y)); i++ {
		if d := (x[i]-px)*(x[i]-px) + (y[i]-py)*(y[i]-py); d < distance {
			at, distance = i, d
		}
	}
	return at, distance
}

// Brightened goes through the pixels of a picture, whose colours lie side by side, and appends those that it blends.
//
// Construct: elements in groups: `for i := 0; i+2 < len(rgb); i += 3`, and several that are appended in each turn
//
//surge:kernel
func Brightened(rgb []uint8, gain float32) (out, small []uint8) {
	out = make([]uint8, len(rgb))
	for i := 0; i+2 < len(rgb); i += 3 {
		r, g, b := float32(rgb[i]), float32(rgb[i+1]), float32(rgb[i+2])
		grey := 0.3*r + 0.6*g + 0.1*b
		out[i] = uint8(min(max(r*gain, 0), 255))
		out[i+1] = uint8(min(max(g*gain, 0), 255))
		out[i+2] = uint8(min(max((b+grey)/2*gain, 0), 255))
	}
	small = make([]uint8, 0, len(rgb)/6*2)
	for i := range len(rgb) / 6 {
		small = append(small, rgb[6*i]/2+rgb[6*i+3]/2, rgb[6*i+1]^rgb[6*i+4])
	}
	return out, small
}

// Worth adds what is much work in the order of the source.
//
// Construct: float sums in the order of the source, of terms that are much work: only the sum stays in order
//
//surge:kernel
func Worth(x []float64, paths int, rate float64) (total, discounted float64) {
	for p := range min(max(paths, 0), 1<<17) {
		seed, v := uint64(p)*0x9E3779B97F4A7C15+1, 1.0
		for _, drift := range x {
			seed ^= seed << 13
			seed ^= seed >> 7
			seed ^= seed << 17
			v *= math.Exp(drift * (float64(seed>>11)/(1<<53) - 0.5) / 64)
		}
		if v > 1 {
			total += v - 1
		}
		discounted = discounted*rate/2 + v
	}
	return total, discounted
}

// Energy adds squares in any order.
//
// Construct: float sums and products in the order that suits, by //surge:reassociate
//
//surge:kernel
//surge:reassociate
func Energy(x []float64, width int) (total float64, rows []float64) {
	for _, v := range x {
		total += v * v
	}
	if width <= 0 {
		return total, nil
	}
	rows = make([]float64, len(x)/width)
	for i := range rows {
		for j := 0; j < width; j++ {
			rows[i] += x[i*width+j] * x[i*width+j]
		}
	}
	return total, rows
}

// Centred moves numbers so that their mean is 0.
//
// Construct: a loop over all elements, and one that uses its sum
//
//surge:kernel
func Centred(x []float64) []float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	mean := sum / float64(len(x))
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = v - mean
	}
	return out
}

// Longer adds up the longer one of two rows.
//
// Construct: one of two rows, whichever is longer, in a loop over rows
//
//surge:kernel
func Longer(a, b [][]float64) float64 {
	total := 0.0
	for y := range min(len(a), len(b)) {
		larger := a[y]
		if len(b[y]) > len(larger) {
			larger = b[y]
		}
		for _, v := range larger {
			total += v
		}
	}
	return total
}

// Standardised gives rows of d numbers, each less the mean of its row and divided by the deviation, and these two.
//
// Construct: sums of rows in the order of the source, and loops over these rows that need them
//
//surge:kernel
func Standardised(x []float64, d int) (z, means, deviations []float64) {
	d = max(d, 1)
	n := len(x) / d
	z, means, deviations = make([]float64, n*d), make([]float64, n), make([]float64, n)
	for i := 0; i < n; i++ {
		row := x[i*d : (i+1)*d]
		mean := 0.0
		for _, v := range row {
			mean += v
		}
		mean /= float64(d)
		squares := 0.0
		for _, v := range row {
			squares += (v - mean) * (v - mean)
		}
		deviation := math.Sqrt(squares / float64(d))
		for j, v := range row {
			z[i*d+j] = (v - mean) / (deviation + 1e-9)
		}
		means[i], deviations[i] = mean, deviation
	}
	return z, means, deviations
}

// Unit divides each row by the root of its mean square, and weighs its elements.
//
// Construct: the same of the rows of a slice of slices
//
//surge:kernel
func Unit(rows [][]float32, weights []float32) [][]float32 {
	out := make([][]float32, len(rows))
	for i, row := range rows {
		var squares float32
		for _, v := range row {
			squares += v * v
		}
		scale := 1 / float32(math.Sqrt(float64(squares/float32(len(row))+1e-5)))
		out[i] = make([]float32, len(row))
		for j, v := range row {
			out[i][j] = v * scale * weights[j%max(len(weights), 1)]
		}
	}
	return out
}
