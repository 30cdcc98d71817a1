package kernels

import (
	"math/bits"

	"github.com/surge-ndp/surge/ops"
)

// CountBytes counts the bytes of a text that are one of two.
//
//surge:kernel
func CountBytes(text []byte, a, b byte) int {
	return ops.Reduce(func(a, b int) int { return a + b }, ops.Map(func(c byte) int {
		if c == a || c == b {
			return 1
		}
		return 0
	}, text), 0)
}

// Upper makes letters capital, and a letter behind a space small.
//
//surge:kernel
func Upper(text []byte) []byte {
	return ops.Map(func(i int) byte {
		c := text[i]
		if i > 0 && text[i-1] == ' ' {
			if 'A' <= c && c <= 'Z' {
				return c | 0x20
			}
			return c
		}
		if 'a' <= c && c <= 'z' {
			return c - ('a' - 'A')
		}
		return c
	}, ops.Range(0, len(text), 1))
}

// Brighten scales the elements of a picture by 1/256ths, and keeps them in their range.
//
//surge:kernel
func Brighten(pix []uint8, gain, offset int32) []uint8 {
	return ops.Map(func(p uint8) uint8 { return uint8(min(max(int32(p)*gain>>8+offset, 0), 255)) }, pix)
}

// Luma is the brightness of colours, in 8 and in 16 bits, and the mean as a float.
//
//surge:kernel
func Luma(r, g, b []uint8) (luma []uint8, fine []uint16, mean []float32) {
	luma = ops.Map3(func(r, g, b uint8) uint8 { return uint8((77*uint32(r) + 150*uint32(g) + 29*uint32(b)) >> 8) }, r, g, b)
	fine = ops.Map3(func(r, g, b uint8) uint16 { return 77*uint16(r) + 150*uint16(g) + 29*uint16(b) }, r, g, b)
	mean = ops.Map3(func(r, g, b uint8) float32 { return (float32(r) + float32(g) + float32(b)) / 3 }, r, g, b)
	return luma, fine, mean
}

// integer is what [arithmetic] is about.
type integer interface {
	~int8 | ~int16 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint
}

// arithmetic is arithmetic that wraps around, and what shows the bits above a number, if there are any.
func arithmetic[T integer](a, b T) T {
	d := b | 1
	x := a*b - a<<3 + b>>2
	y := (a + b) / d
	z := (a - b) % d
	if -a < b && ^a > z || a*3 <= b<<1 {
		x ^= y &^ b
	}
	return min(x, a+7)>>1 ^ max(y, z) | x<<5
}

// Wraps is [arithmetic] of all kinds that are narrow or unsigned.
//
//surge:kernel
func Wraps(a, b []int8, c, d []int16, e, f []uint8, g, h []uint16) ([]int8, []int16, []uint8, []uint16) {
	return ops.Map2(arithmetic[int8], a, b), ops.Map2(arithmetic[int16], c, d), ops.Map2(arithmetic[uint8], e, f), ops.Map2(arithmetic[uint16], g, h)
}

// WideWraps is [arithmetic] of the unsigned kinds that fill their lanes.
//
//surge:kernel
func WideWraps(a, b []uint32, c, d []uint64, e, f []uint) ([]uint32, []uint64, []uint) {
	return ops.Map2(arithmetic[uint32], a, b), ops.Map2(arithmetic[uint64], c, d), ops.Map2(arithmetic[uint], e, f)
}

// Mixes are two hashes of numbers, and how they compare.
//
//surge:kernel
func Mixes(a []uint32, b []uint64) (short []uint32, long []uint64, above []bool) {
	short = ops.Map(func(h uint32) uint32 {
		h ^= h >> 16
		h *= 0x85ebca6b
		h = bits.RotateLeft32(h, 13)
		h *= 0xc2b2ae35
		return h ^ h>>16
	}, a)
	long = ops.Map(func(x uint64) uint64 {
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		return bits.RotateLeft64(x, -7) ^ x>>31
	}, b)
	above = ops.Map2(func(a uint32, b uint64) bool { return uint64(a)<<32 > b && a >= uint32(b) }, a, b)
	return short, long, above
}

