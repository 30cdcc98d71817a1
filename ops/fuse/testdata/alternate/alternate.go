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

// Three arrays change places: a turn has to be made three times until they are where they were.
//
// Loops: 0
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
