package kernels_test

import (
	"math"
	"unsafe"

	"github.com/surge-ndp/surge/training/input"
)

// graph returns compressed rows of n pages with up to most links each, and the number of links that leave each.
func graph(n, most int) (links, offsets, out []int32) {
	offsets, out = []int32{0}, make([]int32, n)
	for range n {
		for range rng.IntN(most + 1) {
			j := rng.IntN(n)
			links = append(links, int32(j))
			out[j]++
		}
		offsets = append(offsets, int32(len(links)))
	}
	return links, offsets, out
}

func directions(dims int) input.Value {
	d := make([]uint32, 32*dims)
	for i := range d {
		d[i] = (1 | uint32(rng.IntN(1<<(i%32+1)))) << (31 - i%32)
	}
	return input.Vector(d)
}

// whole returns n whole numbers from -4 to 4, of both zeros, infinities and NaN.
func whole(n int) input.Value {
	x := make([]float64, n)
	for i := range x {
		if x[i] = float64(rng.IntN(9) - 4); rng.IntN(6) == 0 {
			x[i] = []float64{math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN()}[rng.IntN(4)]
		}
	}
	return input.Vector(x)
}

// laplace is the system of a chain of n springs: values, columns and offsets of rows, and the right-hand side.
func laplace(n int) []input.Value {
	values, columns, offsets := []float64{}, []int32{}, []int32{0}
	for i := range n {
		for j := max(i-1, 0); j <= min(i+1, n-1); j++ {
			columns = append(columns, int32(j))
			if i == j {
				values = append(values, 2.5)
			} else {
				values = append(values, -1)
			}
		}
		offsets = append(offsets, int32(len(columns)))
	}
	return []input.Value{input.Vector(values), input.Vector(columns), input.Vector(offsets), floats(n, -1, 1)}
}

// text returns n characters, letters mostly.
func text(n int) input.Value {
	s := make([]byte, n)
	for i := range s {
		s[i] = "  etaoinETAOIN\n\xe4"[rng.IntN(16)]
	}
	return input.Vector(s)
}

// every returns n numbers of all sizes, of which many are at the ends of their range.
func every[T int8 | int16 | uint8 | uint16 | uint32 | uint64 | uint](n int) input.Value {
	s := make([]T, n)
	for i := range s {
		if s[i] = T(rng.Uint64() >> rng.IntN(64)); rng.IntN(3) == 0 {
			s[i] = ^s[i]
		}
		if rng.IntN(8) == 0 { // the least and the greatest of signed and unsigned numbers
			one := T(1)
			top := one << (8*unsafe.Sizeof(one) - 1)
			s[i] = []T{0, one, ^T(0), top, top - 1, top + 1}[rng.IntN(6)]
		}
	}
	return input.Vector(s)
}

func scalar[T int | uint | int32 | uint8 | float32 | float64 | bool](x T) input.Value {
	return input.Scalar(x)
}

var (
	links, offsets, out = graph(211, 9)
	levels              = func() []int32 {
		l := make([]int32, 211)
		for i := range l {
			l[i] = int32(rng.IntN(5) - 2)
		}
		return l
	}()
)

// strange are numbers of which many are equal or NaN, or infinite; the first of them is NaN if nan is 1.
func strange(n, nan int) input.Value {
	x := make([]float64, n)
	for i := range x {
		x[i] = []float64{math.NaN(), 1, -1, math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 0, 1}[rng.IntN(8)]
	}
	if nan == 1 {
		x[0] = math.NaN()
	}
	return input.Vector(x)
}

// spam returns n documents' kinds.
func spam(n int) []bool {
	kinds := make([]bool, n)
	for i := range kinds {
		kinds[i] = rng.IntN(3) == 0
	}
	return kinds
}

// recentered are points, coordinates, labels and centroids: odd numbers of all, clusters without points, no points.
var recentered = [][]input.Value{
	{floats(301*3, -1, 1), scalar(3), ints[int32](301, 0, 7), floats(7*3, -1, 1)},
	{floats(40*33, -1, 1), scalar(33), ints[int32](40, 2, 5), floats(9*33, -1, 1)},
	{floats(60*13, -1, 1), scalar(13), ints[int32](60, 0, 4), floats(4*13, -1, 1)}, // rows of a vector, half of one, and one more
	{floats(1, -1, 1), scalar(1), ints[int32](1, 0, 1), floats(1, -1, 1)},
	{floats(0, 0, 1), scalar(2), ints[int32](0, 0, 1), floats(6, -1, 1)},
}

