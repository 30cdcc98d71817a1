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

// Windows ends at either of two ends, and asks where it did.
// Loops: 0
//
//surge:kernel
func Windows(x []float64, widths []int) (sums []float64, ends []int) {
	sums, ends = make([]float64, len(x)), make([]int, len(x))
	for i := range x {
		j := i + 1
		for j < len(x) && j <= i+len(widths) {
			sums[i] += x[j]
			j++
		}
		ends[i] = j
	}
	return sums, ends
}

// Lags has one end that is a number of any size, and one that an array of that size limits.
// Loops: 0
//
//surge:kernel
func Lags(x []float64, n, most int) []float64 {
	out := make([]float64, n)
	for lag := 1; lag < n; lag++ {
		for j := 0; j < most && j+lag < len(x) && j < len(x)/2; j++ {
			out[lag] += x[j] * x[j+lag]
		}
	}
	return out
}

// Wide adds a number of any size to what it counts with.
// Loops: 1
//
//surge:kernel
func Wide(x []float64, lag int) float64 {
	sum := 0.0
	for j := 0; j < len(x) && j+lag < len(x); j++ {
		sum += x[j]
	}
	return sum
}

// Either goes on while one of two conditions holds.
// Loops: 1
//
//surge:kernel
func Either(x []int, y []float64) float64 {
	sum := 0.0
	for j := 0; j < len(x) || j+2 < len(y); j++ {
		sum += float64(j)
	}
	return sum
}

// Sought goes on while an element says so.
// Loops: 1
//
//surge:kernel
func Sought(x []int) int {
	n := 0
	for n < len(x) && x[n] > 0 {
		n++
	}
	return n
}

// Apart counts up in one loop with two counters: the condition asks both.
// Loops: 1
//
//surge:kernel
func Apart(x, y []int) int {
	same := 0
	for i, j := 0, 1; i < len(x) && j < len(y); i, j = i+1, j+2 {
		if x[i] == y[j] {
			same++
		}
	}
	return same
}

// Blocks goes through blocks of ten, which begin within the slice, and then down by three.
// Loops: 0
//
//surge:kernel
func Blocks(x []float64) (sums []float64, blocks int) {
	sums = make([]float64, len(x)+1)
	b := 0
	for b = 0; b*10 < len(x); b++ {
		for j := b * 10; j < len(x) && j < b*10+10; j++ {
			sums[b] += x[j]
		}
	}
	for k := 2; len(x)-3*k > 1; k++ {
		sums[k] += x[len(x)-3*k]
	}
	return sums, b
}
