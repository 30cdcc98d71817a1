package exec

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/surge-ndp/surge/selector"
)

// DeclaredFeature describes a feature that the package of a kernel declares (surge:feature).
type DeclaredFeature struct {
	Name, Unit string
	// Version identifies the source of the function.
	Version string
}

// Features makes a call compute all features that there are: those that the package declares and the ready-made ones.
// Without it, only those are computed that the model names.
func Features() Option { return func(o *Options) { o.features = true } }

// maxFeatures is how many features a computation can have: more than [selector.Classifier] can use.
const maxFeatures = 24

// MaxDeclared is how many features a package can declare for one kernel.
const MaxDeclared = 8

// asked is what is computed beside the constant-time features: for each declared feature of a kernel, and for each
// computation and ready-made feature, whether some model names it.
type asked struct {
	declared [MaxDeclared]bool
	ready    [][len(selector.ReadyMade)]bool
}

// add notes what a classifier of computation i names; i is negative for the choice of the algorithm.
func (a *asked) add(k *Kernel, i int, c *selector.Classifier) {
	for _, f := range c.Features {
		if at := slices.IndexFunc(k.Features, func(d DeclaredFeature) bool { return d.Name == f.Name }); at >= 0 {
			a.declared[at] = true
		}
		for at, ready := range selector.ReadyMade {
			a.ready[max(i, 0)][at] = a.ready[max(i, 0)][at] || ready.Name == f.Name
		}
	}
}

// Declared computes feature i of those that the package declares, if a model or the options ask for it, for all
// computations of the call. A function that panics gives a feature that is not a number.
func (c *Call) Declared(i int, f func() float64) {
	if !c.opts.features && (c.opts.selector != nil || !c.models().asked.declared[i]) {
		return
	}
	d := &c.kernel.Features[i]
	var value float64
	cost := c.timed(func() { value = c.guarded(d.Name, f) })
	c.declared = append(c.declared, selector.Feature{Name: d.Name, Unit: d.Unit, Value: value, Cost: cost})
}

// timed calls f and returns what that takes, in nanoseconds, if that will be told. Where all features are asked for,
// which is for training, it is the middle one of three times.
func (c *Call) timed(f func()) float64 {
	if !c.opts.features && c.opts.explain == nil {
		f() // nobody wants to know, and reading the clock takes time too
		return 0
	}
	var times [3]float64
	n := 1
	if c.opts.features {
		n = len(times)
	}
	for i := range n {
		start := time.Now()
		f()
		times[i] = float64(time.Since(start))
	}
	slices.Sort(times[:n])
	return times[n/2]
}

func (c *Call) guarded(name string, f func() float64) (value float64) {
	defer func() {
		if p := recover(); p != nil {
			value, c.trouble = math.NaN(), fmt.Sprintf("; the function of the feature %s panicked: %v", name, p)
		}
	}()
	return f()
}

// RowFeatures computes those ready-made features of computation i that a model or the options ask for. offsets
// delimit the rows of an irregular nest.
func RowFeatures[T ~int | ~int32 | ~int64 | ~uint32 | ~uint64 | ~int8 | ~int16 | ~uint8 | ~uint16 | ~uint](c *Call, i int, offsets []T) {
	var wanted [len(selector.ReadyMade)]bool
	switch {
	case c.opts.features:
		wanted = [...]bool{true, true, true}
	case c.opts.selector == nil:
		if wanted = c.models().asked.ready[i]; wanted == ([len(selector.ReadyMade)]bool{}) {
			return
		}
	default:
		return
	}
	var values [len(selector.ReadyMade)]float64
	if sampled(offsets) == 0 {
		c.fillRows(i, &wanted, &values, 0)
		return
	}
	cost := c.timed(func() { values = rowFeatures(offsets) })
	c.fillRows(i, &wanted, &values, cost)
}

func (c *Call) fillRows(i int, wanted *[len(selector.ReadyMade)]bool, values *[len(selector.ReadyMade)]float64, cost float64) {
	c.rows, c.rowsOf = c.rows[:0], i
	for at, ready := range selector.ReadyMade {
		if wanted[at] {
			ready.Value, ready.Cost = values[at], cost
			c.rows = append(c.rows, ready)
			cost = 0 // the sample is taken once
		}
	}
}

// leastSample is the number of rows below which a sample says nothing.
const leastSample = 16

// sampled returns the number of rows in the sample, 0 for inputs that are too small for one to pay: a row for every
// selector.ElementsPerSample elements, and at most selector.SampledRows.
func sampled[T ~int | ~int32 | ~int64 | ~uint32 | ~uint64 | ~int8 | ~int16 | ~uint8 | ~uint16 | ~uint](offsets []T) int {
	rows := len(offsets) - 1
	if rows < 1 {
		return 0
	}
	elements := float64(offsets[rows]) - float64(offsets[0])
	n := min(rows, selector.SampledRows)
	if worth := elements / selector.ElementsPerSample; worth < float64(n) {
		n = int(max(worth, 0))
	}
	if n < min(rows, leastSample) {
		return 0
	}
	return n
}

// rowFeatures returns the values of selector.ReadyMade. The sample is the same for the same offsets, and not
// periodic, so that a pattern in the rows does not hide; where there are few long rows it is all of them.
func rowFeatures[T ~int | ~int32 | ~int64 | ~uint32 | ~uint64 | ~int8 | ~int16 | ~uint8 | ~uint16 | ~uint](offsets []T) (values [len(selector.ReadyMade)]float64) {
	n := sampled(offsets)
	if n == 0 {
		return values
	}
	rows := len(offsets) - 1
	const point = 20 // bits behind the binary point
	step, jitter := uint64(rows)<<point/uint64(n), uint32(1)
	var sum, longest, empty int64
	squares := 0.0
	for k := range uint64(n) {
		at := k // all of them
		if n < rows {
			jitter = jitter*1664525 + 1013904223
			at = (k*step + step*uint64(jitter>>20)>>12) >> point // some row of each of n equal parts
		}
		length := int64(offsets[at+1]) - int64(offsets[at])
		sum += length
		squares += float64(length) * float64(length)
		longest = max(longest, length)
		if length == 0 {
			empty++
		}
	}
	if mean := float64(sum) / float64(n); mean > 0 {
		values[0] = math.Sqrt(max(squares/float64(n)-mean*mean, 0)) / mean
	}
	values[1], values[2] = float64(longest), float64(empty)/float64(n)
	return values
}

// gather returns all features of computation i. They are kept in the call.
func (c *Call) gather(i int, constant []selector.Feature) []selector.Feature {
	all := append(c.features[:0], constant...)
	if c.rowsOf == i {
		all = append(all, c.rows...)
	}
	all = append(all, c.declared...)
	return all[:min(len(all), maxFeatures)]
}
