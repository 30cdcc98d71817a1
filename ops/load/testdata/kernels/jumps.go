package kernels

import (
	"errors"
	"fmt"

	"github.com/surge-ndp/surge/ops"
)

// Labels leaves and continues loops by their labels, from loops and switches inside them.
//
//surge:kernel
func Labels(x []int, n int) (int, int, int, int) {
	found, turns := -1, 0
outer:
	for i, v := range x {
		for j := 0; j < n; j++ {
			turns++
			switch {
			case v < 0:
				continue outer
			case v == j+3:
				found = i
				break outer
			case v == 9:
				break
			case j > 4:
				for k := range j {
					if k*k == v {
						continue outer
					}
					if k > 3 {
						return k, i, j, turns
					}
				}
			}
			turns += 10
		}
		turns += 100
	}
	sum := 0
rows:
	for i := 0; ; i++ {
		j := 0
	columns:
		for {
			j++
			switch {
			case j > i:
				continue rows
			case i > n:
				break rows
			case j%3 == 0:
				break columns
			}
			sum += i * j
			if sum > 1000 {
				break rows
			}
		}
		sum++
	}
	return found, turns, sum, 0
}

// Falls has cases that fall through.
//
//surge:kernel
func Falls(x []int) []int {
	return ops.Map(func(v int) int {
		r := 0
		switch w := v * 2; {
		case w < 0:
			r = -1
			fallthrough
		case w == 4:
			r += 10
			if v > 1 {
				break
			}
			fallthrough
		default:
			r += 100
			fallthrough
		case v == 5:
			r += 1000
		case v > 6:
			r = 7
		}
		return r
	}, x)
}

func sumOf(first int, more ...int) int {
	for _, v := range more {
		first += v
	}
	return first*10 + len(more)
}

func pair(v int) (int, int) { return v, v + 1 }

func largest[T int | float64](xs ...T) T {
	var m T
	for i, x := range xs {
		if i == 0 || x > m {
			m = x
		}
	}
	return m
}

// Variadics calls functions with a variable number of arguments.
//
//surge:kernel
func Variadics(x []int, n int) (int, int, int, []int, float64) {
	local := make([]int, n&7)
	for i := range local {
		local[i] = i
	}
	a := sumOf(n) + sumOf(n, 1, 2, 3)
	b := sumOf(n, x...)
	c := sumOf(pair(n))
	d := sumOf(0, local...)
	return a, b + d, c, ops.Map(func(v int) int { return sumOf(v, n, v) }, x), largest(1.5, float64(n), 2)
}

func root(x int) int {
	if x < 0 {
		panic("negative")
	}
	r := 0
	for r*r < x {
		r++
		if r > 40 {
			panic(fmt.Sprintf("%d is too large", x))
		}
	}
	return r
}

// Panics fails under conditions, in operators and in sequential code.
//
//surge:kernel
func Panics(x []int, n int) ([]int, int) {
	y := make([]int, len(x))
	for i, v := range x {
		switch {
		case v > 6:
			y[i] = 1
		case v >= -1:
			y[i] = 2
		default:
			panic("no case")
		}
	}
	if n == 11 {
		panic(errors.New("eleven"))
	} else if n > 2 && root(n) == 3 {
		y[0] = 8
	}
	z := ops.Map(func(v int) int {
		if v == 10 {
			panic("ten")
		}
		return root(v+2) + y[0]
	}, x)
	return z, n
}

// Settled goes on until nothing changes: a single return of a sequence in a loop is whether the loop was left by it.
//
//surge:kernel
func Settled(x []int, turns int) (at []int, settled bool) {
	at = make([]int, len(x))
	for range turns & 15 {
		changed := false
		for i, v := range x {
			if at[i] < v&3 {
				at[i]++
				changed = true
			}
		}
		if !changed {
			return at, true
		}
	}
	return at, false
}

// Bounds has loops with two bounds and three: those that are the same in all turns, some of which only the bounds
// before keep from failing, and those that follow from the index or from what a turn assigns.
//
//surge:kernel
func Bounds(x, y []int, rows [][]int, j int) (same, later, three, from, own, fewer, kept int) {
	for k := 0; k < len(x) && k < len(y); k++ {
		same += x[k] * y[k]
	}
	for k := 0; k < len(x) && k < len(rows[j]); k++ {
		later += x[k] - rows[j][k]
	}
	for k := 1; k < len(x) && k < y[0]+2 && k < len(rows[j])-1; k++ {
		three += rows[j][k+1] ^ x[k]
	}
	for k := j; k < len(x) && k < len(y)-j; k++ {
		from += k
	}
	for k := 0; k < len(rows) && k < len(rows[k]); k++ {
		own += rows[k][k]
	}
	n, some := len(x), [2]int{3, 1}
	for k := 0; k < n && k < len(y); k++ {
		if x[k] < 0 {
			n--
		}
		fewer += y[k]
	}
	for k := 0; k < len(x) && k < len(y) && k < some[0]; k++ {
		if x[k] == 2 {
			y = y[:len(y)/2]
		}
		some[0] += x[k] & 1
		kept += x[k] + len(y)
	}
	return
}
