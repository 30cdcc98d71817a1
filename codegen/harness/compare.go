package harness

import (
	"fmt"
	"math"
)

// Comparison is the comparison of one result with that of plain Go execution.
//
// Integers and booleans must be equal. Floats may differ, because variants add in another order than plain Go does, and
// with fused multiplication and addition (which rounds once where plain Go rounds twice). The rule for every element is
//
//	|got − want| ≤ tol·|want| + 8·u·√n·max|want|
//
// with tol = 1e-9 for float64 and 1e-4 for float32, u the unit roundoff of the type (2⁻⁵³ or 2⁻²⁴), n the number of
// elements of the largest argument, and the maximum taken over the finite elements of the result. The first term is
// what a caller cares about. The second is needed where an element is small because large terms cancel: rounding errors
// of a sum of n terms grow like √n·u times the partial sums (in plain Go's order as much as in ours), and the result's
// largest element stands for those. It is far below tol for float64, so that an element that is simply wrong does not
// hide behind a large neighbour. tol is a million times and a thousand times u: it leaves room for what follows a sum, such as
// a division or an exponential, and is still less than any mistake in indexing or masking makes.
//
// NaN equals NaN, and an infinity the same infinity. Zeros of different sign are equal.
type Comparison struct {
	Result string `json:"result"` // the result's name
	OK     bool   `json:"ok"`
	Count  int    `json:"count"` // elements compared
	Bad    int    `json:"bad"`   // elements beyond the tolerance
	// MaxAbsolute is the largest |got-want|, MaxRelative the largest |got-want| / |want|; infinite where one of them is
	// NaN or infinite and the other is not.
	MaxAbsolute Float `json:"max_absolute"`
	MaxRelative Float `json:"max_relative"`
	// Rule says which tolerance held, for people.
	Rule string `json:"rule"`
	// First is the flat position of the first bad element, -1 if there is none, with what stood there as text. If the
	// shapes differ it is -1 too, and Got and Want say so.
	First int    `json:"first"`
	Got   string `json:"got,omitempty"`
	Want  string `json:"want,omitempty"`
}

const (
	tolerance64, roundoff64 = 1e-9, 0x1p-53
	tolerance32, roundoff32 = 1e-4, 0x1p-24
)

// compare compares x with want, the reference. n is the number of elements of the largest argument.
func (x *typed[T]) compare(reference array, param Param, n int) Comparison {
	c := Comparison{Result: param.Name, Rule: "exact", First: -1}
	want, ok := reference.(*typed[T])
	if !ok || want.rank != x.rank || len(want.data) != len(x.data) || !equal(want.rows, x.rows) {
		c.Got, c.Want = describe(x.argument()), describe(reference.argument())
		return c
	}
	c.Count = len(x.data)
	switch got := any(x.data).(type) {
	case []float64:
		compareFloats(&c, got, any(want.data).([]float64), tolerance64, roundoff64, n)
	case []float32:
		compareFloats(&c, got, any(want.data).([]float32), tolerance32, roundoff32, n)
	default:
		for i, w := range want.data {
			if x.data[i] != w {
				c.bad(i, x.data[i], w)
				difference := math.Abs(asFloat(x.data[i]) - asFloat(w))
				c.MaxAbsolute = max(c.MaxAbsolute, Float(difference))
				c.MaxRelative = max(c.MaxRelative, Float(difference/math.Abs(asFloat(w))))
			}
		}
	}
	c.OK = c.Bad == 0
	return c
}

func compareFloats[T float32 | float64](c *Comparison, got, want []T, tolerance, roundoff float64, n int) {
	largest := 0.0
	for _, w := range want {
		if a := math.Abs(float64(w)); a > largest && !math.IsInf(a, 0) {
			largest = a
		}
	}
	share := 8 * roundoff * math.Sqrt(float64(max(n, 1)))
	c.Rule = fmt.Sprintf("|got-want| <= %.0e*|want| + %.1e*max|want|", tolerance, share)
	for i, w := range want {
		g := got[i]
		if g == w || g != g && w != w {
			continue
		}
		difference, size := math.Abs(float64(g)-float64(w)), math.Abs(float64(w))
		if math.IsNaN(difference) || math.IsInf(difference, 0) {
			difference = math.Inf(1)
		}
		relative := difference / size
		if math.IsNaN(relative) {
			relative = math.Inf(1)
		}
		c.MaxAbsolute, c.MaxRelative = max(c.MaxAbsolute, Float(difference)), max(c.MaxRelative, Float(relative))
		if math.IsInf(size, 0) || !(difference <= tolerance*size+share*largest) {
			c.bad(i, g, w)
		}
	}
}

func (c *Comparison) bad(i int, got, want any) {
	if c.Bad++; c.Bad == 1 {
		c.First, c.Got, c.Want = i, fmt.Sprint(got), fmt.Sprint(want)
	}
}

func asFloat[T scalar](x T) float64 {
	if b, ok := any(x).(bool); ok {
		if b {
			return 1
		}
		return 0
	}
	return (&typed[T]{data: []T{x}}).checksum()
}

func equal(a, b []int64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// describe describes the shape of a result for people.
func describe(a Argument) string {
	switch {
	case a.Rows > 0:
		return fmt.Sprintf("%s of %d rows, %d elements", a.Type, a.Rows, a.Count)
	case a.Type[0] == '[':
		return fmt.Sprintf("%s of %d elements", a.Type, a.Count)
	}
	return a.Type
}
