// Package kernels holds what the benchmarks compile on demand: the computations of the C++ peers, on their element
// types and with their constants, written as anyone would write them.
package kernels

import (
	"math"

	"github.com/surge-ndp/surge/ops"
)

func plus(a, b float32) float32 { return a + b }

// MatMul is the product of an m×k and a k×n matrix, both in row-major order.
//
//surge:kernel
func MatMul(a, b []float32, k, n int) [][]float32 {
	rows := ops.Split(b, n)
	return ops.Map(func(row []float32) []float32 {
		return ops.Map(func(j int) float32 {
			return ops.Reduce(plus, ops.Map2(func(y []float32, x float32) float32 { return x * y[j] }, rows, row), 0)
		}, ops.Range(0, n, 1))
	}, ops.Split(a, k))
}

// Scale multiplies by a number: reading and writing is all that it costs.
//
//surge:kernel
func Scale(x []float64, a float64) []float64 {
	return ops.Map(func(v float64) float64 { return a * v }, x)
}

type vec3 struct{ x, y, z float32 }

// NBody is the acceleration of each body by all others, with softening.
//
//surge:kernel
func NBody(x, y, z, mass []float32) (ax, ay, az []float32) {
	acc := ops.Map3(func(xi, yi, zi float32) vec3 {
		pulls := ops.Map4(func(xj, yj, zj, m float32) vec3 {
			dx, dy, dz := xj-xi, yj-yi, zj-zi
			q := 1 / float32(math.Sqrt(float64(dx*dx+dy*dy+dz*dz+0.01)))
			s := m * q * q * q
			return vec3{s * dx, s * dy, s * dz}
		}, x, y, z, mass)
		return ops.Reduce(func(a, b vec3) vec3 { return vec3{a.x + b.x, a.y + b.y, a.z + b.z} }, pulls, vec3{})
	}, x, y, z)
	return ops.Map(func(v vec3) float32 { return v.x }, acc), ops.Map(func(v vec3) float32 { return v.y }, acc),
		ops.Map(func(v vec3) float32 { return v.z }, acc)
}

// normal is the standard normal distribution function (Abramowitz and Stegun 26.2.17).
func normal(d float64) float64 {
	k := 1 / (1 + 0.2316419*math.Abs(d))
	w := 0.39894228040143267794 * math.Exp(-0.5*d*d) *
		(k * (0.319381530 + k*(-0.356563782+k*(1.781477937+k*(-1.821255978+k*1.330274429)))))
	if d > 0 {
		return 1 - w
	}
	return w
}

// BlackScholes prices European options: calls and puts.
//
//surge:kernel
func BlackScholes(spot, strike, years []float64, rate, volatility float64) (call, put []float64) {
	type price struct{ call, put float64 }
	p := ops.Map3(func(s, x, t float64) price {
		q := math.Sqrt(t)
		d1 := (math.Log(s/x) + (rate+0.5*volatility*volatility)*t) / (volatility * q)
		d2 := d1 - volatility*q
		n1, n2, e := normal(d1), normal(d2), x*math.Exp(-rate*t)
		return price{s*n1 - e*n2, e*(1-n2) - s*(1-n1)}
	}, spot, strike, years)
	return ops.Map(func(p price) float64 { return p.call }, p), ops.Map(func(p price) float64 { return p.put }, p)
}

// Hotspot is one step of a heat simulation on a grid: a neighbour outside of it is the border cell itself.
//
//surge:kernel
func Hotspot(temp, power []float32, width int, step, rx, ry, rz float32) [][]float32 {
	rows := ops.Split(temp, width)
	heat := ops.Split(power, width)
	return ops.Map(func(r int) []float32 {
		here, north, south := rows[r], rows[max(r-1, 0)], rows[min(r+1, len(rows)-1)]
		return ops.Map(func(c int) float32 {
			t, w, e := here[c], here[max(c-1, 0)], here[min(c+1, len(here)-1)]
			return t + step*(heat[r][c]+(north[c]+south[c]-2*t)*ry+(e+w-2*t)*rx+(80-t)*rz)
		}, ops.Range(0, len(here), 1))
	}, ops.Range(0, len(rows), 1))
}

// Count counts the keys that fall into each of n bins.
//
//surge:kernel
func Count(keys []int32, n int) []int32 {
	return ops.Histogram(func(a, b int32) int32 { return a + b }, n, keys, ops.Replicate(int32(1), len(keys)), 0)
}

// Weigh adds up the weights of the keys that fall into each of n bins.
//
//surge:kernel
func Weigh(keys []int32, weights []float64, n int) []float64 {
	return ops.Histogram(func(a, b float64) float64 { return a + b }, n, keys, weights, 0)
}

// SegmentSums adds up the elements of each segment.
//
//surge:kernel
func SegmentSums(values []float64, offsets []int) []float64 {
	return ops.Map(func(s []float64) float64 {
		return ops.Reduce(func(a, b float64) float64 { return a + b }, s, 0)
	}, ops.Nest(values, offsets))
}
