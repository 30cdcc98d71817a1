// Package bits is what package math/bits does where machines have no instruction for it, or where one gives two results.
package bits

// Add returns the sum with carry of x, y and carry, and the carry out; the carry is 0 or 1.
func Add(x, y, carry uint) (sum, carryOut uint) {
	sum = x + y + carry
	return sum, (x&y | (x|y)&^sum) >> 63
}

// Add32 is [Add] of 32 bits.
func Add32(x, y, carry uint32) (sum, carryOut uint32) {
	whole := uint64(x) + uint64(y) + uint64(carry)
	return uint32(whole), uint32(whole >> 32)
}

// Add64 is [Add] of 64 bits.
func Add64(x, y, carry uint64) (sum, carryOut uint64) {
	sum = x + y + carry
	return sum, (x&y | (x|y)&^sum) >> 63
}

// Sub returns the difference of x, y and borrow, and the borrow out; the borrow is 0 or 1.
func Sub(x, y, borrow uint) (diff, borrowOut uint) {
	diff = x - y - borrow
	return diff, (^x&y | ^(x^y)&diff) >> 63
}

// Sub32 is [Sub] of 32 bits.
func Sub32(x, y, borrow uint32) (diff, borrowOut uint32) {
	diff = x - y - borrow
	return diff, (^x&y | ^(x^y)&diff) >> 31
}

// Sub64 is [Sub] of 64 bits.
func Sub64(x, y, borrow uint64) (diff, borrowOut uint64) {
	diff = x - y - borrow
	return diff, (^x&y | ^(x^y)&diff) >> 63
}

// Mul32 returns the product of x and y in two halves.
func Mul32(x, y uint32) (hi, lo uint32) {
	whole := uint64(x) * uint64(y)
	return uint32(whole >> 32), uint32(whole)
}
