// Rows that a kernel makes

package constructs

import (
	"slices"

	"github.com/surge-ndp/surge/ops"
)

// Blurred is the mean along each row of a wall.
//
// Construct: slices of rows of rows, [][][]T, and deeper: parameters, results, v[z][y][x], row := v[z][y], loops that
// make them
//
//surge:kernel
func Blurred(v [][][]float64) [][][]float64 {
	out := make([][][]float64, len(v))
	for z, plane := range v {
		out[z] = make([][]float64, len(plane))
		for y := range plane {
			row := plane[y]
			out[z][y] = make([]float64, len(row))
			for x := range row {
				out[z][y][x] = (row[max(x-1, 0)] + v[z][y][x] + row[min(x+1, len(row)-1)]) / 3
			}
		}
	}
	return out
}

// Brick is an element of a wall.
type Brick struct {
	Mass int32
	At   [2]int32
}

// Drifted moves the bricks of four dimensions.
//
// Construct: operators over slices of any depth, of structs as well
//
//surge:kernel
func Drifted(v [][][][]Brick, by int32) ([][][][]Brick, [][][]Brick, int32) {
	drifted := ops.Map(func(block [][][]Brick) [][][]Brick {
		return ops.Map(func(plane [][]Brick) [][]Brick {
			return ops.Map(func(row []Brick) []Brick {
				return ops.Map(func(c Brick) Brick { return Brick{c.Mass, [2]int32{c.At[0] + by, c.At[1] - by}} }, row)
			}, plane)
		}, block)
	}, v)
	total := int32(0)
	for _, block := range v {
		for _, plane := range block {
			for _, row := range plane {
				for _, c := range row {
					total += c.Mass
				}
			}
		}
	}
	return drifted, ops.Flatten(v), total
}

// Relaxed is rows after some steps, each of which makes the next ones.
//
// Construct: rows that a loop replaces, cur = next, with the lengths that they had; rows of rows, of one length each
//
//surge:kernel
func Relaxed(v [][]float64, steps uint8) [][]float64 {
	cur := v
	for range steps % 5 {
		next := make([][]float64, len(v))
		for y := range next {
			next[y] = make([]float64, len(v[y]))
			for x := range next[y] {
				next[y][x] = (cur[y][x] + cur[y][max(x-1, 0)]) / 2
			}
		}
		cur = next
	}
	return cur
}

