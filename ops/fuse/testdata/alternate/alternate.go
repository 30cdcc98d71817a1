// Package alternate has loops that exchange arrays that they update in place. The comment of each kernel says how many
// of its loops make two turns at a time.
package alternate

// Scattered moves elements to computed places of another array, and exchanges both.
//
// Loops: 1
//
//surge:kernel
func Scattered(x, at []int, steps int) ([]int, []int) {
	now, next := make([]int, len(x)), make([]int, len(x))
	copy(now, x)
	for t := range steps {
		for i, v := range now {
			next[at[i]] += v*t + now[0]
		}
		now, next = next, now
	}
	return now, next
}

// Counted carries a number beside the arrays, and begins with a turn that is not the first.
//
// Loops: 1
//
//surge:kernel
func Counted(x, at []int, to int) ([]int, int) {
	now, next := make([]int, len(x)), make([]int, len(x))
	copy(now, x)
	sum := 0
	for t := 3; t < to; t++ {
		for i, p := range at {
			next[p] = now[i] ^ t
			sum += next[p] - t
		}
		now, next = next, now
	}
	return now, sum
}

// Lengths compares two lengths where the arrays change places.
//
// Loops: 1
//
//surge:kernel
func Lengths(x, at []int, steps int) []int {
	now, next := make([]int, 2*len(x)), make([]int, 2*len(at))
	copy(now, x)
	for range steps {
		for i, p := range at {
			next[p] += now[i]
		}
		now, next = next, now
	}
	return now
}

// Late has a use of an array behind the exchange.
//
// Loops: 0
//
//surge:kernel
func Late(x, at []int, steps int) []int {
	now, next := make([]int, len(x)+1), make([]int, len(x)+1)
	copy(now, x)
	for range steps {
		for i, p := range at {
			next[p] += now[i]
		}
		now, next = next, now
		next[0]++
	}
	return now
}

// Three arrays change places: three turns are made at a time, and then they are where they were.
//
// Loops: 1
//
//surge:kernel
func Three(x, at []int, steps int) []int {
	a, b, c := make([]int, len(x)), make([]int, len(x)), make([]int, len(x))
	copy(a, x)
	for range steps {
		for i, p := range at {
			c[p] += a[i] - b[i]
		}
		a, b, c = b, c, a
	}
	return b
}

// Back goes round the other way, and returns each of the three.
//
// Loops: 1
//
//surge:kernel
func Back(x, at []int, from, steps int) ([]int, []int, []int) {
	a, b, c := make([]int, len(x)), make([]int, len(x)), make([]int, len(x))
	copy(a, x)
	for s := 2; s < steps; s++ {
		for i, p := range at {
			c[p] += a[i]*s - b[i]
		}
		a, b, c = c, a, b
	}
	return a, b, c
}

// Pairs has two pairs of arrays that change places, of different lengths.
//
// Loops: 1
//
//surge:kernel
func Pairs(x, y, at []int, steps int) ([]int, []int) {
	a, b := make([]int, len(x)), make([]int, len(x))
	c, d := make([]int, len(y)), make([]int, len(y))
	copy(a, x)
	copy(c, y)
	for range steps {
		for i, p := range at {
			b[p] += a[i] + 1
			d[p] = c[i] - a[i]
		}
		a, b = b, a
		c, d = d, c
	}
	return a, c
}

// TwoAndThree is back after six turns.
//
// Loops: 1
//
//surge:kernel
func TwoAndThree(x, at []int, steps int) ([]int, int) {
	a, b, c := make([]int, len(x)), make([]int, len(x)), make([]int, len(x))
	p, q := make([]int, len(x)), make([]int, len(x))
	copy(a, x)
	copy(p, x)
	sum := 0
	for s := range steps {
		for i, v := range at {
			c[v] += a[i] - b[i]
			q[v] = p[i] ^ c[v]
			sum += q[v] + s
		}
		a, b, c = b, c, a
		p, q = q, p
	}
	return p, sum
}
