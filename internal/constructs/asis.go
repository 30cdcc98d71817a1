// Functions that are called as they stand

package constructs

import (
	"container/heap"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/ops"
)

// RepeatedDigits weighs the digits of numbers by how often they occur.
//
// Construct: a map that a function makes, and a range over it that adds integers
//
//surge:kernel
func RepeatedDigits(xs []int32) []int { return ops.Map(repeatedDigits, xs) }

func repeatedDigits(x int32) int {
	seen := map[rune]int{}
	for _, r := range strconv.Itoa(int(x)) {
		seen[r]++
	}
	total, most := 0, 0
	for r, n := range seen {
		if r == '-' {
			continue
		}
		total += n * n
		most = max(most, n)
	}
	return 10*total + most
}

// CountedLoop calls such a function in a loop, for some of its elements.
//
// Construct: a call under a condition, in a loop that fills a slice and adds up
//
//surge:kernel
func CountedLoop(xs []int32, k int) ([]int, int) {
	out, sum := make([]int, len(xs)), 0
	for i, x := range xs {
		out[i] = k
		if x > 3 {
			out[i] += repeatedDigits(x)
		}
		sum += out[i] % 7
	}
	return out, sum
}

// Partitions counts the ways to write a number as a sum.
//
// Construct: recursion of a function literal, with a map of what is known
//
//surge:kernel
func Partitions(xs []uint8) []uint64 { return ops.Map(partitions, xs) }

func partitions(x uint8) uint64 {
	type sum struct{ n, largest int }
	known := map[sum]uint64{}
	var ways func(n, largest int) uint64
	ways = func(n, largest int) uint64 {
		if n == 0 {
			return 1
		}
		if n < 0 || largest == 0 {
			return 0
		}
		at := sum{n, largest}
		if w, ok := known[at]; ok {
			return w
		}
		w := ways(n-largest, largest) + ways(n, largest-1)
		known[at] = w
		return w
	}
	return ways(int(x%40), int(x%40))
}

// HanoiMoves counts the moves of the towers of Hanoi, by making them.
//
// Construct: recursion of functions
//
//surge:kernel
func HanoiMoves(xs []uint8) []int {
	out := make([]int, len(xs))
	for i, x := range xs {
		out[i] = hanoi(int(x%8), 0, 1, 2)
	}
	return out
}

func hanoi(n, from, by, to int) int {
	if n == 0 {
		return 0
	}
	return hanoi(n-1, from, to, by) + 1 + hanoi(n-1, by, from, to)
}

type cell struct {
	value int32
	next  *cell
}

// ReversedDigits makes a list of the digits of a number, and turns it round.
//
// Construct: pointers between values: a linked list
//
//surge:kernel
func ReversedDigits(xs []int32) []int32 { return ops.Map(reversedDigits, xs) }

func reversedDigits(x int32) int32 {
	var list *cell
	for ; x != 0; x /= 10 {
		list = &cell{x % 10, list}
	}
	var turned *cell
	for list != nil {
		list, list.next, turned = list.next, turned, list
	}
	y := int32(0)
	for c := turned; c != nil; c = c.next {
		y = 10*y + c.value
	}
	return y
}

type treeNode struct {
	key         uint32
	left, right *treeNode
}

func (t *treeNode) insert(key uint32) *treeNode {
	switch {
	case t == nil:
		return &treeNode{key: key}
	case key < t.key:
		t.left = t.left.insert(key)
	case key > t.key:
		t.right = t.right.insert(key)
	}
	return t
}

func (t *treeNode) depth() int {
	if t == nil {
		return 0
	}
	return 1 + max(t.left.depth(), t.right.depth())
}

// TreeDepths builds search trees.
//
// Construct: pointers between values: a tree, by methods that recurse
//
//surge:kernel
func TreeDepths(seeds []uint32) []int { return ops.Map(treeDepth, seeds) }

func treeDepth(seed uint32) int {
	var root *treeNode
	for range 50 {
		seed = seed*1664525 + 1013904223
		root = root.insert(seed >> 16)
	}
	return root.depth()
}

