//go:build goexperiment.simd && amd64

package vec

import "math/big"

// Special functions of more precision than float64.

// bigErfc is 1 less the error function, for numbers of at least 0.
func bigErfc(x *big.Float) *big.Float {
	square := times(x, x)
	if f, _ := x.Float64(); f > 3 { // the continued fraction of Laplace
		y := with(x)
		for k := 100; k > 0; k-- {
			y = plus(x, over(exactly(float64(k)/2), y))
		}
		return over(bigExp(with(square).Neg(square)), times(y, bigSqrt(bigPi)))
	}
	return minus(exactly(1), bigErf(x))
}

// bigErf is the error function of numbers from 0 to 3.
func bigErf(x *big.Float) *big.Float {
	square := times(x, x)
	sum, term := with(x), with(x) // x + 2/3·x³ + 4/15·x⁵ + …
	for k := 1; k < 80; k++ {
		term = over(times(term, plus(square, square)), exactly(float64(2*k+1)))
		sum = plus(sum, term)
	}
	sum = plus(sum, sum)
	return over(times(sum, bigExp(with(square).Neg(square))), bigSqrt(bigPi))
}

// bigLog1p is the logarithm of 1+x.
func bigLog1p(x *big.Float) *big.Float {
	if small(x) {
		return minus(x, over(times(x, x), exactly(2)))
	}
	return bigLog(plus(x, exactly(1)))
}

// ofMagnitude is a function of positive numbers for those of both signs.
func ofMagnitude(g func(x *big.Float) *big.Float) func(x *big.Float) *big.Float {
	return func(x *big.Float) *big.Float {
		y := with(g(with(x).Abs(x)))
		if x.Sign() < 0 {
			y.Neg(y)
		}
		return y
	}
}
