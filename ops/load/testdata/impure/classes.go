package impure

import (
	"container/heap"
	"slices"
	"sort"
	"strings"
)

type row struct {
	name   string
	values []float64
	next   *row
}

type shape interface{ scale(x float64) }

type box struct{ side []float64 }

func (b box) scale(x float64) { b.side[0] *= x }

type ball struct{ radius float64 }

func (b *ball) scale(x float64) { b.radius *= x }

// effect: pure
func readsRows(rows []row) (n int) {
	for _, r := range rows {
		n += len(r.values)
	}
	return n
}

// effect: writes to what xs points to
func writesElement(xs []float64) { xs[0] = 1 }

// effect: pure
func writesCopy(xs []float64) float64 {
	ys := append([]float64(nil), xs...)
	ys[0] = 1
	return ys[0]
}

// effect: writes to what xs points to
func writesPart(xs []float64) {
	ys := xs[1:3]
	ys[0] = 1
}

// effect: writes to what xs points to
func appends(xs []float64) int { return len(append(xs, 1)) }

// effect: pure
func writesField(r row) string {
	r.name = "x"
	r.values = nil
	return r.name
}

// effect: writes to what r points to
func writesFieldElement(r row) { r.values[0] = 2 }

// effect: writes to what r points to
func writesPointer(r *row) { r.name = "y" }

// effect: writes to what r points to
func writesChain(r *row) {
	for p := r; p != nil; p = p.next {
		p.name = "z"
	}
}

// effect: writes to what r points to
func writesByMethod(r *row) { r.rename("a") }

func (r *row) rename(name string) { r.name = name }

// effect: writes to what r points to (its name is not, but what else it holds is)
func renamesOwn(r row) string {
	r.rename("b")
	return r.name
}

// effect: writes to what xs points to
func writesInLiteral(xs []float64) {
	f := func() { xs[0]++ }
	f()
}

// effect: writes to what xs points to
func writesByLiteral(xs []float64) {
	set := func(ys []float64, i int) { ys[i] = 0 }
	set(xs, 1)
}

// effect: writes to what xs points to
func writesByMap(xs []float64) {
	m := map[string][]float64{}
	m["x"] = xs
	m["x"][0] = 1
}

// effect: ranges over a map
func rangesOverRows(rows map[string]row) (last string) {
	for k := range rows {
		last = k
	}
	return last
}

// effect: writes to what xs points to
func writesByStruct(xs []float64) {
	r := row{values: xs}
	p := &r
	p.values[1] = 3
}

func pass(xs []float64) []float64 { return xs }

// effect: writes to what xs points to
func writesResult(xs []float64) { pass(xs)[0] = 1 }

// effect: writes to what xs points to
func sortsInput(xs []float64) { sort.Float64s(xs) }

// effect: writes to what xs points to
func sortsByLess(xs []float64) { sort.Slice(xs, func(i, j int) bool { return xs[i] < xs[j] }) }

// effect: writes to what xs points to
func scales(xs []float64) {
	var s shape = box{xs}
	s.scale(2)
}

// effect: pure
func scalesOwn(x float64) float64 {
	b := &ball{x}
	for _, s := range []shape{b, box{[]float64{x}}} {
		s.scale(2)
	}
	return b.radius
}

// effect: writes to what h points to
func pops(h *intHeap) int { return heap.Pop(h).(int) }

type intHeap struct{ list []int }

func (h *intHeap) Len() int           { return len(h.list) }
func (h *intHeap) Less(i, j int) bool { return h.list[i] < h.list[j] }
func (h *intHeap) Swap(i, j int)      { h.list[i], h.list[j] = h.list[j], h.list[i] }
func (h *intHeap) Push(x any)         { h.list = append(h.list, x.(int)) }
func (h *intHeap) Pop() any {
	x := h.list[len(h.list)-1]
	h.list = h.list[:len(h.list)-1]
	return x
}

// effect: asks whether xs is nil
func asksNil(xs []float64) bool { return xs == nil }

// effect: asks whether xs is nil
func asksCapacity(xs []float64) int { return cap(xs) }

// effect: calls f, which may be any function
func callsAny(f func(int) int) int { return f(1) }

// effect: pure
func callsLiteral(n int) int { return callsAny(func(k int) int { return k + n }) }

// effect: which assigns the package-level variable count
func callsGlobal() int { return callsAny(bump) }

func bump(n int) int {
	count++
	return n
}

// effect: may be any function
func callsField(r struct{ f func() int }) int { return r.f() }

