package finpar

import "math"

// tridag solves a tridiagonal system: a below the diagonal, b on it, c above.
func tridag(a, b, c, y []float64) []float64 {
	n := len(y)
	u := make([]float64, n)
	u[0] = y[0]
	d := make([]float64, n)
	d[0] = b[0]
	for i := 1; i < n; i++ {
		beta := a[i] / d[i-1]
		d[i] = b[i] - beta*c[i-1]
		u[i] = y[i] - beta*u[i-1]
	}
	u[n-1] /= d[n-1]
	for i := n - 2; i >= 0; i-- {
		u[i] = (u[i] - c[i]*u[i+1]) / d[i]
	}
	return u
}

// differences are the weights of three neighbours for the first and the second derivative, at each place of a grid.
func differences(x []float64) (first, second [][3]float64) {
	n := len(x)
	first = make([][3]float64, n)
	second = make([][3]float64, n)
	for i := 1; i < n-1; i++ {
		l, u := x[i]-x[i-1], x[i+1]-x[i]
		first[i] = [3]float64{-u / l / (l + u), (u/l - l/u) / (l + u), l / u / (l + u)}
		second[i] = [3]float64{2 / l / (l + u), -2 * (1/l + 1/u) / (l + u), 2 / u / (l + u)}
	}
	return first, second
}

// value computes one option by finite differences in two dimensions, alternating between them.
func value(strike, maturity, alpha, nu, beta float64, numX, numY, numT int) float64 {
	const s0 = 0.03
	x := make([]float64, numX)
	dx := 20 * alpha * s0 * math.Sqrt(maturity) / float64(numX)
	atX := int(s0 / dx)
	for i := range x {
		x[i] = float64(i)*dx - float64(atX)*dx + s0
	}
	y := make([]float64, numY)
	dy := 10 * nu * math.Sqrt(maturity) / float64(numY)
	atY := numY / 2
	for i := range y {
		y[i] = float64(i)*dy - float64(atY)*dy + math.Log(alpha)
	}
	dxx, dxx2 := differences(x)
	dyy, dyy2 := differences(y)
	result := make([][]float64, numX)
	for i := range result {
		result[i] = make([]float64, numY)
		for j := range result[i] {
			result[i][j] = max(x[i]-strike, 0)
		}
	}
	for t := numT - 2; t >= 0; t-- {
		now, then := maturity*float64(t)/float64(numT-1), maturity*float64(t+1)/float64(numT-1)
		dt := 1 / (then - now)
		// Explicit in both, then implicit along x.
		u := make([][]float64, numY)
		for j := range u {
			a := make([]float64, numX)
			b := make([]float64, numX)
			c := make([]float64, numX)
			r := make([]float64, numX)
			for i := range r {
				varX := math.Exp(2 * (beta*math.Log(x[i]) + y[j] - 0.5*nu*nu*now))
				varY := nu * nu
				r[i] = dt * result[i][j]
				if i > 0 && i < numX-1 {
					r[i] += 0.25 * varX * (dxx2[i][0]*result[i-1][j] + dxx2[i][1]*result[i][j] + dxx2[i][2]*result[i+1][j])
					a[i], b[i], c[i] = -0.25*varX*dxx2[i][0], dt-0.25*varX*dxx2[i][1], -0.25*varX*dxx2[i][2]
				} else {
					b[i] = dt
				}
				if j > 0 && j < numY-1 {
					r[i] += 0.5 * varY * (dyy2[j][0]*result[i][j-1] + dyy2[j][1]*result[i][j] + dyy2[j][2]*result[i][j+1])
				}
			}
			u[j] = tridag(a, b, c, r)
		}
		// Implicit along y.
		next := make([][]float64, numX)
		for i := range next {
			a := make([]float64, numY)
			b := make([]float64, numY)
			c := make([]float64, numY)
			r := make([]float64, numY)
			for j := range r {
				varY := nu * nu
				r[j] = dt * u[j][i]
				b[j] = dt
				if j > 0 && j < numY-1 {
					v := dyy2[j][0]*result[i][j-1] + dyy2[j][1]*result[i][j] + dyy2[j][2]*result[i][j+1]
					r[j] -= 0.25 * varY * v
					a[j], b[j], c[j] = -0.25*varY*dyy2[j][0], dt-0.25*varY*dyy2[j][1], -0.25*varY*dyy2[j][2]
				}
			}
			next[i] = tridag(a, b, c, r)
		}
		result = next
	}
	_, _ = dxx, dyy
	return result[atX][atY]
}

// LocVolCalib computes options of as many strikes with a model of local volatility, for its calibration.
//
//surge:kernel
func LocVolCalib(strikes []float64, maturity, alpha, nu, beta float64, numX, numY, numT int) []float64 {
	out := make([]float64, len(strikes))
	for i, strike := range strikes {
		out[i] = value(strike, maturity, alpha, nu, beta, numX, numY, numT)
	}
	return out
}
