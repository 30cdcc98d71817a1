package kernels

// Gates calls function literals that update rows that they are given and what they capture, also under other names.
//
//surge:kernel
func Gates(x []float64, w [][]float64) ([]float64, []float64, []float64) {
	n := len(x)
	h, z := make([]float64, n), make([]float64, n)
	seen := make([]float64, n)
	gate := func(dst []float64, w [][]float64, xs []float64, by float64) {
		for i := range dst {
			s := by
			for _, row := range w {
				s += float64(len(row)) * xs[i]
			}
			dst[i] += s
			seen[i]++
		}
	}
	inner := func(dst []float64, v float64) {
		for i := range dst {
			dst[i] = v - dst[i]
		}
	}
	outer := func(a, b []float64, v float64) {
		inner(a, v)
		inner(b, v+1)
	}
	set := func(dst, src []float64) { copy(dst, src) }
	for t, v := range x {
		gate(z, w, x, v)
		gate(h, w, z, v)
		gate(h, w, h, 1)
		outer(h, z, v)
		outer(z[:t], z[t:], v)
		func(dst []float64) {
			dst[t] *= 0.5
		}(h)
		if t == 2 {
			set(z, h)
		}
	}
	return h, z, seen
}

// Scales fills rows that a function literal is given.
//
//surge:kernel
func Scales(x [][]float64, k float64) [][]float64 {
	out := make([][]float64, len(x))
	scale := func(dst, src []float64) {
		for j := range src {
			dst[j] = src[j] * k
		}
	}
	for i := range x {
		out[i] = make([]float64, len(x[i]))
		scale(out[i], x[i])
	}
	return out
}

// RowCopies copies to rows, and clears some, under other names, and reads them in later turns.
//
//surge:kernel
func RowCopies(x [][]float64) ([][]float64, float64) {
	t := make([][]float64, 3)
	for i := range t {
		t[i] = make([]float64, 4)
	}
	put := func(dst, src []float64) { copy(dst, src) }
	s := 0.0
	for i, r := range x {
		row := t[i%3]
		copy(row, r)
		s += t[(i+2)%3][1]
		put(t[(i+1)%3], r)
		if s > 2 {
			last := t[2]
			clear(last)
		}
	}
	return t, s
}
