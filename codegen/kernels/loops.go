package kernels

// LoopProduct is the product of an m×k and a k×n matrix as nested loops.
//
//surge:kernel
func LoopProduct(a, b []float64, m, k, n int) []float64 {
	c := make([]float64, m*n)
	for i := 0; i < m; i++ {
		for j := 0; j < n; j++ {
			sum := 0.0
			for l := 0; l < k; l++ {
				sum += a[i*k+l] * b[l*n+j]
			}
			c[i*n+j] = sum
		}
	}
	return c
}

// LoopDistances are the distances of all pairs of points, with the nearest pair of coordinates.
//
//surge:kernel
func LoopDistances(x, y []float32, d int) (far, near []float32) {
	if d <= 0 {
		return nil, nil
	}
	m, n := len(x)/d, len(y)/d
	far, near = make([]float32, m*n), make([]float32, m*n)
	for i := 0; i < m; i++ {
		for j := 0; j < n; j++ {
			var sum float32
			least := float32(1e30)
			for l := 0; l < d; l++ {
				diff := x[i*d+l] - y[j*d+l]
				if diff < 0 {
					diff = -diff
				}
				sum += diff * diff
				if diff < least {
					least = diff
				}
			}
			far[i*n+j], near[i*n+j] = sum, least
		}
	}
	return far, near
}

// LoopChannels mixes the channels of each pixel by weights that differ from row to row, within a window of columns, and
// leaves those out of which the weight is not positive.
//
//surge:kernel
func LoopChannels(picture, weights []int32, channels, window, width int) []int32 {
	height := 0
	if channels > 0 {
		height = len(weights) / channels
	}
	out := make([]int32, height*width)
	for y := 0; y < height; y++ {
		for x := 0; x < width; x++ {
			total := int32(0)
			for c := 0; c < channels; c++ {
				w := weights[y*channels+c]
				for k := 0; k < window; k++ {
					p := picture[c*(width+window)+x+k]
					if p > w {
						total += p
					}
					total += w * p
				}
			}
			out[y*width+x] = total
		}
	}
	return out
}
