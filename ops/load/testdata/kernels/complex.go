package kernels

import "github.com/surge-ndp/surge/ops"

// Quotients divides complex numbers of every kind: zeros, infinities and NaNs among them.
//
//surge:kernel
func Quotients(a, b, c, d []float64) ([]float64, []float64) {
	q := ops.Map4(func(a, b, c, d float64) complex128 { return complex(a, b) / complex(c, d) }, a, b, c, d)
	return ops.Map(func(z complex128) float64 { return real(z) }, q), ops.Map(func(z complex128) float64 { return imag(z) }, q)
}

const turn = 0.6 + 0.8i

type wave struct {
	amplitude complex64
	phase     [2]complex128
}

// Waves computes with complex numbers in structs and arrays, and counts the steps of an iteration.
//
//surge:kernel
func Waves(x []float32, y []float64) ([]float32, []float64, []int) {
	ws := ops.Map2(func(a float32, b float64) wave {
		w := wave{amplitude: complex(a, 2)}
		w.amplitude *= w.amplitude
		w.amplitude /= complex(1, a)
		w.phase[0] = turn * complex(b, -1)
		w.phase[1] = -w.phase[0] + complex128(w.amplitude) + 3
		w.phase[1]++
		return w
	}, x, y)
	size := ops.Map(func(w wave) float32 { return real(w.amplitude) - 2*imag(w.amplitude) }, ws)
	sum := ops.Map(func(w wave) float64 {
		s := 0i
		for _, p := range w.phase {
			if p != turn && p == p {
				s += p * p
			}
		}
		return real(s) + imag(s)
	}, ws)
	steps := ops.Map(func(c float64) int {
		z, n := complex128(0), 0
		for real(z)*real(z)+imag(z)*imag(z) < 4 && n < 20 {
			z = z*z + complex(c, 0.1)
			n++
		}
		return n
	}, y)
	return size, sum, steps
}
