package finpar

import (
	"math"
	"math/bits"
)

// Contract is what is priced: a number of underlyings, watched at some dates.
type Contract struct {
	Underlyings, Dates int
	Strike, Notional   float64
}

// Market has the state of each underlying.
type Market struct {
	Spots, Drifts, Volatilities []float64
	Correlation                 []float64 // the lower triangle of its root, row by row
	Discount                    float64
}

// sobol is number i of the sequence in each dimension, without its neighbours: the directions of the bits of its Gray
// code. Directions has 30 numbers a dimension.
func sobol(directions []uint32, dimensions, i int) []float64 {
	gray := uint32(i) ^ uint32(i)>>1
	u := make([]float64, dimensions)
	for d := range u {
		var x uint32
		for b := range 30 {
			if gray>>b&1 != 0 {
				x ^= directions[d*30+b]
			}
		}
		u[d] = float64(x) / (1 << 30)
	}
	return u
}

// normal is the inverse of the normal distribution, by rational functions.
func normal(p float64) float64 {
	q := p - 0.5
	if math.Abs(q) <= 0.425 {
		r := 0.180625 - q*q
		num := ((((((2509.0809287301226727*r+33430.575583588128105)*r+67265.770927008700853)*r+45921.953931549871457)*r+13731.693765509461125)*r+1971.5909503065514427)*r+133.14166789178437745)*r + 3.387132872796366608
		den := ((((((5226.495278852545925*r+28729.085735721942674)*r+39307.89580009271061)*r+21213.794301586595867)*r+5394.1960214247511077)*r+687.1870074920579083)*r+42.313330701600911252)*r + 1
		return q * num / den
	}
	r := math.Sqrt(-math.Log(min(p, 1-p)))
	var x float64
	if r <= 5 {
		r -= 1.6
		num := ((((((7.7454501427834140764e-4*r+0.0227238449892691845833)*r+0.24178072517745061177)*r+1.27045825245236838258)*r+3.64784832476320460504)*r+5.7694972214606914055)*r+4.6303378461565452959)*r + 1.42343711074968357734
		den := ((((((1.05075007164441684324e-9*r+5.475938084995344946e-4)*r+0.0151986665636164571966)*r+0.14810397642748007459)*r+0.68976733498510000455)*r+1.6763848301838038494)*r+2.05319162663775882187)*r + 1
		x = num / den
	} else {
		r -= 5
		num := ((((((2.01033439929228813265e-7*r+2.71155556874348757815e-5)*r+0.0012426609473880784386)*r+0.026532189526576123093)*r+0.29656057182850489123)*r+1.7848265399172913358)*r+5.4637849111641143699)*r + 6.6579046435011037772
		den := ((((((2.04426310338993978564e-15*r+1.4215117583164458887e-7)*r+1.8463183175100546818e-5)*r+7.868691311456132591e-4)*r+0.0148753612908506148525)*r+0.13692988092273580531)*r+0.59983220655588793769)*r + 1
		x = num / den
	}
	if q < 0 {
		return -x
	}
	return x
}

// Bridge says in which order the dates of a path are drawn, and from which others each lies between.
type Bridge struct {
	At, Left, Right      []int32
	Deviation, Near, Far []float64
}

// brownian turns normal numbers, a date after the other, into a path of each underlying that begins at 0: the end
// first, then the middles of what is known.
func brownian(z []float64, underlyings, dates int, b Bridge) []float64 {
	path := make([]float64, dates*underlyings)
	for u := range underlyings {
		path[int(b.At[0]-1)*underlyings+u] = b.Deviation[0] * z[u]
		for i := 1; i < dates; i++ {
			l, r, at := int(b.Left[i])-1, int(b.Right[i])-1, int(b.At[i])-1
			right := path[r*underlyings+u]
			v := b.Deviation[i]*z[i*underlyings+u] + b.Far[i]*right
			if l >= 0 {
				v += b.Near[i] * path[l*underlyings+u]
			}
			path[at*underlyings+u] = v
		}
	}
	for i := dates - 1; i > 0; i-- {
		for u := range underlyings {
			path[i*underlyings+u] -= path[(i-1)*underlyings+u]
		}
	}
	return path
}

// payoff is what one path pays: the mean of the worst underlying over its dates, against the strike.
func payoff(c Contract, m Market, steps []float64) float64 {
	n := c.Underlyings
	prices := make([]float64, n)
	copy(prices, m.Spots)
	sum := 0.0
	for d := range c.Dates {
		worst := math.Inf(1)
		for u := range n {
			corr := 0.0
			for k := 0; k <= u; k++ {
				corr += m.Correlation[u*(u+1)/2+k] * steps[d*n+k]
			}
			prices[u] *= math.Exp(m.Drifts[u] + m.Volatilities[u]*corr)
			worst = min(worst, prices[u]/m.Spots[u])
		}
		sum += worst
	}
	return c.Notional * max(sum/float64(c.Dates)-c.Strike, 0) * m.Discount
}

// OptionPricing prices a contract by simulation, on paths that a sequence of Sobol and a Brownian bridge give.
//
//surge:kernel
func OptionPricing(c Contract, m Market, b Bridge, directions []uint32, paths int) float64 {
	dimensions := c.Underlyings * c.Dates
	total := 0.0
	for i := range paths {
		u := sobol(directions, dimensions, i+1)
		z := make([]float64, dimensions)
		for d := range z {
			z[d] = normal(u[d])
		}
		total += payoff(c, m, brownian(z, c.Underlyings, c.Dates, b))
	}
	return total / float64(paths)
}

// OptionPricingRecurrent is OptionPricing with numbers of Sobol that come from those before them, in blocks that begin
// by themselves.
//
//surge:kernel
func OptionPricingRecurrent(c Contract, m Market, b Bridge, directions []uint32, paths, block int) float64 {
	dimensions := c.Underlyings * c.Dates
	sums := make([]float64, (paths+block-1)/block)
	for k := range sums {
		x := make([]uint32, dimensions)
		z := make([]float64, dimensions)
		first := k*block + 1
		gray := uint32(first) ^ uint32(first)>>1
		for d := range x {
			for bit := range 30 {
				if gray>>bit&1 != 0 {
					x[d] ^= directions[d*30+bit]
				}
			}
		}
		sum := 0.0
		for i := first; i < min(first+block, paths+1); i++ {
			if i > first {
				bit := bits.TrailingZeros32(uint32(i))
				for d := range x {
					x[d] ^= directions[d*30+bit]
				}
			}
			for d := range z {
				z[d] = normal(float64(x[d]) / (1 << 30))
			}
			sum += payoff(c, m, brownian(z, c.Underlyings, c.Dates, b))
		}
		sums[k] = sum
	}
	total := 0.0
	for _, s := range sums {
		total += s
	}
	return total / float64(paths)
}
