// Arrays

package constructs

import (
	"math/bits"

	"github.com/surge-ndp/surge/ops"
)

// Median sorts three numbers in an array.
//
// Construct: a local array, and assignment to its elements
//
//surge:kernel
func Median(x []int32) []int32 {
	return ops.Map(func(i int) int32 {
		var a [3]int32
		for k := range a {
			a[k] = x[min(i+k, len(x)-1)]
		}
		for k := 1; k < len(a); k++ {
			for j := k; j > 0 && a[j] < a[j-1]; j-- {
				a[j], a[j-1] = a[j-1], a[j]
			}
		}
		return a[1]
	}, ops.Range(0, len(x), 1))
}

// Weigh has an array literal.
//
// Construct: array literals
//
//surge:kernel
func Weigh(x []uint8) []float64 {
	return ops.Map(func(v uint8) float64 {
		table := [4]float64{0.5, 1, 2, 4}
		return table[v%4]
	}, x)
}

// Rotated multiplies by a matrix.
//
// Construct: arrays of arrays
//
//surge:kernel
func Rotated(x, y []float64, sin, cos float64) ([]float64, []float64) {
	m := [2][2]float64{{cos, -sin}, {sin, cos}}
	row := func(i int) []float64 {
		return ops.Map2(func(a, b float64) float64 { return m[i][0]*a + m[i][1]*b }, x, y)
	}
	return row(0), row(1)
}

// Determinants computes determinants by elimination.
//
// Construct: arrays of arrays whose elements are assigned at computed places
//
//surge:kernel
func Determinants(x []float64) []float64 {
	return ops.Map(func(v float64) float64 {
		var a [3][3]float64
		for i := range a {
			for j := range a[i] {
				a[i][j] = float64(i*j+1) + v*float64(i+1)/float64(j+2)
			}
			a[i][i] += 10
		}
		det := 1.0
		for i := range 3 {
			det *= a[i][i]
			for k := i + 1; k < 3; k++ {
				f := a[k][i] / a[i][i]
				for j := i; j < 3; j++ {
					a[k][j] -= f * a[i][j]
				}
			}
		}
		return det
	}, x)
}

type pixel struct {
	channels [3]uint8
	alpha    float32
}

// Blended mixes pixels.
//
// Construct: arrays in structs
//
//surge:kernel
func Blended(x []uint8) []int {
	return ops.Map(func(v uint8) int {
		p := pixel{channels: [3]uint8{v, 2 * v, 3 * v}, alpha: 0.5}
		q := p
		q.channels[v%3] = 7
		s := 0
		for c := range p.channels {
			s += int(p.channels[c])<<1 + int(q.channels[c])
		}
		return s + int(4*q.alpha)
	}, x)
}

