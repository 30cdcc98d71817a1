package harness

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Comparison is the comparison of one result with that of plain Go execution.
//
// Integers and booleans must be equal. Floats may differ, because variants add in another order than plain Go does,
// and with fused multiplication and addition (which rounds once where plain Go rounds twice), and because functions of
// package math and quotients of roots in vectors are a few units in the last place away from plain Go's. The rule for
// every element is
//
//	|got − want| ≤ tol·|want| + 8·u·√n·max|want|
//
// with tol = 1e-9 for float64 and 1e-4 for float32, u the unit roundoff of the type (2⁻⁵³ or 2⁻²⁴), n the number of
// elements of the largest argument, and the maximum taken over the finite elements of the result. The first term is
// what a caller cares about. The second is needed where an element is small because large terms cancel: rounding
// errors of a sum of n terms grow like √n·u times the partial sums (in plain Go's order as much as in ours), and the
// result's largest element stands for those. It is far below tol for float64, so that an element that is simply wrong
// does not hide behind a large neighbour. tol is a million times and a thousand times u: it leaves room for what
// follows a sum, such as a division or an exponential, and is still less than any mistake in indexing or masking
// makes.
//
// NaN equals NaN, and an infinity the same infinity. Zeros of different sign are equal.
//
// There are two places where plain Go itself is further than this from the value of the function, both on amd64 and
// both in float64: math.Log of a number below 2⁻¹⁰²² (that of 5e-324 is -744.44, and math.Log gives -709.09), and
// math.Exp from 709.44 to 709.78, which gives +Inf. Code without lanes calls package math and agrees with it there.
// Lanes and devices give the right value, which is not made wrong: the comparison fails, and Flaws says why. Results
// of exponentials that are below 2⁻¹⁰²² agree everywhere.
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
	// Flaws says what package math gets wrong on this processor of the functions that the kernel calls, if the result
	// is not OK and such a flaw may be why.
	Flaws string `json:"package_math,omitempty"`
}

const (
	tolerance64, roundoff64 = 1e-9, 0x1p-53
	tolerance32, roundoff32 = 1e-4, 0x1p-24
)

// compare compares x with want, the reference. n is the number of elements of the largest argument.
func (x *typed[T]) compare(reference array, param Param, n int) Comparison {
	c := Comparison{Result: param.Name, Rule: "exact", First: -1}
	want, ok := reference.(*typed[T])
	if !ok || want.rank != x.rank || len(want.data) != len(x.data) || !slices.EqualFunc(want.rows, x.rows, slices.Equal) {
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
	largest := inParts(len(want), func(lo, hi int) float64 {
		m := 0.0
		for _, w := range want[lo:hi] {
			if a := math.Abs(float64(w)); a > m && a <= math.MaxFloat64 {
				m = a
			}
		}
		return m
	}, func(a, b float64) float64 { return max(a, b) })
	share := 8 * roundoff * math.Sqrt(float64(max(n, 1)))
	d := inParts(len(want), func(lo, hi int) differences {
		return differ(got[lo:hi], want[lo:hi], lo, tolerance, share*largest)
	}, differences.join)
	c.Rule = fmt.Sprintf("|got-want| <= %.0e*|want| + %.1e*max|want|", tolerance, share)
	c.MaxAbsolute, c.MaxRelative, c.Bad = Float(d.absolute), Float(d.relative), d.bad
	if d.bad > 0 {
		c.First, c.Got, c.Want = d.first, fmt.Sprint(got[d.first]), fmt.Sprint(want[d.first])
	}
}

// differences sums up a stretch of elements.
type differences struct {
	absolute, relative float64
	bad, first         int
}

// join adds the stretch behind d.
func (d differences) join(e differences) differences {
	if d.bad == 0 {
		d.first = e.first
	}
	return differences{max(d.absolute, e.absolute), max(d.relative, e.relative), d.bad + e.bad, d.first}
}

// differ compares elements that begin at position base. Results have up to hundreds of millions of them, and most
// differ in the last bits, so that the usual case is kept short.
func differ[T float32 | float64](got, want []T, base int, tolerance, slack float64) (d differences) {
	got = got[:len(want)]
	for i, w := range want {
		difference, size := math.Abs(float64(got[i])-float64(w)), math.Abs(float64(w))
		if difference <= tolerance*size+slack && size <= math.MaxFloat64 {
			if difference > d.absolute {
				d.absolute = difference
			}
			if difference > d.relative*size {
				d.relative = difference / size
			}
			continue
		}
		if g := got[i]; g == w || g != g && w != w {
			continue
		}
		if d.bad++; d.bad == 1 {
			d.first = base + i
		}
		relative := difference / size
		if math.IsNaN(difference) || math.IsInf(difference, 0) {
			difference, relative = math.Inf(1), math.Inf(1)
		}
		d.absolute, d.relative = max(d.absolute, difference), max(d.relative, relative)
	}
	return d
}

// inParts runs f on consecutive parts of [0, n) at once and joins the results in order.
func inParts[R any](n int, f func(lo, hi int) R, join func(a, b R) R) R {
	parts := min(runtime.GOMAXPROCS(0), 1+n>>16)
	results := make([]R, parts)
	var wg sync.WaitGroup
	for p := range parts {
		wg.Go(func() { results[p] = f(n*p/parts, n*(p+1)/parts) })
	}
	wg.Wait()
	all := results[0]
	for _, r := range results[1:] {
		all = join(all, r)
	}
	return all
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

// describe describes the shape of a result for people.
func describe(a Argument) string {
	switch {
	case len(a.Rows) > 0:
		rows := make([]string, len(a.Rows))
		for i, n := range a.Rows {
			rows[i] = strconv.Itoa(n)
		}
		return fmt.Sprintf("%s of %s rows, %d elements", a.Type, strings.Join(rows, " and "), a.Count)
	case a.Type[0] == '[':
		return fmt.Sprintf("%s of %d elements", a.Type, a.Count)
	}
	return a.Type
}
