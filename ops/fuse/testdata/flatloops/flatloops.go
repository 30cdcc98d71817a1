// Package flatloops has loops inside of others whose turns take their number apart. The comment of each kernel says how
// many loops are left that divide their number.
package flatloops

// Steps takes each cell of a grid apart, in each step.
//
// Loops: 0
//
//surge:kernel
func Steps(a []int, w, h, steps int) []int {
	n := w * h
	cur, next := make([]int, n), make([]int, n)
	copy(cur, a)
	for s := 0; s < steps; s++ {
		for i := 0; i < n; i++ {
			x, y := i%w, i/w
			next[i] = cur[i] + s
			if x > 0 {
				next[i] += cur[i-1]
			}
			if y+1 < h {
				next[i] -= cur[i+w]
			}
		}
		cur, next = next, cur
	}
	return cur
}

// Reads has quotients that read, and fails if they are not as many as the grid says.
//
// Loops: 0
//
//surge:kernel
func Reads(up, along []int, w, h, steps int) []int {
	z := make([]int, h*w)
	for s := 0; s < steps; s++ {
		for i := 0; i < w*h; i++ {
			z[i] += up[i/w]*s + along[i%w]
		}
	}
	return z
}

// Volume has the factors of a plane in several quotients: those that are left are of rows.
//
// Loops: 1
//
//surge:kernel
func Volume(a []int, w, h, d, steps int) []int {
	z := make([]int, w*h*d)
	for s := 0; s < steps; s++ {
		for i := 0; i < len(z); i++ {
			x, y, plane := i%w, i/w%h, i/(w*h)
			z[i] += x + 10*y + 100*plane + i%(w*h) + s
			if i%(h*w) > x && len(a) > i {
				z[i] += a[i]
			}
		}
	}
	return z
}

// Planes has planes first, whose cells are taken apart in turn.
//
// Loops: 0
//
//surge:kernel
func Planes(a []int, w, h, d, steps int) []int {
	z := make([]int, w*h*d)
	plane := w * h
	for s := 0; s < steps; s++ {
		for i := 0; i < w*h*d; i++ {
			at, rest := i/plane, i%plane
			y, x := rest/w, rest%w
			z[i] += at - 3*y + x*len(a) + s
		}
	}
	return z
}

// Given is a grid whose height comes of its length: the last row may be shorter.
//
// Loops: 1
//
//surge:kernel
func Given(a []int, w, steps int) []int {
	h := len(a) / w
	z := make([]int, len(a))
	for s := 0; s < steps; s++ {
		for i := range a {
			z[i] += a[i] * (i%w + s)
			if i/w == h-1 {
				z[i]++
			}
		}
	}
	return z
}

// Chosen has a grid in one branch.
//
// Loops: 0
//
//surge:kernel
func Chosen(a []int, w, h int) []int {
	z := make([]int, w*h)
	if len(a) > 3 {
		for i := range z {
			z[i] = a[(i%w+1)%len(a)] + i/w
		}
	}
	return z
}

// Once is at the top level: its Map has forms.
//
// Loops: 1
//
//surge:kernel
func Once(a []int, w, h int) []int {
	z := make([]int, w*h)
	for i := 0; i < w*h; i++ {
		z[i] = i%w + i/w
	}
	return z
}

// Narrow has rows of three.
//
// Loops: 1
//
//surge:kernel
func Narrow(a []int, n, steps int) []int {
	z := make([]int, 3*n)
	for s := 0; s < steps; s++ {
		for i := range z {
			z[i] += i%3*s + i/3
		}
	}
	return z
}

// Ragged divides by what is no factor of the number of turns, and nothing else says how many rows there are.
//
// Loops: 1
//
//surge:kernel
func Ragged(a []int, w, steps int) []int {
	z := make([]int, len(a))
	for s := 0; s < steps; s++ {
		for i := range a {
			z[i] += a[i]*(i%w) + s
		}
	}
	return z
}

// Changing has another width in each step.
//
// Loops: 0
//
//surge:kernel
func Changing(a []int, h, steps int) []int {
	sum := make([]int, 1)
	for w := 1; w < steps; w++ {
		z := make([]int, w*h)
		for i := range z {
			z[i] = i%w + w*(i/w)
		}
		for _, v := range z {
			sum[0] += v
		}
	}
	return sum
}

// Repeated has each element so many times.
//
// Loops: 1
//
//surge:kernel
func Repeated(a []int, times, steps int) []int {
	z := make([]int, len(a)*times)
	for s := 0; s < steps; s++ {
		for i := range z {
			z[i] += a[i/times]
		}
	}
	return z
}

// Wrapping divides by a product that may overflow, which is no factor of the number of turns.
//
// Loops: 0
//
//surge:kernel
func Wrapping(a []int, w, h, q, steps int) []int {
	z := make([]int, w*h)
	for s := 0; s < steps; s++ {
		for i := range z {
			z[i] += i%w + s
			if by := w * q; by != 0 {
				z[i] += i / by
			}
		}
	}
	return z
}
