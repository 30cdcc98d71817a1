// Section: Slices
// Construct: planes of rows that the kernel makes, and whose elements it assigns
// Code: input-write
// Instead: Blurred

package refused

import "slices"

//surge:kernel
func Planes(u [][][]float64, steps int) [][][]float64 {
	cur, next := make([][][]float64, len(u)), make([][][]float64, len(u))
	for i := range u {
		cur[i], next[i] = make([][]float64, len(u[i])), make([][]float64, len(u[i]))
		for j := range u[i] {
			cur[i][j], next[i][j] = slices.Clone(u[i][j]), slices.Clone(u[i][j])
		}
	}
	for range steps {
		for i := 1; i < len(cur)-1; i++ {
			for j := range min(len(cur[i-1]), len(cur[i]), len(cur[i+1])) {
				for k := range min(len(cur[i-1][j]), len(cur[i][j]), len(cur[i+1][j])) {
					next[i][j][k] = (cur[i-1][j][k] + 2*cur[i][j][k] + cur[i+1][j][k]) / 4
				}
			}
		}
		cur, next = next, cur
	}
	return cur
}
