// Package breaks has loops that a condition leaves. The comment of each kernel says how many of its loops have one
// still.
package breaks

// Loops: 0
//
//surge:kernel
func Behind(x, taps []float64) []float64 {
	out := make([]float64, len(x))
	for i := range x {
		for k, t := range taps {
			j := i - k
			if j < 0 {
				break
			}
			out[i] += t * x[j]
		}
	}
	return out
}

// Loops: 0
//
//surge:kernel
func Ahead(x, taps []int) (sums, counts []int) {
	sums, counts = make([]int, len(x)), make([]int, len(x))
	for i := range x {
		s, n := 0, 0
		for k := 2; k < len(taps); k++ {
			if !(i+k < len(x)) {
				break
			}
			s += taps[k] * x[i+k]
			n++
		}
		sums[i], counts[i] = s, n
	}
	return sums, counts
}

// Both may end at either end.
// Loops: 0
//
//surge:kernel
func Both(x, taps []int) []int {
	sums := make([]int, len(x))
	for i := range x {
		s := 0
		for k, t := range taps {
			if i+k >= len(x) || 2 > i-k {
				break
			}
			s = s*3 + t*x[i+k] - x[i-k]
		}
		sums[i] = s
	}
	return sums
}

// Later begins in range only, so that the condition does not hold for good.
// Loops: 1
//
//surge:kernel
func Later(x, taps []int) []int {
	sums := make([]int, len(x))
	for i := range x {
		s := 0
		for k, t := range taps {
			if i+k < 3 {
				break
			}
			s += t
		}
		sums[i] = s
	}
	return sums
}

// Given compares numbers of any size.
// Loops: 1
//
//surge:kernel
func Given(x, taps []int, by int) []int {
	sums := make([]int, len(x))
	for i := range x {
		s := 0
		for k, t := range taps {
			if by+k > i {
				break
			}
			s += t
		}
		sums[i] = s
	}
	return sums
}

// Asked returns where it has left.
// Loops: 1
//
//surge:kernel
func Asked(x, taps []int) []int {
	ends := make([]int, len(x))
	for i := range x {
		k := 0
		for ; k < len(taps); k++ {
			if i-k < 1 {
				break
			}
			ends[i] += taps[k]
		}
		ends[i] -= k
	}
	return ends
}

// Failing reads before it asks.
// Loops: 1
//
//surge:kernel
func Failing(x, taps []int) []int {
	sums := make([]int, len(x))
	for i := range x {
		s := 0
		for k := range taps {
			v := x[i-k+1]
			if i-k < 0 {
				break
			}
			s += v
		}
		sums[i] = s
	}
	return sums
}

// Data leaves where the data say.
// Loops: 1
//
//surge:kernel
func Data(x, taps []int) []int {
	sums := make([]int, len(x))
	for i := range x {
		s := 0
		for k, t := range taps {
			if t < k {
				break
			}
			s += t
		}
		sums[i] = s
	}
	return sums
}
