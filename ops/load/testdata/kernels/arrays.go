package kernels

import (
	"slices"

	"github.com/surge-ndp/surge/ops"
)

type matrix [3][3]float64

type vector [3]float64

func product(a, b matrix) (c matrix) {
	for i := 0; i < 3; i++ {
		for j := range c[i] {
			for k, v := range a[i] {
				c[i][j] += v * b[k][j]
			}
		}
	}
	return c
}

func transposed(a matrix) matrix {
	for i := range a {
		for j := i + 1; j < len(a); j++ {
			a[i][j], a[j][i] = a[j][i], a[i][j]
		}
	}
	return a
}

// Matrices multiplies matrices that are arrays of arrays, passed and returned by value.
//
//surge:kernel
func Matrices(x []float64) ([]float64, []bool) {
	unit := matrix{{1, 0, 0}, {0, 1, 0}, {2: 1}}
	ms := ops.Map(func(v float64) matrix {
		m := unit
		m[1][2] = v
		m[0][1] -= v
		return product(m, transposed(m))
	}, x)
	sums := ops.Map(func(m matrix) float64 {
		s := 0.0
		for _, row := range m {
			for _, v := range row {
				s += v
			}
		}
		return s
	}, ms)
	return sums, ops.Map(func(m matrix) bool { return m == unit || m != transposed(m) }, ms)
}

// Copies has two variables of one value: assigning one leaves the other as it is.
//
//surge:kernel
func Copies(x []int, n int) []int {
	return ops.Map(func(v int) int {
		a := [...]int{1: 5, 7, v}
		b := a
		b[0] = 9
		s := 0
		for i, e := range a {
			a[(i+1)%len(a)] += e + 1
			s += e * (i + 1)
		}
		c := a
		c[n] += b[v&3]
		if a == c {
			s += 100
		}
		return 1000*s + 100*c[n] + 10*a[n] + b[2] + len(c)
	}, x)
}

type planet struct {
	pos, vel vector
	mass     [2]int
}

// Bodies updates arrays in structs in a local slice, at indices that are constant and others.
//
//surge:kernel
func Bodies(x []float64, k int) []float64 {
	return ops.Map(func(v float64) float64 {
		bs := make([]planet, 2)
		for i := range bs {
			bs[i].pos[0] = v
			bs[i].vel = vector{1, 2, v}
			bs[i].pos[k] += float64(i)
			bs[i].mass[i] += 3
			for d := range bs[i].pos {
				bs[i].pos[d] += bs[i].vel[d] * 0.5
			}
		}
		one := bs[1]
		one.vel[1] = 7
		bs[0].vel[2] -= one.vel[1]
		bs[1].mass[0]++
		return bs[0].pos[k] + bs[1].pos[2] + one.vel[k] + bs[0].vel[2] + bs[1].vel[1] + float64(bs[1].mass[0]+10*bs[1].mass[1])
	}, x)
}

// first finds an element, and leaves the loop in three ways.
func first(a [6]int, below int) (at int, found bool) {
	for i, v := range a {
		if v < 0 {
			continue
		}
		if v == 9 {
			break
		}
		at++
		if v < below {
			return i, true
		}
	}
	return -at, false
}

// Leaving leaves loops over arrays early.
//
//surge:kernel
func Leaving(x []int, below int) ([]int, []bool) {
	at := ops.Map(func(v int) int {
		i, _ := first([6]int{v, v + 1, -v, 5, v - 3, 2 * v}, below)
		return i
	}, x)
	return at, ops.Map(func(v int) bool {
		_, ok := first([6]int{0: v, 3: v * v, 5: 9}, below)
		return ok
	}, x)
}

// counts is an array that is too large for anything but memory.
type counts [144]int

func count(x []int) (c counts) {
	for _, v := range x {
		c[v&63]++
	}
	return c
}

func doubled(c counts) counts {
	for i := range c {
		c[i] *= 2
	}
	return c
}

// Large passes and copies large arrays.
//
//surge:kernel
func Large(x []int, k int) ([]int, int) {
	rows := ops.Map(func(v int) int {
		c := count(x)
		d := doubled(c)
		e := c
		e[v&63]--
		if v > 3 {
			d = e
		}
		return d[k&63] + 10*c[k&63] + 100*e[v&63]
	}, x)
	var grid [12][12]int
	for i, v := range x {
		for j := range grid[i] {
			grid[i][j] = v * j
			if i > 0 && j > 0 {
				grid[i][j] += grid[i-1][j-1]
			}
		}
	}
	row := grid[k]
	grid[k][1] = 77
	row[2]++
	s := 0
	for i, r := range grid {
		for _, v := range r {
			s += v * (i + 1)
		}
	}
	return rows, s + row[1] + row[2]*1000
}

// Stacks keeps a stack in an array that is indexed by a variable.
//
//surge:kernel
func Stacks(x []int) []int {
	return ops.Map(func(v int) int {
		var stack [32]int
		var best [2]int
		top, sum := 0, 0
		stack[0] = v
		for top >= 0 {
			e := stack[top]
			top--
			sum += e
			best[sum&1] = max(best[sum&1], e)
			if e > 2 {
				stack[top+1] = e / 2
				stack[top+2] = e - 2
				top += 2
			}
		}
		return sum + 1000*best[0] + 100*best[1]
	}, x)
}

// Windows passes an array to an operator as a slice.
//
//surge:kernel
func Windows(x []float64, n int) []float64 {
	return ops.Map(func(v float64) float64 {
		w := [4]float64{v, 2, 3, v * v}
		w[n] += 1
		part := w[1:n]
		fixed := vector{v, 1, 2}
		total := ops.Reduce(func(a, b float64) float64 { return a + b }, fixed[:], 0)
		return total + ops.Reduce(func(a, b float64) float64 { return a + b }, part, 0)
	}, x)
}

// Outside has an index that is out of range in the last turn only.
//
//surge:kernel
func Outside(x []int, n int) int {
	a := [3]int{1, 2, 3}
	s := 0
	for i := range 4 {
		if i < len(x) {
			s += a[i] * x[i]
		}
		if d := i - 1; n == 7 {
			s += n / d
		}
	}
	return s
}

// Nearest sorts and searches small arrays of structs that hold arrays.
//
//surge:kernel
func Nearest(x, y []float64) []float64 {
	return ops.Map2(func(a, b float64) float64 {
		var best [3]struct {
			at   [2]float64
			dist float64
		}
		for i := len(best) - 1; i >= 0; i-- {
			best[i].at = [2]float64{a + float64(i), b - float64(i)}
			for _, c := range best[i].at {
				best[i].dist += c * c
			}
		}
		for i := 1; i < len(best); i++ {
			for j := i; j > 0 && best[j].dist < best[j-1].dist; j-- {
				best[j], best[j-1] = best[j-1], best[j]
			}
		}
		return best[0].at[0] + 10*best[1].at[1] + 100*best[2].dist
	}, x, y)
}

type samples struct {
	window [5]float64
	count  int
}

// Lent lets functions of the standard library update arrays, and parts of structs, as slices.
//
//surge:kernel
func Lent(x []float64, n int) []float64 {
	return ops.Map(func(v float64) float64 {
		s := samples{window: [5]float64{v, -v, 3, v * v, 1}, count: n}
		sum := s.window[1]
		slices.Sort(s.window[:])
		var table [40]float64
		for i := range table {
			table[i] = float64(i) * v
		}
		if n > 1 {
			slices.Reverse(table[:])
		}
		return sum + s.window[0] + 10*s.window[4] + 100*table[0] + table[39]
	}, x)
}
