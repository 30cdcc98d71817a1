// Package cmplx is what package math/cmplx does.
package cmplx

import "math"

// Abs returns the absolute value of x.
func Abs(x complex128) float64 { return math.Hypot(real(x), imag(x)) }

// Phase returns the angle of x, in [-Pi, Pi].
func Phase(x complex128) float64 { return math.Atan2(imag(x), real(x)) }

// Polar returns the absolute value and the angle of x.
func Polar(x complex128) (r, theta float64) { return Abs(x), Phase(x) }

// Rect returns the number with an absolute value and an angle.
func Rect(r, theta float64) complex128 { return complex(r*math.Cos(theta), r*math.Sin(theta)) }

// Conj returns the conjugate of x.
func Conj(x complex128) complex128 { return complex(real(x), -imag(x)) }

// IsNaN reports whether a part of x is NaN and none is an infinity.
func IsNaN(x complex128) bool {
	return !IsInf(x) && (math.IsNaN(real(x)) || math.IsNaN(imag(x)))
}

// IsInf reports whether a part of x is an infinity.
func IsInf(x complex128) bool { return math.IsInf(real(x), 0) || math.IsInf(imag(x), 0) }

// NaN returns the number both of whose parts are NaN.
func NaN() complex128 { return complex(math.NaN(), math.NaN()) }

// Inf returns the number both of whose parts are infinities.
func Inf() complex128 { return complex(math.Inf(1), math.Inf(1)) }

// Exp returns e**x.
func Exp(x complex128) complex128 {
	re, im := real(x), imag(x)
	switch {
	case math.IsInf(re, 1) && im == 0:
		return x
	case math.IsInf(re, 1) && (math.IsInf(im, 0) || math.IsNaN(im)):
		return complex(math.Inf(1), math.NaN())
	case math.IsInf(re, -1) && (math.IsInf(im, 0) || math.IsNaN(im)):
		return complex(0, math.Copysign(0, im))
	case math.IsNaN(re) && im == 0:
		return complex(math.NaN(), im)
	}
	return Rect(math.Exp(re), im)
}

// Log returns the natural logarithm of x.
func Log(x complex128) complex128 { return complex(math.Log(Abs(x)), Phase(x)) }

// Log10 returns the decimal logarithm of x.
func Log10(x complex128) complex128 {
	z := Log(x)
	return complex(math.Log10E*real(z), math.Log10E*imag(z))
}

// Sqrt returns the square root of x whose real part is not negative.
func Sqrt(x complex128) complex128 {
	re, im := real(x), imag(x)
	switch {
	case im == 0 && re == 0:
		return complex(0, im)
	case im == 0 && re < 0:
		return complex(0, math.Copysign(math.Sqrt(-re), im))
	case im == 0:
		return complex(math.Sqrt(re), im)
	case math.IsInf(im, 0):
		return complex(math.Inf(1), im)
	}
	// In numbers near 1, so that no square of them is too large or too small.
	e := 0
	if m := max(math.Abs(re), math.Abs(im)); m > 0x1p500 {
		e = 300
	} else if m < 0x1p-500 {
		e = -300
	}
	down, up := math.Exp2(float64(-2*e)), math.Exp2(float64(e))
	a, b := re*down, im*down
	t := math.Sqrt((math.Abs(a) + math.Hypot(a, b)) / 2)
	half := math.Abs(b) / (2 * t)
	if a < 0 {
		t, half = half, t
	}
	if im < 0 {
		half = -half
	}
	return complex(t*up, half*up)
}

// Pow returns x**y.
func Pow(x, y complex128) complex128 {
	if x == 0 {
		switch {
		case IsNaN(y):
			return NaN()
		case real(y) == 0:
			return 1
		case real(y) < 0 && imag(y) == 0:
			return complex(math.Inf(1), 0)
		case real(y) < 0:
			return Inf()
		case real(y) > 0:
			return 0
		}
		panic("not reached") // NaN and an infinity, which is no NaN
	}
	r, theta := Abs(x), real(y)*Phase(x)
	size := math.Pow(r, real(y))
	if imag(y) != 0 {
		size *= math.Exp(-imag(y) * Phase(x))
		theta += imag(y) * math.Log(r)
	}
	return Rect(size, theta)
}

// Sin returns the sine of x.
func Sin(x complex128) complex128 {
	re, im := real(x), imag(x)
	odd := math.IsInf(re, 0) || math.IsNaN(re)
	switch {
	case odd && (im == 0 || math.IsInf(im, 0)):
		return complex(math.NaN(), im)
	case re == 0 && (math.IsInf(im, 0) || math.IsNaN(im)):
		return x
	}
	return complex(math.Sin(re)*math.Cosh(im), math.Cos(re)*math.Sinh(im))
}

// Cos returns the cosine of x.
func Cos(x complex128) complex128 {
	re, im := real(x), imag(x)
	odd := math.IsInf(re, 0) || math.IsNaN(re)
	switch {
	case odd && im == 0:
		return complex(math.NaN(), -im*math.Copysign(0, re))
	case odd && math.IsInf(im, 0):
		return complex(math.Inf(1), math.NaN())
	case re == 0 && math.IsInf(im, 0):
		return complex(math.Inf(1), -re*math.Copysign(0, im))
	case re == 0 && math.IsNaN(im):
		return complex(math.NaN(), 0)
	}
	return complex(math.Cos(re)*math.Cosh(im), -math.Sin(re)*math.Sinh(im))
}
