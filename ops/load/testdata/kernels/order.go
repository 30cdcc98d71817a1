package kernels

type counter struct{ n int }

func (c *counter) next() int {
	c.n += 10
	return c.n
}

func both(a, b int) (int, int) { return a, b }

func returned(n int) (int, int) {
	c := counter{n}
	return c.n, c.next() + c.n
}

// Order reads variables in statements whose calls assign them.
//
//surge:kernel
func Order(n int) (int, int, int, int, int, []int) {
	c := counter{n}
	a := c.n + c.next()
	b, d := both(c.n, c.next())
	e, f := returned(n)
	v := n
	step := func() int {
		v += 10
		return v
	}
	g := 2*v + step()
	if v < step() && v == n+20 || v+step() == 3 {
		g++
	}
	v += step()
	h, i := v, step()
	s := make([]int, 64)
	s[v&7] = step() & 7
	j := s[v&7] + v*step() + max(v, step())
	return a + b*3, d, e + f*5, g, h - i + j, s
}
