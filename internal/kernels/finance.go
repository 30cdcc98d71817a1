package kernels

import (
	"math"

	"github.com/surge-ndp/surge/ops"
)

func normal(d float64) float64 {
	k := 1 / (1 + 0.2316419*math.Abs(d))
	w := ((((1.330274429*k-1.821255978)*k+1.781477937)*k-0.356563782)*k + 0.319381530) * k
	n := 0.39894228040143267794 * math.Exp(-0.5*d*d) * w
	if d > 0 {
		return 1 - n
	}
	return n
}

// BlackScholes prices European options: calls and puts.
//
//surge:kernel
func BlackScholes(spot, strike, years []float64, rate, volatility float64) (call, put []float64) {
	type price struct{ call, put float64 }
	p := ops.Map3(func(s, x, t float64) price {
		root := volatility * math.Sqrt(t)
		d1 := (math.Log(s/x) + (rate+0.5*volatility*volatility)*t) / root
		d2 := d1 - root
		c1, c2 := normal(d1), normal(d2)
		discount := x * math.Exp(-rate*t)
		return price{s*c1 - discount*c2, discount*(1-c2) - s*(1-c1)}
	}, spot, strike, years)
	return ops.Map(func(p price) float64 { return p.call }, p), ops.Map(func(p price) float64 { return p.put }, p)
}

// sobol is point i of the one-dimensional Sobol sequence with the given direction numbers.
func sobol(i uint32, directions []uint32) float64 {
	gray := i ^ (i >> 1)
	x := uint32(0)
	for k, d := range directions {
		if (gray>>uint(k))&1 == 1 {
			x ^= d
		}
	}
	return (float64(x) + 0.5) / 4294967296
}

// OptionPricing is the price of an option by a quasi-random walk: steps Sobol dimensions, one path an iteration, each
// path built in a local array by a bridge.
//
//surge:kernel
func OptionPricing(directions []uint32, dims, paths int, spot, drift, volatility, strike float64) float64 {
	bits := 0
	if dims > 0 {
		bits = len(directions) / dims
	}
	payoffs := ops.Map(func(p int) float64 {
		var path [8]float64
		level := 0.0
		for d := range min(dims, 8) {
			u := sobol(uint32(p+1), directions[d*bits:(d+1)*bits])
			level += drift + volatility*(math.Log(u/(1-u))*0.551)
			path[d] = spot * math.Exp(level)
		}
		mean := 0.0
		for d := range path {
			mean += path[d]
		}
		return max(mean/float64(max(dims, 1))-strike, 0)
	}, ops.Range(0, paths, 1))
	return ops.Reduce(plus, payoffs, 0) / float64(max(paths, 1))
}
