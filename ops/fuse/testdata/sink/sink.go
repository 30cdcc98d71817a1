// Package sink has loops whose turns append or assign under conditions. The comment of each kernel says how many loops
// behind the pass have conditions that yield arrays.
package sink

// Labels appends one element a turn.
//
// Loops: 0
//
//surge:kernel
func Labels(x []int) []int {
	var out []int
	for _, v := range x {
		if v < 0 {
			out = append(out, -1)
			continue
		}
		if v > 100 {
			out = append(out, 2)
		} else {
			out = append(out, v%7)
		}
	}
	return out
}

// Pairs appends to two slices, in another order.
//
// Loops: 0
//
//surge:kernel
func Pairs(x []int, n int) ([]int, []float64) {
	var at []int
	var values []float64
	for i := 1; i < min(n, len(x)); i++ {
		switch {
		case x[i] > x[i-1]:
			at, values = append(at, i), append(values, float64(x[i]))
		default:
			values = append(values, 0.5)
			at = append(at, -i)
		}
	}
	return at, values
}

// Assigned assigns one element a turn.
//
// Loops: 0
//
//surge:kernel
func Assigned(x []int, n int) []int {
	out := make([]int, len(x))
	for i := 0; i < n; i++ {
		if x[i]%2 == 0 {
			out[i] = x[i] / 2
		} else {
			out[i] = 3*x[i] + 1
		}
	}
	return out
}

// Both appends one element or two.
//
// Loops: 1
//
//surge:kernel
func Both(x []int) []int {
	var out []int
	for _, v := range x {
		if v > 3 {
			out = append(out, v, -v)
		} else {
			out = append(out, v)
		}
	}
	return out
}

// Kept appends one element or none.
//
// Loops: 1
//
//surge:kernel
func Kept(x []int) []int {
	var out []int
	for _, v := range x {
		if v > 3 {
			out = append(out, v)
		}
	}
	return out
}

// Mirrored assigns at one of two places.
//
// Loops: 1
//
//surge:kernel
func Mirrored(x []int) []int {
	out := make([]int, len(x))
	for i, v := range x {
		if v > 3 {
			out[i] = v
		} else {
			out[len(x)-1-i] = v
		}
	}
	return out
}

// Counted uses what it has appended.
//
// Loops: 1
//
//surge:kernel
func Counted(x []int) ([]int, int) {
	out := make([]int, 0, len(x))
	sum := 0
	for _, v := range x {
		if v > 3 {
			out = append(out, v)
			sum += out[len(out)/2]
		} else {
			out = append(out, -v)
		}
	}
	return out, sum
}

// Checked fails between what it appends.
//
// Loops: 0
//
//surge:kernel
func Checked(x []int, n int) []int {
	var out []int
	for i, v := range x {
		if v > 3 {
			out = append(out, x[n+i])
		} else {
			out = append(out, 100/v)
		}
	}
	return out
}
