// Slices

package constructs

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
)

// Descended smooths the rows of a matrix from top to bottom.
//
// Construct: row := m[i*w : (i+1)*w] of a slice that the function made: elements are assigned under either name, also
// by functions that get the part
//
//surge:kernel
func Descended(in []float64, w int) ([]float64, float64) {
	w = max(1, min(w, 7))
	h := len(in) / w
	m := slices.Clone(in[:h*w])
	row := func(i int) []float64 { return m[i*w : (i+1)*w] }
	total := 0.0
	for i := 1; i < h; i++ {
		prev, cur := row(i-1), row(i)
		for j := range cur {
			cur[j] += prev[j] / 2
		}
		halve(cur)
		total += firstOf(m[i*w : (i+1)*w])
		half := cur[w/2:]
		if len(half) > 1 {
			half[0], half[1] = half[1], half[0]
		}
	}
	return m, total
}

func halve(x []float64) {
	for i := range x {
		x[i] /= 2
	}
}

func firstOf(x []float64) float64 { return x[0] }

// Dense is a matrix by rows.
type Dense struct {
	Cols int
	Data []float64
}

// Row is a row of d.
func (d *Dense) Row(i int) []float64 { return d.Data[i*d.Cols : (i+1)*d.Cols] }

var errShapes = errors.New("the shapes differ")

func newDense(rows, cols int) *Dense { return &Dense{Cols: cols, Data: make([]float64, rows*cols)} }

// Plus adds matrices.
//
// Construct: a method that returns a pointer to a struct, and nil with an error
//
//surge:kernel
func (d *Dense) Plus(o *Dense) (*Dense, error) {
	if d.Cols != o.Cols || len(d.Data) != len(o.Data) || d.Cols < 1 {
		return nil, errShapes
	}
	sum := newDense(len(d.Data)/d.Cols, d.Cols)
	for i := range sum.Data {
		sum.Data[i] = d.Data[i] + o.Data[i]
	}
	return sum, nil
}

// Eliminated brings a matrix into the form of a triangle.
//
// Construct: methods that return a part of a slice of their receiver: m.Row(i), its elements assigned and copied to
//
//surge:kernel
func Eliminated(in []float64, n int) []float64 {
	n = max(1, min(n, 6, len(in)))
	n = min(n, len(in)/n)
	m := Dense{n, make([]float64, n*n)}
	for i := range n {
		copy(m.Row(i), in[i*n:])
		m.Row(i)[i] += 100
	}
	for k := range n {
		pivot := m.Row(k)
		for i := k + 1; i < n; i++ {
			row := m.Row(i)
			f := row[k] / pivot[k]
			for j := k; j < n; j++ {
				row[j] -= f * pivot[j]
			}
		}
	}
	return m.Data
}

// NearMedians is the median of what lies near each element.
//
// Construct: part := window[:n] of a local array, its elements assigned or sorted; found := memory[:0], which grows
//
//surge:kernel
func NearMedians(x []float64) (middles []float64, above []int) {
	middles, above = make([]float64, len(x)), make([]int, len(x))
	for i := range x {
		var window [5]float64
		n := 0
		for j := max(0, i-2); j <= min(len(x)-1, i+2); j++ {
			window[n] = x[j]
			n++
		}
		part := window[:n]
		insertionSort(part)
		middles[i] = part[n/2]

		var memory [len(window)]int
		found := memory[:0]
		for j, v := range window[:n] {
			if v > x[i] {
				found = append(found, j)
			}
		}
		above[i] = len(found)
		if len(found) > 0 {
			above[i] += 10 * found[0]
		}
	}
	return middles, above
}

// SixSorted are the three smallest of six elements, and the others behind them.
//
// Construct: a local array that a function gets as a slice, to update it: insertionSort(six[:])
//
//surge:kernel
func SixSorted(x []float64) []float64 {
	out := make([]float64, len(x)/6*6)
	for i := range len(x) / 6 {
		six := [...]float64{x[6*i], x[6*i+1], x[6*i+2], x[6*i+3], x[6*i+4], x[6*i+5]}
		insertionSort(six[:])
		insertionSort(six[1 : len(six)-1])
		for j := range six {
			out[6*i+j] = six[j]
		}
	}
	return out
}