// effect: pure
func callsOwnField(n int) int { return callsField(struct{ f func() int }{func() int { return n }}) }

// effect: writes to what xs points to
func givesToField(xs []float64) {
	r := struct{ set func([]float64) }{func(to []float64) { to[0] = 1 }}
	r.set(xs)
}

// effect: pure (no function of this type writes to what it is given)
func readsByField(xs []float64) float64 {
	r := struct{ get func([]float64, int) float64 }{func(from []float64, i int) float64 { return from[i] }}
	return r.get(xs, 0)
}

// effect: writes to row[0]
func writesReturned(xs []float64) {
	r := struct{ part func([]float64) []float64 }{func(x []float64) []float64 { return x[1:] }}
	row := r.part(xs)
	row[0] = 1
}

// effect: writes to what r.keep writes
func keepsByField(xs []int) {
	var kept []int
	r := struct{ keep func([]int, bool) }{func(row []int, _ bool) { kept = row }}
	r.keep(xs, true)
	kept[0] = 1
}

// effect: pure
func returnsCounter() int {
	next := counting()
	next()
	return next()
}

func counting() func() int {
	n := 0
	return func() int { n++; return n }
}

// effect: which assigns the package-level variable count
func passesOn() int { return stores(bump).f(3) }

func stores(f func(int) int) struct{ f func(int) int } { return struct{ f func(int) int }{f} }

// effect: pure
func mutual(n int) int {
	if n > 0 {
		return mutual2(n - 1)
	}
	return n
}

func mutual2(n int) int { return mutual(n - 1) }

// effect: assigns the package-level variable count
func mutualBad(n int) int {
	if n > 0 {
		return mutualBad2(n - 1)
	}
	return n
}

func mutualBad2(n int) int {
	count = int32(n)
	return mutualBad(n - 1)
}

// effect: pure
func sumsLetters(words []string) int {
	m := map[byte]int{}
	for _, w := range words {
		for i := range len(w) {
			m[w[i]]++
		}
	}
	n := 0
	for k, v := range m {
		if v > 1 {
			n += int(k) * v
		}
	}
	return n + strings.Count(words[0], "x")
}

// effect: writes to what r points to
func linksOwn(r *row) {
	own := &row{name: "own"}
	own.next = r
	own.next.name = "c"
}

// effect: writes to what rs points to
func swapsPointers(rs []*row, i, j int) { rs[i], rs[j] = rs[j], rs[i] }

// effect: writes to what p points to
func writesOut(p *int, n int) { *p = n }

// effect: pure
func writesOwnVariable(n int) int {
	var k int
	writesOut(&k, n)
	return k
}

// effect: writes to what a points to
func writesArray(a *[4]int) { a[1] = 2 }

// effect: pure
func writesArrayCopy(a [4]int) int {
	b := &a
	b[1] = 2
	s := a[:]
	s[2] = 3
	return a[1] + s[2]
}

// effect: writes to what rows points to
func writesByRange(rows [][]float64) {
	for _, r := range rows {
		r[0] = 0
	}
}

// effect: pure
func writesClone(xs []float64) float64 {
	ys, zs := slices.Clone(xs), slices.Concat(xs, xs)
	ys[0], zs[1] = 1, 2
	return ys[0] + zs[1]
}

// effect: writes to what rows points to
func writesClonedRows(rows [][]float64) {
	slices.Clone(rows)[0][0] = 1
}

// Writes that are told apart by their types.

type body struct{ mass float64 }

type cell struct {
	first int32
	at    corner
}

type corner struct{ x, y float64 }

type side struct{ from, to corner }

type forest struct {
	bodies  []body
	cells   []cell
	sides   []side
	corners []corner
}

func (f *forest) grow() { f.cells = append(f.cells, cell{}) }

// effect: pure
func writesOtherType(bodies []body) int32 {
	f := forest{bodies: bodies}
	f.grow()
	f.cells[0].first = 3
	return f.cells[0].first
}

// effect: writes to what bodies points to
func writesSameType(bodies []body) {
	f := forest{bodies: bodies}
	f.grow()
	f.bodies[0].mass = 3
}

// effect: pure
func writesPartType(sides []side) float64 {
	f := forest{sides: sides, corners: make([]corner, 2)}
	f.corners[1].x = 3
	return f.corners[1].x
}

// effect: writes to what cells points to
func writesPartByAddress(cells []cell) {
	f := forest{cells: cells}
	p := &f.cells[0].first
	*p = 4
}

