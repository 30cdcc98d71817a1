// Package bits is what package math/bits does where machines have no instruction for it, or where one gives two
// results.
package bits

import "math/bits"

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

// Div returns the quotient and the remainder of hi, lo by y; it panics if y is 0 or the quotient too large.
func Div(hi, lo, y uint) (quo, rem uint) {
	q, r := Div64(uint64(hi), uint64(lo), uint64(y))
	return uint(q), uint(r)
}

// Div32 is [Div] of 32 bits.
func Div32(hi, lo, y uint32) (quo, rem uint32) {
	if y != 0 && y <= hi {
		panic("integer overflow")
	}
	whole := uint64(hi)<<32 | uint64(lo)
	return uint32(whole / uint64(y)), uint32(whole % uint64(y))
}

// Div64 is [Div] of 64 bits. It divides by hand, as children learn it, with digits of 32 bits: the first digits alone
// tell the quotient's to within two if the divisor's is large (Knuth, The Art of Computer Programming, 4.3.1,
// algorithm D).
func Div64(hi, lo, y uint64) (quo, rem uint64) {
	if y == 0 {
		panic("integer divide by zero")
	}
	if y <= hi {
		panic("integer overflow")
	}
	up := uint(bits.LeadingZeros64(y))
	y <<= up
	hi, lo = hi<<up|lo>>1>>(63-up), lo<<up
	first, rest := digit(hi, lo>>32, y)
	second, rest := digit(rest, lo&(1<<32-1), y)
	return first<<32 | second, rest >> up
}

// digit divides hi with one more digit by y, whose highest bit is set; hi is less than y.
func digit(hi, next, y uint64) (quo, rem uint64) {
	const low = 1<<32 - 1
	quo = hi / (y >> 32)
	left := hi - quo*(y>>32)
	for range 2 {
		if left <= low && (quo > low || quo*(y&low) > left<<32|next) {
			quo--
			left += y >> 32
		}
	}
	return quo, (hi<<32 | next) - quo*y
}

// Rem returns the remainder of hi, lo by y; it panics if y is 0.
func Rem(hi, lo, y uint) uint { return uint(Rem64(uint64(hi), uint64(lo), uint64(y))) }

// Rem32 is [Rem] of 32 bits.
func Rem32(hi, lo, y uint32) uint32 { return uint32((uint64(hi)<<32 | uint64(lo)) % uint64(y)) }

// Rem64 is [Rem] of 64 bits.
func Rem64(hi, lo, y uint64) uint64 {
	_, rem := Div64(hi%y, lo, y)
	return rem
}
