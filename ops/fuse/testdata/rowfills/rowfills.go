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
// Loops: 1
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
