package kernels

import "github.com/surge-ndp/surge/ops"

// Medians sorts a window of each row in a local array.
//
//surge:kernel
func Medians(x []float64) []float64 {
	return ops.Map(func(i int) float64 {
		var w [5]float64
		for j := range w {
			w[j] = x[(i+j)%len(x)]
		}
		for a := 1; a < len(w); a++ {
			for b := a; b > 0 && w[b] < w[b-1]; b-- {
				w[b], w[b-1] = w[b-1], w[b]
			}
		}
		return w[2]
	}, ops.Range(0, len(x), 1))
}

// Counts fills a table at the top of the kernel, which an operator reads when it is complete.
//
//surge:kernel
func Counts(labels []int32, k int) ([]int, int) {
	table := make([]int, k)
	outside := 0
	for _, l := range labels {
		if l < 0 || int(l) >= k {
			outside++
			continue
		}
		table[l]++
	}
	doubled := ops.Map(func(c int) int { return 2 * c }, table)
	return doubled, outside
}

// Tables returns what each element's function made, as a row.
//
//surge:kernel
func Tables(x []float64, n int) [][]float64 {
	return ops.Map(func(v float64) []float64 {
		powers := make([]float64, n)
		p := 1.0
		for i := range n {
			powers[i] = p
			p *= v
		}
		if n > 2 && v < 0 {
			powers[0] += powers[n-1]
			powers[1] = 0
		}
		return powers
	}, x)
}

// Tridiagonal solves one system an element by the Thomas algorithm: helpers make, fill and return slices.
//
//surge:kernel
func Tridiagonal(d []float64, n int) []float64 {
	return ops.Map(func(v float64) float64 {
		y := sweep(v, n)
		s := 0.0
		for i := len(y) - 1; i >= 0; i-- {
			s = y[i] - 0.25*s
		}
		total := ops.Reduce(func(a, b float64) float64 { return a + b }, y, 0)
		return s + total
	}, d)
}

func sweep(v float64, n int) []float64 {
	y := make([]float64, n)
	c := 0.5
	for i := range y {
		y[i] = v
		if i > 0 {
			y[i] -= c * y[i-1]
		}
		c = 1 / (2 - c)
	}
	return y
}

type pixel struct {
	weight float64
	label  int32
}

// Heap keeps the best of a row in a slice of structs.
//
//surge:kernel
func Heap(x []float64) ([]float64, []int32) {
	best := make([]pixel, 3)
	for i, v := range x {
		at := 0
		for j := range best {
			if best[j].weight < best[at].weight {
				at = j
			}
		}
		if v > best[at].weight {
			best[at] = pixel{v, int32(i)}
			best[at].label++
		}
	}
	weights := ops.Map(func(p pixel) float64 { return p.weight }, best)
	return weights, ops.Map(func(p pixel) int32 { return p.label }, best)
}

// Sieve marks multiples and stops early.
//
//surge:kernel
func Sieve(n int) []bool {
	composite := make([]bool, n)
	for i := 2; i < n; i++ {
		if i*i >= n {
			break
		}
		if composite[i] {
			continue
		}
		for j := i * i; j < n; j += i {
			composite[j] = true
		}
	}
	return composite
}

// Literals index constants, and change them.
//
//surge:kernel
func Literals(x []int) []int {
	return ops.Map(func(i int) int {
		primes := []int{2, 3, 5, 7}
		weights := [4]int{2: 10, 20}
		for j, w := range weights {
			primes[j] += w * i
		}
		return primes[i&3]
	}, x)
}

// Names chooses, under a second name, between a slice that it made and another one.
//
//surge:kernel
func Names(x, y []int, other bool) []int {
	made := make([]int, len(x))
	for i := range made {
		made[i] = 2 * x[i]
	}
	second := made
	if other {
		second = y
	}
	return ops.Map(func(i int) int { return i + len(made) }, second)
}
