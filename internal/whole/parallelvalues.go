package whole

import "slices"

// table finds rows by a key that a function gives.
type table[T any] struct {
	rows []T
	key  func(T) int
	at   map[int]int
}

func newTable[T any](rows []T, key func(T) int) *table[T] {
	t := &table[T]{rows, key, map[int]int{}}
	for i, row := range rows {
		t.at[key(row)] = i
	}
	return t
}

func (t *table[T]) find(key int) (row T, ok bool) {
	i, ok := t.at[key]
	if !ok || t.key(t.rows[i]) != key {
		return row, false
	}
	return t.rows[i], true
}

// Joined calls a function that a field holds.
//
//surge:kernel
func Joined(rows [][]int) []int {
	t := newTable(rows, func(row []int) int { return len(row) })
	out := make([]int, len(rows))
	for i := range rows {
		if row, ok := t.find(i % 30); ok && len(row) > 0 {
			out[i] = row[len(row)-1]
		}
	}
	return out
}

func scaled(by int) func(int) int {
	return func(x int) int { return by * x }
}

func half(x int) int { return x / 2 }

func chain(steps ...func(int) int) func(int) int {
	return func(x int) int {
		for _, step := range steps {
			x = step(x)
		}
		return x
	}
}

// Chained calls functions that others return.
//
//surge:kernel
func Chained(rows [][]int, by int) []int {
	f := chain(scaled(by), half, func(x int) int { return x + by })
	out := make([]int, len(rows))
	for i, row := range rows {
		for _, x := range row {
			out[i] += f(x)
		}
	}
	return out
}

// folds are functions that a package-level variable holds.
var folds = map[int]func(row []int) int{
	0: func(row []int) int { return len(row) },
	1: slices.Max[[]int],
	2: sum,
}

func sum(row []int) (s int) {
	for _, x := range row {
		s += x
	}
	return s
}

// Folded calls functions of a package-level variable.
//
//surge:kernel
func Folded(rows [][]int) []int {
	out := make([]int, len(rows))
	for i, row := range rows {
		if f, ok := folds[i&3]; ok && len(row) > 0 {
			out[i] = f(row)
		}
	}
	return out
}

type limits struct{ lo, hi int }

func (l limits) cut(x int) int { return min(max(x, l.lo), l.hi) }

// Methods calls a method that is a value.
//
//surge:kernel
func Methods(rows [][]int, hi int) []int {
	cuts := []func(int) int{limits{9, hi}.cut, limits{0, 20}.cut}
	out := make([]int, len(rows))
	for i, row := range rows {
		out[i] = cuts[i&1](len(row))
	}
	return out
}

// Filled has a function write to rows that turns make.
//
//surge:kernel
func Filled(rows [][]int) []int {
	fills := []func(to, from []int){
		func(to, from []int) { copy(to, from) },
		func(to, from []int) {
			for i, x := range from {
				to[len(to)-1-i] = x
			}
		},
	}
	out := make([]int, len(rows))
	for i, row := range rows {
		own := make([]int, len(row)+1)
		fills[i&1](own, row)
		out[i] = own[0] + 3*own[len(row)]
	}
	return out
}

type step func(int) int

// Steps has functions of a type of their own.
//
//surge:kernel
func Steps(rows [][]int) []int {
	var first step = half
	steps := []step{first, scaled(3), func(x int) int { return x + 1 }}
	out := make([]int, len(rows))
	for i, row := range rows {
		for _, x := range row {
			for _, f := range steps {
				x = f(x)
			}
			out[i] += x
		}
	}
	return out
}