// TextKeys hashes what numbers look like.
//
// Construct: fmt.Sprintf whose text is used
//
//surge:kernel
func TextKeys(x, y []float64) []uint32 { return ops.Map2(textKey, x, y) }

func textKey(x, y float64) uint32 {
	s := fmt.Sprintf("%.2f/%v", x, y)
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}

// RoundedByText rounds numbers by way of text.
//
// Construct: strconv.ParseFloat, and other functions of the standard library that are pure
//
//surge:kernel
func RoundedByText(x []float64) []float64 { return ops.Map(roundedByText, x) }

func roundedByText(x float64) float64 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
	if err != nil {
		return 0
	}
	return y
}

// ClosestFirst finds which of a number's neighbours come first in an odd order.
//
// Construct: sort.Slice of structs, by a function that captures variables
//
//surge:kernel
func ClosestFirst(xs []int32) []int32 { return ops.Map(closestFirst, xs) }

func closestFirst(x int32) int32 {
	type item struct {
		name string
		at   int32
	}
	var items []item
	for i := range int32(9) {
		items = append(items, item{strconv.Itoa(int(i)), i * x % 11})
	}
	sort.Slice(items, func(a, b int) bool {
		p, q := items[a], items[b]
		return p.at < q.at || p.at == q.at && p.name > q.name
	})
	n := int32(0)
	for _, it := range items {
		n = 3*n + it.at + int32(len(it.name))
	}
	return n
}

// SafeQuotients divides, and gives a number where Go panics.
//
// Construct: defer and recover
//
//surge:kernel
func SafeQuotients(x, y []int32) []int32 { return ops.Map2(safeQuotient, x, y) }

func safeQuotient(x, y int32) (q int32) {
	defer func() {
		if recover() != nil {
			q = -1
		}
	}()
	return x / y
}

type figure interface{ area() float64 }

type quad struct{ side float64 }

type disc struct{ radius float64 }

func (s quad) area() float64 { return s.side * s.side }

func (d *disc) area() float64 { return 3 * d.radius * d.radius }

func figureOf(x float64) figure {
	if x < 0 {
		return quad{-x}
	}
	return &disc{x}
}

// FigureAreas asks figures for their area.
//
// Construct: interface values, whose types the function itself gives them, and a type switch
//
//surge:kernel
func FigureAreas(xs []float64) []float64 { return ops.Map(figureAreas, xs) }

func figureAreas(x float64) float64 {
	sum := 0.0
	for _, f := range []figure{figureOf(x), figureOf(-x), quad{2}} {
		switch f := f.(type) {
		case quad:
			sum += f.side
		case *disc:
			sum -= f.radius
		}
		sum += f.area()
	}
	return sum
}

// CollatzSteps counts steps.
//
// Construct: goto
//
//surge:kernel
func CollatzSteps(xs []uint16) []int { return ops.Map(collatz, xs) }

func collatz(x uint16) int {
	n, steps := int(x), 0
again:
	if n > 1 {
		steps++
		if n%2 == 0 {
			n /= 2
		} else {
			n = 3*n + 1
		}
		goto again
	}
	return steps
}

var pair = regexp.MustCompile(`^-?(\d)(\d)*(\d)$`)

// EvenEnds looks at the text of numbers.
//
// Construct: regexp, by a package-level variable that nothing assigns
//
//surge:kernel
func EvenEnds(xs []int32) []bool { return ops.Map(evenEnds, xs) }

func evenEnds(x int32) bool {
	m := pair.FindStringSubmatch(strconv.Itoa(int(x)))
	return len(m) == 4 && m[1] == m[3]
}

type smallest []*cell

func (h smallest) Len() int           { return len(h) }
func (h smallest) Less(i, j int) bool { return h[i].value < h[j].value }
func (h smallest) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *smallest) Push(x any)        { *h = append(*h, x.(*cell)) }
func (h *smallest) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

// Merged merges lists by a heap of them.
//
// Construct: container/heap of pointers, whose functions call methods
//
//surge:kernel
func Merged(xs []int32) []int32 { return ops.Map(merged, xs) }