// crossed is the cross product.
func crossed(a, b [3]int32) [3]int32 {
	return [3]int32{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// Crossed passes arrays.
//
// Construct: arrays as parameters and results of functions, by value
//
//surge:kernel
func Crossed(x, y []int32) []int32 {
	return ops.Map2(func(u, v int32) int32 {
		a, b := [3]int32{u, v, 1}, [3]int32{v, 1, u}
		c := crossed(a, b)
		a[0]++ // not in c
		return c[0] + 3*c[1] + 5*c[2] + a[0]
	}, x, y)
}

// Balanced compares arrays.
//
// Construct: comparison of arrays
//
//surge:kernel
func Balanced(x []uint8) []bool {
	return ops.Map(func(v uint8) bool {
		low, high := [2]uint8{v & 3, v >> 6}, [2]uint8{v >> 2 & 3, v >> 4 & 3}
		return low == high
	}, x)
}

// Least reduces arrays.
//
// Construct: arrays as the value of a reduction
//
//surge:kernel
func Least(x []int32) (int32, int32) {
	both := ops.Reduce(func(a, b [2]int32) [2]int32 { return [2]int32{min(a[0], b[0]), max(a[1], b[1])} },
		ops.Map(func(v int32) [2]int32 { return [2]int32{v, v} }, x), [2]int32{1 << 30, -1 << 30})
	return both[0], both[1]
}

// Wide has an array that is too large to be held in registers.
//
// Construct: a large local array, indexed by what is computed
//
//surge:kernel
func Wide(rows [][]uint8) []int {
	return ops.Map(func(row []uint8) int {
		var seen [256]bool
		distinct := 0
		for _, v := range row {
			if !seen[v] {
				seen[v] = true
				distinct++
			}
		}
		return distinct
	}, rows)
}

// Matrix is a matrix of three rows.
type Matrix [3][3]float64

// Applied multiplies vectors by a matrix.
//
// Construct: arrays, and slices of arrays, as parameters and results of the kernel
//
//surge:kernel
func Applied(m Matrix, x [][3]float64) [][3]float64 {
	return ops.Map(func(v [3]float64) (y [3]float64) {
		for i, row := range m {
			for j, a := range row {
				y[i] += a * v[j]
			}
		}
		return y
	}, x)
}

// Shape is a body with its corners.
type Shape struct {
	Corners [4]Point
	Mass    float32
}

// Heaviest finds how far out shapes reach.
//
// Construct: arrays in structs, as elements of parameters
//
//surge:kernel
func Heaviest(shapes []Shape) []float64 {
	return ops.Map(func(s Shape) float64 {
		far := 0.0
		for _, c := range s.Corners {
			far = max(far, c.X*c.X+c.Y*c.Y)
		}
		return far * float64(s.Mass)
	}, shapes)
}

func word(block *[12]uint8, at int) []uint8 { return block[at&7:] }

// Words takes parts of arrays that pointers lead to: elements of an input, a variable, and a part of one.
//
// Construct: slices of arrays that pointers lead to
//
//surge:kernel
func Words(blocks [][12]uint8, n int) []int {
	out := make([]int, len(blocks))
	for i := range blocks {
		p := &blocks[i]
		q, all := p[2:5], word(&blocks[len(blocks)-1-i], n)
		var boards [2][20]int
		for j := range 20 {
			boards[j%2][(j*n)&15] += int(p[j%6]) + j
		}
		half := (&boards)[1][3:]
		for _, v := range half {
			out[i] += v
		}
		out[i] += int(q[0])*3 - int(q[2]) + 5*int(all[0]) + len(all)
	}
	return out
}

func turned(planes [3][]float64, by float64) {
	for i := range planes[1] {
		planes[1][i], planes[2][i] = planes[2][i]*by, planes[1][i]-by
	}
}

// Channels makes, fills and hands on the slices of an array one by one, and all of them.
//
// Construct: arrays of slices that the function makes, and reaches at constant indices, or by loops over the array
//
//surge:kernel
func Channels(in [3][]float64, n, turns int) (out [3][]float64, sums [2]float64, ends []float64) {
	if n < 0 || n > len(in[0]) || n > len(in[1]) || n > len(in[2]) {
		return out, sums, nil
	}
	for k := range out {
		out[k] = make([]float64, n)
		copy(out[k], in[k])
	}
	pair := [2][]float64{make([]float64, n), make([]float64, n+1)}
	for range turns {
		for i := range n {
			for k := 0; k < 3; k++ {
				out[k][i] += in[(k+1)%3][i] * float64(k+1)
			}
			pair[1][i+1] = out[0][i] + pair[1][i]
			pair[0][n-1-i] = out[2][i]
		}
		turned(out, 0.5)
		if pair[1][n] > 100 {
			out[0][0] = 1
		}
	}
	for k, row := range pair {
		for _, v := range row {
			sums[k] += v
		}
	}
	both := out
	ends = make([]float64, 3)
	for k := range both {
		if n > 0 {
			ends[k] = both[k][n-1]
		}
	}
	return both, sums, ends
}

// Sudoku is a board, with 0 where it is empty.
type Sudoku [9][9]uint8

func (s *Sudoku) candidates(r, c int) uint16 {
	var used uint16
	for i := range 9 {
		used |= 1<<(s[r][i]%10) | 1<<(s[i][c]%10) | 1<<(s[r/3*3+i/3][c/3*3+i%3]%10)
	}
	return ^used & 0x3fe
}

// Forced fills the places of boards that are forced, and counts those that are left.
//
// Construct: slices of arrays of nine by nine, and of up to 127 numbers, whose elements are assigned at computed places
//
//surge:kernel
func Forced(boards []Sudoku) ([]Sudoku, []int) {
	out := make([]Sudoku, len(boards))
	left := make([]int, len(boards))
	for i, s := range boards {
		for changed := true; changed; {
			changed, left[i] = false, 0
			for r := range 9 {
				for c := range 9 {
					if s[r][c]%10 != 0 {
						continue
					}
					left[i]++
					if m := s.candidates(r, c); bits.OnesCount16(m) == 1 {
						s[r][c] = uint8(bits.TrailingZeros16(m))
						changed = true
					}
				}
			}
		}
		out[i] = s
	}
	return out, left
}

// Tallied counts the digits up to the first one that is none, and says where that is.
//
// Construct: an array as a named result whose elements loops assign, and that is returned from inside of them
//
//surge:kernel
func Tallied(text string, most int8) (counts [10]int, at int) {
	for i := range len(text) {
		c := text[i] % 16
		if c > 9 {
			return counts, i
		}
		counts[c]++
		for c == 7 {
			if counts[c] > int(most) {
				return counts, -i
			}
			break
		}
	}
	return counts, len(text)
}
