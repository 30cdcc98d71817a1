package finpar

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// The checks know what a program has to compute in another way than the program does.

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func TestTridag(t *testing.T) {
	a, b, c, y := []float64{0, 1, 2, 1}, []float64{4, 5, 6, 7}, []float64{1, 2, 1, 0}, []float64{1, 2, 3, 4}
	x := tridag(a, b, c, y)
	for i := range y {
		sum := b[i] * x[i]
		if i > 0 {
			sum += a[i] * x[i-1]
		}
		if i < 3 {
			sum += c[i] * x[i+1]
		}
		near(t, "a right side", sum, y[i], 1e-12)
	}
}

// TestLocVolCalib checks that options are worth less the higher their strike is, and no less than what they would pay
// now.
func TestLocVolCalib(t *testing.T) {
	args := locVolCalib(20, 64, 32, 20)
	values := LocVolCalib(args[0].([]float64), 5, 0.2, 0.6, 0.5, 64, 32, 20)
	for i, v := range values {
		if i > 0 && v > values[i-1] || v < 0.03-0.001*float64(i)-1e-4 {
			t.Errorf("strike %d: %v, the one before %v", i, v, values[max(i-1, 0)])
		}
	}
}

func TestNormal(t *testing.T) {
	for _, p := range []float64{1e-9, 1e-4, 0.05, 0.3, 0.5, 0.7, 0.999, 1 - 1e-9} {
		near(t, "a quantile", normal(p), distuv.UnitNormal.Quantile(p), 1e-9)
	}
}

// TestBrownian checks the variances of a bridge: each date's is its number, if the numbers drawn are independent.
func TestBrownian(t *testing.T) {
	const dates = 11
	b := bridge(dates)
	variance := make([]float64, dates)
	for i := range dates {
		z := make([]float64, dates)
		z[i] = 1
		level := 0.0
		for d, step := range brownian(z, 1, dates, b) {
			level += step
			variance[d] += level * level
		}
	}
	for d, v := range variance {
		near(t, "a variance", v, float64(d+1), 1e-12)
	}
}

// TestOptionPricing checks that without volatility each path pays the same, and that both ways to Sobol's numbers give
// one price.
func TestOptionPricing(t *testing.T) {
	args := option(3, 5, 300, seeded())
	c, m, b, directions := args[0].(Contract), args[1].(Market), args[2].(Bridge), args[3].([]uint32)
	near(t, "the price", OptionPricingRecurrent(c, m, b, directions, 300, 7), OptionPricing(c, m, b, directions, 300), 1e-12)
	c.Strike = 0.5
	m.Volatilities, m.Drifts = make([]float64, 3), []float64{0.1, 0.2, 0.3}
	sum := 0.0
	for d := range 5 {
		sum += math.Exp(0.1 * float64(d+1))
	}
	near(t, "the price", OptionPricing(c, m, b, directions, 10), 1000*(sum/5-0.5)*0.98, 1e-12)
}

// TestHeston checks that with a variance that hardly moves a price is that of Black and Scholes.
func TestHeston(t *testing.T) {
	args := heston(1, 1, 4000, seeded())
	points, weights := args[3].([]float64), args[4].([]float64)
	m := Model{0.04, 0.04, 1, 1e-3, 0}
	for _, strike := range []float64{80, 100, 125} {
		const sigma, years = 0.2, 1.5
		d := (math.Log(100/strike) + sigma*sigma/2*years) / (sigma * math.Sqrt(years))
		want := 100*distuv.UnitNormal.CDF(d) - strike*distuv.UnitNormal.CDF(d-sigma*math.Sqrt(years))
		near(t, "a price", m.price(100, strike, years, points, weights), want, 1e-3)
	}
}
