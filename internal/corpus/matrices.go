// Matrices and automata

package corpus

import (
	"errors"
	"math"
	"slices"
)

// Dense2 is a matrix by rows.
type Dense2 struct {
	Data       []float64
	Rows, Cols int
}

// At returns an element.
func (m Dense2) At(i, j int) float64 { return m.Data[i*m.Cols+j] }

// Set sets an element.
func (m *Dense2) Set(i, j int, v float64) { m.Data[i*m.Cols+j] = v }

// ErrSingular is returned for a matrix without an inverse.
var ErrSingular = errors.New("singular")

// GramSchmidt makes the columns of a matrix orthonormal.
//
//surge:kernel
func GramSchmidt(a Dense2) (Dense2, error) {
	q := Dense2{make([]float64, len(a.Data)), a.Rows, a.Cols}
	copy(q.Data, a.Data)
	for j := 0; j < q.Cols; j++ {
		for k := 0; k < j; k++ {
			dot := 0.0
			for i := 0; i < q.Rows; i++ {
				dot += q.At(i, j) * q.At(i, k)
			}
			for i := 0; i < q.Rows; i++ {
				q.Set(i, j, q.At(i, j)-dot*q.At(i, k))
			}
		}
		norm := 0.0
		for i := 0; i < q.Rows; i++ {
			norm += q.At(i, j) * q.At(i, j)
		}
		if norm < 1e-20 {
			return Dense2{}, ErrSingular
		}
		norm = math.Sqrt(norm)
		for i := 0; i < q.Rows; i++ {
			q.Set(i, j, q.At(i, j)/norm)
		}
	}
	return q, nil
}

// Rule is an elementary automaton.
type Rule uint8

func (r Rule) next(left, centre, right bool) bool {
	n := 0
	if left {
		n += 4
	}
	if centre {
		n += 2
	}
	if right {
		n++
	}
	return r>>n&1 == 1
}

// Automaton returns all generations.
//
//surge:kernel
func Automaton(first []bool, rule Rule, generations int) [][]bool {
	rows := [][]bool{slices.Clone(first)}
	for g := 1; g < generations; g++ {
		last := rows[g-1]
		row := make([]bool, len(last))
		for i := range row {
			left := i > 0 && last[i-1]
			right := i+1 < len(last) && last[i+1]
			row[i] = rule.next(left, last[i], right)
		}
		rows = append(rows, row)
	}
	return rows
}

// Forest is a cellular automaton of trees that burn.
//
//surge:kernel
func ForestFire(cells []uint8, width, steps int, seed uint32) (burnt int, left []uint8) {
	const empty, tree, fire = 0, 1, 2
	if width <= 0 {
		return 0, nil
	}
	cur := append([]uint8(nil), cells...)
	next := make([]uint8, len(cur))
	height := len(cur) / width
	for range steps {
		for y := 0; y < height; y++ {
			for x := 0; x < width; x++ {
				i := y*width + x
				switch cur[i] {
				case fire:
					next[i] = empty
				case tree:
					near := x > 0 && cur[i-1] == fire || x+1 < width && cur[i+1] == fire ||
						y > 0 && cur[i-width] == fire || y+1 < height && cur[i+width] == fire
					if near {
						next[i] = fire
						burnt++
					} else {
						next[i] = tree
					}
				default:
					h := (uint32(i)*2654435761 ^ seed) >> 16
					next[i] = empty
					if h%100 < 5 {
						next[i] = tree
					}
				}
			}
		}
		cur, next = next, cur
		seed = seed*1664525 + 1013904223
	}
	return burnt, cur
}
