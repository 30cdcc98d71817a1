package updates

// Batch solves tridiagonal systems of n equations, one behind the other: forwards into arrays of a turn's own, and
// back.
//
// Loops: 1
//
//surge:kernel
func Batch(a, b, c, d []float64, n int) []float64 {
	x := make([]float64, len(d))
	for k := range len(d) / n {
		s := k * n
		cp, dp := make([]float64, n), make([]float64, n)
		cp[0], dp[0] = c[s]/b[s], d[s]/b[s]
		for i := 1; i < n; i++ {
			m := 1 / (b[s+i] - a[s+i]*cp[i-1])
			cp[i] = c[s+i] * m
			dp[i] = (d[s+i] - a[s+i]*dp[i-1]) * m
		}
		x[s+n-1] = dp[n-1]
		for i := n - 2; i >= 0; i-- {
			x[s+i] = dp[i] - cp[i]*x[s+i+1]
		}
	}
	return x
}

// Stepped goes from system to system by a variable.
//
// Loops: 1
//
//surge:kernel
func Stepped(b, d []int, n int) []int {
	x := make([]int, len(d))
	n = max(n, 1)
	for s := 0; s+n <= len(d); s += n {
		x[s+n-1] = d[s]
		for i := n - 2; i >= 0; i-- {
			x[s+i] = d[s+i] - b[s+i]*x[s+i+1]
		}
	}
	return x
}

// Strides has chunks of n elements where the next one begins m further: whether they overlap is not known before.
//
// Loops: 1
//
//surge:kernel
func Strides(d []int, n, m int) []int {
	x := make([]int, len(d))
	for s := 0; s < len(d)-7; s += m*m + 1 {
		x[s] += d[s]
		for i := 1; i < n; i++ {
			x[s+i] += d[s+i] - x[s+i-1]
		}
	}
	return x
}

// Slices are those of the array that a turn has for itself.
//
// Loops: 1
//
//surge:kernel
func Slices(b, d []int, n int) []int {
	x := make([]int, len(d))
	for k := range len(d) / n {
		row, of := x[k*n:(k+1)*n], d[k*n:(k+1)*n]
		row[0] = of[0]
		for i := 1; i < n; i++ {
			row[i] = of[i] - b[i]*row[i-1]
		}
		for i := n - 2; i >= 0; i-- {
			row[i] += row[i+1]
		}
	}
	return x
}

// Overlapping slices end in the next one.
//
// Loops: 0
//
//surge:kernel
func Overlapping(b, d []int, n int) []int {
	x := make([]int, len(d))
	for k := range len(d)/n - 1 {
		row := x[k*n : (k+1)*n+1]
		for i := 1; i <= n; i++ {
			row[i] += d[k*n+i] - b[i]*row[i-1]
		}
	}
	return x
}

// Before begins with the last element of the turn before, so that only the elements of a turn are independent.
//
// Loops: 1
//
//surge:kernel
func Before(d []int, n int) []int {
	x := make([]int, len(d))
	for k := 1; k < len(d)/n; k++ {
		for i := n - 1; i >= -1; i-- {
			x[k*n+i] = d[k*n+i] - x[k*n+i]
		}
	}
	return x
}

// Next begins with the first element of the next turn.
//
// Loops: 0
//
//surge:kernel
func Next(d []int, n int) []int {
	x := make([]int, len(d))
	for k := 0; k < len(d)/n-1; k++ {
		for i := n - 1; i >= 0; i-- {
			x[k*n+i] = d[k*n+i] - 3*x[k*n+i+1]
		}
	}
	return x
}

// Filters has channels of n samples, each of which needs two before it.
//
// Loops: 1
//
//surge:kernel
func Filters(x []float64, n int, a, b float64) []float64 {
	y := make([]float64, len(x))
	for c := 0; c < len(x)/n; c++ {
		for i := 2; i < n; i++ {
			y[c*n+i] = x[c*n+i] + a*y[c*n+i-1] - b*y[c*n+i-2]
		}
	}
	return y
}

// Triangles decomposes small matrices: the loops inside end where those around them are.
//
// Loops: 1
//
//surge:kernel
func Triangles(a []float64, n int) []float64 {
	l := make([]float64, len(a))
	for k := 0; k < len(a)/(n*n); k++ {
		m := k * n * n
		for i := 0; i < n; i++ {
			for j := 0; j <= i; j++ {
				s := a[m+i*n+j]
				for p := 0; p < j; p++ {
					s -= l[m+i*n+p] * l[m+j*n+p]
				}
				if i == j {
					l[m+i*n+i] = s
				} else {
					l[m+i*n+j] = s / l[m+j*n+j]
				}
			}
		}
	}
	return l
}

// Exchanges has two arrays of a turn's own that change places, and whose length is another one in each turn. The loops
// along them are independent as well.
//
// Loops: 9
//
//surge:kernel
func Exchanges(d []int, n int) []int {
	x := make([]int, len(d))
	for k := range len(d) / n {
		cur, next := make([]int, n+k), make([]int, n+k)
		for i := range n {
			cur[i] = d[k*n+i]
		}
		for range 3 {
			for i := 1; i < n; i++ {
				next[i] = cur[i-1] + cur[i]
			}
			cur, next = next, cur
		}
		for i := n - 1; i > 0; i -= 2 {
			x[k*n+i] = cur[i]
		}
	}
	return x
}

// Kept hands an array on to the next turn: only the elements of a turn are independent.
//
// Loops: 1
//
//surge:kernel
func Kept(d []int, n int) []int {
	x, last := make([]int, len(d)), make([]int, max(n, 0))
	for k := range len(d) / n {
		for i := range n {
			x[k*n+i] = d[k*n+i] + last[i]
			last[i] = x[k*n+i] - k
		}
	}
	return x
}

// Placed fills places of m elements, as far as x says: no place is known to end before the next one.
//
// Loops: 2
//
//surge:kernel
func Placed(x []int, m int) []int {
	v := make([]int, len(x)*max(m, 0))
	for i := range x {
		for j := range min(m, x[i]) {
			v[i*m+j] = x[i] + j
		}
		if x[i] > 0 {
			v[i*m] += i
		}
	}
	return v
}

// Residual relaxes the cells of one colour, and then of the other one, row by row, and looks at the greatest change.
// Rows are as many as a number says.
//
// Loops: 1
//
//surge:kernel
func Residual(a []int, w, h, sweeps int) ([]int, int) {
	u := make([]int, w*h)
	copy(u, a)
	worst := 0
	for s := 0; s < sweeps; s++ {
		worst = 0
		for y := 1; y < h-1; y++ {
			for x := 1 + (y+s)%2; x < w-1; x += 2 {
				i := y*w + x
				change := (u[i-w]+u[i+w]+u[i-1]+u[i+1])/4 - u[i]
				u[i] += change
				worst = max(worst, change*change%17, -change)
			}
		}
	}
	return u, worst
}

// Strided copies rows of a constant length, as far as there is room.
//
// Loops: 2
//
//surge:kernel
func Strided(first, values []int, rows int) []int {
	y := make([]int, max(rows, 0)*8)
	for i := range rows {
		var acc [8]int
		for p := first[i]; p < first[i+1]; p++ {
			acc[p&7] += values[p]
		}
		copy(y[i*8:], acc[:])
	}
	return y
}
