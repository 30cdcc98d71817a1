package ops

import "math/bits"

// Pair is an element of two zipped or joined sequences.
type Pair[A, B any] struct {
	First  A
	Second B
}

// Triple is an element of three zipped or joined sequences.
type Triple[A, B, C any] struct {
	First  A
	Second B
	Third  C
}

// Quad is an element of four zipped sequences.
type Quad[A, B, C, D any] struct {
	First  A
	Second B
	Third  C
	Fourth D
}

// Zip pairs the elements of two sequences at the same position.
//
//	y[i] = (a[i], b[i])        0 ≤ i < len(a)
//
// Shape: n, n → n. Work O(n), span O(1). Strongest schedule: independent. The result is fresh.
// Error: "length" if the lengths differ. Paper: Table I, zip.
func Zip[A, B any](a []A, b []B) []Pair[A, B] {
	sameLength("Zip", "a", len(a), "b", len(b))
	y := make([]Pair[A, B], len(a))
	for i := range y {
		y[i] = Pair[A, B]{a[i], b[i]}
	}
	return y
}

// Zip3 groups the elements of three sequences at the same position.
//
//	y[i] = (a[i], b[i], c[i])        0 ≤ i < len(a)
//
// Shape: n, n, n → n. Work O(n), span O(1). Strongest schedule: independent. The result is fresh.
// Error: "length" if the lengths differ. Paper: Table I, zip.
func Zip3[A, B, C any](a []A, b []B, c []C) []Triple[A, B, C] {
	sameLength("Zip3", "a", len(a), "b", len(b))
	sameLength("Zip3", "a", len(a), "c", len(c))
	y := make([]Triple[A, B, C], len(a))
	for i := range y {
		y[i] = Triple[A, B, C]{a[i], b[i], c[i]}
	}
	return y
}

// Zip4 groups the elements of four sequences at the same position.
//
//	y[i] = (a[i], b[i], c[i], d[i])        0 ≤ i < len(a)
//
// Shape: n, n, n, n → n. Work O(n), span O(1). Strongest schedule: independent. The result is
// fresh. Error: "length" if the lengths differ. Paper: Table I, zip.
func Zip4[A, B, C, D any](a []A, b []B, c []C, d []D) []Quad[A, B, C, D] {
	sameLength("Zip4", "a", len(a), "b", len(b))
	sameLength("Zip4", "a", len(a), "c", len(c))
	sameLength("Zip4", "a", len(a), "d", len(d))
	y := make([]Quad[A, B, C, D], len(a))
	for i := range y {
		y[i] = Quad[A, B, C, D]{a[i], b[i], c[i], d[i]}
	}
	return y
}

// Join is the Cartesian product of two sequences, the last one varying fastest.
//
//	y[i·m + j] = (a[i], b[j])        0 ≤ i < n = len(a), 0 ≤ j < m = len(b)
//
// Shape: n, m → n·m. Work O(n·m), span O(1). Strongest schedule: independent. The result is fresh.
// Error: "size" if the result cannot be held in memory. Paper: Table I, join.
func Join[A, B any](a []A, b []B) []Pair[A, B] {
	y := makeResult[Pair[A, B]]("Join", product("Join", len(a), len(b)))
	i := 0
	for _, first := range a {
		for _, second := range b {
			y[i] = Pair[A, B]{first, second}
			i++
		}
	}
	return y
}

// Join3 is the Cartesian product of three sequences, the last one varying fastest.
//
//	y[(i·m + j)·l + k] = (a[i], b[j], c[k])        i < n = len(a), j < m = len(b), k < l = len(c)
//
// Shape: n, m, l → n·m·l. Work O(n·m·l), span O(1). Strongest schedule: independent. The result is
// fresh. Error: "size" if the result cannot be held in memory. Paper: Table I, join.
func Join3[A, B, C any](a []A, b []B, c []C) []Triple[A, B, C] {
	y := makeResult[Triple[A, B, C]]("Join3", product("Join3", len(a), len(b), len(c)))
	i := 0
	for _, first := range a {
		for _, second := range b {
			for _, third := range c {
				y[i] = Triple[A, B, C]{first, second, third}
				i++
			}
		}
	}
	return y
}

// product multiplies lengths; one that 64 bits cannot hold is the caller's misuse.
// A zero anywhere makes the product zero, however long the others are.
func product(op string, lengths ...int) uint64 {
	n, overflow := uint64(1), false
	for _, l := range lengths {
		if l == 0 {
			return 0
		}
		hi, lo := bits.Mul64(n, uint64(l))
		n, overflow = lo, overflow || hi != 0
	}
	if overflow {
		misuse(op, CodeSize, "the product of the lengths %v is too large to be held in memory", lengths)
	}
	return n
}