// inputs are the arguments that each kernel is run on.
var inputs = map[string][][]input.Value{
	"HeatSteps": {{floats(7*7*7, -1, 1), scalar(7), scalar(0.1), scalar(5)}, {floats(27, -1, 1), scalar(3), scalar(0.1), scalar(4)},
		{floats(8, -1, 1), scalar(2), scalar(0.1), scalar(0)}, {floats(0, 0, 1), scalar(0), scalar(0.1), scalar(3)}},
	"Conjugate": {append(laplace(150), scalar(40), scalar(1e-14)), append(laplace(1), scalar(5), scalar(1e-20)), append(laplace(33), scalar(3), scalar(1e-3)),
		append(laplace(33), scalar(0), scalar(1e-3)), append(laplace(0), scalar(4), scalar(0.0))},
	"RankUntil": {{input.Vector(links), input.Vector(offsets), input.Vector(out), scalar(0.85), scalar(1e-9)}, {input.Vector(links), input.Vector(offsets), input.Vector(out), scalar(0.85), scalar(9.0)},
		{ints[int32](0, 0, 1), input.Vector([]int32{0}), ints[int32](0, 0, 1), scalar(0.85), scalar(1e-9)}},
	"LifeSteps": {{ints[int32](17*13, 0, 2), scalar(17), scalar(8)}, {ints[int32](1, 0, 2), scalar(1), scalar(3)}, {ints[int32](0, 0, 1), scalar(4), scalar(3)}, {ints[int32](64*64, 0, 2), scalar(64), scalar(1)}},
	"BitSort":   {{ints[int32](1000, 0, 1<<16), scalar(16)}, {ints[int32](333, 0, 8), scalar(3)}, {ints[int32](1, 0, 9), scalar(4)}, {ints[int32](0, 0, 9), scalar(4)}, {ints[int32](50, 0, 9), scalar(0)}},
	"Descend":   {{floats(500, -1, 1), floats(500, 0.5, 2), scalar(12)}, {floats(3, -1, 1), floats(3, 0.5, 2), scalar(60)}, {floats(0, -1, 1), floats(0, 0.5, 2), scalar(3)}, {floats(20, -1, 1), floats(20, 1, 2), scalar(0)}},
	"Bounded": {{floats(700, -1, 1), floats(700, -1, 1), scalar(true), scalar(3)}, {floats(700, -9, 9), floats(700, -9, 9), scalar(false), scalar(4)},
		{floats(0, -1, 1), floats(0, -1, 1), scalar(false), scalar(2)}, {floats(31, -1, 1), floats(31, -1, 1), scalar(false), scalar(0)}},
	"Exchange":  {{floats(600, -1, 1), floats(600, -1, 1), scalar(11)}, {floats(5, -1, 1), floats(5, -1, 1), scalar(1)}, {floats(5, -1, 1), floats(5, -1, 1), scalar(0)}, {floats(0, -1, 1), floats(0, -1, 1), scalar(4)}},
	"FailsLate": {{floats(400, -1, 1), ints[int32](400, 0, 394), scalar(6)}, {floats(3, -1, 1), ints[int32](3, 0, 3), scalar(0)}, {floats(0, -1, 1), ints[int32](0, 0, 3), scalar(9)}},
	"Tally": {{ints[int32](20011, 0, 13), ints[uint8](20011, 0, 256), scalar(13)}, {ints[int32](997, 0, 700), ints[uint8](997, 0, 256), scalar(701)},
		{ints[int32](1, 0, 1), ints[uint8](1, 0, 9), scalar(1)}, {ints[int32](0, 0, 1), ints[uint8](0, 0, 9), scalar(0)}},
	"Places": {{floats(5003, -1, 1), floats(5003, -1, 2), ints[uint8](9001, 0, 256), input.Scalar[uint8](7)}, {floats(1, -1, 1), floats(1, -1, 1), ints[uint8](1, 0, 9), input.Scalar[uint8](255)},
		{floats(0, -1, 1), floats(0, -1, 1), ints[uint8](0, 0, 9), input.Scalar[uint8](0)}, {strange(1009, 1), strange(1009, 0), ints[uint8](77, 3, 5), input.Scalar[uint8](3)}, {strange(33, 0), strange(33, 1), ints[uint8](700, 0, 2), input.Scalar[uint8](0)}},
	"PairDistances": {{float32s(211, -1, 1), float32s(97, -1, 1), input.Vector([]float32{0.1, 0.5, 0.7, 2})}, {float32s(3, -1, 1), float32s(0, -1, 1), input.Vector([]float32{})},
		{float32s(0, -1, 1), float32s(5, -1, 1), input.Vector([]float32{1})}, {float32s(1, -1, 1), float32s(3000, -1, 1), input.Vector([]float32{1})}},
	"WordCounts": {{input.Vector(links), input.Vector(offsets), input.Vector(spam(211)), scalar(211)}, {ints[int32](0, 0, 1), ints[int32](1, 0, 1), input.Vector([]bool{}), scalar(3)}},
	"Moments": {{floats(5003, 0, 1), ints[int32](5003, 0, 9), scalar(7), scalar(9)}, {floats(1, 0, 1), ints[int32](1, 0, 1), scalar(1), scalar(1)}, {floats(0, 0, 1), ints[int32](0, 0, 1), scalar(0), scalar(0)},
		{floats(333, 0, 1), ints[int32](331, 0, 1000), scalar(100), scalar(1000)}},
	"Relaxed":  {{floats(3001, 0, 1), scalar(5)}, {floats(1, 0, 1), scalar(3)}, {floats(0, 0, 1), scalar(2)}, {floats(77, 0, 1), scalar(-1)}},
	"Labels":   {{floats(301*3, -1, 1), scalar(3), floats(7*3, -1, 1)}, {floats(40*33, -1, 1), scalar(33), floats(70*33, -1, 1)}, {floats(9, -1, 1), scalar(9), floats(0, 0, 1)}, {floats(0, 0, 1), scalar(2), floats(6, -1, 1)}},
	"ByParity": {{ints[int32](10007*5, -9, 9), scalar(5)}, {ints[int32](700, -9, 9), scalar(700)}, {ints[int32](1, 0, 9), scalar(1)}, {ints[int32](0, 0, 9), scalar(2)}},
	"LU": {{floats(33*33, 1, 2), scalar(33)}, {floats(4, 1, 2), scalar(2)}, {floats(1, 1, 2), scalar(1)}, {floats(0, 0, 1), scalar(0)}, {floats(10, 0, 1), scalar(-3)},
		{floats(30*30+7, -1, 1), scalar(30)}},
	"ColumnTotals": {{box(floats(37*29, -1, 1), 37, 29), scalar(29)}, {box(floats(37*29, -1, 1), 37, 29), scalar(17)}, {box(floats(6, -1, 1), 6, 1), scalar(1)},
		{box(floats(0, -1, 1), 0, 4), scalar(4)}, {box(floats(8, -1, 1), 2, 4), scalar(0)}},
	"Carved": {{ints[uint8](17*23, 0, 255), scalar(17), scalar(23), scalar(5)}, {ints[uint8](3, 0, 9), scalar(1), scalar(3), scalar(2)},
		{ints[uint8](0, 0, 1), scalar(0), scalar(0), scalar(1)}},
	"Overlaid": {{float32s(203, -1, 1), float32s(9, -1, 1), scalar(11)}, {float32s(203, -1, 1), float32s(3, -1, 1), scalar(0)},
		{float32s(7, -1, 1), float32s(5, -1, 1), scalar(3)}, {float32s(0, -1, 1), float32s(5, -1, 1), scalar(1)}, {float32s(4, -1, 1), float32s(0, -1, 1), scalar(1)}},
	"FilterChannels": {{float32s(3*11*23, -1, 1), float32s(2*3*9, -1, 1), scalar(3), scalar(2), scalar(11), scalar(23)},
		{float32s(9, -1, 1), float32s(9, -1, 1), scalar(1), scalar(1), scalar(3), scalar(3)}, {float32s(0, -1, 1), float32s(9, -1, 1), scalar(0), scalar(4), scalar(9), scalar(13)},
		{float32s(0, -1, 1), float32s(0, -1, 1), scalar(2), scalar(-1), scalar(1), scalar(5)}, {float32s(8, -1, 1), float32s(0, -1, 1), scalar(2), scalar(3), scalar(2), scalar(2)}},
	"BoxMeans": {{float32s(9*70, -1, 1), scalar(9), scalar(70), scalar(2)}, {float32s(9*70, -1, 1), scalar(9), scalar(70), scalar(31)}, {float32s(5*33, -1, 1), scalar(5), scalar(33), scalar(0)},
		{float32s(5*33, -1, 1), scalar(5), scalar(33), scalar(-1)}, {float32s(5*33, -1, 1), scalar(5), scalar(33), scalar(1 << 40)}, {float32s(5*33, -1, 1), scalar(5), scalar(33), scalar(math.MaxInt64)},
		{float32s(5*33, -1, 1), scalar(5), scalar(33), scalar(math.MinInt64)}, {float32s(0, -1, 1), scalar(0), scalar(33), scalar(1)}},
	"BatchProducts": {{floats(5*13*13, -1, 1), floats(5*13*13, -1, 1), scalar(5), scalar(13)}, {floats(9*16, -1, 1), floats(9*16, -1, 1), scalar(9), scalar(4)},
		{floats(3, -1, 1), floats(3, -1, 1), scalar(3), scalar(1)}, {floats(0, -1, 1), floats(0, -1, 1), scalar(4), scalar(0)}},
	"Clipped": {{floats(1003, -2, 2), scalar(1.5)}, {floats(17, -2, 2), scalar(0.5)}, {floats(1, 1, 2), scalar(0.5)}, {floats(0, 0, 1), scalar(1.0)}},
	"Settled": {{floats(33*35, -2, 2), scalar(33), scalar(35)}, {floats(300, -2, 2), scalar(100), scalar(3)}, {floats(12, 1, 2), scalar(4), scalar(2)},
		{floats(9, 1, 2), scalar(3), scalar(3)}, {floats(0, 0, 1), scalar(0), scalar(7)}},
	"Damped": {{floats(1003, -2, 2), ints[int32](1003, 0, 1003)}, {floats(5, -2, 2), ints[int32](5, 0, 5)}, {floats(0, 0, 1), ints[int32](0, 0, 1)}},
	"Tridiagonals": {{floats(37*9, -1, 0), floats(37*9, 3, 4), floats(37*9, -1, 0), floats(37*9, -5, 5), scalar(9)}, {floats(4, -1, 0), floats(4, 3, 4), floats(4, -1, 0), floats(4, -5, 5), scalar(4)},
		{floats(5, -1, 0), floats(5, 3, 4), floats(5, -1, 0), floats(5, -5, 5), scalar(1)}, {floats(0, -1, 0), floats(0, 3, 4), floats(0, -1, 0), floats(0, -5, 5), scalar(-3)}},
	"Decomposed": {{floats(41*16, 1, 2), scalar(4)}, {floats(7*9+3, 1, 2), scalar(3)}, {floats(6, 1, 2), scalar(1)}, {floats(0, 1, 2), scalar(5)}, {floats(40, 1, 2), scalar(-2)}},
	"Channels":   {{float32s(33*20, -1, 1), scalar(20), scalar(float32(0.5))}, {float32s(11, -1, 1), scalar(1), scalar(float32(0.5))}, {float32s(2, -1, 1), scalar(5), scalar(float32(0.5))}, {float32s(0, -1, 1), scalar(2), scalar(float32(0.5))}},
	"Descending": {{float32s(1003, -1, 1), ints[int32](517, -9, 9)}, {float32s(1, -1, 1), ints[int32](2, -9, 9)}, {float32s(0, -1, 1), ints[int32](1, -9, 9)}, {float32s(5, -1, 1), ints[int32](0, -9, 9)}},
	"LURows":     {{floats(33*33, 1, 2), scalar(33)}, {floats(36, 1, 2), scalar(6)}, {floats(1, 1, 2), scalar(1)}, {floats(0, 1, 2), scalar(0)}},
	"PathsRows":  {{float32s(37*37, 1, 9), scalar(37)}, {float32s(18*18, -1, 9), scalar(18)}, {float32s(4, 0, 1), scalar(2)}, {float32s(1, 0, 1), scalar(1)}, {float32s(0, 0, 1), scalar(0)}},
	"Paths": {{float32s(37*37, 1, 9), scalar(37)}, {float32s(18*18, -1, 9), scalar(18)}, {float32s(100, -1, 1), scalar(19)}, {float32s(4, 0, 1), scalar(2)}, {float32s(9, 0, 1), scalar(1)}, {float32s(0, 0, 1), scalar(0)},
		{float32s(9, 0, 1), scalar(-3)}},
	"GaussSeidel": {{floats(37*21, -1, 1), scalar(37), scalar(21), scalar(3)}, {floats(9, -1, 1), scalar(3), scalar(3), scalar(2)}, {floats(2, -1, 1), scalar(1), scalar(2), scalar(2)},
		{floats(0, -1, 1), scalar(0), scalar(0), scalar(2)}, {floats(3, -1, 1), scalar(-3), scalar(-7), scalar(2)}, {floats(20, -1, 1), scalar(2), scalar(10), scalar(2)}},
	"Solve":    {{floats(31*31, -1, 1), floats(31, -1, 1), scalar(31)}, {floats(4, -1, 1), floats(2, -1, 1), scalar(2)}, {floats(1, 1, 2), floats(1, -1, 1), scalar(1)}, {floats(0, -1, 1), floats(0, -1, 1), scalar(0)}},
	"Cholesky": {{floats(34*34, 1, 2), scalar(34)}, {floats(4, 1, 2), scalar(2)}, {floats(1, 1, 2), scalar(1)}, {floats(0, 0, 1), scalar(0)}},
	"Walsh":    {{float32s(256, -1, 1), scalar(8)}, {float32s(100, -1, 1), scalar(6)}, {float32s(1, -1, 1), scalar(1)}, {float32s(0, -1, 1), scalar(3)}},
	"Batch": {{float32s(5*17*17, -1, 1), float32s(5*17*17, -1, 1), scalar(5), scalar(17)}, {float32s(9, -1, 1), float32s(9, -1, 1), scalar(1), scalar(3)},
		{float32s(4, -1, 1), float32s(4, -1, 1), scalar(4), scalar(1)}, {float32s(0, -1, 1), float32s(0, -1, 1), scalar(0), scalar(3)}, {float32s(0, -1, 1), float32s(0, -1, 1), scalar(3), scalar(0)}},
	"Aligned":  {{ints[int32](131, 0, 7), ints[int32](519, 0, 7), scalar(int32(2))}, {ints[int32](40, 0, 7), ints[int32](17, 0, 7), scalar(int32(2))}, {ints[int32](0, 0, 1), ints[int32](3, 0, 7), scalar(int32(1))}},
	"Smoothed": {{floats(137*520, -1, 1), scalar(520), scalar(137), scalar(2)}, {floats(12*9, -1, 1), scalar(12), scalar(9), scalar(3)}, {floats(0, 0, 1), scalar(0), scalar(4), scalar(1)}},
	"HeatCube": {{floats(19*19*19, -1, 1), scalar(19), scalar(5)}, {floats(8*8*8, -1, 1), scalar(8), scalar(4)}, {floats(1, -1, 1), scalar(1), scalar(1)}, {floats(8, -1, 1), scalar(2), scalar(0)}},
	"Layered": {{float32s(37*9*6, -1, 1), float32s(37*9*6, -1, 1), scalar(37), scalar(9), scalar(6), scalar(5)}, {float32s(5*4*4, -1, 1), float32s(5*4*4, -1, 1), scalar(5), scalar(4), scalar(4), scalar(4)},
		{float32s(1, -1, 1), float32s(1, -1, 1), scalar(1), scalar(1), scalar(1), scalar(3)}, {float32s(0, 0, 1), float32s(0, 0, 1), scalar(0), scalar(2), scalar(2), scalar(1)}},
	"Matched": {{ints[uint16](41*23, 0, 256), ints[uint16](41*23, 0, 256), scalar(41), scalar(23), scalar(4)}, {ints[uint16](16*16, 0, 256), ints[uint16](16*16, 0, 256), scalar(16), scalar(16), scalar(1)},
		{ints[uint16](8*8, 0, 256), ints[uint16](8*8, 0, 256), scalar(8), scalar(8), scalar(0)}, {ints[uint16](0, 0, 1), ints[uint16](0, 0, 1), scalar(0), scalar(8), scalar(2)}},
	"Painted": {{float32s(3, -1, 1), scalar(21), scalar(9), scalar(50)}, {float32s(0, 0, 1), scalar(5), scalar(4), scalar(20)}, {float32s(2, -1, 1), scalar(0), scalar(7), scalar(5)}},
	"Sweep":   {{ints[int32](41*9, -9, 9), scalar(41), scalar(9)}, {ints[int32](3, -9, 9), scalar(1), scalar(3)}, {ints[int32](0, 0, 1), scalar(0), scalar(4)}, {ints[int32](12, -9, 9), scalar(-3), scalar(-4)}},
	"Overlapping": {{ints[int](400, -3, 3), scalar(50), scalar(50), scalar(4)}, {ints[int](400, -3, 3), scalar(50), scalar(51), scalar(3)}, {ints[int](100, -3, 3), scalar(0), scalar(9), scalar(3)},
		{ints[int](100, -3, 3), scalar(1), scalar(40), scalar(3)}, {ints[int](100, -3, 3), scalar(17), scalar(3), scalar(60)}, {ints[int](100, -3, 3), scalar(17), scalar(0), scalar(6)},
		{ints[int](200, -3, 3), scalar(33), scalar(33), scalar(40)}},
	"MedianFilter": {{floats(1, 0, 1)}, {floats(333, -1, 1)}},
	"NaiveBayes":   {{ints[int32](500, 0, 7), ints[int32](500, 0, 5), scalar(7), scalar(5)}},
	"NaiveBayesBins": {{ints[int32](500, 0, 7), ints[int32](500, 0, 5), scalar(7), scalar(5)}, {ints[int32](0, 0, 1), ints[int32](0, 0, 1), scalar(2), scalar(3)},
		{ints[int32](403, 0, 1), ints[int32](403, 0, 1), scalar(1), scalar(1)}, {ints[int32](997, 0, 3), ints[int32](997, 0, 2), scalar(3), scalar(2)},
		{ints[int32](9, 0, 7), ints[int32](9, 0, 5), scalar(7), scalar(5)}},
	"Felt":        {{floats(133, 0, 50), floats(133, 0, 100)}, {floats(9, -1e-307, 1e-307), floats(9, 0, 1e-300)}, {floats(0, 0, 1), floats(0, 0, 1)}},
	"Polynomials": {{floats(67, -1, 1), scalar(5)}, {floats(9, -1, 1), scalar(0)}},
	"RowModes":    {{ints[uint8](1003, 0, 9), scalar(20)}},
	"Path":        {{ints[int32](17*40, 0, 9), scalar(17)}, {ints[int32](0, 0, 9), scalar(0)}},
	"NBody":       {{floats(93, -1, 1), floats(93, -1, 1), floats(93, -1, 1), floats(93, 0, 1), scalar(0.01)}},
	"LavaMD":      {{floats(96, 0, 1), floats(96, -1, 1), scalar(8), scalar(0.5)}},
	"LavaMDRows":  {{floats(96, 0, 1), floats(96, -1, 1), scalar(8), scalar(0.5)}, {floats(0, 0, 1), floats(0, 0, 1), scalar(8), scalar(0.5)}},
	"ShortRange": {
		{odd(floats(700, -1, 1)), floats(700, -1, 1), input.Vector([]int32{0, 0, 3, 11, 19, 36, 100, 229, 229, 700}), scalar(0.3), scalar(0.2)},
		{floats(5000, -1, 1), floats(5000, -1, 1), input.Vector([]int32{0, 1500, 1510, 5000}), scalar(0.1), scalar(9.0)},
		{floats(0, 0, 1), floats(0, 0, 1), input.Vector([]int32{0}), scalar(0.3), scalar(0.2)}},
	"Rippled": {{input.Vector([]int{0, 3, 1, 17, 0, 40, 5}), scalar(3)}, {ints[int](5003, 0, 5), scalar(1)}, {ints[int](70, 1, 9), scalar(0)},
		{ints[int](33, 0, 1), scalar(2)}, {ints[int](0, 0, 1), scalar(2)}},
	"Potential": {{float32s(3001, -3, 3), scalar(float32(0.25)), scalar(float32(0.5))}, {float32s(3001, -1, 1), scalar(float32(0)), scalar(float32(9))}, {float32s(0, 0, 1), scalar(float32(0)), scalar(float32(1))}},
	"Hotspot":   {{floats(13*29, 50, 60), floats(13*29, 0, 1), scalar(29), scalar(0.1)}},
	"SRAD":      {{floats(17*23, 1, 2), scalar(23), scalar(0.5)}},
	"MRIQ": {{float32s(61, -1, 1), float32s(61, -1, 1), float32s(61, -1, 1), float32s(61, 0, 1),
		float32s(35, -1, 1), float32s(35, -1, 1), float32s(35, -1, 1)}},
	"Mandelbrot": {{floats(37, -2, 1), floats(21, -1, 1), scalar(int32(60))}},
	"MatMul":     {{floats(19*23, -1, 1), floats(23*33, -1, 1), scalar(23), scalar(33)}},
	"MatMulRows": {{floats(19*23, -1, 1), floats(23*33, -1, 1), scalar(23), scalar(33)}, {floats(9, -1, 1), floats(3*5, -1, 1), scalar(3), scalar(5)},
		{floats(8*2, -1, 1), floats(2*17, -1, 1), scalar(2), scalar(17)}, {floats(0, 0, 1), floats(4*9, 0, 1), scalar(4), scalar(9)},
		{floats(1, -1, 1), floats(1, -1, 1), scalar(1), scalar(1)}, {floats(11*3, -1, 1), floats(3, -1, 1), scalar(3), scalar(1)}},
	"LoopProduct": {{floats(19*23, -1, 1), floats(23*33, -1, 1), scalar(19), scalar(23), scalar(33)},
		{floats(9, -1, 1), floats(15, -1, 1), scalar(3), scalar(3), scalar(5)}, {floats(0, 0, 1), floats(0, 0, 1), scalar(5), scalar(0), scalar(9)},
		{floats(8, 0, 1), floats(17, 0, 1), scalar(8), scalar(1), scalar(17)}, {floats(1, 0, 1), floats(1, 0, 1), scalar(-2), scalar(1), scalar(-3)}},
	"LoopGrid": {{floats(13*21, -1, 1), scalar(21), scalar(13), scalar(5)}, {floats(5, -1, 1), scalar(3), scalar(3), scalar(2)},
		{floats(0, -1, 1), scalar(0), scalar(4), scalar(2)}, {floats(9, -1, 1), scalar(-2), scalar(-3), scalar(4)}, {floats(99, -1, 1), scalar(9), scalar(11), scalar(0)}},
	"LoopTorus": {{float32s(13*21, -1, 1), scalar(21), scalar(13), scalar(5)}, {float32s(1, -1, 1), scalar(1), scalar(1), scalar(3)},
		{float32s(0, -1, 1), scalar(0), scalar(4), scalar(2)}, {float32s(9, -1, 1), scalar(4), scalar(2), scalar(1)}},
	"LoopEdges": {{floats(101, -1, 1), scalar(50)}, {floats(1, -1, 1), scalar(0)}, {floats(0, -1, 1), scalar(3)}, {floats(2, -1, 1), scalar(-1)},
		{floats(40, -1, 1), scalar(1<<63 - 1)}, {floats(19, -1, 1), scalar(-1 << 63)}, {floats(33, -1, 1), scalar(31)}},
	"LaterSums":    {{floats(77, -1, 1), scalar(0), scalar(5)}, {floats(77, -1, 1), scalar(math.MaxInt - 13), scalar(9)}, {floats(40, -1, 1), scalar(3), scalar(0)}, {floats(3, -1, 1), scalar(3), scalar(9)}},
	"LoopTriangle": {{floats(23*23, -1, 1), scalar(23)}, {floats(1, -1, 1), scalar(1)}, {floats(0, -1, 1), scalar(0)}},
	"ColumnMaxima": {{float32s(13*201, -1, 1), scalar(201)}, {float32s(40*7, -1, 1), scalar(7)}, {float32s(0, 0, 1), scalar(3)}, {float32s(64, -1, 1), scalar(64)}},
	"Weigh": {{float32s(37*6, -1, 1), float32s(29*6, -1, 1), float32s(29*6, -1, 1), scalar(6)}, {float32s(16*33, -1, 1), float32s(16*33, -1, 1), float32s(16*33, -1, 1), scalar(33)},
		{float32s(20, -1, 1), float32s(3, -1, 1), float32s(3, -1, 1), scalar(1)}, {float32s(0, 0, 1), float32s(8, -1, 1), float32s(8, -1, 1), scalar(2)}},
	"LoopDistances": {{float32s(5*41, -1, 1), float32s(5*53, -1, 1), scalar(5)}, {float32s(33*16, -1, 1), float32s(33*8, -1, 1), scalar(33)}, {float32s(5*13, -1, 1), float32s(5*29, -1, 1), scalar(5)}, {float32s(4, 0, 1), float32s(40, 0, 1), scalar(1)},
		{float32s(4, 0, 1), float32s(3, 0, 1), scalar(4)}, {float32s(9, 0, 1), float32s(9, 0, 1), scalar(0)}},
	"LoopChannels": {{ints[int32](3*(31+4), -9, 9), ints[int32](3*11, -9, 9), scalar(3), scalar(4), scalar(31)},
		{ints[int32](40, -9, 9), ints[int32](10, -9, 9), scalar(2), scalar(0), scalar(7)}, {ints[int32](40, -9, 9), ints[int32](10, -9, 9), scalar(0), scalar(3), scalar(7)}},
	"Recenter":       recentered,
	"RecenterSorted": recentered,
	"RobustMean":     {{floats(1001, -1, 3), scalar(50), scalar(1e-9)}, {floats(0, 0, 1), scalar(5), scalar(0.0)}, {floats(7, 0, 1), scalar(0), scalar(0.0)}},
	"Quantile":       {{floats(777, -1, 1), scalar(300)}, {floats(1, -1, 1), scalar(0)}},
	"Norm":           {{floats(777, -1, 1), input.Scalar(true)}, {floats(777, -1, 1), input.Scalar(false)}, {floats(0, -1, 1), input.Scalar(false)}},
	"Drawdown":       {{floats(23*19, -1, 1), scalar(19), scalar(4)}, {floats(0, -1, 1), scalar(19), scalar(4)}, {floats(5, -1, 1), scalar(2), scalar(0)}},
	"Smooth": {{floats(1001, -1, 3), scalar(9), scalar(0.0)}, {floats(77, 0, 1), scalar(300), scalar(1e-3)}, {floats(1, 0, 1), scalar(5), scalar(0.0)},
		{floats(0, 0, 1), scalar(3), scalar(-1.0)}, {floats(7, 0, 1), scalar(0), scalar(0.0)}},
	"Wave":      {{floats(333, -1, 1), scalar(0.3), scalar(7)}, {floats(1, 0, 1), scalar(0.3), scalar(2)}, {floats(0, 0, 1), scalar(0.3), scalar(3)}, {floats(9, 0, 1), scalar(0.5), scalar(0)}},
	"Shrink":    {{floats(301, 9, 10), scalar(3)}, {floats(0, 0, 1), scalar(3)}, {floats(9, -1, 1), scalar(0)}},
	"PageRanks": {{input.Vector(links), input.Vector(offsets), input.Vector(out), scalar(0.85), scalar(6)}, {ints[int32](0, 0, 1), ints[int32](1, 0, 1), ints[int32](0, 0, 1), scalar(0.85), scalar(2)}},
	"Trimmed": {{floats(301, -1, 1), scalar(0.5), scalar(true)}, {floats(301, -1, 1), scalar(0.0), scalar(true)}, {floats(301, -1, 1), scalar(0.5), scalar(false)},
		{floats(77, -1, 1), scalar(0.0), scalar(false)}, {floats(0, 0, 1), scalar(1.0), scalar(true)}, {floats(3, 1, 2), scalar(1e-9), scalar(true)}},
	"Window": {{floats(301, -1, 1), scalar(0), scalar(5), scalar(93)}, {floats(301, -1, 1), scalar(1), scalar(-5), scalar(-93)}, {floats(301, -1, 1), scalar(2), scalar(300), scalar(0)},
		{floats(301, -1, 1), scalar(3), scalar(-1), scalar(900)}, {floats(301, -1, 1), scalar(-3), scalar(-1), scalar(900)}, {floats(0, -1, 1), scalar(1), scalar(0), scalar(0)}},
	"Settling": {{floats(301, -5, 5), floats(301, -5, 5), scalar(9), scalar(1e-3)}, {floats(301, -1, 1), floats(301, -1, 1), scalar(40), scalar(1e-3)},
		{floats(7, -1, 1), floats(7, -1, 1), scalar(0), scalar(1e-3)}, {floats(0, -1, 1), floats(0, -1, 1), scalar(4), scalar(-1.0)}},
	"Runs": {{floats(19*23, -1, 0.4), scalar(19)}, {floats(401, -1, 1), scalar(4)}, {floats(0, -1, 1), scalar(3)}},
	"Spaced": {{ints[int](100, -9, 9), ints[int](31, 0, 100), input.Vector([]int32{0, 9, 9, 60, 100}), scalar(7)},
		{ints[int](100, -9, 9), ints[int](31, 100, 300), input.Vector([]int32{150, 9, 9}), scalar(0)}, {ints[int](10, -9, 9), ints[int](3, -5, 0), ints[int32](0, 0, 1), scalar(-3)}},
	"SumsAndOnes": {{floats(100, -1, 1), input.Vector([]int32{0, 9, 9, 60, 100}), scalar(40)}, {floats(5, -1, 1), input.Vector([]int32{0, 5}), scalar(2)}, {floats(0, 0, 1), ints[int32](1, 0, 1), scalar(3)}},
	"Oriented":    {{floats(12*19, -1, 1), scalar(12), scalar(true), scalar(true)}, {floats(12*19, -1, 1), scalar(12), scalar(false), scalar(false)}, {floats(12*19, -1, 1), scalar(12), scalar(true), scalar(false)}, {floats(100, -1, 1), scalar(7), scalar(false), scalar(true)}},
	"Ranked":      {{floats(301, -1, 1), scalar(13), scalar(3)}, {floats(301, -1, 1), scalar(40), scalar(0)}, {floats(0, -1, 1), scalar(1), scalar(2)}},
	"Bends":       {{float32s(37*23+1, -1, 1), scalar(23)}, {float32s(301, -1, 1), scalar(2)}, {float32s(99, -1, 1), scalar(1)}, {float32s(100, -1, 1), scalar(0)}, {float32s(0, -1, 1), scalar(3)}, {float32s(5, -1, 1), scalar(9)}},
	"Seams":       {{float32s(41*19, 0, 1), scalar(41), scalar(19)}, {float32s(3*200, 0, 1), scalar(3), scalar(200)}, {float32s(7, 0, 1), scalar(1), scalar(7)}, {float32s(9, 0, 1), scalar(9), scalar(1)}, {float32s(0, 0, 1), scalar(0), scalar(3)}},
	"Contours": {{floats(41*23, -1, 1), scalar(41), scalar(23), scalar(0.25)}, {floats(300*2, -1, 1), scalar(300), scalar(2), scalar(-0.5)}, {floats(9*5, 0, 1), scalar(9), scalar(5), scalar(2.0)},
		{floats(1, 0, 1), scalar(1), scalar(1), scalar(0.5)}},
	"Convolved": {{float32s(2*3*23*19, -1, 1), scalar(2), scalar(3), scalar(23), scalar(19), float32s(5*3*3*3, -1, 1), scalar(5), scalar(3), scalar(3), scalar(3), float32s(5, -1, 1), scalar(1), scalar(1)},
		{float32s(37*41, -1, 1), scalar(1), scalar(1), scalar(37), scalar(41), float32s(2*4, -1, 1), scalar(2), scalar(1), scalar(2), scalar(2), float32s(2, -1, 1), scalar(2), scalar(3)},
		{float32s(0, -1, 1), scalar(0), scalar(1), scalar(7), scalar(9), float32s(9, -1, 1), scalar(1), scalar(1), scalar(3), scalar(3), float32s(1, -1, 1), scalar(1), scalar(0)}},
	"Windowed": {{float32s(41*19, -1, 1), scalar(41), scalar(19), float32s(5, -1, 1), scalar(-2), scalar(11)}, {float32s(7*3, -1, 1), scalar(7), scalar(3), float32s(9, -1, 1), scalar(math.MaxInt - 4), scalar(-1)},
		{float32s(70*2, -1, 1), scalar(70), scalar(2), float32s(4, -1, 1), scalar(math.MinInt), scalar(math.MinInt + 1)}, {float32s(0, -1, 1), scalar(0), scalar(5), float32s(4, -1, 1), scalar(0), scalar(0)}},
	"Sampled": {{floats(303, -1, 1), scalar(1), scalar(-5)}, {floats(303, -1, 1), scalar(3), scalar(7)}, {floats(99, -1, 1), scalar(1), scalar(math.MaxInt - 40)}, {floats(64, -1, 1), scalar(math.MinInt), scalar(3)},
		{floats(0, -1, 1), scalar(1), scalar(0)}, {floats(77, -1, 1), scalar(-1), scalar(76)}},
	"Mirror":        {{floats(19*23, -1, 1), scalar(19), scalar(4)}, {floats(301, -1, 1), scalar(25), scalar(3)}, {floats(0, -1, 1), scalar(3), scalar(2)}, {floats(5, -1, 1), scalar(9), scalar(0)}},
	"Settle":        {{floats(19*23, -1, 1), scalar(19), scalar(4)}, {floats(41, -1, 1), scalar(7), scalar(1)}, {floats(0, -1, 1), scalar(3), scalar(2)}, {floats(5, -1, 1), scalar(9), scalar(0)}},
	"FirstRow":      {{floats(23*19, -1, 1), scalar(19)}, {floats(0, -1, 1), scalar(19)}},
	"SumRows":       {{rows(37, 50)}},
	"SumCols":       {{floats(37*29, -1, 1), scalar(29)}},
	"SumColsByRows": {{floats(37*29, -1, 1), scalar(29)}},
	"SumWeighted":   {{floats(31*40, -1, 1), floats(40, 0, 1), floats(31, 0, 1)}},
	"Backprop":      {{floats(33, -1, 1), floats(33*17, -1, 1), floats(17, 0, 1), scalar(0.3)}},
	"Tridag":        {{floats(401, -1, 1), floats(401, 3, 4), floats(401, -1, 1), floats(401, -1, 1)}},
	"BlackScholes":  {{floats(301, 5, 30), floats(301, 1, 100), floats(301, 0.25, 10), scalar(0.02), scalar(0.3)}},
	"OptionPricing": {{directions(5), scalar(5), scalar(777), scalar(100.0), scalar(0.01), scalar(0.1), scalar(100.0)}},
	"NN":            {{float32s(1001, 0, 90), float32s(1001, 0, 180), scalar(float32(30)), scalar(float32(60))}},
	"Diffusion": {{floats(19*13, -9, 9), scalar(19), scalar(13), scalar(3)}, {floats(64, -9, 9), scalar(1), scalar(64), scalar(2)}, {floats(40, -9, 9), scalar(40), scalar(1), scalar(1)},
		{floats(0, 0, 1), scalar(0), scalar(5), scalar(2)}, {floats(6, -9, 9), scalar(2), scalar(3), scalar(5)}},
	"SegmentedHistogram": {{input.Vector(links), input.Vector(offsets), scalar(211)}, {ints[int32](0, 0, 1), ints[int32](1, 0, 1), scalar(3)},
		{ints[int32](900, 0, 5), input.Vector([]int32{0, 0, 3, 3, 600, 601, 900}), scalar(5)}},
	"PageRank": {{input.Vector(links), input.Vector(offsets), input.Vector(out), floats(211, 0, 1), scalar(0.85)}},
	"BFS":      {{input.Vector(links), input.Vector(offsets), input.Vector(levels), scalar(int32(1))}},
	"Drift": {{floats(303, -1, 1), floats(303, -1, 1), floats(303, -1, 1), floats(303, -1, 1), float32s(303, 0, 1), ints[int32](303, 0, 4),
		bools(303), scalar(0.5), scalar(-0.25), scalar(0.125)}},
	"Centers": {{rows(29, 7), rows(29, 7)}},
	"Tint": {{float32s(1003, 0, 1), float32s(1003, 0, 1), float32s(1003, 0, 1), float32s(1003, 0, 1), scalar(float32(0.7))},
		{float32s(3, 0, 1), float32s(3, 0, 1), float32s(3, 0, 1), float32s(3, 0, 1), scalar(float32(0.7))},
		{float32s(0, 0, 1), float32s(0, 0, 1), float32s(0, 0, 1), float32s(0, 0, 1), scalar(float32(0.7))}},
	"Functions":      {{floats(777, -9, 9), floats(777, -1, 1)}, {floats(17, -30, 30), floats(17, -1, 1)}, {floats(0, 0, 1), floats(0, 0, 1)}},
	"FunctionsOfTwo": {{floats(777, -9, 9), floats(777, -9, 9)}, {whole(777), whole(777)}, {whole(3), whole(3)}},
	"ShortFunctions": {{float32s(777, 0, 9), float32s(777, -9, 9)}, {float32s(5, 0, 1), float32s(5, -1, 1)}, {float32s(0, 0, 1), float32s(0, 0, 1)}},
	"CountBytes":     {{text(1003), scalar(byte('a')), scalar(byte(' '))}, {text(0), scalar(byte('a')), scalar(byte('b'))}, {text(5), scalar(byte('e')), scalar(byte('e'))}},
	"Upper":          {{text(1003)}, {text(0)}, {text(1)}, {text(17)}},
	"Words":          {{text(1003), scalar(5)}, {text(41), scalar(0)}, {text(9), scalar(40)}, {text(40), scalar(33)}, {text(1), scalar(1)}, {text(0), scalar(2)}},
	"Brighten":       {{every[uint8](777), scalar(int32(300)), scalar(int32(-20))}, {every[uint8](3), scalar(int32(-7)), scalar(int32(99))}, {every[uint8](0), scalar(int32(1)), scalar(int32(1))}},
	"Luma":           {{every[uint8](777), every[uint8](777), every[uint8](777)}, {every[uint8](0), every[uint8](0), every[uint8](0)}},
	"Wraps": {{every[int8](777), every[int8](777), every[int16](777), every[int16](777), every[uint8](777), every[uint8](777), every[uint16](777), every[uint16](777)},
		{every[int8](1), every[int8](1), every[int16](5), every[int16](5), every[uint8](0), every[uint8](0), every[uint16](19), every[uint16](19)}},
	"WideWraps": {{every[uint32](777), every[uint32](777), every[uint64](777), every[uint64](777), every[uint](777), every[uint](777)},
		{every[uint32](1), every[uint32](1), every[uint64](0), every[uint64](0), every[uint](9), every[uint](9)}},
	"Mixes": {{every[uint32](777), every[uint64](777)}, {every[uint32](3), every[uint64](3)}},
	"BitCounts": {{every[uint8](777), every[uint16](777), every[uint32](777), every[uint64](777)},
		{every[uint8](3), every[uint16](3), every[uint32](3), every[uint64](3)}, {every[uint8](0), every[uint16](0), every[uint32](0), every[uint64](5)}},
	"Extents":   {{every[uint32](777), every[uint64](777), every[uint8](777), every[int16](777)}, {every[uint32](0), every[uint64](1), every[uint8](2), every[int16](2)}},
	"Converted": {{every[uint32](777), every[int16](777), floats(777, -3e5, 3e5), float32s(777, -6e9, 6e9)}, {every[uint32](3), every[int16](3), floats(3, -300, 300), float32s(3, 0, 9)}},
	"Looked":    {{every[uint8](777), every[uint8](16), every[uint16](256)}, {every[uint8](0), every[uint8](16), every[uint16](256)}},
	"Greys":     {{ints[uint8](777, 0, 255), ints[uint8](777, 0, 255), ints[uint8](777, 0, 255)}},
	"Attract":   {{floats(303, -1, 1), floats(303, -1, 1), floats(303, -1, 1), floats(303, -1, 1), floats(303, 0, 1), scalar(0.125)}},
	"Spread": {{ints[int32](900, 0, 50), floats(900, -1, 1), input.Vector([]int32{0, 0, 3, 3, 600, 601, 900}), floats(50, -1, 1)},
		{ints[int32](0, 0, 50), floats(0, -1, 1), input.Vector([]int32{0, 0}), floats(50, -1, 1)}},
	"Visits":     {{floats(301, -1, 1), floats(301, -1, 1), ints[int32](203, 0, 301)}, {floats(1, -1, 1), floats(1, -1, 1), ints[int32](1, 0, 1)}},
	"Pathfinder": {{ints[int32](777, 0, 99), ints[int32](777, 0, 9)}},
	"Nearest": {{float32s(7*211, -1, 1), scalar(7), float32s(7*13, -1, 1)}, {float32s(32*97, -1, 1), scalar(32), float32s(32*10, -1, 1)},
		{float32s(5*3, -1, 1), scalar(5), float32s(5, -1, 1)}, {float32s(0, -1, 1), scalar(5), float32s(10, -1, 1)},
		{float32s(9001*19, -1, 1), scalar(9001), float32s(9001*2, -1, 1)}},
	"BatchMul": {{box(float32s(3*5*7, -1, 1), 3, 5, 7), box(float32s(3*7*33, -1, 1), 3, 7, 33)}, {box(float32s(0, -1, 1), 0, 5, 7), box(float32s(0, -1, 1), 0, 1, 1)},
		{box(float32s(1, -1, 1), 1, 1, 1), box(float32s(1, -1, 1), 1, 1, 1)},
		{volume(float32s(9, -1, 1), []int{2, 0, 1}, []int{3, 3, 3}), volume(float32s(22, -1, 1), []int{3, 1, 4}, []int{4, 4, 4, 2, 2, 2, 2, 2})}},
	"Pooled": {{float32s(3*20*70, -1, 1), scalar(3), scalar(20), scalar(70)}, {float32s(9*17, -1, 1), scalar(1), scalar(9), scalar(17)},
		{float32s(0, 0, 1), scalar(0), scalar(4), scalar(4)}, {float32s(4, -1, 1), scalar(1), scalar(2), scalar(2)}},
	"Backwards": {{floats(77, -9, 9), ints[uint8](101, 0, 256), ints[int32](77, -50, 50)}, {floats(8, -9, 9), ints[uint8](16, 0, 256), ints[int32](9, -50, 50)},
		{floats(1, -9, 9), ints[uint8](0, 0, 1), ints[int32](1, 1, 2)}, {floats(0, 0, 1), ints[uint8](1, 0, 256), ints[int32](0, 0, 1)}},
	"Transformed": {{ints[uint8](5*9*64, 0, 256), scalar(5), scalar(9), scalar(5), float32s(64, -1, 1)}, {ints[uint8](3*17*64, 0, 256), scalar(3), scalar(17), scalar(2), float32s(64, -1, 1)},
		{ints[uint8](0, 0, 1), scalar(2), scalar(1), scalar(0), float32s(64, -1, 1)}, {ints[uint8](0, 0, 1), scalar(2), scalar(0), scalar(1), float32s(64, -1, 1)}},
	"Lags":       {{float32s(7*60, -1, 1), scalar(60), scalar(13)}, {float32s(5*9, -1, 1), scalar(9), scalar(30)}, {float32s(40, -1, 1), scalar(1), scalar(9)}, {float32s(0, -1, 1), scalar(5), scalar(3)}},
	"Brightness": {{ints[uint8](3*150, 0, 256)}, {ints[uint8](3*17+2, 0, 256)}, {ints[uint8](2, 0, 256)}, {ints[uint8](0, 0, 1)}},
	"Quads":      {{ints[int32](4*77, -1e9, 1e9)}, {ints[int32](4*16+3, -9, 9)}, {ints[int32](0, 0, 1)}},
	"Rotated":    {{floats(2*61, -1, 1), floats(2*61, -1, 1)}, {floats(2*8, -1, 1), floats(2*8, -1, 1)}, {floats(0, 0, 1), floats(0, 0, 1)}, {floats(3, 0, 1), floats(3, 0, 1)}},
	"Tinted":     {{ints[uint8](3*90, 0, 256), scalar(uint8(40))}, {ints[uint8](3*16, 0, 256), scalar(uint8(255))}, {ints[uint8](1, 0, 256), scalar(uint8(3))}},
	"Halfway":    {{float32s(2*75, -1, 1)}, {float32s(2*16+1, -1, 1)}, {float32s(0, 0, 1)}},
	"Diffuse": {{box(floats(7*9*35, -1, 1), 7, 9, 35)}, {box(floats(1, -1, 1), 1, 1, 1)}, {box(floats(2*2*2, -1, 1), 2, 2, 2)}, {box(odd(floats(5*5*19, -1, 1)), 5, 5, 19)},
		{volume(floats(40, -1, 1), []int{3, 4, 3}, []int{3, 4, 3, 4, 4, 4, 5, 4, 4, 5})}},
	"Convolve": {{box(float32s(3*11*39, -1, 1), 3, 11, 39), box(float32s(2*3*3*3, -1, 1), 2, 3, 3, 3)}, {box(float32s(2*5*7, -1, 1), 2, 5, 7), box(float32s(4*2*1*5, -1, 1), 4, 2, 1, 5)},
		{box(float32s(1, -1, 1), 1, 1, 1), box(float32s(1, -1, 1), 1, 1, 1, 1)}, {box(float32s(6, -1, 1), 1, 2, 3), box(float32s(0, -1, 1), 0, 1, 1, 1)}},
	"Scaled4": {{volume(floats(37, -1, 1), []int{2, 0, 3}, []int{1, 2, 0, 0, 2}, []int{20, 0, 1, 9, 7}), scalar(0.5)}, {box(floats(0, -1, 1), 0, 1, 1, 1), scalar(0.5)},
		{box(floats(1, -1, 1), 1, 1, 1, 1), scalar(2.0)}, {volume(floats(0, -1, 1), []int{0, 0}, nil, nil), scalar(2.0)}},
	"PlaneSums": {{volume(ints[int32](60, -9, 9), []int{3, 0, 2, 1}, []int{9, 0, 11, 35, 4, 1})}, {box(ints[int32](0, 0, 9), 0, 1, 1)}, {volume(ints[int32](0, 0, 9), []int{0, 2}, []int{0, 0})}},
	"Mirrored": {{volume(float32s(60, -9, 9), []int{3, 0, 2, 1}, []int{9, 0, 11, 35, 4, 1}), volume(float32s(60, -9, 9), []int{3, 0, 2, 1}, []int{9, 0, 11, 35, 4, 1})},
		{box(float32s(0, 0, 9), 0, 1, 1), box(float32s(0, 0, 9), 0, 1, 1)}},
	"Rounds": {{scalar(13), scalar(20)}, {scalar(0), scalar(3)}, {scalar(1), scalar(3)}, {scalar(7), scalar(0)}},
	"Diffused": {{box(floats(7*9*35, -1, 1), 7, 9, 35), scalar(3)}, {box(floats(1, -1, 1), 1, 1, 1), scalar(2)}, {box(odd(floats(5*5*19, -1, 1)), 5, 5, 19), scalar(2)},
		{volume(floats(10, -1, 1), []int{2, 0, 1}, []int{3, 0, 7}), scalar(0)}, {box(floats(4*3*2, -1, 1), 4, 3, 2), scalar(-1)}},
	"Doubled": {{volume(ints[int32](60, -9, 9), []int{9, 0, 11, 35, 4, 1}), scalar(int32(1000))}, {volume(ints[int32](0, 0, 9), []int{}), scalar(int32(3))},
		{volume(ints[int32](3, 1, 9), []int{0, 3, 0}), scalar(int32(0))}},
	"Products": {{floats(23, -1, 1), scalar(5)}, {floats(0, -1, 1), scalar(5)}, {floats(3, -1, 1), scalar(9)}, {floats(40, -1, 1), scalar(1)}},
	"Layers":   {{float32s(7*5*3, -1, 1), scalar(7), scalar(5)}, {float32s(7*5*3, -1, 1), scalar(8), scalar(4)}, {float32s(0, -1, 1), scalar(2), scalar(3)}, {float32s(11, -1, 1), scalar(100), scalar(100)}},
	"Spreads": {{floats(101, -1, 1), scalar(7), scalar(10)}, {floats(8*33, -1, 1), scalar(8), scalar(5)}, {floats(3, -1, 1), scalar(8), scalar(4)},
		{floats(0, -1, 1), scalar(3), scalar(4)}, {floats(50, -1, 1), scalar(4), scalar(0)}, {floats(9001*17+3, -1, 1), scalar(9001), scalar(2)}},
}

