// Tomography

package corpus

import "math"

// Backproject sums up the projections of a slice.
//
//surge:kernel
func Backproject(sino [][]float32, side int) []float32 {
	img := make([]float32, side*side)
	if len(sino) == 0 {
		return img
	}
	centre := float64(side-1) / 2
	for a, row := range sino {
		sin, cos := math.Sincos(math.Pi * float64(a) / float64(len(sino)))
		middle := float64(len(row)-1) / 2
		for y := 0; y < side; y++ {
			for x := 0; x < side; x++ {
				t := (float64(x)-centre)*cos + (float64(y)-centre)*sin + middle
				k := int(math.Floor(t))
				if k < 0 || k+1 >= len(row) {
					continue
				}
				f := float32(t - float64(k))
				img[y*side+x] += row[k]*(1-f) + row[k+1]*f
			}
		}
	}
	return img
}
