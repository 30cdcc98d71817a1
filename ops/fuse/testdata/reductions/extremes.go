package reductions

import "math"

// Loops: 1
//
//surge:kernel
func Top(x []float64) float64 {
	m := x[0]
	for _, v := range x {
		if v > m {
			m = v
		}
	}
	return m
}

// Loops: 1
//
//surge:kernel
func LeastLast(x []float64, m float64) float64 {
	for _, v := range x {
		if m >= v {
			m = v
		}
	}
	return m
}

// Loops: 2
//
//surge:kernel
func NearZero(x []float64, sign float64) (lo, hi float64, n int) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range x {
		v *= sign
		if v < lo {
			lo = v
		}
		if v >= hi {
			hi = v
		}
		n++
	}
	return
}

// Loops: 1
//
//surge:kernel
func GuardedTop(x, y []float64, m float64) float64 {
	for i, v := range x {
		if i < len(y) && y[i] > 1 {
			if w := min(v, 0); w > m {
				m = w
			}
		}
	}
	return m
}

// Loops: 1
//
//surge:kernel
func PairTops(x []float64, sign float64) float64 {
	m := -1.0
	for i := 1; i < len(x); i++ {
		if v := x[i-1] * sign; v > m {
			m = v
		}
		if v := x[i] * sign; v > m {
			m = v
		}
	}
	return m
}

// Loops: 2
//
//surge:kernel
func WholeTop(rows []float64, width int) float64 {
	m := -1.0
	for i := range rows {
		for j := range width {
			if v := rows[i] * float64(j-3); v > m {
				m = v
			}
		}
	}
	return m
}

// Loops: 1
//
//surge:kernel
func BoundedTop(x []float64, m, other float64) float64 {
	for i := range x {
		if v := x[i] * other; v > m && v <= 0 {
			m = v
		}
	}
	return m
}

// Loops: 1
//
//surge:kernel
func NotLess(x []float64, m float64) float64 {
	for _, v := range x {
		if !(v <= m) {
			m = v
		}
	}
	return m
}

// Loops: 1
//
//surge:kernel
func MixedTop(x []float64, m float64) float64 {
	for i, v := range x {
		if i > 2 {
			if v > m {
				m = v
			}
		} else if v >= m {
			m = v
		}
	}
	return m
}

// Restarted empties a list once: where the condition holds, a check is all that runs.
//
// Loops: 2
//
//surge:kernel
func Restarted(x []uint16) []uint32 {
	list := []uint32{}
	for i, v := range x {
		list = append(list, uint32(v)/(uint32(i)|1))
		if i == 3 {
			list = list[:0]
		}
	}
	return list
}
