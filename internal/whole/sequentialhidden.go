package whole

// Summing goes through the whole of what turns write to.
//
//surge:kernel
func Summing(rows [][]int) []int {
	out := make([]int, len(rows))
	for i, row := range rows {
		s := 0
		for _, y := range out {
			s += y
		}
		out[i] = s&1023 + distinct(row)
	}
	return out
}

type store struct{ a []int }

func (s store) all() []int { return s.a }

// Shown gets what turns write to from a method that is a value.
//
//surge:kernel
func Shown(rows [][]int) []int {
	a := make([]int, len(rows)+3)
	f := store{a: a}.all
	b := f()
	for i, row := range rows {
		a[i] = b[max(i-1, 0)]*3 + distinct(row)
	}
	return a
}

func lending(x []int) func() []int { return func() []int { return x } }

// Lent gets it from a function that another one returns.
//
//surge:kernel
func Lent(rows [][]int) []int {
	counts, out := make([]int, 64), make([]int, len(rows))
	b := lending(counts)()
	for i, row := range rows {
		for _, x := range row {
			counts[x&63]++
		}
		out[i] = b[9] + distinct(row)
	}
	return out
}

// Shifting sets a number beside an element that the old one names.
//
//surge:kernel
func Shifting(rows [][]int) []int {
	out := make([]int, len(rows))
	v := 2
	for i, row := range rows {
		a := make([]int, 5)
		v, a[v] = distinct(row)&3, 7
		out[i] = v
		for k, y := range a {
			out[i] += k * y
		}
	}
	return out
}

// Room asks for the capacity of a part of a buffer.
//
//surge:kernel
func Room(rows [][]int) []int {
	out := make([]int, len(rows))
	var buf []int
	for i, row := range rows {
		buf = buf[:0]
		for _, x := range row {
			if x&1 == 0 {
				buf = append(buf, x)
			}
		}
		e := buf[:]
		out[i] = distinct(row) + 100*cap(e)
	}
	return out
}

// Twofold appends to a buffer twice, which is the same memory if there is room.
//
//surge:kernel
func Twofold(rows [][]int) []int {
	out := make([]int, len(rows))
	var buf []int
	for i, row := range rows {
		buf = buf[:0]
		for _, x := range row {
			if x&1 == 0 {
				buf = append(buf, x)
			}
		}
		b := append(buf, 1)
		c := append(buf, 2)
		out[i] = distinct(c) + 100*b[len(b)-1]
	}
	return out
}

func behind(x []int) int { return x[:len(x)+1][len(x)] }

// Stale has a function look behind the end of a buffer.
//
//surge:kernel
func Stale(rows [][]int) []int {
	out := make([]int, len(rows))
	buf := make([]int, 0, 40)
	for i, row := range rows {
		buf = buf[:0]
		for _, x := range row {
			if x&1 == 0 {
				buf = append(buf, x)
			}
		}
		out[i] = distinct(row) + behind(buf)
	}
	return out
}

// Bracketed takes an address in parentheses.
//
//surge:kernel
func Bracketed(rows [][]int) [][]int {
	same := make([]int, 30)
	var x [][]int
	p := &(x)
	x = make([][]int, len(rows))
	for i := range *p {
		(*p)[i] = same
	}
	for i, row := range rows {
		d := distinct(row)
		for k := range x[i] {
			x[i][k] = x[i][k]*3 + d
		}
	}
	return x
}

type table2 [][]int

func (r *table2) fill() {
	same := make([]int, 30)
	for i := range *r {
		(*r)[i] = same
	}
}

// Receiving has a method that is a value change a slice.
//
//surge:kernel
func Receiving(rows [][]int) [][]int {
	var x table2
	fill := x.fill
	x = make(table2, len(rows))
	fill()
	for i, row := range rows {
		d := distinct(row)
		for k := range x[i] {
			x[i][k] = x[i][k]*3 + d
		}
	}
	return x
}

func later(f func()) func() { return func() { f() } }

// Later has a literal change a slice that another function keeps.
//
//surge:kernel
func Later(rows [][]int) [][]int {
	same := make([]int, 30)
	var x [][]int
	f := later(func() {
		for i := range x {
			x[i] = same
		}
	})
	x = make([][]int, len(rows))
	f()
	for i, row := range rows {
		d := distinct(row)
		for k := range x[i] {
			x[i][k] = x[i][k]*3 + d
		}
	}
	return x
}

// Passing has a literal change what an exchange brings.
//
//surge:kernel
func Passing(rows [][]int) [][]int {
	same := make([]int, 30)
	var x [][]int
	a := make([][]int, len(rows))
	for i := range a {
		a[i] = make([]int, 30)
	}
	f := func() {
		for i := range x {
			x[i] = same
		}
	}
	x, a = a, x
	f()
	for i, row := range rows {
		d := distinct(row)
		for k := range x[i] {
			x[i][k] = x[i][k]*3 + d
		}
	}
	return append(x, a...)
}
