package kernels

// What grids are stepped by, as it is written with rows: two that change places, a new one in each turn, fields that
// are updated where they lie.

// Averaged averages the neighbours of each inner element, again and again; rows are as long as those of u.
//
//surge:kernel
func Averaged(u [][]float64, steps int) [][]float64 {
	cur, next := make([][]float64, len(u)), make([][]float64, len(u))
	for i := range u {
		cur[i] = make([]float64, len(u[i]))
		next[i] = make([]float64, len(u[i]))
		copy(cur[i], u[i])
		copy(next[i], u[i])
	}
	for s := 0; s < steps; s++ {
		for i := 1; i < len(cur)-1; i++ {
			for j := 1; j < len(cur[i])-1; j++ {
				next[i][j] = 0.25 * (cur[i-1][j] + cur[i+1][j] + cur[i][j-1] + cur[i][j+1])
			}
		}
		cur, next = next, cur
	}
	return cur
}

// Stepped makes a new grid in each turn.
//
//surge:kernel
func Stepped(u [][]float64, w, steps int) [][]float64 {
	h := len(u)
	cur := make([][]float64, h)
	for i := range cur {
		cur[i] = make([]float64, w)
		for j := 0; j < w && j < len(u[i]); j++ {
			cur[i][j] = u[i][j]
		}
	}
	for s := 0; s < steps; s++ {
		next := make([][]float64, h)
		for i := range next {
			next[i] = make([]float64, w)
			for j := range next[i] {
				if i == 0 || j == 0 || i == h-1 || j == w-1 {
					next[i][j] = cur[i][j]
				} else {
					next[i][j] = cur[i][j] + 0.125*(cur[i-1][j]+cur[i+1][j]+cur[i][j-1]+cur[i][j+1]-4*cur[i][j])
				}
			}
		}
		cur = next
	}
	return cur
}

// Torus counts neighbours on a grid whose ends meet.
//
//surge:kernel
func Torus(g [][]uint8, steps int) [][]uint8 {
	if len(g) == 0 {
		return nil
	}
	h, w := len(g), len(g[0])
	cur, next := make([][]uint8, h), make([][]uint8, h)
	for i := range cur {
		cur[i], next[i] = make([]uint8, w), make([]uint8, w)
		copy(cur[i], g[i])
	}
	for range steps {
		for i := range h {
			for j := range w {
				n := 0
				for di := -1; di <= 1; di++ {
					for dj := -1; dj <= 1; dj++ {
						if di != 0 || dj != 0 {
							n += int(cur[(i+di+h)%h][(j+dj+w)%w])
						}
					}
				}
				next[i][j] = 0
				if n == 3 || n == 2 && cur[i][j] == 1 {
					next[i][j] = 1
				}
			}
		}
		cur, next = next, cur
	}
	return cur
}

// Fields steps an electric and two magnetic fields, which one loop makes.
//
//surge:kernel
func Fields(n, steps int, source float64) (e, across, along [][]float64) {
	e = make([][]float64, n)
	across = make([][]float64, n)
	along = make([][]float64, n)
	for i := 0; i < n; i++ {
		e[i] = make([]float64, n)
		across[i] = make([]float64, n)
		along[i] = make([]float64, n)
	}
	for t := 0; t < steps; t++ {
		for i := 1; i < n; i++ {
			for j := 1; j < n; j++ {
				e[i][j] += 0.5 * (along[i][j] - along[i-1][j] - across[i][j] + across[i][j-1])
			}
		}
		if n > 0 {
			e[n/2][n/2] += source
		}
		for i := 0; i < n-1; i++ {
			for j := 0; j < n-1; j++ {
				across[i][j] -= 0.5 * (e[i][j+1] - e[i][j])
				along[i][j] += 0.5 * (e[i+1][j] - e[i][j])
			}
		}
	}
	return e, across, along
}

// Ripples has three grids that change places.
//
//surge:kernel
func Ripples(before, now [][]float64, steps int, c float64) [][]float64 {
	h := len(now)
	w := 0
	if h > 0 {
		w = len(now[0])
	}
	prev, cur, next := make([][]float64, h), make([][]float64, h), make([][]float64, h)
	for i := 0; i < h; i++ {
		prev[i], cur[i], next[i] = make([]float64, w), make([]float64, w), make([]float64, w)
		copy(prev[i], before[i])
		copy(cur[i], now[i])
	}
	for s := 0; s < steps; s++ {
		for i := 1; i < h-1; i++ {
			for j := 1; j < w-1; j++ {
				next[i][j] = 2*cur[i][j] - prev[i][j] + c*(cur[i-1][j]+cur[i+1][j]+cur[i][j-1]+cur[i][j+1]-4*cur[i][j])
			}
		}
		prev, cur, next = cur, next, prev
	}
	return cur
}

// Powered multiplies a square matrix by itself; each turn makes a new one.
//
//surge:kernel
func Powered(a [][]float64, times int) [][]float64 {
	n := len(a)
	r := make([][]float64, n)
	for i := range r {
		r[i] = make([]float64, n)
		r[i][i] = 1
	}
	for range times {
		t := make([][]float64, n)
		for i := range t {
			t[i] = make([]float64, n)
			for j := range t[i] {
				sum := 0.0
				for k := range n {
					sum += r[i][k] * a[k][j]
				}
				t[i][j] = sum
			}
		}
		r = t
	}
	return r
}

// Faded begins with the rows of an input, and replaces all of them in each turn.
//
//surge:kernel
func Faded(u [][]float32, steps int, keep float32) [][]float32 {
	cur := u
	for range steps {
		next := make([][]float32, len(cur))
		for i, row := range cur {
			next[i] = make([]float32, len(row))
			for j, x := range row {
				left := x
				if j > 0 {
					left = row[j-1]
				}
				next[i][j] = keep*x + (1-keep)*left
			}
		}
		cur = next
	}
	return cur
}

// Lived counts neighbours on a grid with ends.
//
//surge:kernel
func Lived(g [][]uint8, steps int) [][]uint8 {
	if len(g) == 0 {
		return nil
	}
	h, w := len(g), len(g[0])
	cur, next := make([][]uint8, h), make([][]uint8, h)
	for i := range cur {
		cur[i], next[i] = make([]uint8, w), make([]uint8, w)
		copy(cur[i], g[i])
	}
	for range steps {
		for i := range h {
			for j := range w {
				n := 0
				for di := -1; di <= 1; di++ {
					for dj := -1; dj <= 1; dj++ {
						if y, x := i+di, j+dj; (di != 0 || dj != 0) && y >= 0 && y < h && x >= 0 && x < w {
							n += int(cur[y][x])
						}
					}
				}
				next[i][j] = 0
				if n == 3 || n == 2 && cur[i][j] == 1 {
					next[i][j] = 1
				}
			}
		}
		cur, next = next, cur
	}
	return cur
}
