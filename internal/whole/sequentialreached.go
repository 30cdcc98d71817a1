package whole

// What turns reach by other names: pointers, functions, and what they range over.

func distinct(row []int) int {
	seen := map[int]bool{}
	for _, x := range row {
		seen[x] = true
	}
	return len(seen)
}

func reader(x []int) func(int) int { return func(i int) int { return x[i] } }

func (c *counter) get() int { return c.n }

// Recalled reads the element before by a function in a slice.
//
//surge:kernel
func Recalled(rows [][]int) []int {
	out := make([]int, len(rows))
	prev := []func(int) int{func(i int) int {
		if i == 0 {
			return 1
		}
		return out[i-1]
	}}
	for i, row := range rows {
		out[i] = prev[0](i)*3 + distinct(row)
	}
	return out
}

// Pointing reads a variable by a pointer.
//
//surge:kernel
func Pointing(rows [][]int) []int {
	out := make([]int, len(rows))
	x := 0
	p := &x
	for i, row := range rows {
		x = len(row)
		d := distinct(row)
		out[i] = *p + d
	}
	return out
}

// Asked reads a set variable by a closure called behind the loop.
//
//surge:kernel
func Asked(rows [][]int) ([]int, int) {
	out := make([]int, len(rows))
	x := 0
	get := func() int { return x }
	for i, row := range rows {
		x = len(row) + i
		x += distinct(row)
		out[i] = x
	}
	return out, get()
}

// Ringed tallies over itself.
//
//surge:kernel
func Ringed(rows [][]int) []int {
	counts := make([]int, len(rows))
	for i := range counts {
		counts[i] = len(rows[i])
	}
	for i, c := range counts {
		for _, x := range rows[i] {
			counts[(i+1)%len(counts)] += (c + x) & 15
		}
		counts[0] += distinct(rows[i])
	}
	return counts
}

// Overlapped has the alias in the head.
//
//surge:kernel
func Overlapped(rows [][]int) []int {
	base := make([]int, len(rows)+1)
	for i := range rows {
		base[i] = i
	}
	x := base[1:]
	y := base[:len(rows)]
	for i, v := range y {
		x[i] = v*3 + distinct(rows[i])
	}
	return base
}

// Same writes to rows that are the same.
//
//surge:kernel
func Same(rows [][]int) []int {
	same := make([]int, 30)
	grid := make([][]int, len(rows))
	for i := range grid {
		grid[i] = same
	}
	for i, row := range grid {
		d := distinct(rows[i])
		for k := range row {
			row[k] = row[k]*3 + d
		}
	}
	return same
}

// Wandering has an index with side effects.
//
//surge:kernel
func Wandering(rows [][]int) [][]int {
	now := make([][]int, len(rows))
	for i := range now {
		now[i] = make([]int, 30, 60)
	}
	k := 0
	next := func() int { k++; return k % len(now) }
	for range rows {
		now[next()] = append(now[next()], 7)
	}
	for i, row := range rows {
		d := distinct(row)
		for k := range row {
			now[i][k] = now[i][k]*3 + d
		}
	}
	return now
}

// Broken leaves the loop between exchanges.
//
//surge:kernel
func Broken(rows [][]int, steps int) [][]int {
	a, b := make([][]int, len(rows)), make([][]int, len(rows))
	same := make([]int, 30)
	for i := range a {
		a[i] = make([]int, 30)
	}
	for i := range b {
		b[i] = same
	}
	for step := range 5 {
		a, b = b, a
		if step == steps&3 {
			break
		}
		a, b = b, a
	}
	for i, row := range rows {
		d := distinct(row)
		for k := range row {
			a[i][k] = a[i][k]*3 + d
		}
	}
	return a
}

// Postponed appends behind the loop.
//
//surge:kernel
func Postponed(rows [][]int) (out []int) {
	fs := make([]func(), len(rows))
	for i, row := range rows {
		d := distinct(row)
		add := func() { out = append(out, d, i) }
		if d > 5 {
			add()
		}
		fs[i] = add
	}
	for _, f := range fs {
		f()
	}
	return out
}

