package updates

// BestCell fills what lies along a diagonal of a table, of which it keeps three, and finds the best of all with its
// place: the search is a loop of its own behind the first one. The exchange is one of independent turns, too.
//
// Loops: 2
//
//surge:kernel
func BestCell(a, b []int, gap int) (int, int, int) {
	m, n := len(a), len(b)
	h0, h1, h2 := make([]int, m+1), make([]int, m+1), make([]int, m+1)
	best, row, column := 0, -1, -1
	for d := 2; d <= m+n; d++ {
		lo, hi := max(1, d-n), min(m, d-1)
		for i := lo; i <= hi; i++ {
			j := d - i
			same := a[i-1]*3 - b[j-1]
			h := max(0, h2[i-1]+same, h1[i]-gap, h1[i-1]-gap, h2[i-1]-3*same, same&15)
			h0[i] = h
			if h > best {
				best, row, column = h, i, j
			}
		}
		h0, h1, h2 = h2, h0, h1
	}
	return best, row, column
}

// BestRise compares with what an element was before, which no second loop can read.
//
// Loops: 0
//
//surge:kernel
func BestRise(x, y []int, steps int) ([]int, int) {
	z := make([]int, len(x))
	best := 0
	for s := range steps {
		for i, v := range x {
			old := z[i]
			z[i] = max(v*s, old-v, y[i]*3-s, y[i]+old&7, v^s, old+v, y[i]-v)
			if z[i]-old > best {
				best = z[i] - old
			}
		}
	}
	return z, best
}

// BestSoFar updates by what it has found so far: no loop can do without the other.
//
// Loops: 0
//
//surge:kernel
func BestSoFar(x, y []int, steps int) ([]int, int) {
	z := make([]int, len(x))
	best := 0
	for s := range steps {
		for i, v := range x {
			z[i] = max(v*s, best-v, y[i]*3-s, y[i]+best&7, v^s, best+v, y[i]-v)
			if z[i] > best {
				best = z[i]
			}
		}
	}
	return z, best
}

// BestBehind looks at an element that a later turn updates again.
//
// Loops: 0
//
//surge:kernel
func BestBehind(x, y []int, steps int) ([]int, int) {
	z := make([]int, len(x)+1)
	best := 0
	for s := range steps {
		for i, v := range x {
			z[i] = max(v*s, 5-v, y[i]*3-s, y[i]+9&v, v^s, 7+v, y[i]-v)
			if z[i+1] > best {
				best = z[i+1] - z[i]
			}
		}
	}
	return z, best
}
