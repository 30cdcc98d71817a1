// Package rowfills has loops that fill the rows of what a kernel returns. The comment of each kernel says how many of
// its loops that carry arrays stay loops.
package rowfills

// Loops: 0
//
//surge:kernel
func Outer(x, y []float64) [][]float64 {
	out := make([][]float64, len(x))
	for i := range out {
		out[i] = make([]float64, len(y))
		for j := range out[i] {
			out[i][j] = x[i] * y[j]
		}
	}
	return out
}

// Loops: 0
//
//surge:kernel
func Named(x, y []int) [][]int {
	out := make([][]int, len(x))
	for i, v := range x {
		row := make([]int, len(y))
		for j, w := range y {
			s := 0
			for k := range w % 5 {
				s += k * v
			}
			row[j] = s
		}
		out[i] = row
	}
	return out
}

// Loops: 0
//
//surge:kernel
func Two(x []int, n int) (a, b [][]int) {
	a, b = make([][]int, len(x)), make([][]int, len(x))
	for i, v := range x {
		p, q := make([]int, n), make([]int, n)
		for j := range n {
			p[j], q[j] = v+j, v-j
		}
		a[i], b[i] = p, q
	}
	return a, b
}

// The row is read where it was written before.
//
// Loops: 1
//
//surge:kernel
func Sums(x, y []int) [][]int {
	out := make([][]int, len(x))
	for i, v := range x {
		row := make([]int, len(y)+1)
		for j, w := range y {
			row[j+1] = row[j] + v*w
		}
		out[i] = row
	}
	return out
}

// Not every element is assigned.
//
// Loops: 0
//
//surge:kernel
func Some(x, y []int) [][]int {
	out := make([][]int, len(x))
	for i, v := range x {
		row := make([]int, len(y))
		for j, w := range y {
			if w > v {
				row[j] = w
			}
		}
		out[i] = row
	}
	return out
}

// The loop is shorter than the row.
//
// Loops: 1
//
//surge:kernel
func Short(x, y []int) [][]int {
	out := make([][]int, len(x))
	for i, v := range x {
		row := make([]int, len(y)+2)
		for j, w := range y {
			row[j] = w - v
		}
		out[i] = row
	}
	return out
}

// The row is filled and then updated.
//
// Loops: 2
//
//surge:kernel
func Further(x, y []int) [][]int {
	out := make([][]int, len(x))
	for i, v := range x {
		row := make([]int, len(y))
		for j := range row {
			row[j] = j
		}
		for j, w := range y {
			row[j] += w * v
			if j > 0 {
				row[j] += row[j-1]
			}
		}
		out[i] = row
	}
	return out
}

// A condition chooses between two rows.
//
// Loops: 2
//
//surge:kernel
func Either(x, y []int) [][]int {
	out := make([][]int, len(x))
	for i, v := range x {
		row := make([]int, len(y))
		for j := range row {
			row[j] = j
		}
		if v > 0 {
			for j, w := range y {
				row[j] = w
			}
		}
		out[i] = row
	}
	return out
}

// Conditions choose what an element is.
//
// Loops: 0
//
//surge:kernel
func Chosen(x, y []int, mode int) [][]int {
	out := make([][]int, len(x))
	for i, v := range x {
		out[i] = make([]int, len(y))
		for j, w := range y {
			switch mode {
			case 0:
				out[i][j] = w - v
			case 1:
				if w > v {
					out[i][j] = w
				} else {
					out[i][j] = 100 / (v + 7)
				}
			default:
				out[i][j] = j
			}
		}
	}
	return out
}

// Each element belongs to one of two rows.
//
// Loops: 0
//
//surge:kernel
func Sides(x, y []int) (below, above [][]int) {
	below, above = make([][]int, len(x)), make([][]int, len(x))
	for i, v := range x {
		below[i] = make([]int, len(y))
		above[i] = make([]int, len(y))
		for j, w := range y {
			if w < v {
				below[i][j] = w
			} else {
				above[i][j] = w
			}
		}
	}
	return below, above
}

// A condition chooses the place.
//
// Loops: 1
//
//surge:kernel
func Place(x, y []int) [][]int {
	out := make([][]int, len(x))
	for i, v := range x {
		row := make([]int, len(y))
		for j, w := range y {
			if w > v {
				row[j] = w
			} else if j > 0 {
				row[j-1] = v
			}
		}
		out[i] = row
	}
	return out
}

// What a condition has assigned is updated again.
//
// Loops: 1
//
//surge:kernel
func Again(x, y []int) [][]int {
	out := make([][]int, len(x))
	for i, v := range x {
		row := make([]int, len(y))
		for j, w := range y {
			if w > v {
				row[j] = w
			}
			row[j] += 3
		}
		out[i] = row
	}
	return out
}

// Elements depend on those before them.
//
// Loops: 1
//
//surge:kernel
func Before(x, y []int) [][]int {
	out := make([][]int, len(x))
	for i, v := range x {
		row := make([]int, len(y))
		for j, w := range y {
			if w > v {
				row[j] = w
			} else if j > 0 {
				row[j] = row[j-1]
			}
		}
		out[i] = row
	}
	return out
}
