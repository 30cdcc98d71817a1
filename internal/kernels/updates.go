package kernels

import "slices"

// Loops that update arrays in place, and in which turns update what no other turn reads or updates.

// LU decomposes a matrix of n rows in place, without pivots: rows below the diagonal need row k, and their own column.
//
//surge:kernel
func LU(in []float64, n int) []float64 {
	a := make([]float64, len(in))
	copy(a, in)
	for k := 0; k < n; k++ {
		for i := k + 1; i < n; i++ {
			a[i*n+k] /= a[k*n+k]
			for j := k + 1; j < n; j++ {
				a[i*n+j] -= a[i*n+k] * a[k*n+j]
			}
		}
	}
	return a
}

// Paths are the lengths of all shortest paths. Row k, which all rows need in turn k, may change in it, as may the
// distances to k: where there is a cycle of negative length.
//
//surge:kernel
func Paths(w []float32, n int) []float32 {
	d := make([]float32, n*n)
	copy(d, w)
	for k := 0; k < n; k++ {
		for i := 0; i < n; i++ {
			for j := 0; j < n; j++ {
				if t := d[i*n+k] + d[k*n+j]; t < d[i*n+j] {
					d[i*n+j] = t
				}
			}
		}
	}
	return d
}

// GaussSeidel are sweeps over a grid in two colours: cells of one have neighbours of the other only.
//
//surge:kernel
func GaussSeidel(u []float64, w, h, sweeps int) []float64 {
	g := make([]float64, w*h)
	copy(g, u)
	for range sweeps {
		for color := 0; color < 2; color++ {
			for y := 1; y < h-1; y++ {
				for x := 1 + (y+color)%2; x < w-1; x += 2 {
					g[y*w+x] = 0.25 * (g[y*w+x-1] + g[y*w+x+1] + g[(y-1)*w+x] + g[(y+1)*w+x])
				}
			}
		}
	}
	return g
}

// Solve is Gauss's elimination with pivots, of a matrix of n rows with a right side: two arrays, rows that are swapped,
// a search for the largest element.
//
//surge:kernel
func Solve(in, b []float64, n int) []float64 {
	a, x := make([]float64, len(in)), make([]float64, len(b))
	copy(a, in)
	copy(x, b)
	for k := 0; k < n; k++ {
		p := k
		for i := k + 1; i < n; i++ {
			if a[i*n+k]*a[i*n+k] > a[p*n+k]*a[p*n+k] {
				p = i
			}
		}
		if p != k {
			for j := 0; j < n; j++ {
				a[k*n+j], a[p*n+j] = a[p*n+j], a[k*n+j]
			}
			x[k], x[p] = x[p], x[k]
		}
		for i := k + 1; i < n; i++ {
			f := a[i*n+k] / a[k*n+k]
			for j := k; j < n; j++ {
				a[i*n+j] -= f * a[k*n+j]
			}
			x[i] -= f * x[k]
		}
	}
	for i := n - 1; i >= 0; i-- {
		for j := i + 1; j < n; j++ {
			x[i] -= a[i*n+j] * x[j]
		}
		x[i] /= a[i*n+i]
	}
	return x
}

// Cholesky decomposes the lower triangle in place: column k is read by all rows, and none updates it.
//
//surge:kernel
func Cholesky(in []float64, n int) []float64 {
	a := make([]float64, len(in))
	copy(a, in)
	for k := 0; k < n; k++ {
		for i := k + 1; i < n; i++ {
			a[i*n+k] /= a[k*n+k]
		}
		for i := k + 1; i < n; i++ {
			for j := k + 1; j <= i; j++ {
				a[i*n+j] -= a[i*n+k] * a[j*n+k] * a[k*n+k]
			}
		}
	}
	return a
}

// Walsh is the transform of Walsh and Hadamard: pairs at a distance that doubles, in blocks of twice that.
//
//surge:kernel
func Walsh(in []float32, levels int) []float32 {
	a := make([]float32, len(in))
	copy(a, in)
	h := 1
	for l := 0; l < levels; l++ {
		for b := 0; b < len(a)/(2*h); b++ {
			for j := 0; j < h; j++ {
				x, y := a[2*b*h+j], a[2*b*h+h+j]
				a[2*b*h+j], a[2*b*h+h+j] = x+y, x-y
			}
		}
		h *= 2
	}
	return a
}

