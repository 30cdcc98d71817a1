// Finance

package corpus

import (
	"errors"
	"math"

	"github.com/surge-ndp/surge/ops"
)

// Option is a European option.
type Option struct {
	Spot, Strike, Years, Volatility float64
	Put                             bool
}

func normalCDF(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }

// Price is the option's value by the formula of Black and Scholes.
func (o Option) Price(rate float64) float64 {
	sd := o.Volatility * math.Sqrt(o.Years)
	d1 := (math.Log(o.Spot/o.Strike) + (rate+o.Volatility*o.Volatility/2)*o.Years) / sd
	d2 := d1 - sd
	discounted := o.Strike * math.Exp(-rate*o.Years)
	if o.Put {
		return discounted*normalCDF(-d2) - o.Spot*normalCDF(-d1)
	}
	return o.Spot*normalCDF(d1) - discounted*normalCDF(d2)
}

// BlackScholes prices options.
//
//surge:kernel
func BlackScholes(options []Option, rate float64) []float64 {
	return ops.Map(func(o Option) float64 { return o.Price(rate) }, options)
}

// xorshift is a generator of random numbers.
type xorshift uint64

func (x *xorshift) next() uint64 {
	*x ^= *x << 13
	*x ^= *x >> 7
	*x ^= *x << 17
	return uint64(*x)
}

// uniform is a number from 0 to 1.
func (x *xorshift) uniform() float64 { return (float64(x.next()>>11) + 0.5) / (1 << 53) }

// normal is a number of the normal distribution.
func (x *xorshift) normal() float64 {
	return math.Sqrt(-2*math.Log(x.uniform())) * math.Cos(2*math.Pi*x.uniform())
}

// AsianOption prices an option on the average price by simulation.
//
//surge:kernel
func AsianOption(o Option, rate float64, paths, steps int, seed uint64) float64 {
	dt := o.Years / float64(steps)
	drift, sd := (rate-o.Volatility*o.Volatility/2)*dt, o.Volatility*math.Sqrt(dt)
	payoffs := ops.Map(func(path int) float64 {
		rng := xorshift(seed + uint64(path)*0x9e3779b97f4a7c15 + 1)
		price, sum := o.Spot, 0.0
		for range steps {
			price *= math.Exp(drift + sd*rng.normal())
			sum += price
		}
		return max(sum/float64(steps)-o.Strike, 0)
	}, ops.Range(0, paths, 1))
	return math.Exp(-rate*o.Years) * ops.Reduce(func(a, b float64) float64 { return a + b }, payoffs, 0) / float64(paths)
}

// EMA smooths the prices of each share exponentially.
//
//surge:kernel
func EMA(prices [][]float64, days float64) [][]float64 {
	alpha := 2 / (days + 1)
	return ops.Map(func(p []float64) []float64 {
		out := make([]float64, len(p))
		for i := range p {
			if i == 0 {
				out[i] = p[i]
				continue
			}
			out[i] = alpha*p[i] + (1-alpha)*out[i-1]
		}
		return out
	}, prices)
}

// Bar sums up the trades of a period.
type Bar struct {
	Open, High, Low, Close float64
	Volume                 int64
}

// Trade is a trade.
type Trade struct {
	Price float64
	Size  int32
}

// Bars sums up every count trades.
//
//surge:kernel
func Bars(trades []Trade, count int) []Bar {
	return ops.Map(func(ts []Trade) Bar {
		b := Bar{Open: ts[0].Price, High: math.Inf(-1), Low: math.Inf(1), Close: ts[len(ts)-1].Price}
		for _, t := range ts {
			b.High = max(b.High, t.Price)
			b.Low = min(b.Low, t.Price)
			b.Volume += int64(t.Size)
		}
		return b
	}, ops.Split(trades, count))
}

// Errors of ValueAtRisk.
var (
	ErrNoData     = errors.New("there are no returns")
	ErrConfidence = errors.New("the confidence must be between 0 and 1")
)

// ValueAtRisk is the loss that is not exceeded with some confidence, by the returns of the past.
//
//surge:kernel
func ValueAtRisk(returns []float64, value, confidence float64) (float64, error) {
	if len(returns) == 0 {
		return 0, ErrNoData
	}
	if confidence <= 0 || confidence >= 1 {
		return 0, ErrConfidence
	}
	losses := ops.Map(func(r float64) float64 { return -r * value }, returns)
	sorted, _ := ops.SortByKey(losses, losses)
	return sorted[int(confidence*float64(len(sorted)))], nil
}

// Bond pays a coupon each year, and its face value at the end.
type Bond struct {
	Price, Face, Coupon float64
	Years               int
}

// present is the present value at a yield, and its derivative.
func (b Bond) present(yield float64) (value, slope float64) {
	discount := 1.0
	for year := 1; year <= b.Years; year++ {
		discount /= 1 + yield
		pay := b.Coupon
		if year == b.Years {
			pay += b.Face
		}
		value += pay * discount
		slope -= float64(year) * pay * discount / (1 + yield)
	}
	return
}

// Yields finds what the bonds yield at their prices, by Newton's method; NaN where that does not converge.
//
//surge:kernel
func Yields(bonds []Bond) []float64 {
	return ops.Map(func(b Bond) float64 {
		yield := 0.05
		for range 50 {
			value, slope := b.present(yield)
			step := (value - b.Price) / slope
			yield -= step
			if math.Abs(step) < 1e-12 {
				return yield
			}
		}
		return math.NaN()
	}, bonds)
}
