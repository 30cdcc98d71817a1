package vec

import "math/bits"

// MulHigh returns the high half of the product of x and y.
func MulHigh(x, y uint64) uint64 {
	hi, _ := bits.Mul64(x, y)
	return hi
}
