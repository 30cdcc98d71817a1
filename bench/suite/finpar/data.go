package finpar

import (
	"math"
	"math/rand/v2"
)

// Inputs are small, for comparing all codes with plain Go; sets have the shapes of FinPar's, as far as two cores go.

// set is a set with its name, and how it is made: one value a parameter.
type set = struct {
	Name string
	Make func() []any
}

func made[T any](n int, f func(i int) T) []T {
	s := make([]T, n)
	for i := range s {
		s[i] = f(i)
	}
	return s
}

func seeded() *rand.Rand { return rand.New(rand.NewPCG(7, 7)) }

func locVolCalib(strikes, numX, numY, numT int) []any {
	return []any{made(strikes, func(i int) float64 { return 0.001 * float64(i) }), 5.0, 0.2, 0.6, 0.5, numX, numY, numT}
}

// InputsLocVolCalib are a few strikes on a small grid.
func InputsLocVolCalib(n int, r *rand.Rand) []any { return locVolCalib(n/60, 40, 9, 5) }

// SetsLocVolCalib are small and medium as they are; of large there are 16 strikes of 256.
func SetsLocVolCalib() []set {
	of := func(name string, s, t, x, y int) set {
		return set{Name: name, Make: func() []any { return locVolCalib(s, x, y, t) }}
	}
	return []set{of("small: 16 strikes, 32×256, 256 steps", 16, 256, 32, 256), of("medium: 128 strikes, 256×32, 64 steps", 128, 64, 256, 32),
		of("large: 16 of 256 strikes, 256×256, 64 steps", 16, 64, 256, 256)}
}

// bridge divides dates in halves, as a Brownian bridge draws them.
func bridge(dates int) Bridge {
	b := Bridge{At: []int32{int32(dates)}, Left: []int32{0}, Right: []int32{0}, Deviation: []float64{math.Sqrt(float64(dates))}, Near: []float64{0}, Far: []float64{0}}
	type part struct{ left, right int }
	for parts := []part{{0, dates}}; len(parts) > 0; parts = parts[1:] {
		p := parts[0]
		if p.right-p.left < 2 {
			continue
		}
		at := (p.left + p.right) / 2
		l, r := float64(at-p.left), float64(p.right-at)
		b.At, b.Left, b.Right = append(b.At, int32(at)), append(b.Left, int32(p.left)), append(b.Right, int32(p.right))
		b.Deviation = append(b.Deviation, math.Sqrt(l*r/(l+r)))
		b.Near, b.Far = append(b.Near, r/(l+r)), append(b.Far, l/(l+r))
		parts = append(parts, part{p.left, at}, part{at, p.right})
	}
	return b
}

func option(underlyings, dates, paths int, r *rand.Rand) []any {
	c := Contract{underlyings, dates, 1, 1000}
	m := Market{Discount: 0.98, Spots: made(underlyings, func(int) float64 { return 50 + 50*r.Float64() }),
		Drifts:       made(underlyings, func(int) float64 { return 0.01 * r.Float64() }),
		Volatilities: made(underlyings, func(int) float64 { return 0.1 + 0.1*r.Float64() })}
	for i := range underlyings {
		for k := range i + 1 {
			v := 0.3
			if k == i {
				v = 0.9
			}
			m.Correlation = append(m.Correlation, v)
		}
	}
	directions := made(underlyings*dates*30, func(i int) uint32 { // of odd numbers below 2^(b+1), moved to the left
		b := i % 30
		return (uint32(r.IntN(1<<(b+1))) | 1) << (29 - b)
	})
	return []any{c, m, bridge(dates), directions, paths}
}

// InputsOptionPricing are few paths of three underlyings.
func InputsOptionPricing(n int, r *rand.Rand) []any { return option(3, 5, n/15, r) }

// SetsOptionPricing are many paths of few dates, and few paths of many.
func SetsOptionPricing() []set {
	return []set{
		{Name: "131072 paths, 5 dates, 3 underlyings", Make: func() []any { return option(3, 5, 131072, seeded()) }},
		{Name: "500 paths, 367 dates, 3 underlyings", Make: func() []any { return option(3, 367, 500, seeded()) }},
	}
}

// InputsOptionPricingRecurrent are those of OptionPricing, in blocks of seven.
func InputsOptionPricingRecurrent(n int, r *rand.Rand) []any {
	return append(InputsOptionPricing(n, r), 7)
}

// SetsOptionPricingRecurrent are those of OptionPricing, in blocks.
func SetsOptionPricingRecurrent() []set {
	return []set{
		{Name: "131072 paths, 5 dates, 3 underlyings", Make: func() []any { return append(option(3, 5, 131072, seeded()), 256) }},
		{Name: "500 paths, 367 dates, 3 underlyings", Make: func() []any { return append(option(3, 367, 500, seeded()), 25) }},
	}
}

func heston(candidates, quotes, points int, r *rand.Rand) []any {
	// The points are those of a midpoint rule, after a change of variables from 0 to 1 to all positive numbers.
	nodes, weights := make([]float64, points), make([]float64, points)
	for i := range nodes {
		t := (float64(i) + 0.5) / float64(points)
		nodes[i], weights[i] = t/(1-t), 1/(1-t)/(1-t)/float64(points)
	}
	return []any{
		made(candidates, func(int) Model {
			return Model{0.02 + 0.05*r.Float64(), 0.02 + 0.05*r.Float64(), 1 + 2*r.Float64(), 0.2 + 0.3*r.Float64(), -0.8 * r.Float64()}
		}),
		made(quotes, func(int) Quote { return Quote{80 + 40*r.Float64(), 0.1 + 2*r.Float64(), 5 + 10*r.Float64()} }),
		100.0, nodes, weights,
	}
}

// InputsHeston are a few candidates and quotes.
func InputsHeston(n int, r *rand.Rand) []any { return heston(n/50, 5, 10, r) }

// SetsHeston are 1062 and 10000 quotes.
func SetsHeston() []set {
	return []set{
		{Name: "1062 quotes", Make: func() []any { return heston(8, 1062, 32, seeded()) }},
		{Name: "10000 quotes", Make: func() []any { return heston(2, 10000, 32, seeded()) }},
	}
}
