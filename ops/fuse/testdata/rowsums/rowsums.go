// Package rowsums has Maps whose elements sum up a row in order. The comment of each kernel ends with the sequences of
// its computations.
package rowsums

import "math"

// Norms divides rows by their norms: a Map finds these.
//
// Sequences: map; map ▷ map
//
//surge:kernel
func Norms(x []float64, d int) []float64 {
	d = max(d, 1)
	n := len(x) / d
	y := make([]float64, n*d)
	for i := 0; i < n; i++ {
		s := 0.0
		for j := 0; j < d; j++ {
			s += x[i*d+j] * x[i*d+j]
		}
		r := 1 / math.Sqrt(s+1)
		for j := 0; j < d; j++ {
			y[i*d+j] = x[i*d+j] * r
		}
	}
	return y
}

// Layers has two sums of a row, of which the second needs the first, and rows that lie anywhere.
//
// Sequences: map; map ▷ map
//
//surge:kernel
func Layers(x [][]float32) [][]float32 {
	y := make([][]float32, len(x))
	for i, row := range x {
		var mean, squares float32
		for _, v := range row {
			mean += v
		}
		mean /= float32(len(row))
		for _, v := range row {
			squares += (v - mean) * (v - mean)
		}
		z := make([]float32, len(row))
		for j, v := range row {
			z[j] = (v - mean) / (squares + 1)
		}
		y[i] = z
	}
	return y
}

// Behind sums up a row that the element computes: it stays where that is.
//
// Sequences: map ▷ update
//
//surge:kernel
func Behind(x [][]float64) [][]float64 {
	y := make([][]float64, len(x))
	for i, row := range x {
		z := make([]float64, len(row))
		for j, v := range row {
			z[j] = math.Exp(v)
		}
		s := 0.0
		for _, v := range z {
			s += v
		}
		for j := range z {
			z[j] /= s
		}
		y[i] = z
	}
	return y
}

// Columns sums up columns, which lanes read without packing: they stay.
//
// Sequences: map ▷ map
//
//surge:kernel
func Columns(x []float64, d int) []float64 {
	d = max(d, 1)
	n := len(x) / d
	y := make([]float64, n*d)
	for i := 0; i < n; i++ {
		s := 0.0
		for j := 0; j < d; j++ {
			s += x[j*n+i]
		}
		for j := 0; j < d; j++ {
			y[i*d+j] = x[i*d+j] * s
		}
	}
	return y
}

// Alone has nothing but sums.
//
// Sequences: map
//
//surge:kernel
func Alone(x []float64, d int) []float64 {
	d = max(d, 1)
	y := make([]float64, len(x)/d)
	for i := range y {
		s := 0.0
		for j := 0; j < d; j++ {
			s += x[i*d+j]
		}
		y[i] = s / float64(d)
	}
	return y
}
