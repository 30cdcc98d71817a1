// Package forward has loops that read what the turn before has updated. The comment of each kernel says how many of its
// loops carry an array and a number behind the pass.
package forward

// Sums are those of all elements up to each.
//
// Loops: 1
//
//surge:kernel
func Sums(x []int) []int {
	z := make([]int, len(x))
	copy(z, x)
	for i := 1; i < len(z); i++ {
		z[i] += z[i-1]
	}
	return z
}

// Start begins anywhere: the first turn reads nothing that exists, or is none.
//
// Loops: 1
//
//surge:kernel
func Start(x []int, from, to, at int) []int {
	z := make([]int, len(x))
	copy(z, x)
	for i := from; i < to; i++ {
		z[i+at] ^= z[i+at-1] + 1
	}
	return z
}

// Strides goes through every third element, and backwards through the others: the loop that counts down by two does
// not read the element that the turn before has updated.
//
// Loops: 1
//
//surge:kernel
func Strides(x []int, n int) []int {
	z := make([]int, len(x))
	copy(z, x)
	for i := 1; i < n; i++ {
		z[3*i] += z[3*i-3]
		if z[3*i] > 3 {
			z[0]++
		}
	}
	for i := 1; i < n; i++ {
		z[3*i] += 5 - z[3*(i-1)]
	}
	for i := 1; i < n; i++ {
		z[len(z)-2*i] -= z[len(z)-2*i+1]
	}
	return z
}

// Back goes from the last element to the first one.
//
// Loops: 1
//
//surge:kernel
func Back(x, a []float64) []float64 {
	z := make([]float64, len(x))
	copy(z, x)
	n := len(z) - 1
	for i := 0; i < n; i++ {
		v := z[n-i]
		if a[n-1-i] > 0 {
			v = a[i]*z[n-i] - z[n-1-i]
		}
		z[n-1-i] = v
	}
	return z
}

// Sometimes updates under a condition: the element before may be what it was.
//
// Loops: 0
//
//surge:kernel
func Sometimes(x []int) []int {
	z := make([]int, len(x))
	copy(z, x)
	for i := 1; i < len(z); i++ {
		if x[i] > 1 {
			z[i] += z[i-1]
		}
	}
	return z
}

// Table has a row for each turn of a loop around; of what it reads one element was updated by the turn before.
// The loops stand there twice, as blocks of the table may be independent.
//
// Loops: 2
//
//surge:kernel
func Table(x, y []int) []int {
	w := len(y) + 1
	t := make([]int, (len(x)+1)*w)
	for i := 1; i <= len(x); i++ {
		for j := 1; j < w; j++ {
			t[i*w+j] = max(t[i*w+j-1]+y[j-1], t[(i-1)*w+j], t[(i-1)*w+j-1]-x[i-1])
		}
	}
	return t
}

// Moved reads at a distance that changes with the turn, and at one that does not.
//
// Loops: 0
//
//surge:kernel
func Moved(x []int, by int) []int {
	z := make([]int, len(x))
	copy(z, x)
	for i := 1; i < len(z); i++ {
		z[i] += z[i/2] + z[max(i-by, 0)]
	}
	for i := 2; i < len(z); i++ {
		z[i] += z[i-2]
	}
	return z
}
