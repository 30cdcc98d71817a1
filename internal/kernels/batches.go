package kernels

// Many small problems in flat arrays, one behind the other: a turn has elements of its own, which it goes through from
// both ends, and arrays that it makes.

// Tridiagonals solves systems of n equations.
//
//surge:kernel
func Tridiagonals(a, b, c, d []float64, n int) []float64 {
	x := make([]float64, len(d))
	for s := 0; s < len(d); s += n {
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

// Decomposed are the lower triangles of Cholesky's decompositions of matrices of n rows.
//
//surge:kernel
func Decomposed(a []float64, n int) []float64 {
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

// Channels are rows of n samples that a recursive filter has gone along from the first one to the last and back.
//
//surge:kernel
func Channels(x []float32, n int, a float32) []float32 {
	y := make([]float32, len(x))
	for c := range len(x) / n {
		in, out := x[c*n:(c+1)*n], y[c*n:(c+1)*n]
		out[0] = in[0]
		for i := 1; i < len(in); i++ {
			out[i] = in[i] + a*out[i-1]
		}
		for i := n - 2; i >= 0; i-- {
			out[i] += a * out[i+1]
		}
	}
	return y
}

// Descending has loops of elements that count down, by one and by more.
//
//surge:kernel
func Descending(x []float32, y []int32) ([]float32, []int32, int32) {
	reversed, some := make([]float32, len(x)), make([]int32, len(y))
	for i := len(x) - 1; i >= 0; i-- {
		z := float32(0)
		for k := 9; k > 0; k-- {
			z = z*x[i] + float32(k)
		}
		reversed[len(x)-1-i] = z
	}
	var sum int32
	for i := len(y) - 1; i > 0; i-- {
		sum += y[i] * y[i-1]
	}
	for i := len(y) - 1; i >= 0; i -= 3 {
		some[i] = y[i] * y[0]
	}
	return reversed, some, sum
}