// volume cuts a value: the last level of the counts says how many elements the innermost rows have, and so on outwards.
func volume(v input.Value, levels ...[]int) input.Value {
	v.Offsets = nil
	for _, counts := range levels {
		off := []int{0}
		for _, n := range counts {
			off = append(off, off[len(off)-1]+n)
		}
		v.Offsets = append(v.Offsets, off)
	}
	v.Dims = []int{len(levels[0])}
	return v
}

// box is a value of those dimensions.
func box(v input.Value, dims ...int) input.Value {
	v.Dims = dims
	return nested(v)
}

// nested is a value of several dimensions as rows.
func nested(v input.Value) input.Value {
	rows := 1
	for k, n := range v.Dims[:len(v.Dims)-1] {
		rows *= n
		off := make([]int, rows+1)
		for i := range off {
			off[i] = i * v.Dims[k+1]
		}
		v.Offsets = append(v.Offsets, off)
	}
	v.Dims = v.Dims[:1]
	return v
}

func bools(n int) input.Value {
	x := make([]bool, n)
	for i := range x {
		x[i] = rng.IntN(2) == 0
	}
	return input.Vector(x)
}

// rows returns n rows of up to most numbers.
func rows(n, most int) input.Value {
	off := []int{0}
	for i := range n {
		off = append(off, off[len(off)-1]+i*5%(most+1))
	}
	v := floats(off[n], -1, 1)
	v.Dims, v.Offsets = []int{n}, [][]int{off}
	return v
}

// odd puts values that are no numbers, and such as are infinite, among others, but for the first ones.
func odd(v input.Value) input.Value {
	x := v.Data.([]float64)
	for i := 40; i < len(x); i += 13 {
		x[i] = []float64{math.NaN(), math.Inf(1), math.Inf(-1)}[i%3]
	}
	return v
}