func insertionSort(x []float64) {
	for i := 1; i < len(x); i++ {
		for j := i; j > 0 && x[j] < x[j-1]; j-- {
			x[j], x[j-1] = x[j-1], x[j]
		}
	}
}

// sums has the state of a hash, and what has not been hashed yet.
type sums struct {
	state  [8]uint32
	buffer [16]byte
	filled int
}

func (s *sums) write(v uint32) {
	binary.BigEndian.PutUint32(s.buffer[s.filled:], v)
	if s.filled += 4; s.filled == len(s.buffer) {
		s.mix(s.buffer[4:12])
		s.filled = 0
	}
}

func (s *sums) mix(part []byte) {
	for i, b := range part {
		s.state[i&7] = s.state[i&7]*31 + uint32(b)
	}
}

func (s *sums) sum(out *[32]byte) {
	for i, v := range s.state {
		binary.LittleEndian.PutUint32(out[4*i:], v)
	}
}

// Hashed writes numbers to parts of arrays.
//
// Construct: parts of arrays in structs, and of arrays that pointers lead to, updated by functions that get them,
// those of encoding/binary among them
//
//surge:kernel
func Hashed(rows [][]uint32) [][32]byte {
	out := make([][32]byte, len(rows))
	for i, row := range rows {
		var s sums
		for _, v := range row {
			s.write(v)
		}
		var sum [32]byte
		s.sum(&sum)
		out[i] = sum
	}
	return out
}

func raise(part []int, by []int) {
	for i := range part {
		part[i] = part[i]*3 + by[0]
	}
}

// Windowed updates parts of an array under names of their own while the array is read, copied and assigned as a whole.
//
// Construct: names of parts of an array that is read, copied, compared and assigned as a whole beside them
//
//surge:kernel
func Windowed(x []int, by int) []int {
	out := make([]int, len(x))
	for i, v := range x {
		var w [6]int
		part := w[1:4]
		for j, old := range w {
			part[j%3] += old + v
		}
		before := w
		raise(w[3:], w[:2])
		raise(part, before[1:])
		if w == before {
			out[i]++
		}
		p := &w
		*p = [6]int{by, v}
		part[2] = w[1] - part[1]
		slices.SortFunc(w[:], func(p, q int) int { return cmp.Compare(p&7, q&7) })
		out[i] += w[0] + 3*w[2] + 5*before[3] + 7*part[0]
	}
	return out
}

func scaled(dst, src []int, by int) {
	dst = dst[:len(src)]
	for i, v := range src {
		dst[i] = v*by + len(dst)
	}
}

// Narrowed fills parts of rows under names that are cut to the length that is needed.
//
// Construct: dst = dst[:len(src)] of a parameter that is assigned, and out[i*w:][:w] as a part of a slice
//
//surge:kernel
func Narrowed(x []int, width uint8) ([]int, error) {
	w := int(width%5) + 2
	out := make([]int, len(x)*w)
	for i, v := range x {
		row := out[i*w:][:w]
		for k := range row {
			row[k] = v + k*len(row)
		}
		scaled(out[i*w+1:][:w-1], x[i:i+1], v&3)
	}
	return out, nil
}

type mass struct{ at, speed, of float64 }

// Clustered moves masses on a line, and says what they have on each other after every second step.
//
// Construct: loops over a part of a slice that grew by append and is updated later, also in functions that get the
// slice: for _, y := range x[:i]
//
//surge:kernel
func Clustered(x []float64, steps int) ([]float64, []float64) {
	masses := make([]mass, 0, len(x))
	for i, v := range x {
		if v != 0 {
			masses = append(masses, mass{at: float64(i), of: v})
		}
	}
	on := []float64{pairwise(masses)}
	for step := range min(steps, 6) {
		for i := range masses {
			m := &masses[i]
			m.speed += m.of / 8
			m.at += m.speed
		}
		if step%2 == 1 {
			on = append(on, pairwise(masses))
		}
	}
	where := make([]float64, len(masses))
	for i, m := range masses {
		where[i] = m.at
		for j, earlier := range masses[:i] {
			masses[j].speed = earlier.speed + m.speed/4
		}
	}
	return where, on
}

func pairwise(masses []mass) float64 {
	total := 0.0
	for i, m := range masses {
		for _, o := range masses[:i] {
			total += m.of * o.of * (m.at - o.at)
		}
	}
	return total
}