// effect: writes to what chunks points to
func writesByArrayPointer(chunks []row4) {
	f := chunked{chunks: chunks, own: make([]int16, 4)}
	(*[4]int16)(f.own)[1] = 2
	s := f.chunks[0].cells[:]
	s[0] = 1
}

type row4 struct{ cells [4]int16 }

type chunked struct {
	chunks []row4
	own    []int16
}

// effect: writes to what lists points to
func writesByAny(lists []any) {
	f := anything{lists: lists, own: []*body{{}}}
	f.own[0].mass = 2
}

type anything struct {
	lists []any
	own   []*body
}

type holder struct{ row []int }

func (h *holder) set(row []int) { h.row = row }

func hold(h *holder, row []int) { h.row = row }

// effect: writes to what rows points to (the function puts a row where the kernel writes)
func holdsByValue(rows [][]int) {
	puts := []func(*holder, []int){hold}
	var h holder
	puts[0](&h, rows[0])
	h.row[0] = 1
}

// effect: writes to what puts[0] writes
func holdsByMethod(rows [][]int) {
	var h holder
	puts := []func([]int){h.set}
	puts[0](rows[0])
	h.row[0] = 1
}

// effect: uses functions of the package-level variable late
func callsLate() int { return late[0]() }

var late [1]func() int

func init() { late[0] = func() int { return 1 } }

// effect: uses functions of the package-level variable stateful
func callsStateful() int { return stateful() }

var stateful = counting()

func putting(row []int) func(*holder) { return func(h *holder) { h.row = row } }

// effect: writes to what puts[0] writes (what it puts there has other names)
func putsByValue(n int) int {
	a := make([]int, n+1)
	var h holder
	puts := []func(*holder){putting(a)}
	puts[0](&h)
	a[0] = 1
	return h.row[0]
}

func addTo(sum, xs []int) {
	for i, x := range xs {
		sum[i] += x
	}
}

// effect: pure (at is only read: an input at first, and then what the turn before has made)
func readsByTurns(xs []int, turns int) int {
	at := xs
	for range turns {
		out := make([]int, len(at))
		addTo(out, at)
		copy(out, at)
		at = out
		at = at[len(at)/2:]
	}
	sum := 0
	for i := range at {
		sum += at[i]
	}
	for _, x := range at {
		sum += x
	}
	return sum
}

// effect: writes to what xs points to
func writesByTurns(xs []int, turns int) int {
	at := xs
	for range turns {
		out := make([]int, len(at))
		out[0] = at[0]
		at = out
		at[0]++
	}
	return at[0]
}

// effect: writes to what xs points to
func addsByTurns(xs []int, turns int) int {
	at := xs
	for range turns {
		out := make([]int, len(at))
		addTo(at, out)
		at = out
	}
	return at[0]
}

// effect: writes to what xs points to
func copiesByTurns(xs []int, turns int) int {
	at := xs
	for range turns {
		out := make([]int, len(at))
		copy(at, out)
		at = out
	}
	return at[0]
}

// effect: writes to what xs points to
func rangesByTurns(xs []int, turns int) int {
	at := xs
	for range turns {
		out := make([]int, len(at))
		for at[0] = range out {
		}
		at = out
	}
	return at[0]
}

// effect: writes to what xs points to
func pointsByTurns(xs []int, turns int) int {
	at := xs
	for range turns {
		out := make([]int, len(at))
		p := &at[0]
		*p = 1
		at = out
	}
	return at[0]
}

// effect: writes to what xs points to (front and back change places)
func swapsByTurns(xs []int, turns int) int {
	front, back := xs, make([]int, len(xs))
	for range turns {
		back[0] = front[0]
		front, back = back, front
	}
	return front[0]
}

// effect: writes to what xs points to (by what is at's now)
func partsByTurns(xs []int, turns int) int {
	at := xs
	for range turns {
		part := at[1:]
		part[0] = 2
		at = make([]int, len(at))
	}
	return at[0]
}

// effect: writes to what xs points to
func givesByTurns(xs []int, turns int) int {
	at := xs
	for range turns {
		kept := same(at)
		kept[0] = 2
		at = make([]int, len(at))
	}
	return at[0]
}

func same(xs []int) []int { return xs }

// effect: writes to what xs points to (by what it returns)
func returnsByTurns(xs []int, turns int) int {
	at := emptiedLast(xs, turns)
	at[0] = 1
	return at[0]
}

func emptiedLast(xs []int, turns int) (at []int) {
	at = xs
	for range turns {
		at = make([]int, len(at))
	}
	return
}
