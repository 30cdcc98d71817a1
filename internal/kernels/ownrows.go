package kernels

// Rows that elements fill in order, each from what it has filled before: lanes have a row each.

// Tracked filters each series, as Kalman's filter of one state does.
//
//surge:kernel
func Tracked(z []float64, series, length int, q, r float64) [][]float64 {
	out := make([][]float64, series)
	for s := range out {
		row := make([]float64, length)
		x, p := 0.0, 1.0
		for t := range row {
			p += q
			k := p / (p + r)
			x += k * (z[s*length+t] - x)
			p *= 1 - k
			row[t] = x
		}
		out[s] = row
	}
	return out
}

// Running sums up each row.
//
//surge:kernel
func Running(xs [][]float32) [][]float32 {
	out := make([][]float32, len(xs))
	for i, x := range xs {
		out[i] = make([]float32, len(x))
		sum := float32(0)
		for j, v := range x {
			sum += v * (1 + sum)
			out[i][j] = sum
		}
	}
	return out
}

// Generated has the numbers that a generator gives from each seed, and what is left of their bits.
//
//surge:kernel
func Generated(seeds []uint64, n int) ([][]uint64, [][]uint64) {
	out, high := make([][]uint64, len(seeds)), make([][]uint64, len(seeds))
	for i, s := range seeds {
		out[i], high[i] = make([]uint64, n), make([]uint64, n)
		for j := range n {
			s ^= s << 13
			s ^= s >> 7
			s ^= s << 17
			out[i][j], high[i][j] = s, s>>40
		}
	}
	return out, high
}

// Trended reads what it has filled two places before.
//
//surge:kernel
func Trended(start []float64, n int) [][]float64 {
	out := make([][]float64, len(start))
	for i, a := range start {
		out[i] = make([]float64, n)
		for j := range out[i] {
			switch {
			case j == 0:
				out[i][j] = a
			case j == 1:
				out[i][j] = a / 2
			default:
				out[i][j] = 0.5*out[i][j-1] + 0.25*out[i][j-2] + 1
			}
		}
	}
	return out
}
