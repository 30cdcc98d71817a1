// Package math is what package math does beyond the functions of one result that every platform has.
package math

import "math"

const (
	expMask  = 0x7ff // of the exponent, which stands above the fraction
	expShift = 52
	expBias  = 1023
	fraction = 1<<52 - 1
	half     = 0x3fe << 52 // the exponent of [0.5, 1)
	scale    = 1 << 52     // brings a denormal into the range of the others
)

// Signbit reports whether the sign of x is negative, that of a zero or NaN as well.
func Signbit(x float64) bool { return math.Float64bits(x)>>63 != 0 }

// Dim returns x-y, or 0 if that is negative.
func Dim(x, y float64) float64 {
	v := x - y // NaN for two infinities of one sign
	if v <= 0 {
		return 0
	}
	return v
}

// Sincos returns the sine and the cosine of x.
func Sincos(x float64) (sin, cos float64) { return math.Sin(x), math.Cos(x) }

// Modf returns the integer part and the rest of f, both with its sign.
func Modf(f float64) (integer, frac float64) {
	integer = math.Trunc(f)
	return integer, math.Copysign(f-integer, f)
}

// Frexp returns frac in [0.5, 1) and exp with f = frac * 2**exp.
func Frexp(f float64) (frac float64, exp int) {
	x := math.Float64bits(f)
	e := int(x >> expShift & expMask)
	if e == expMask || x<<1 == 0 {
		return f, 0
	}
	if e == 0 {
		x = math.Float64bits(f * scale)
		e = int(x>>expShift&expMask) - expShift
	}
	return math.Float64frombits(x&^(expMask<<expShift) | half), e - expBias + 1
}

// Ldexp returns frac * 2**exp.
func Ldexp(frac float64, exp int) float64 {
	f, e := Frexp(frac)
	x := math.Float64bits(f)
	if x>>expShift&expMask == expMask || x<<1 == 0 {
		return frac
	}
	e += min(max(exp, -5000), 5000) // far beyond what changes the result
	switch {
	case e < -1074:
		return math.Copysign(0, f)
	case e > 1024:
		return math.Copysign(math.Inf(1), f)
	}
	rest := 1.0
	if e < -1021 { // rounded once, in the product
		e += 53
		rest = 1.0 / (1 << 53)
	}
	return rest * math.Float64frombits(x&^(expMask<<expShift)|uint64(e+expBias-1)<<expShift)
}

// Ilogb returns the exponent of x, the largest n with 2**n <= |x|.
func Ilogb(x float64) int {
	switch {
	case x == 0:
		return math.MinInt32
	case x != x || math.IsInf(x, 0):
		return math.MaxInt32
	}
	_, e := Frexp(x)
	return e - 1
}

// Logb is [Ilogb] as a number.
func Logb(x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case math.IsInf(x, 0):
		return math.Inf(1)
	case x != x:
		return x
	}
	return float64(Ilogb(x))
}

// Nextafter returns the number next to x on the way to y.
func Nextafter(x, y float64) float64 {
	switch {
	case x != x || y != y:
		return math.NaN()
	case x == y:
		return x
	case x == 0:
		return math.Copysign(math.Float64frombits(1), y)
	case (y > x) == (x > 0):
		return math.Float64frombits(math.Float64bits(x) + 1)
	}
	return math.Float64frombits(math.Float64bits(x) - 1)
}

// Nextafter32 is [Nextafter] of float32s.
func Nextafter32(x, y float32) float32 {
	switch {
	case x != x || y != y:
		return float32(math.NaN())
	case x == y:
		return x
	case x == 0:
		return float32(math.Copysign(float64(math.Float32frombits(1)), float64(y)))
	case (y > x) == (x > 0):
		return math.Float32frombits(math.Float32bits(x) + 1)
	}
	return math.Float32frombits(math.Float32bits(x) - 1)
}

// Remainder returns x - n*y for the integer n nearest to x/y, the even one of two.
func Remainder(x, y float64) float64 {
	if x != x || y != y || math.IsInf(x, 0) || y == 0 {
		return math.NaN()
	}
	if math.IsInf(y, 0) {
		return x
	}
	a, b := math.Abs(x), math.Abs(y)
	if b <= math.MaxFloat64/2 {
		a = math.Mod(a, b+b) // takes an even number of b off
	}
	switch { // all differences that decide are exact
	case a >= b:
		if a -= b; a >= b-a {
			a -= b
		}
	case a > b-a:
		a -= b
	}
	if Signbit(x) {
		return -a
	}
	return a
}
