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

// LoopGrid takes steps of heat on a grid of which the edge stays as it is.
//
//surge:kernel
func LoopGrid(u []float64, w, h, steps int) []float64 {
	now, next := make([]float64, w*h), make([]float64, w*h)
	copy(now, u)
	copy(next, u)
	for t := 0; t < steps; t++ {
		for y := 1; y < h-1; y++ {
			for x := 1; x < w-1; x++ {
				i := y*w + x
				next[i] = 0.25 * (now[i-1] + now[i+1] + now[i-w] + now[i+w])
			}
		}
		now, next = next, now
	}
	return now
}

// LoopTorus takes steps of a wave on a grid without an edge, from what was one and two steps before.
//
//surge:kernel
func LoopTorus(u []float32, w, h, steps int) (now, old []float32) {
	old, now = make([]float32, w*h), make([]float32, w*h)
	next := make([]float32, w*h)
	copy(now, u)
	for t := 0; t < steps; t++ {
		for y := 0; y < h; y++ {
			for x := 0; x < w; x++ {
				around := now[(y+1)%h*w+x] + now[(y+h-1)%h*w+x] + now[y*w+(x+1)%w] + now[y*w+(x+w-1)%w]
				next[y*w+x] = 2*now[y*w+x] - old[y*w+x] + 0.1*(around-4*now[y*w+x])
			}
		}
		old, now, next = now, next, old
	}
	return now, old
}

// LoopEdges sums neighbours, with other rules at both ends, and beyond a place in the middle.
//
//surge:kernel
func LoopEdges(x []float64, middle int) (inner, outer, half []float64) {
	n := len(x)
	inner, outer, half = make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range x {
		if i > 0 && i < n-1 {
			inner[i] = x[i-1] + x[i+1]
		} else {
			inner[i] = -x[i]
		}
	}
	for i := range x {
		if i == 0 || i == n-1 {
			outer[i] = 1
			continue
		}
		outer[i] = x[i-1] - x[i+1]
	}
	for i := range x {
		if i <= middle && i >= 3 {
			half[i] = x[i-3] * 2
		} else {
			half[i] = x[n-1-i]
		}
	}
	return inner, outer, half
}

// LoopTriangle is a product of loops whose turns differ from row to row: rows are not computed together.
//
//surge:kernel
func LoopTriangle(a []float64, n int) []float64 {
	c := make([]float64, n*n)
	for i := 0; i < n; i++ {
		last := i + 1
		for j := 0; j < n; j++ {
			sum := 0.0
			for k := 0; k < last; k++ {
				sum += a[i*n+k] * a[k*n+j]
			}
			c[i*n+j] = sum
		}
	}
	return c
}

// LaterSums adds up windows that begin a number of places later: where places go beyond the largest integer, elements
// side by side have windows of different lengths.
//
//surge:kernel
func LaterSums(x []float64, later, length int) []float64 {
	sums := make([]float64, max(len(x)-length, 0))
	for i := range sums {
		sum := 0.0
		for j := i + later; j < i+later+length; j++ {
			sum += x[j-later]
		}
		sums[i] = sum
	}
	return sums
}
