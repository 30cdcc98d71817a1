package kernels

import (
	"math"

	"github.com/surge-ndp/surge/ops"
)

// Functions is every function of package math that lanes have, of one number.
//
//surge:kernel
func Functions(x, unit []float64) (round, tan, exps, logs, arcs, hyperbolic, areas, errors []float64) {
	round = ops.Map(func(x float64) float64 {
		return math.Round(x) + 2*math.RoundToEven(x) + math.Copysign(3, x) + math.Mod(x, 0.75)
	}, x)
	tan = ops.Map(func(x float64) float64 { return math.Tan(x) + math.Cbrt(x) }, x)
	exps = ops.Map(func(x float64) float64 { return math.Exp2(x) * math.Expm1(x) }, x)
	logs = ops.Map(func(x float64) float64 {
		x = math.Abs(x)
		return math.Log2(x) + math.Log10(x) + math.Log1p(x)
	}, x)
	arcs = ops.Map(func(x float64) float64 { return math.Asin(x) + 2*math.Acos(x) + math.Atan(9*x) }, unit)
	hyperbolic = ops.Map(func(x float64) float64 { return math.Sinh(x) + math.Cosh(x) + math.Tanh(x) }, x)
	areas = ops.Map2(func(x, unit float64) float64 {
		return math.Asinh(x) + 2*math.Acosh(1+math.Abs(x)) + 3*math.Atanh(unit)
	}, x, unit)
	errors = ops.Map(func(x float64) float64 { return math.Erf(x) + 2*math.Erfc(x/4) }, x)
	return round, tan, exps, logs, arcs, hyperbolic, areas, errors
}

// FunctionsOfTwo is every function of package math that lanes have, of two numbers.
//
//surge:kernel
func FunctionsOfTwo(x, y []float64) (pow, atan2, hypot []float64) {
	pow = ops.Map2(func(x, y float64) float64 { return math.Pow(x, y) + math.Pow(math.Abs(x), y) }, x, y)
	atan2 = ops.Map2(func(x, y float64) float64 { return math.Atan2(x, y) + math.Mod(x, y) }, x, y)
	hypot = ops.Map2(math.Hypot, x, y)
	return pow, atan2, hypot
}

// ShortFunctions are such functions of float32, and a sum of some.
//
//surge:kernel
func ShortFunctions(x, y []float32) (tanh, pow []float32, sum float32) {
	tanh = ops.Map(func(x float32) float32 { return float32(math.Tanh(float64(x))) + float32(math.Round(float64(x))) }, x)
	pow = ops.Map2(func(x, y float32) float32 { return float32(math.Pow(float64(x), float64(y))) }, x, y)
	sum = ops.Reduce(func(a, b float32) float32 { return a + b }, ops.Map2(func(x, y float32) float32 {
		if x > 0.5 {
			return float32(math.Atan2(float64(y), float64(x)))
		}
		return y
	}, x, y), 0)
	return tanh, pow, sum
}

// Felt is a temperature that is felt: formulas under conditions, some of which divide.
//
//surge:kernel
func Felt(celsius, humidity []float64) []float64 {
	felt := make([]float64, len(celsius))
	for i, c := range celsius {
		t, r := c*9/5+32, humidity[i]
		if (t+r)/8 < 15 {
			felt[i] = t
			continue
		}
		felt[i] = 0.25*t*r - t*t/16
		if r < 13 {
			felt[i] -= (13 - r) / 4 * math.Sqrt((17-math.Abs(t-95))/17)
		} else if r > 85 && t <= 87 {
			felt[i] += (r - 85) / 10 * (87 - t) / 5
		}
	}
	return felt
}
