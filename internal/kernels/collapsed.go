package kernels

// Loops around loops over the rows of an array, and loops around each of its elements.

// FilterChannels sums the channels of a picture, each filtered by 3×3 weights of its own, for each channel of the
// result.
//
//surge:kernel
func FilterChannels(in, weights []float32, from, to, h, w int) []float32 {
	oh, ow := h-2, w-2
	out := make([]float32, to*oh*ow)
	for o := 0; o < to; o++ {
		for y := 0; y < oh; y++ {
			for x := 0; x < ow; x++ {
				var s float32
				for c := 0; c < from; c++ {
					for ky := 0; ky < 3; ky++ {
						for kx := 0; kx < 3; kx++ {
							s += in[(c*h+y+ky)*w+x+kx] * weights[((o*from+c)*3+ky)*3+kx]
						}
					}
				}
				out[(o*oh+y)*ow+x] = s
			}
		}
	}
	return out
}

// BatchProducts multiplies matrices, those of a batch, pair by pair.
//
//surge:kernel
func BatchProducts(a, b []float64, batch, n int) []float64 {
	out := make([]float64, batch*n*n)
	for t := 0; t < batch; t++ {
		for i := 0; i < n; i++ {
			for j := 0; j < n; j++ {
				s := 0.0
				for k := 0; k < n; k++ {
					s += a[t*n*n+i*n+k] * b[t*n*n+k*n+j]
				}
				out[t*n*n+i*n+j] = s
			}
		}
	}
	return out
}

// BoxMeans averages the windows of radius r around the cells of a grid, smaller ones at its edge.
//
//surge:kernel
func BoxMeans(in []float32, h, w, r int) []float32 {
	out := make([]float32, h*w)
	for y := 0; y < h; y++ {
		for x := 0; x < w; x++ {
			var s float32
			n := 0
			for v := max(y-r, 0); v <= min(y+r, h-1); v++ {
				for u := max(x-r, 0); u <= min(x+r, w-1); u++ {
					s += in[v*w+u]
					n++
				}
			}
			out[y*w+x] = s / float32(max(n, 1))
		}
	}
	return out
}

// Transformed multiplies each 8×8 block of a picture by a matrix from both sides, block by block, as many rows of
// blocks as asked for.
//
//surge:kernel
func Transformed(pix []uint8, h, w, rows int, basis []float32) []float32 {
	if h < 0 || w < 0 {
		panic("a negative size")
	}
	out := make([]float32, h*w*64)
	for by := 0; by < rows; by++ {
		for bx := 0; bx < w; bx++ {
			var half, block [64]float32
			for y := 0; y < 8; y++ {
				for u := 0; u < 8; u++ {
					sum := float32(0)
					for x := 0; x < 8; x++ {
						sum += float32(pix[(by*8+y)*w*8+bx*8+x]) * basis[u*8+x]
					}
					half[y*8+u] = sum
				}
			}
			for v := 0; v < 8; v++ {
				for u := 0; u < 8; u++ {
					sum := float32(0)
					for y := 0; y < 8; y++ {
						sum += half[y*8+u] * basis[v*8+y]
					}
					block[v*8+u] = sum
				}
			}
			for i, c := range block {
				out[(by*w+bx)*64+i] = c
			}
		}
	}
	return out
}