// Sweep goes along the rows of a grid, each of which needs the one before: only the cells of a row are independent.
//
//surge:kernel
func Sweep(in []int32, w, h int) []int32 {
	g := make([]int32, w*h)
	copy(g, in)
	for y := 1; y < h; y++ {
		for x := 0; x < w; x++ {
			g[y*w+x] += max(g[(y-1)*w+x], g[(y-1)*w])
		}
	}
	return g
}

// Batch multiplies small matrices that lie one behind the other: the places of a row are independent, and each is a
// sum.
//
//surge:kernel
func Batch(a, b []float32, batch, n int) []float32 {
	c := make([]float32, batch*n*n)
	for l := 0; l < batch; l++ {
		for i := 0; i < n; i++ {
			for j := 0; j < n; j++ {
				s := float32(0)
				for k := 0; k < n; k++ {
					s += a[(l*n+i)*n+k] * b[(l*n+k)*n+j]
				}
				c[(l*n+i)*n+j] = s
			}
		}
	}
	return c
}

// Overlapping has rows of a stride that may be less than their width, or negative: turns meet, and run as they stand.
//
//surge:kernel
func Overlapping(in []int, stride, width, turns int) []int {
	a := make([]int, len(in))
	copy(a, in)
	for t := range turns {
		for i := 0; i < 6; i++ {
			for j := 0; j < width; j++ {
				a[i*stride+j] += a[t] + a[i*stride]
			}
		}
	}
	return a
}

// LURows is LU of rows.
//
//surge:kernel
func LURows(in []float64, n int) [][]float64 {
	a := make([][]float64, n)
	for i := range a {
		a[i] = make([]float64, n)
		copy(a[i], in[i*n:(i+1)*n])
	}
	for k := 0; k < n; k++ {
		for i := k + 1; i < n; i++ {
			a[i][k] /= a[k][k]
			for j := k + 1; j < n; j++ {
				a[i][j] -= a[i][k] * a[k][j]
			}
		}
	}
	return a
}

// PathsRows is Paths of rows, of which one has a name.
//
//surge:kernel
func PathsRows(w []float32, n int) [][]float32 {
	d := make([][]float32, n)
	for i := range d {
		d[i] = make([]float32, n)
		copy(d[i], w[i*n:(i+1)*n])
	}
	for k := 0; k < n; k++ {
		for i := 0; i < n; i++ {
			row := d[i]
			for j := 0; j < n; j++ {
				if t := row[k] + d[k][j]; t < row[j] {
					row[j] = t
				}
			}
		}
	}
	return d
}

// Aligned is the table of the alignment of two sequences: the blocks of a diagonal are independent where it is large.
//
//surge:kernel
func Aligned(a, b []int32, gap int32) []int32 {
	w := len(b) + 1
	t := make([]int32, (len(a)+1)*w)
	for i := 1; i <= len(a); i++ {
		t[i*w] = -int32(i) * gap
	}
	for j := 1; j < w; j++ {
		t[j] = -int32(j) * gap
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j < w; j++ {
			d := t[(i-1)*w+j-1] - (a[i-1] ^ b[j-1])
			t[i*w+j] = max(d, t[i*w+j-1]-gap, t[(i-1)*w+j]-gap)
		}
	}
	return t
}

// Smoothed sweeps over a grid in place, and needs elements of this sweep and of the one before.
//
//surge:kernel
func Smoothed(u []float64, w, h, sweeps int) []float64 {
	g := make([]float64, w*h)
	copy(g, u)
	for range sweeps {
		for y := 1; y < h-1; y++ {
			for x := 1; x < w-1; x++ {
				g[y*w+x] = 0.25 * (g[(y-1)*w+x] + g[y*w+x-1] + g[y*w+x+1] + g[(y+1)*w+x])
			}
		}
	}
	return g
}