func merged(x int32) int32 {
	h := &smallest{}
	for _, by := range []int32{7, 5, 3} {
		var list *cell
		for i := range int32(3) {
			list = &cell{by - i, list}
		}
		list.value -= x % by
		heap.Push(h, list)
	}
	n := int32(0)
	for h.Len() > 0 {
		least := heap.Pop(h).(*cell)
		n = 5*n + least.value
		if least.next != nil {
			heap.Push(h, least.next)
		}
	}
	return n
}

// SortedNames joins the keys of a map in their order.
//
// Construct: keys of a map that are sorted right behind the loop that collects them, strings.Join
//
//surge:kernel
func SortedNames(xs []uint8) []int { return ops.Map(sortedNames, xs) }

func sortedNames(x uint8) int {
	set := map[string]bool{}
	for i := range int(x % 5) {
		set[strings.Repeat(string(rune('a'+(i*i+int(x))%7)), i+1)] = true
	}
	var names []string
	for name := range set {
		names = append(names, name)
	}
	slices.Sort(names)
	return len(strings.Join(names, ", ")) + len(set)
}

// Digests takes bytes of checksums.
//
// Construct: crypto/sha256, strings.Builder
//
//surge:kernel
func Digests(xs []uint32) []uint16 {
	out := make([]uint16, len(xs))
	for i, x := range xs {
		out[i] = digest(x)
	}
	return out
}

func digest(x uint32) uint16 {
	var sb strings.Builder
	for i := range 3 {
		sb.WriteString(strconv.FormatUint(uint64(x)<<i, 16))
		sb.WriteByte('/')
	}
	sum := sha256.Sum256([]byte(sb.String()))
	return uint16(sum[0])<<8 | uint16(sum[31])
}

// Turn is how something is turned.
type Turn struct {
	By   complex128
	At   [2]float32
	Name Direction
}

// Direction is a direction.
type Direction int8

func (t Turn) next(x float64) (Turn, float64) {
	known := map[Direction]complex128{0: 1, 1: 1i, 2: -1, 3: -1i}
	t.By *= known[t.Name&3]
	t.At[0], t.At[1] = t.At[1]+float32(x), -t.At[0]
	t.Name++
	return t, real(t.By) + imag(t.By)
}

// TurnedBy turns something again and again.
//
// Construct: structs, arrays and complex numbers that go in and come out, a method, several results
//
//surge:kernel
func TurnedBy(xs []float64) ([]float64, []float32) {
	out, ends := make([]float64, len(xs)), make([]float32, len(xs))
	for i, x := range xs {
		t := Turn{By: 1, Name: Direction(i)}
		for range 3 {
			var y float64
			t, y = t.next(x)
			out[i] += y
		}
		ends[i] = t.At[1] - t.At[0]
	}
	return out, ends
}

var errOdd = errors.New("odd")

// Refusing panics for some numbers.
//
// Construct: a panic of such a function, with a value that is computed
//
//surge:kernel
func Refusing(xs []int32) []int32 { return ops.Map(refusing, xs) }

func refusing(x int32) int32 {
	halves := map[int32]int32{}
	if x == 77 {
		panic(fmt.Errorf("%d is not wanted: %w", x, errOdd))
	}
	halves[x] = x / 2
	return halves[x] + halves[x+1]
}

// InputsRefusing puts the number that is refused at any place.
func InputsRefusing(n int, r *rand.Rand) []any {
	xs := make([]int32, n)
	for i := range xs {
		xs[i] = int32(r.IntN(1 + 2*n))
		if i == n/2 && r.IntN(2) == 0 {
			xs[i] = 77
		}
	}
	return []any{xs}
}

// Chosen calls one function or another.
//
// Construct: a variable of function type that is assigned again
//
//surge:kernel
func Chosen(xs []int32) []int32 { return ops.Map(chosen, xs) }

func chosen(x int32) int32 {
	step := func(y int32) int32 { return y + 1 }
	for i := range int32(4) {
		x = step(x)
		if (x+i)%3 == 0 {
			step = func(y int32) int32 { return 2*y - i }
		}
	}
	return x
}
