package finpar

import (
	"math"
	"math/cmplx"
)

// Model has the parameters of Heston's model: variance at first, its mean in the long run, how fast it comes back to
// that, its own volatility, and its correlation with the price.
type Model struct{ Variance, Mean, Reversion, Volatility, Correlation float64 }

// Quote is an option as the market sees it.
type Quote struct{ Strike, Maturity, Price float64 }

// characteristic is the characteristic function of the logarithm of the price, divided by the spot, at a time.
func (m Model) characteristic(u complex128, t float64) complex128 {
	s2 := m.Volatility * m.Volatility
	a := complex(m.Reversion, 0) - complex(0, m.Correlation*m.Volatility)*u
	d := cmplx.Sqrt(a*a + complex(s2, 0)*(u*u+complex(0, 1)*u))
	g := (a - d) / (a + d)
	e := cmplx.Exp(-d * complex(t, 0))
	c := complex(m.Reversion*m.Mean/s2, 0) * ((a-d)*complex(t, 0) - 2*cmplx.Log((1-g*e)/(1-g)))
	v := complex(m.Variance/s2, 0) * (a - d) * (1 - e) / (1 - g*e)
	return cmplx.Exp(c + v)
}

// price is the price of a call by Lewis's integral, with as many points of Gauss and Laguerre's kind as there are.
func (m Model) price(spot, strike, maturity float64, points, weights []float64) float64 {
	k := math.Log(spot / strike)
	sum := 0.0
	for i, u := range points {
		f := cmplx.Exp(complex(0, u*k)) * m.characteristic(complex(u, -0.5), maturity)
		sum += weights[i] * real(f) / (u*u + 0.25)
	}
	return spot - math.Sqrt(spot*strike)/math.Pi*sum
}

// Heston is a step of calibration: how far each of some candidates is from what the market says, in squares of prices.
//
//surge:kernel
func Heston(candidates []Model, quotes []Quote, spot float64, points, weights []float64) []float64 {
	errors := make([]float64, len(candidates))
	for c, m := range candidates {
		sum := 0.0
		for _, q := range quotes {
			d := m.price(spot, q.Strike, q.Maturity, points, weights) - q.Price
			sum += d * d
		}
		errors[c] = sum
	}
	return errors
}
