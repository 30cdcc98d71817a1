// Rows that a kernel makes

package constructs

import "math/rand/v2"

// rowsOf are n rows of so many elements, or, one time in four, of which one is shorter.
func rowsOf[T float32 | float64 | int32](n, length int, r *rand.Rand) [][]T {
	rows := make([][]T, n)
	short := r.IntN(4*n + 4)
	for i := range rows {
		k := length
		if i == short {
			k = r.IntN(length + 1)
		}
		rows[i] = make([]T, k)
		for j := range rows[i] {
			rows[i][j] = T(r.IntN(64) - 32)
		}
	}
	return rows
}

// planesOf are n planes of rows, or, one time in four, of which one has fewer.
func planesOf[T float32 | float64 | int32](n, h, w int, r *rand.Rand) [][][]T {
	planes := make([][][]T, n)
	few := r.IntN(4*n + 4)
	for i := range planes {
		k := h
		if i == few {
			k = r.IntN(h + 1)
		}
		planes[i] = rowsOf[T](k, w, r)
	}
	return planes
}

// Convolution has a filter of rows for each of its results and each of what it is given.
type Convolution struct {
	Weights [][][][]float32
	Bias    []float32
	Pad     int
}

func (l Convolution) size(n, k int) int { return n + 2*l.Pad - k + 1 }

func plane(h, w int) [][]float32 {
	p := make([][]float32, h)
	for y := range p {
		p[y] = make([]float32, w)
	}
	return p
}

// Layered is a layer of a network of convolutions.
//
// Construct: planes that elements of a loop make and fill, out[c] = plane, of what is read of rows of rows
//
//surge:kernel
func Layered(in [][][]float32, l Convolution) [][][]float32 {
	if len(in) == 0 || len(in[0]) == 0 || len(l.Weights) > len(l.Bias) {
		return nil
	}
	l.Pad %= 3
	h, w := len(in[0]), len(in[0][0])
	out := make([][][]float32, len(l.Weights))
	for c, filters := range l.Weights {
		p := plane(l.size(h, len(filters[0])), l.size(w, len(filters[0][0])))
		for y := range p {
			for x := range p[y] {
				acc := l.Bias[c]
				for from, filter := range filters {
					for ky, row := range filter {
						iy := y + ky - l.Pad
						if iy < 0 || iy >= h {
							continue
						}
						for kx, weight := range row {
							ix := x + kx - l.Pad
							if ix < 0 || ix >= w {
								continue
							}
							acc += weight * in[from][iy][ix]
						}
					}
				}
				p[y][x] = max(acc, 0)
			}
		}
		out[c] = p
	}
	return out
}

// InputsLayered has channels and filters that are mostly as long as others.
func InputsLayered(n int, r *rand.Rand) []any {
	from, to, k := 1+r.IntN(3), r.IntN(4), 1+r.IntN(3)
	l := Convolution{Bias: make([]float32, to), Pad: r.IntN(3)}
	for range to {
		l.Weights = append(l.Weights, planesOf[float32](from, k, k, r))
	}
	return []any{planesOf[float32](from, n/2, n, r), l}
}

// Outlined is a picture of which the inside is taken from what is around each of its places.
//
// Construct: rows that are copied, or made, and of which loops inside of the border assign the elements then
//
//surge:kernel
func Outlined(px [][]float64, by float64) ([][]float64, [][]float64) {
	out := make([][]float64, len(px))
	for y := range px {
		out[y] = make([]float64, len(px[y]))
		copy(out[y], px[y])
	}
	edges := make([][]float64, len(px))
	for y := range px {
		edges[y] = make([]float64, len(px[y]))
	}
	for y := 1; y < len(px)-1; y++ {
		for x := 1; x < len(px[y])-1; x++ {
			around := px[y-1][x] + px[y+1][x] + px[y][x-1] + px[y][x+1]
			out[y][x] += by * (around - 4*px[y][x])
			edges[y][x] = px[y][x+1] - px[y][x-1]
		}
	}
	return out, edges
}

// InputsOutlined has rows that are mostly as long as others.
func InputsOutlined(n int, r *rand.Rand) []any { return []any{rowsOf[float64](n/2, n, r), r.Float64()} }

// Thinned takes the greatest of each block of two by two of each plane.
//
// Construct: v[z][2*y+1][2*x], of rows of rows of a parameter
//
//surge:kernel
func Thinned(v [][][]int32) [][][]int32 {
	out := make([][][]int32, len(v))
	for z, p := range v {
		out[z] = make([][]int32, len(p)/2)
		for y := range out[z] {
			out[z][y] = make([]int32, len(p[0])/2)
			for x := range out[z][y] {
				out[z][y][x] = max(p[2*y][2*x], p[2*y][2*x+1], p[2*y+1][2*x], p[2*y+1][2*x+1])
			}
		}
	}
	return out
}

// InputsThinned has planes that are mostly as high and wide as others.
func InputsThinned(n int, r *rand.Rand) []any { return []any{planesOf[int32](n%9, n%14, n%37, r)} }

// Blocked weighs blocks of blocks.
//
// Construct: slices of four levels whose rows are read by computed indices: v[a][b][c][d]
//
//surge:kernel
func Blocked(v [][][][]float64, w [][]float64) ([]float64, [][][][]float64) {
	sums := make([]float64, len(v))
	for a := range v {
		for b := range v[a] {
			for c := range v[a][b] {
				for d := range v[a][b][c] {
					if c < len(w) && d < len(w[c]) {
						sums[a] += v[a][b][c][d] * w[c][d] * v[a][0][0][len(v[a][0][0])-1-d]
					}
				}
			}
		}
	}
	return sums, v
}

// InputsBlocked has blocks that are mostly as long as others.
func InputsBlocked(n int, r *rand.Rand) []any {
	v := make([][][][]float64, n/3)
	for a := range v {
		v[a] = planesOf[float64](1+n%3, 1+n%4, n, r)
	}
	return []any{v, rowsOf[float64](n/2, n, r)}
}

// Shaded has planes that weights shade, which are then added up where they lie.
//
// Construct: an array that loops over a plane read, and that is updated behind them
//
//surge:kernel
func Shaded(xs []float64, h, w int) ([][][]float64, []float64) {
	out, sums := make([][][]float64, len(xs)), make([]float64, len(xs))
	h, w = min(max(h, 0), 9), min(max(w, 0), 9)
	for c, x := range xs {
		weights := make([]float64, w)
		for j := range weights {
			weights[j] = float64(c * j)
		}
		plane := make([][]float64, h)
		for y := range plane {
			plane[y] = make([]float64, w)
		}
		for y := 0; y < h; y++ {
			for z := 0; z < w; z++ {
				plane[y][z] = weights[z]*x + float64(y)
			}
		}
		for j := 1; j < w; j++ {
			weights[j] += weights[j-1] / 2
		}
		out[c] = plane
		for _, v := range weights {
			sums[c] = sums[c]/2 + v
		}
	}
	return out, sums
}
