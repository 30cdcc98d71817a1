// Package kernels holds accepted kernels: their IR is compared with golden files, and its value with what the Go
// functions return.
package kernels

import (
	"math"

	"github.com/surge-ndp/surge/ops"
)

// Early returns from nested branches.
//
//surge:kernel
func Classify(x []float64) []int32 {
	return ops.Map(class, x)
}

func class(x float64) int32 {
	if math.IsNaN(x) {
		return -1
	}
	if x < 0 {
		if x < -1 {
			return 0
		}
		x = -x
	} else if x == 0 {
		return 1
	}
	if x > 0.5 {
		return 2
	}
	return 3
}

// Newton iterates until the change is small: a conditional loop with a break and an early return.
//
//surge:kernel
func Newton(a []float64, limit int) []float64 {
	root := func(a float64) float64 {
		if a <= 0 {
			return 0
		}
		x := a
		for range limit {
			next := 0.5 * (x + a/x)
			if math.Abs(next-x) < 1e-9 {
				x = next
				break
			}
			if next > 1e6 {
				return -1
			}
			x = next
		}
		return x
	}
	return ops.Map(root, a)
}

// Find returns from inside a loop.
//
//surge:kernel
func Find(s []int64, key int64) (at int, found bool) {
	for i, v := range s {
		if v == key {
			return i, true
		}
	}
	return len(s), false
}

// Runs has continue, break and a nested loop.
//
//surge:kernel
func Runs(s []int64, n int) (sum int64, turns int) {
	for i := 0; i < len(s); i++ {
		if s[i]%2 == 0 {
			continue
		}
		for j := i; j < n; j++ {
			turns++
			if j > 3 {
				break
			}
			if j == 2 {
				continue
			}
			sum += s[i] * int64(j)
		}
		if sum > 100 {
			break
		}
	}
	return
}

// Collatz is an infinite loop that is left by return.
//
//surge:kernel
func Collatz(n []int64) []int32 {
	return ops.Map(func(n int64) int32 {
		var steps int32
		for {
			if n <= 1 {
				return steps
			}
			if n%2 == 0 {
				n /= 2
			} else {
				n = 3*n + 1
			}
			steps++
		}
	}, n)
}

// Switches of all kinds.
//
//surge:kernel
func Switches(x []int64, mode int) []int64 {
	return ops.Map(func(x int64) int64 {
		y := int64(0)
		switch mode {
		case 0:
			y = x
		case 1, 2:
			if x > 3 {
				y = 7
				break
			}
			y = 2 * x
		case 3:
			return -x
		default:
			y = 100
		}
		switch {
		case x > 10 && y != 0 && x/y > 1:
			y++
		case x < 0 || x == 4:
			return y - 1
		}
		switch z := x & 3; z {
		case 0:
			y += z
			break
		case 1:
			return z
		}
		return y
	}, x)
}

// Swap assigns in parallel, and shadows.
//
//surge:kernel
func Fibonacci(n int) (int64, float64) {
	a, b := int64(0), int64(1)
	scale := 1.0
	for i := 0; i < n; i++ {
		a, b = b, a+b
		{
			a := float64(a)
			scale = scale*0.5 + a
		}
	}
	return a, scale
}

// Gcd loops while a condition that may fail holds.
//
//surge:kernel
func Gcd(a, b []int32) []int32 {
	return ops.Map2(func(a, b int32) int32 {
		for b != 0 && a%b >= 0 {
			a, b = b, a%b
		}
		return a
	}, a, b)
}

// Search is a binary search: a loop whose bounds change.
//
//surge:kernel
func Search(sorted []float64, keys []float64) []int {
	return ops.Map(func(key float64) int {
		lo, hi := 0, len(sorted)
		for lo < hi {
			mid := lo + (hi-lo)/2
			if sorted[mid] < key {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		return lo
	}, keys)
}

// Steps has loops whose counters are not plain.
//
//surge:kernel
func Steps(n int32, s []float32) (a int, b int32, c float32, d int) {
	for i := n; i >= 0; i -= 3 {
		a++
	}
	for i := int32(0); i < n; i++ {
		b += i
	}
	for i := 1; i <= 10; i++ {
		a += i
	}
	k := 0
	for k = 0; k < len(s); k++ {
		if s[k] > 0.75 {
			break
		}
		c += s[k]
	}
	d = k
	for i, n := 0, 4; i < n; i++ {
		n--
		d += n
	}
	for i := range 3 {
		i *= 2
		d += i
	}
	for range n {
		d++
	}
	return a, b, c, d
}

// Flags leaves two loops and the function from the innermost loop.
//
//surge:kernel
func Flags(m int, s []int64) int64 {
	total := int64(0)
	for i := 0; i < m; i++ {
		for _, v := range s {
			if v < 0 {
				return -total
			}
			if v == int64(i) {
				total += 10
				break
			}
			switch {
			case v > 5:
				continue
			case v == 5:
				break
			default:
				total += v
			}
			total++
		}
		if total > 50 {
			total *= 2
			continue
		}
		total += 3
	}
	return total
}

// Posts counts outside the loop and breaks: the post statement must not run then.
//
//surge:kernel
func Posts(s []float64) (n int, sum float64) {
	for ; n < len(s); n += 2 {
		if s[n] > 0.5 {
			break
		}
		sum += s[n]
	}
	for sum < 3 {
		sum += 1
		if n > 100 {
			return n, sum
		}
	}
	return
}

// Unless falls through in the then branch only.
//
//surge:kernel
func Unless(x, y float64) float64 {
	if x < y {
		x = y - x
	} else if x > 2*y {
		return 5
	} else {
		return 6
	}
	x *= 2
	if !(x > 1) {
		x += 10
	} else {
		return x
	}
	return x - 1
}

// Limits has loops that end at an element: of offsets, which nobody updates, and of a table that the loop itself updates.
//
//surge:kernel
func Limits(offsets []int32, x []int64) []int64 {
	return ops.Map(func(i int) int64 {
		s := int64(0)
		for k := offsets[i]; k < offsets[i+1]; k++ {
			s += x[k]
		}
		w := [2]int64{0, 6}
		for k := w[0]; k < w[1]; k++ {
			w[1] -= k % 2
			s = 3*s + k
		}
		for k := 0; k < len(x)/int(s); k++ {
			s++
		}
		return s
	}, ops.Range(0, len(offsets)-1, 1))
}

// Validated returns early from a loop, with a slice that is nil.
//
//surge:kernel
func Validated(x []float64, n int) ([]float64, int) {
	for i, v := range x {
		if v > 100 {
			return nil, i
		}
		for range n {
			if v < -100 {
				return nil, -i
			}
		}
	}
	return ops.Map(func(v float64) float64 { return v * 2 }, x), n
}
