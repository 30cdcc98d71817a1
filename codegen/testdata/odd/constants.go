package odd

import "github.com/surge-ndp/surge/ops"

func rem(a, b int) int              { return a % b }
func div(a, b int32) int32          { return a / b }
func divu(a, b uint8) uint8         { return a / b }
func left(a, by int) int            { return a << by }
func right(a uint32, b int8) uint32 { return a >> b }

// RemZero divides by a constant zero where x is positive.
//
//surge:kernel
func RemZero(x []int) []int {
	return ops.Map(func(t int) int {
		if t > 0 {
			return rem(t, 0)
		}
		return t
	}, x)
}

// DivZero is RemZero with other kinds.
//
//surge:kernel
func DivZero(x []int32, y []uint8) ([]int32, []uint8) {
	return ops.Map(func(t int32) int32 {
			if t > 0 {
				return div(t, 0)
			}
			return t
		}, x), ops.Map(func(t uint8) uint8 {
			if t > 100 {
				return divu(7, 0)
			}
			return divu(t, 3)
		}, y)
}

// EmptyTable takes the remainder by the length of a table without elements.
//
//surge:kernel
func EmptyTable(x []int) []int {
	return ops.Map(func(t int) int {
		table := make([]int, 0)
		if t > 0 {
			return table[t%len(table)]
		}
		return 0
	}, x)
}

// Shifts shifts by negative and by large constants.
//
//surge:kernel
func Shifts(x []int, y []uint32) ([]int, []uint32) {
	return ops.Map(func(t int) int {
			if t > 0 {
				return left(t, -1)
			}
			return left(t, 100)
		}, x), ops.Map(func(t uint32) uint32 {
			if t > 100 {
				return right(t, -8)
			}
			return right(7, 3) + right(t, 64)
		}, y)
}

func narrow(a int) int8             { return int8(a) }
func unsigned(a int) uint           { return uint(a) }
func small(a float64) float32       { return float32(a) }
func whole(a float64) int           { return int(a) }
func negate(a uint16) uint16        { return -a }
func minus(a int8) int8             { return -a }
func product(a, b int32) int32      { return a * b }
func quotient(a, b float64) float64 { return a / b }

// Conversions converts constants that the other type does not have.
//
//surge:kernel
func Conversions(x []int) ([]int, []float64) {
	return ops.Map(func(t int) int {
			return t + int(narrow(300)) + int(unsigned(-1)) + whole(1e300) + int(negate(1)) + int(minus(-128)) + int(product(1<<20, 1<<20))
		}, x), ops.Map(func(t int) float64 {
			return quotient(float64(t), 0) + quotient(1, 0) + float64(small(1e300)) + float64(small(1e-300))
		}, x)
}

// Scalars divides by constants outside of operators.
//
//surge:kernel
func Scalars(n int) int {
	s := n
	if n > 1000 {
		s = rem(n, 0) + left(n, -3)
	}
	return s + int(narrow(-200))
}

// NegativeSizes makes and slices with negative constants.
//
//surge:kernel
func NegativeSizes(x []int) []int {
	size := func(n int) int { return n - 3 }
	return ops.Map(func(t int) int {
		if t > 0 {
			table := make([]int, size(1))
			return len(table)
		}
		table := make([]int, 4)
		if t < -5 {
			return table[size(1)]
		}
		if t < -3 {
			return table[size(9)]
		}
		return len(table[size(4):])
	}, x)
}
