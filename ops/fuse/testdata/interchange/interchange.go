// Package interchange has loops over the elements of arrays in other loops. The comment of each kernel says how many
// loops that carry arrays still have such loops inside.
package interchange

// Columns adds the rows of a matrix.
//
// Loops: 0
//
//surge:kernel
func Columns(a []float64, h, w int) []float64 {
	s := make([]float64, max(w, 0))
	for i := 0; i < h; i++ {
		for j := range s {
			s[j] += a[i*w+j]
		}
	}
	return s
}

// Two has two results, one under a condition, and something that a turn computes once.
//
// Loops: 0
//
//surge:kernel
func Two(a, scale []float64) ([]float64, []int) {
	w := len(a) / 2
	s, n := make([]float64, w), make([]int, w)
	for j := range s {
		s[j] = float64(j)
	}
	for i, f := range scale {
		g := 2 * f
		for j := 0; j < w; j++ {
			v := a[(i+j)%len(a)] * g
			if v > s[j] {
				s[j] = v - s[j]
				n[j] += i
			}
		}
	}
	return s, n
}

// Neighbours needs other elements.
//
// Loops: 1
//
//surge:kernel
func Neighbours(x []int, turns int) []int {
	s := make([]int, len(x))
	for i := 0; i < min(turns, len(x)); i++ {
		for j := range s {
			s[j] += x[i]
			if j > 0 {
				s[j] += s[j-1]
			}
		}
	}
	return s
}

// Triangle updates other elements in each turn.
//
// Loops: 1
//
//surge:kernel
func Triangle(x []int) []int {
	s := make([]int, len(x))
	for i, v := range x {
		for j := i; j < len(s); j++ {
			s[j] += v
		}
	}
	return s
}

// Panics says which turn is wrong.
//
// Loops: 1
//
//surge:kernel
func Panics(x []int, w int) []int {
	s := make([]int, max(w, 0))
	for i, v := range x {
		for j := range s {
			if v < j-4 {
				panic("small")
			}
			s[j] += v * i
		}
	}
	return s
}

// Numbers reads nothing, so that only a number says how many turns there are.
//
// Loops: 1
//
//surge:kernel
func Numbers(w, n int) []int {
	s := make([]int, max(w, 0))
	for i := 0; i < n; i++ {
		for j := range s {
			s[j] = s[j]*3 + i
		}
	}
	return s
}

// Dear computes much in each turn, once for all elements.
//
// Loops: 1
//
//surge:kernel
func Dear(x []int, w int) []int {
	s := make([]int, max(w, 0))
	for i := range x {
		sum := 0
		for _, v := range x {
			sum += v / (i + 1)
		}
		for j := range s {
			s[j] ^= sum + j
		}
	}
	return s
}

// Longer goes beyond the array, in turns that there may not be.
//
// Loops: 1
//
//surge:kernel
func Longer(x []int, w int) []int {
	s := make([]int, len(x)/2)
	for _, v := range x {
		for j := 0; j < w; j++ {
			s[j] += v
		}
	}
	return s
}
