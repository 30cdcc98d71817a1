// Package shorten has arithmetic of ints. The comment of each kernel says how many operations are such of int32s then.
package shorten

// Blend has products of bytes, and quotients. Short: 5
//
//surge:kernel
func Blend(x, y []uint8) []uint8 {
	out := make([]uint8, min(len(x), len(y)))
	for i := range out {
		a := int(x[i])
		out[i] = uint8((a*a + int(y[i])*(255-a)) / 255)
	}
	return out
}

// Clamped goes through conditions, and is compared. Short: 9
//
//surge:kernel
func Clamped(x []int16, y []uint8) ([]uint8, []bool) {
	out, far := make([]uint8, min(len(x), len(y))), make([]bool, min(len(x), len(y)))
	for i := range out {
		v := int(x[i])*3>>2 - int(y[i])
		if v < 0 {
			v = -v%200 + int(y[i]&15)
		}
		out[i], far[i] = uint8(min(v, 255)), v > 300
	}
	return out, far
}

// Large leaves the range of an int32: one product of three, and the square of a sum of squares. Short: 2
//
//surge:kernel
func Large(x, y []uint16) ([]float64, []float32) {
	out, roots := make([]float64, min(len(x), len(y))), make([]float32, min(len(x), len(y)))
	for i := range out {
		a, b := int(x[i]), int(y[i])
		out[i] = float64(a * b * a)
		roots[i] = float32(a - b + 7)
	}
	return out, roots
}

// Whole is stored, summed up and an index: these are ints, and what is made of them stays one. Short: 0
//
//surge:kernel
func Whole(x []uint8, y []int) ([]int, []uint8, int) {
	out, bytes := make([]int, len(x)), make([]uint8, len(x))
	for i := range out {
		a := int(x[i]) + 1
		out[i] = a * 2
		bytes[i] = uint8(a*2 + y[(a+i)%len(y)])
	}
	s := 0
	for _, v := range x {
		s += int(v) * 3
	}
	return out, bytes, s
}

// Bits are combined, divided by what may be zero, and shifted. Short: 9
//
//surge:kernel
func Bits(x []int8, y []uint8) ([]int8, []uint16) {
	out, more := make([]int8, min(len(x), len(y))), make([]uint16, min(len(x), len(y)))
	for i := range out {
		a, b := int64(x[i]), int64(y[i])
		out[i] = int8((a&-8 + 9) % 7 / 2)
		more[i] = uint16((b|1)<<3 ^ b)
		if b > 0 && a > 3 {
			more[i] += uint16(a / b)
		}
	}
	return out, more
}

// Blocks sums up how much blocks of 24 differ, and the squares of that, and finds the most. Short: 8
//
//surge:kernel
func Blocks(x, y []uint8) ([]int, []uint64, []int) {
	n := min(len(x), len(y)) / 24
	sums, squares, most := make([]int, n), make([]uint64, n), make([]int, n)
	for b := range n {
		sum, square, largest := 0, 0, -7
		for i := range 24 {
			d := int(x[b*24+i]) - int(y[b*24+i])
			if d < 0 {
				d = -d
			}
			sum += d
			square += d * d >> 1
			largest = max(largest, d)
		}
		sums[b], squares[b], most[b] = sum, uint64(square), largest
	}
	return sums, squares, most
}

// Many are so many that an int32 does not hold the sum, and as many as are there. Short: 0
//
//surge:kernel
func Many(x []uint16, y []uint8) (int, int) {
	s, all := 0, 0
	for i := range 24 {
		if i < len(x) {
			s += int(x[i]) << 12
		}
	}
	for _, v := range y {
		all += int(v)
	}
	return s, all
}
