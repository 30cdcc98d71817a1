package updates

import "slices"

// Paths makes a simulation a turn, which has a column of a matrix whose rows are the steps.
//
// Loops: 1
//
//surge:kernel
func Paths(steps, paths int) [][]float64 {
	prices := make([][]float64, steps)
	for t := range prices {
		prices[t] = make([]float64, paths)
	}
	for p := range paths {
		v := float64(p)
		for t := range steps {
			v += 1 / (v + 1)
			prices[t][p] = v
			if t > 1 {
				prices[t][p] += prices[t-1][p]
			}
		}
	}
	return prices
}

// Wider has columns that lie in the next row, too.
//
// Loops: 0
//
//surge:kernel
func Wider(x []float64, steps, paths int) []float64 {
	z := slices.Clone(x)
	for p := range paths + 1 {
		v := float64(p)
		for t := range steps {
			v += 1 / (v + 1)
			z[t*paths+p] += v
		}
	}
	return z
}

// Shifted reads the column of another turn.
//
// Loops: 0
//
//surge:kernel
func Shifted(x []float64, steps, paths int) []float64 {
	z := slices.Clone(x)
	for p := range paths - 1 {
		v := float64(p)
		for t := range steps {
			v += 1 / (v + 1)
			z[t*paths+p] = v + z[t*paths+p+1]
		}
	}
	return z
}
