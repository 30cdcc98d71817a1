// Control flow

package constructs

import "github.com/surge-ndp/surge/ops"

// Clamp limits numbers.
//
// Construct: if, else if, else
//
//surge:kernel
func Clamp(x []float64, low, high float64) []float64 {
	return ops.Map(func(v float64) float64 {
		if v < low {
			return low
		} else if v > high {
			return high
		} else {
			return v
		}
	}, x)
}

// Signs counts by sign.
//
// Construct: if with a statement before the condition
//
//surge:kernel
func Signs(x []int32) []int32 {
	return ops.Map(func(v int32) int32 {
		if r := v % 3; r < 0 {
			return -r
		} else if q := r * r; q > 1 {
			return q
		}
		return 0
	}, x)
}

// Days gives the days of a month.
//
// Construct: switch on a value, with several in one case
//
//surge:kernel
func Days(month []int) []int {
	return ops.Map(func(m int) int {
		switch m {
		case 4, 6, 9, 11:
			return 30
		case 2:
			return 28
		default:
			return 31
		}
	}, month)
}

// Grades grades scores.
//
// Construct: switch without a value
//
//surge:kernel
func Grades(score []float64) []uint8 {
	return ops.Map(func(s float64) uint8 {
		switch {
		case s >= 90:
			return 'A'
		case s >= 75:
			return 'B'
		}
		return 'F'
	}, score)
}

// Steps counts the steps of the Collatz sequence.
//
// Construct: for with a condition only
//
//surge:kernel
func Steps(x []uint8) []int {
	return ops.Map(func(v uint8) int {
		n, steps := int(v)+1, 0
		for n != 1 {
			if n%2 == 0 {
				n /= 2
			} else {
				n = 3*n + 1
			}
			steps++
		}
		return steps
	}, x)
}

// Powers evaluates a sum of powers.
//
// Construct: for with three clauses
//
//surge:kernel
func Powers(x []float64) []float64 {
	return ops.Map(func(v float64) float64 {
		s, p := 0.0, 1.0
		for i := 1; i <= 6; i++ {
			p *= v / 8
			s += p / float64(i)
		}
		return s
	}, x)
}

// Triangle adds numbers up.
//
// Construct: for range over an integer
//
//surge:kernel
func Triangle(x []uint8) []int {
	return ops.Map(func(v uint8) int {
		s := 0
		for i := range int(v) {
			s += i
		}
		return s
	}, x)
}

// Total adds up a slice one by one.
//
// Construct: for range over a slice
//
//surge:kernel
func Total(x []int64) int64 {
	var s int64
	for i, v := range x {
		s += v * int64(i%3)
	}
	return s
}

// FirstNegative finds an element.
//
// Construct: break and continue
//
//surge:kernel
func FirstNegative(rows [][]int32) []int {
	return ops.Map(func(row []int32) int {
		at, odd := -1, 0
		for i, v := range row {
			if v%2 != 0 {
				odd++
				continue
			}
			if v < 0 {
				at = i
				break
			}
		}
		return at + odd
	}, rows)
}

// IsPrime tests for primes.
//
// Construct: return from inside a loop
//
//surge:kernel
func IsPrime(x []uint16) []bool {
	return ops.Map(func(v uint16) bool {
		n := int(v)
		for d := 2; d*d <= n; d++ {
			if n%d == 0 {
				return false
			}
		}
		return n > 1
	}, x)
}

// HasZero looks for a zero in a matrix of rows.
//
// Construct: leaving two loops at once by a function
//
//surge:kernel
func HasZero(x []int8, width int) bool {
	return anyZero(x, max(width, 1))
}

func anyZero(x []int8, width int) bool {
	for i := 0; i < len(x); i += width {
		for j := i; j < min(i+width, len(x)); j++ {
			if x[j] == 0 {
				return true
			}
		}
	}
	return false
}

// Relax lets every element come to rest.
//
// Construct: operators in a loop
//
//surge:kernel
func Relax(x []float64, turns int) []float64 {
	for t := 0; t < turns; t++ {
		x = ops.Map(func(v float64) float64 { return v / 2 }, x)
	}
	return x
}

// Doubled chooses a sequence.
//
// Construct: operators under a condition
//
//surge:kernel
func Doubled(x []float64, positive bool) []float64 {
	y := x
	if positive {
		y = ops.Filter(func(v float64) bool { return v > 0 }, x)
	}
	return ops.Map(func(v float64) float64 { return 2 * v }, y)
}

// LastDigit counts a number down.
//
// Construct: a loop in place of goto
//
//surge:kernel
func LastDigit(x []uint16) []uint16 {
	return ops.Map(func(v uint16) uint16 {
		for v >= 10 {
			v -= 10
		}
		return v
	}, x)
}

// Fibonacci computes numbers of Fibonacci.
//
// Construct: a loop in place of recursion
//
//surge:kernel
func Fibonacci(x []uint8) []uint64 {
	return ops.Map(func(v uint8) uint64 {
		var a, b uint64 = 0, 1
		for range int(v) {
			a, b = b, a+b
		}
		return a
	}, x)
}

// PairOf finds two elements of rows by jumps with labels.
//
// Construct: break and continue with a label
//
//surge:kernel
func PairOf(rows [][]int32, sum int32) (int, int) {
	found, skipped := -1, 0
outer:
	for i, row := range rows {
		for j, a := range row {
			if a == 0 {
				skipped++
				continue outer
			}
			for _, b := range row[:j] {
				if a+b == sum {
					found = i
					break outer
				}
			}
		}
	}
	return found, skipped
}

// Class falls through cases.
//
// Construct: fallthrough
//
//surge:kernel
func Class(x []int32) []int32 {
	return ops.Map(func(v int32) int32 {
		r := int32(0)
		switch w := v & 7; {
		case w < 2:
			r = 1
			fallthrough
		case w == 5:
			r += 10
		case w == 6:
			r = 100
			fallthrough
		default:
			r++
		}
		return r
	}, x)
}

// Echoes returns how much a signal is like itself some elements later, for several distances, and where a pattern is.
//
// Construct: loops that end where their index and something else reach a bound: `for i := 0; i+lag < len(x); i++`
//
//surge:kernel
func Echoes(x []float64, lags int, pattern []float64) ([]float64, int) {
	out := make([]float64, min(max(lags, 0), 40))
	for lag := range out {
		for i := 0; i+lag < len(x); i++ {
			out[lag] += x[i] * x[i+lag]
		}
	}
	found := 0
	for i := 0; i+len(pattern) <= len(x); i++ {
		same := true
		for j, p := range pattern {
			same = same && x[i+j] == p
		}
		if same {
			found++
		}
	}
	for i := 0; i-lags < len(out); i++ {
		found += i
	}
	return out, found
}

// Votes counts what is set, unless there is no place to count.
//
// Construct: an early return of a sequence that the loops behind it update
//
//surge:kernel
func Votes(set []bool, n int) []int32 {
	votes := make([]int32, max(n, 0)%64)
	if n <= 0 {
		return votes
	}
	for i, s := range set {
		if s && i*i%64 < len(votes) {
			votes[i*i%64]++
		}
	}
	return votes
}

// Ripple adds up neighbours at distances that are halved.
//
// Construct: a loop inside a loop whose step is halved, or added up, until a condition ends it
//
//surge:kernel
func Ripple(x []int32, far int) []int32 {
	out := make([]int32, len(x))
	for i := range x {
		for step := min(far, len(x)); step > 0; step /= 2 {
			for at := i - step; at <= i+step; at += step {
				if at >= 0 && at < len(x) {
					out[i] += x[at]
				}
			}
		}
	}
	return out
}
