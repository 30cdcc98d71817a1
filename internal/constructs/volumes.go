// Rows that a kernel makes

package constructs

import "github.com/surge-ndp/surge/ops"

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