// BitCounts are counts of the bits of numbers, also under a condition, and of those of rows of five.
//
//surge:kernel
func BitCounts(a []uint8, b []uint16, c []uint32, d []uint64) (ones, before, behind, long, rows []int) {
	ones = ops.Map2(func(a uint8, b uint16) int { return bits.OnesCount8(a) + 100*bits.OnesCount16(b) }, a, b)
	before = ops.Map2(func(b uint16, c uint32) int { return bits.LeadingZeros16(b) + 100*bits.LeadingZeros32(c) }, b, c)
	behind = ops.Map2(func(a uint8, c uint32) int {
		if c%3 == 0 {
			return bits.TrailingZeros8(a) - bits.OnesCount32(c)
		}
		return bits.TrailingZeros32(c) + bits.Len8(a)
	}, a, c)
	long = ops.Map(func(d uint64) int {
		return bits.OnesCount64(d) + 100*bits.LeadingZeros64(d) + 10000*bits.TrailingZeros64(d) + 1000000*bits.Len64(d>>3)
	}, d)
	rows = make([]int, len(d)/5)
	for i := range rows {
		s := 0
		for j := range 5 * 2 {
			s += bits.OnesCount64(d[i*5+j/2] >> j)
		}
		for j, x := range d[:5] {
			s += bits.OnesCount64(x ^ d[i*5+j])
		}
		rows[i] = s
	}
	return ones, before, behind, long, rows
}

// Extents are the least and greatest of unsigned numbers, and their sums.
//
//surge:kernel
func Extents(a []uint32, b []uint64, c []uint8, d []int16) (least, most uint32, low, high uint64, sum uint8, all int64, bottom int16) {
	type two struct{ least, most uint32 }
	type long struct{ least, most uint64 }
	s := ops.Reduce(func(x, y two) two { return two{min(x.least, y.least), max(x.most, y.most)} },
		ops.Map(func(v uint32) two { return two{v, v} }, a), two{1<<32 - 1, 0})
	t := ops.Reduce(func(x, y long) long { return long{min(x.least, y.least), max(x.most, y.most)} },
		ops.Map(func(v uint64) long { return long{v, v} }, b), long{1<<64 - 1, 0})
	sum = ops.Reduce(func(x, y uint8) uint8 { return x + y }, c, 0)
	all = ops.Reduce(func(x, y int64) int64 { return x + y }, ops.Map2(func(c uint8, d int16) int64 { return int64(c) * int64(d) }, c, d), 0)
	bottom = ops.Reduce(func(x, y int16) int16 { return min(x, y) }, d, 1<<15-1)
	return s.least, s.most, t.least, t.most, sum, all, bottom
}

// Converted are numbers as numbers of other kinds.
//
//surge:kernel
func Converted(a []uint32, b []int16, x []float64, y []float32) (f32 []float32, f64 []float64, i64 []int64, g []float32, u8 []uint8, i8 []int8, u16 []uint16, u32 []uint32) {
	f32 = ops.Map(func(v uint32) float32 { return float32(v) }, a)
	f64 = ops.Map(func(v uint32) float64 { return float64(v) / 3 }, a)
	i64 = ops.Map2(func(v uint32, w int16) int64 { return int64(v) - int64(w) + int64(uint16(w)) + int64(int8(v)) }, a, b)
	g = ops.Map(func(v int16) float32 { return float32(v) * 0.25 }, b)
	u8 = ops.Map(func(v float64) uint8 { return uint8(v) }, x)
	i8 = ops.Map(func(v float64) int8 { return int8(v) }, x)
	u16 = ops.Map(func(v float32) uint16 { return uint16(v) }, y)
	u32 = ops.Map(func(v float32) uint32 { return uint32(v) }, y)
	return f32, f64, i64, g, u8, i8, u16, u32
}

// Looked are elements of tables, by bytes and by what is computed of them.
//
//surge:kernel
func Looked(pix []uint8, short []uint8, words []uint16) (a []uint8, b []uint16, c []int) {
	a = ops.Map(func(p uint8) uint8 { return short[p&15] }, pix)
	b = ops.Map(func(p uint8) uint16 { return words[p] + uint16(p) }, pix)
	c = ops.Map(func(p uint8) int {
		if int(p) < len(words)-1 {
			return int(words[p+1]) - int(short[p>>4])
		}
		return -1
	}, pix)
	return a, b, c
}

// Words are, from each byte of a text on, what the next k letters are as a number, where the next space is among them,
// and how far it is to one.
//
//surge:kernel
func Words(text []byte, k int) (codes []uint32, spaces, runs []int) {
	starts := ops.Range(0, max(len(text)-k+1, 0), 1)
	codes = ops.Map(func(i int) uint32 {
		var code uint32
		for _, c := range text[i : i+k] {
			if c == ' ' {
				return 1<<32 - 1
			}
			code = code<<3 | uint32(c&7)
		}
		return code
	}, starts)
	spaces = ops.Map(func(i int) int {
		for j := range min(k, len(text)-i) {
			if text[i+j] == ' ' {
				return j
			}
		}
		return -1
	}, starts)
	runs = ops.Map(func(i int) int {
		n := 0
		for i+n < len(text) && text[i+n] != ' ' {
			n++
		}
		return n
	}, starts)
	return codes, spaces, runs
}