// Counting calls a method with a pointer receiver of what is around.
//
//surge:kernel
func Counting(rows [][]int) []int {
	var c counter
	fs := []func(int) int{func(x int) int { return c.next(x) }}
	out := make([]int, len(rows))
	for i, row := range rows {
		out[i] = fs[0](distinct(row))
	}
	return out
}

// Regarded reads a receiver by a method value.
//
//surge:kernel
func Regarded(rows [][]int) []int {
	var c counter
	fs := []func() int{c.get}
	out := make([]int, len(rows))
	for i, row := range rows {
		c.n = distinct(row)
		out[i] = fs[0]()
	}
	return out
}

// Returned has a second name by a result of a literal.
//
//surge:kernel
func Returned(rows [][]int) []int {
	out := make([]int, len(rows)+1)
	get := func() []int { return out }
	again := get()
	for i, row := range rows {
		d := distinct(row)
		if i > 0 {
			d += again[i-1] * 3
		}
		out[i] = d
	}
	return out
}

// Rewritten clears what it ranges over.
//
//surge:kernel
func Rewritten(rows [][]int) []int {
	out := make([]int, len(rows))
	buf := make([]int, len(rows))
	for i := range buf {
		buf[i] = i + 5
	}
	for i, v := range buf {
		clear(buf)
		d := distinct(rows[i])
		buf[(i+1)%len(buf)] = v + d
		out[i] = v
	}
	return out
}

// Roomy asks for a capacity.
//
//surge:kernel
func Roomy(rows [][]int) ([]int, int) {
	var out []int
	for _, row := range rows {
		if d := distinct(row); d > 3 {
			out = append(out, d)
		}
	}
	return out, cap(out)
}

// Reading reads the element before by a function that another one returns.
//
//surge:kernel
func Reading(rows [][]int) []int {
	out := make([]int, len(rows)+1)
	get := reader(out)
	for i, row := range rows {
		out[i] = get(max(i-1, 0))*3 + distinct(row)
	}
	return out
}

// Beyond takes elements behind the end of a buffer.
//
//surge:kernel
func Beyond(rows [][]int) []int {
	out := make([]int, len(rows))
	buf := make([]int, 0, 30)
	for i, row := range rows {
		buf = buf[:0]
		for _, x := range row {
			if x&1 == 0 {
				buf = append(buf, x)
			}
		}
		d := distinct(buf)
		if n := len(buf); n == 5 || n == 9 || n == 7 {
			d += 100 * buf[:n+1][n]
		}
		out[i] = d
	}
	return out
}

// Latest has a function keep a row in an array around it.
//
//surge:kernel
func Latest(rows [][]int) []int {
	var last [30]int
	fs := []func([]int) int{func(row []int) int {
		s := 0
		for _, x := range last {
			s += x
		}
		copy(last[:], row)
		return s
	}}
	out := make([]int, len(rows))
	for i, row := range rows {
		out[i] = fs[0](row) + distinct(row)
	}
	return out
}

// Capacities asks for the capacity of a buffer.
//
//surge:kernel
func Capacities(rows [][]int) []int {
	out := make([]int, len(rows))
	var buf []int
	for i, row := range rows {
		buf = buf[:0]
		for _, x := range row {
			if x&1 == 0 {
				buf = append(buf, x)
			}
		}
		out[i] = distinct(buf) + 100*cap(buf)
	}
	return out
}

// Referred has a row counter by a pointer in a struct.
//
//surge:kernel
func Referred(rows [][]int) []int {
	n := 0
	type ref struct{ p *int }
	r := ref{&n}
	out := make([]int, len(rows))
	for i, row := range rows {
		n = i
		for _, x := range row {
			n += x
		}
		out[i] = *r.p + distinct(row)
	}
	return out
}

// Turns is a number of turns.
type Turns int

// Typed has a counter of a type of its own.
//
//surge:kernel
func Typed(rows [][]int, n int) (out []int) {
	turns := Turns(n & 7)
	for range turns {
		out = append(out, distinct(rows[len(rows)/2]))
	}
	return out
}

// Shadowed has variables of the names of functions that generated code calls.
//
//surge:kernel
func Shadowed(rows [][]int, int int) []float64 {
	len := 3
	out := make([]float64, 64)
	for i, row := range rows {
		if i < int && i < 64 {
			out[i] = float64(distinct(row) + len)
		}
	}
	return out
}
