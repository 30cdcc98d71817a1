// Numbers

package constructs

import (
	"math"

	"github.com/surge-ndp/surge/ops"
)

// Divide divides integers.
//
// Construct: integer division and remainder, whose divisor may be zero
//
//surge:kernel
func Divide(a, b []int32) []int32 {
	return ops.Map2(func(x, y int32) int32 { return x/y + x%y }, a, b)
}

// Wrap computes beyond the range of a type.
//
// Construct: integers that wrap around
//
//surge:kernel
func Wrap(x []int8, y []uint16) []int {
	return ops.Map2(func(a int8, b uint16) int { return int(a*a+3) + int(b*b-1) }, x, y)
}

// Mix mixes the bits of numbers.
//
// Construct: &, |, ^, &^ and shifts
//
//surge:kernel
func Mix(x []uint64, by []uint8) []uint64 {
	return ops.Map2(func(v uint64, s uint8) uint64 {
		v ^= v >> 33
		v = v<<s | v&0xff
		return ^v &^ 0x10
	}, x, by)
}

// Convert converts between types of numbers.
//
// Construct: conversions between numbers
//
//surge:kernel
func Convert(x []int64, y []float32) ([]uint8, []float64) {
	return ops.Map(func(v int64) uint8 { return uint8(v) }, x), ops.Map(func(v float32) float64 { return float64(v) + float64(int(3)) }, y)
}

const (
	red = iota
	green
	blue

	gamma = 2.2
)

// Luma weighs the channels of a picture.
//
// Construct: constants, and iota
//
//surge:kernel
func Luma(pixels []float64) []float64 {
	return ops.Map(func(p []float64) float64 {
		if len(p) < 3 {
			return 0
		}
		return gamma*p[red] + 0.7*p[green] + 0.1*p[blue]
	}, ops.Split(pixels, 3))
}

// Between tests numbers.
//
// Construct: &&, || and !
//
//surge:kernel
func Between(x []float64, low, high float64) []bool {
	return ops.Map(func(v float64) bool { return !(v < low || v > high) && v == v }, x)
}

// Distance computes with functions of package math.
//
// Construct: functions of package math
//
//surge:kernel
func Distance(x, y []float64) []float64 {
	return ops.Map2(func(a, b float64) float64 { return math.Sqrt(a*a+b*b) + math.Abs(math.Floor(a)) + math.Exp(-b*b) }, x, y)
}

// Largest takes the larger of numbers.
//
// Construct: min and max
//
//surge:kernel
func Largest(x []float64, y []int16, least float64) ([]float64, []int16) {
	return ops.Map(func(v float64) float64 { return max(v, least, 0.5) }, x), ops.Map(func(v int16) int16 { return min(v, 7) }, y)
}

// Swapped sorts two numbers.
//
// Construct: assignment of several values at once
//
//surge:kernel
func Swapped(x, y []int32) ([]int32, []int32) {
	low := ops.Map2(func(a, b int32) int32 {
		if b < a {
			a, b = b, a
		}
		return a
	}, x, y)
	return low, y
}

// Modulus computes with a complex number as a pair.
//
// Construct: a struct of two in place of a complex number
//
//surge:kernel
func Modulus(re, im []float64) []float64 {
	return ops.Map(func(z number) float64 {
		w := number{z.re*z.re - z.im*z.im, 2 * z.re * z.im}
		return math.Sqrt(w.re*w.re + w.im*w.im)
	}, ops.Map2(func(r, i float64) number { return number{r, i} }, re, im))
}

type number struct{ re, im float64 }

// Mandelbrot counts the steps of an iteration.
//
// Construct: complex numbers: constants, arithmetic, real and imag
//
//surge:kernel
func Mandelbrot(x []float64) []int {
	return ops.Map(func(v float64) int {
		c, z, n := complex(v, 0.25), 0i, 0
		for real(z)*real(z)+imag(z)*imag(z) < 4 && n < 30 {
			z = z*z + c
			n++
		}
		return n
	}, x)
}

// Impedance divides complex numbers of single precision.
//
// Construct: division, comparison and conversion of complex numbers
//
//surge:kernel
func Impedance(x, y []float32) []float64 {
	return ops.Map2(func(a, b float32) float64 {
		z := complex(a, b) / complex(1.5, -b)
		if z == 0 {
			return -1
		}
		w := -complex128(z) + 2i
		return real(w) - 3*imag(w)
	}, x, y)
}

// Horner evaluates a polynomial, and the error that its last step makes, each rounded once.
//
// Construct: math.FMA
//
//surge:kernel
func Horner(x []float64, a, b, c float64) (y, err []float64, all float64) {
	y, err = make([]float64, len(x)), make([]float64, len(x))
	for i, v := range x {
		p := math.FMA(a, v, b)
		y[i] = math.FMA(p, v, c)
		err[i] = math.FMA(p, v, -p*v)
	}
	for i := range x {
		all = math.FMA(x[i], y[i], all)
	}
	return y, err, math.FMA(all, a, b)
}
