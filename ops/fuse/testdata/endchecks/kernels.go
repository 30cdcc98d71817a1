// Package endchecks has kernels whose checks of a loop hold where those of its first and last turn do, and kernels of
// which that is not so.
package endchecks

import "math"

// Products multiplies rows with rows that may be shorter. Quick: 1
//
//surge:kernel
func Products(x, y [][]int, lo int) [][]int {
	out := make([][]int, len(x))
	for i := range x {
		out[i] = make([]int, len(y))
		for j := range y {
			sum := 0
			for k, v := range x[i] {
				sum += v * y[j][k-lo]
			}
			out[i][j] = sum
		}
	}
	return out
}

// Backwards reads from behind. Quick: 1
//
//surge:kernel
func Backwards(x, y [][]int, n int) []int {
	out := make([]int, len(x))
	for i := range x {
		for k := range x[i] {
			out[i] += y[i][n-k]
		}
	}
	return out
}

// Columns reads rows that the turn chooses, whose lengths differ. Quick: 0
//
//surge:kernel
func Columns(x, y [][]int) []int {
	out := make([]int, len(x))
	for i := range x {
		for k := range x[i] {
			out[i] += y[k][i]
		}
	}
	return out
}

// Scaled reads every second element: what is between two of these is not known. Quick: 0
//
//surge:kernel
func Scaled(x, y [][]int) []int {
	out := make([]int, len(x))
	for i := range x {
		for k := range x[i] {
			out[i] += y[i][2*k]
		}
	}
	return out
}

// Round has so many turns that the last index is inside again. Quick: 1
//
//surge:kernel
func Round(x, y [][]int) []int {
	out := make([]int, len(x))
	for i := range x {
		for k := math.MinInt; k < math.MaxInt; k++ {
			out[i] += y[i][k-math.MinInt+5]
		}
	}
	return out
}