// HeatCube spreads heat in a cube whose cells lie plane by plane: two arrays that are updated in place change places
// behind each turn.
//
//surge:kernel
func HeatCube(u []float64, n, turns int) ([]float64, float64) {
	now, next := make([]float64, n*n*n), make([]float64, n*n*n)
	copy(now, u)
	copy(next, u)
	last := 0.0
	for t := range turns {
		for z := 1; z < n-1; z++ {
			for y := 1; y < n-1; y++ {
				for x := 1; x < n-1; x++ {
					c := (z*n+y)*n + x
					next[c] = now[c] + 0.1*(now[c-1]+now[c+1]+now[c-n]+now[c+n]+now[c-n*n]+now[c+n*n]-6*now[c])
				}
			}
		}
		last = next[len(next)/2] + float64(t)
		now, next = next, now
	}
	return now, last
}

// Layered steps a chip of layers, of which cells at a side have themselves as neighbours there.
//
//surge:kernel
func Layered(power, start []float32, nx, ny, nz, turns int) []float32 {
	now, next := make([]float32, len(start)), make([]float32, len(start))
	copy(now, start)
	for range turns {
		for z := 0; z < nz; z++ {
			for y := 0; y < ny; y++ {
				for x := 0; x < nx; x++ {
					c := x + y*nx + z*nx*ny
					w, e, n, s, below, above := c-1, c+1, c-nx, c+nx, c-nx*ny, c+nx*ny
					if x == 0 {
						w = c
					}
					if x == nx-1 {
						e = c
					}
					if y == 0 {
						n = c
					}
					if y == ny-1 {
						s = c
					}
					if z == 0 {
						below = c
					}
					if z == nz-1 {
						above = c
					}
					next[c] = 0.2*now[c] + 0.1*(now[w]+now[e]+now[n]+now[s]) + 0.2*(now[below]+now[above]) + power[c]
				}
			}
		}
		now, next = next, now
	}
	return now
}

// Matched has the sum of differences of each block of four by four to those around its place in another frame.
//
//surge:kernel
func Matched(frame, before []uint16, width, height, radius int) []uint16 {
	side, across, down := 2*radius+1, width/4, height/4
	sums := make([]uint16, across*down*side*side)
	for y := 0; y < down; y++ {
		for x := 0; x < across; x++ {
			for dy := -radius; dy <= radius; dy++ {
				for dx := -radius; dx <= radius; dx++ {
					var sum uint16
					for k := 0; k < 16; k++ {
						cy, cx := 4*y+k/4, 4*x+k%4
						a := frame[cy*width+cx]
						b := before[min(max(cy+dy, 0), height-1)*width+min(max(cx+dx, 0), width-1)]
						sum += max(a, b) - min(a, b)
					}
					sums[((y*across+x)*side+dy+radius)*side+dx+radius] = sum
				}
			}
		}
	}
	return sums
}

// Painted follows the orbit of each point until it escapes, and paints it in three colours.
//
//surge:kernel
func Painted(weights []float32, w, h, limit int) []uint8 {
	out := make([]uint8, w*h*3)
	for y := 0; y < h; y++ {
		for x := 0; x < w; x++ {
			re, im := float32(x)/float32(w), float32(y)/float32(h)
			a, b, n := re, im, 0
			for n < limit {
				a, b = a*a-b*b+re, 2*a*b+im
				for _, v := range weights {
					a += v * im
				}
				if a*a+b*b > 4 {
					break
				}
				n++
			}
			out[3*(y*w+x)] = uint8(n)
			out[3*(y*w+x)+1] = uint8(min(max(100*a, 0), 255))
			out[3*(y*w+x)+2] = uint8(x)
		}
	}
	return out
}

// Seams are the least sums of ways from the first row of an image down to each place. A row needs the one above, which
// conditions keep all reads within.
//
//surge:kernel
func Seams(energy []float32, w, h int) []float32 {
	m := slices.Clone(energy)
	for y := 1; y < h; y++ {
		for x := range w {
			least := m[(y-1)*w+x]
			if x > 0 {
				least = min(least, m[(y-1)*w+x-1])
			}
			if x < w-1 {
				least = min(least, m[(y-1)*w+x+1])
			}
			m[y*w+x] += least
		}
	}
	return m
}
