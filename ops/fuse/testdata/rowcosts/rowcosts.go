// Package rowcosts has kernels over rows. The comment of each ends with what the levels of its last computation cost.
package rowcosts

// Once reads the elements of each row once: packing them counts.
//
// Costs: [{33 1 [1] 32}]
//
//surge:kernel
func Once(x [][]float64) []float64 {
	z := make([]float64, len(x))
	for i, row := range x {
		var sum float64
		for _, v := range row {
			sum += v
		}
		z[i] = sum
	}
	return z
}

// Twice reads them twice, so that rows are packed.
//
// Costs: [{81 1 [0] 80}]
//
//surge:kernel
func Twice(x [][]float64) []float64 {
	z := make([]float64, len(x))
	for i, row := range x {
		var sum, squares float64
		for _, v := range row {
			sum += v
		}
		for _, v := range row {
			squares += v * sum
		}
		z[i] = squares
	}
	return z
}

// Near has a loop over few beside one over many points: what a level costs is told for that one.
//
// Costs: [{3.59e+03 1 [0 0] 3.58e+03} {1.08e+03 16 [0 0] 1.08e+03}]
//
//surge:kernel
func Near(points [][]float64, centers []float64, turns int) (labels []int, changed int) {
	labels = make([]int, len(points))
	sizes := make([]float64, len(centers))
	for turn := 0; turn < turns; turn++ {
		for i, p := range points {
			best, least := 0, 1e300
			for c, center := range centers {
				d := sizes[c]
				for _, v := range p {
					d += (v - center) * (v - center)
				}
				if d < least {
					best, least = c, d
				}
			}
			if labels[i] != best {
				labels[i] = best
				changed++
			}
		}
		for _, c := range labels {
			sizes[c]++
		}
		for c := range centers {
			if sizes[c] > 3 {
				sizes[c] *= 0.25 * (sizes[c] + centers[c]*sizes[c])
			}
		}
	}
	return labels, changed
}

// Flat reads rows that lie one behind the other, several times: they are packed.
//
// Costs: [{1.57e+03 1 [0] 1.57e+03}]
//
//surge:kernel
func Flat(points, centers []float64, n, d, k int) []float64 {
	z := make([]float64, max(n, 0))
	for i := range z {
		best, least := 0.0, 1e300
		for c := 0; c < k; c++ {
			var s float64
			for f := 0; f < d; f++ {
				s += points[i*d+f] * centers[c*d+f]
			}
			if s < least {
				best, least = least, s
			}
		}
		z[i] = best
	}
	return z
}

// FlatOnce reads them once, where packing them counts.
//
// Costs: [{66 1 [1] 64}]
//
//surge:kernel
func FlatOnce(points []float64, n, d int) []float64 {
	z := make([]float64, max(n, 0))
	for i := range z {
		var s float64
		for f := 0; f < d; f++ {
			s += points[i*d+f] * points[i*d+f]
		}
		z[i] = s
	}
	return z
}

// Neighbours reads neighbours in rows too, and from their ends on: all of that is packed.
//
// Costs: [{244 1 [0] 240}]
//
//surge:kernel
func Neighbours(x []float64, n, d int) []float64 {
	z := make([]float64, max(n, 0))
	for i := range z {
		var s float64
		for f := 1; f < d-1; f++ {
			s += x[i*d+f] * (x[i*d+f-1] - x[i*d+f+1])
		}
		for f := range d {
			s += x[i*d+f] * x[i*d+d-1-f]
		}
		z[i] = s
	}
	return z
}

// Beyond reads an element behind each row, and one before it, which are in others.
//
// Costs: [{179 1 [48] 176}]
//
//surge:kernel
func Beyond(x []float64, n, d int) []float64 {
	z := make([]float64, max(n, 0))
	for i := range z {
		var s float64
		for f := range d {
			s += x[i*d+f+1]
		}
		for f := range d {
			s += x[i*d+d-f]
		}
		for f := 1; f < d; f++ {
			s += x[i*d+f-2]
		}
		z[i] = s
	}
	return z
}

// Backwards reads rows from their ends on, with a loop that counts down.
//
// Costs: [{450 1 [0] 448}]
//
//surge:kernel
func Backwards(x []float64, n, d int) []float64 {
	z := make([]float64, max(n, 0))
	for i := range z {
		var s float64
		for f := d - 1; f >= 0; f-- {
			s = s/3 + x[i*d+f]
		}
		for f := d - 2; f > 0; f-- {
			s = s/3 + x[i*d+f-1]*x[i*d+f+1]
		}
		z[i] = s
	}
	return z
}

// Before begins behind the end of each row.
//
// Costs: [{194 1 [16] 192}]
//
//surge:kernel
func Before(x []float64, n, d int) []float64 {
	z := make([]float64, max(n, 0))
	for i := range z {
		var s float64
		for f := d; f >= 0; f-- {
			s = s/3 + x[i*d+f]
		}
		z[i] = s
	}
	return z
}
