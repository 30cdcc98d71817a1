package scans

// Sums are those up to each element.
//
//surge:kernel
func Sums(x []int64) []int64 {
	y := make([]int64, len(x))
	s := int64(0)
	for i, v := range x {
		s += v
		y[i] = s
	}
	return y
}

// Offsets are the sums before each element, and the total.
//
//surge:kernel
func Offsets(counts []int32) ([]int, int) {
	y := make([]int, len(counts)+1)
	s := 3
	for i, c := range counts {
		y[i] = s
		s += int(c)
	}
	y[len(counts)] = s
	return y, s
}

// Written reads what it wrote.
//
//surge:kernel
func Written(counts []int32) []int32 {
	y := make([]int32, len(counts)+1)
	for i, c := range counts {
		y[i+1] = y[i] + c
	}
	return y
}

// Most is a running maximum of floats, and what else an element is.
//
//surge:kernel
func Most(x []float64, by float64) ([]float64, float64) {
	y := make([]float64, len(x))
	m := by
	for i, v := range x {
		m = max(m, v*v)
		y[i] = 2*m - x[i]
	}
	return y, m
}

// Several has two prefixes, of which one depends on a condition, in two arrays, of what is read at any place.
//
//surge:kernel
func Several(x []int64, at []int, w []int64) ([]int64, []int64, int64) {
	y := make([]int64, len(x))
	z := make([]int64, len(x))
	s, m := int64(3), int64(-5)
	for i, v := range x {
		if v > 2 {
			s += v * w[at[i]]
		}
		m = max(m, v-1)
		y[i] = s - 2*m
		z[i] = m
	}
	return y, z, s
}

// Bits are the bits that all elements so far have, of every other one backwards.
//
//surge:kernel
func Bits(x []uint16) []uint16 {
	y := make([]uint16, len(x))
	all := uint16(0xffff)
	for i := range x {
		all &= x[len(x)-1-i] | 1
		y[i] = all ^ uint16(i)
	}
	return y
}

// Reads is no prefix: each turn reads what it has accumulated as an index.
//
//surge:kernel
func Reads(x []int, w []int) []int {
	y := make([]int, len(x))
	s := 0
	for i, v := range x {
		s += w[s%max(len(w), 1)] + v
		y[i] = s
	}
	return y
}