// Planes steps planes of rows, in two buffers that change places.
//
// Construct: volumes that the kernel makes, copies of parameters too, and whose elements it assigns, turn by turn;
// where rows differ in length the kernel runs as plain Go
//
//surge:kernel
func Planes(u [][][]float64, steps uint8) [][][]float64 {
	cur, next := make([][][]float64, len(u)), make([][][]float64, len(u))
	for i := range u {
		cur[i], next[i] = make([][]float64, len(u[i])), make([][]float64, len(u[i]))
		for j := range u[i] {
			cur[i][j], next[i][j] = slices.Clone(u[i][j]), slices.Clone(u[i][j])
		}
	}
	for range steps % 5 {
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

func bricks(depth, height, width int) [][][]Brick {
	v := make([][][]Brick, depth)
	for z := range v {
		v[z] = make([][]Brick, height)
		for y := range v[z] {
			v[z][y] = make([]Brick, width)
		}
	}
	return v
}

// Walled drops masses into a wall, and tells what each brick carries.
//
// Construct: volumes of structs; planes and rows as names, for a range and for functions; planes that change places
//
//surge:kernel
func Walled(masses []int32, size uint8) ([][][]Brick, int32) {
	n := int(size%6) + 1
	v := bricks(n, 3, n+1)
	for i, m := range masses {
		b := &v[i%n][i%3][(i*i)%(n+1)]
		b.Mass += m
		b.At[i%2]++
	}
	for _, plane := range v {
		for y, row := range plane {
			for x := range row {
				row[x].Mass += plane[max(y-1, 0)][x].Mass
			}
		}
	}
	for i := range n / 2 {
		v[i], v[n-1-i] = v[n-1-i], v[i]
	}
	most := int32(0)
	for _, plane := range v {
		most = max(most, heaviest(plane))
	}
	return v, most
}

func heaviest(plane [][]Brick) (most int32) {
	for y := range plane {
		for x := range plane[y] {
			most = max(most, plane[y][x].Mass)
			plane[y][x].At[0] = most
		}
	}
	return most
}

// Heat is a body, and where its next state comes.
type Heat struct {
	now, next [][][]float32
}

func newHeat(n int) *Heat {
	h := &Heat{now: make([][][]float32, n), next: make([][][]float32, n)}
	for i := range n {
		h.now[i], h.next[i] = make([][]float32, n), make([][]float32, n)
		for j := range n {
			h.now[i][j], h.next[i][j] = make([]float32, n), make([]float32, n)
		}
	}
	return h
}

func (h *Heat) step(by float32) {
	for i := range h.now {
		for j := range h.now[i] {
			for k := 1; k < len(h.now[i][j]); k++ {
				h.next[i][j][k] = by*h.now[i][j][k] + h.now[i][j][k-1]
			}
		}
	}
	h.now, h.next = h.next, h.now
}

// Heated is a body after some steps.
//
// Construct: volumes in fields of a struct, which methods step, and which change places: h.now, h.next = h.next, h.now
//
//surge:kernel
func Heated(at []int32, by float32, size, steps uint8) [][][]float32 {
	n := int(size%5) + 1
	h := newHeat(n)
	for _, a := range at {
		k := int(uint32(a))
		h.now[k%n][k/2%n][k/4%n]++
	}
	for range steps % 6 {
		h.step(by)
	}
	return h.now
}

func zeroPlane(n int) [][]float64 {
	plane := make([][]float64, n)
	for i := range plane {
		plane[i] = make([]float64, n)
	}
	return plane
}

func zeroVolume(n int) [][][]float64 {
	v := make([][][]float64, n)
	for k := range v {
		v[k] = zeroPlane(n)
	}
	return v
}

// closeOver makes a volume periodic: its first and last planes and rows are those at the other side.
func closeOver(v [][][]float64) {
	n := len(v)
	for k := 1; k < n-1; k++ {
		copy(v[k][0], v[k][n-2])
		copy(v[k][n-1], v[k][1])
	}
	for j := range n {
		copy(v[0][j], v[n-2][j])
		copy(v[n-1][j], v[1][j])
	}
}

// smoothInto adds to each inner element what its neighbours in another volume are more than it.
func smoothInto(v, from [][][]float64, by float64) {
	for k := 1; k < len(v)-1; k++ {
		for j := 1; j < len(v)-1; j++ {
			for i := 1; i < len(v)-1; i++ {
				v[k][j][i] += by * (from[k-1][j][i] + from[k][j+1][i] + from[k][j][i-1] - 3*from[k][j][i])
			}
		}
	}
	closeOver(v)
}

// Periodic is a volume after some sweeps, and what is left to do.
//
// Construct: volumes that functions of the kernel update, rows of them copied: smooth(u, r), copy(u[k][0], u[k][n-2])
//
//surge:kernel
func Periodic(at []int32, by float64, size, sweeps uint8) ([][][]float64, float64) {
	n := int(size%5) + 3
	u, r := zeroVolume(n), zeroVolume(n)
	for i, a := range at {
		k := int(uint32(a))
		r[k%n][k/2%n][k/4%n] = float64(i)
	}
	smoothInto(u, r, by)
	for range sweeps % 4 {
		smoothInto(r, u, by)
		smoothInto(u, r, -by)
	}
	left := 0.0
	for _, plane := range r[1 : n-1] {
		for _, row := range plane[1 : n-1] {
			for _, x := range row[1 : n-1] {
				left += x * x
			}
		}
	}
	return u, left
}
