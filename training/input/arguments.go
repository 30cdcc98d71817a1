package input

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
)

// arguments are the values a generator was called with. The first problem is
// kept in err, and everything asked for afterwards is 0.
type arguments struct {
	ctx       context.Context
	spec      string
	generator *generator
	called    string // the generator's name, or the alias that the user wrote
	limit     int64
	values    map[string]Value
	given     map[string]bool // by the user, not by default
	err       error
}

func (a *arguments) fail(code, what, why, do string) {
	if a.err == nil {
		a.err = &Error{File: a.spec, What: what, Code: code, Why: why, Do: do}
	}
}

func (a *arguments) set(name, text string, names []string) {
	switch {
	case !slices.Contains(names, name):
		a.fail("unknown-argument", fmt.Sprintf("%s has no argument %s", a.called, excerpt(name)),
			"its arguments are "+strings.Join(names, ", "), "use one of these"+nearestHint(name, names))
		return
	case a.given[name]:
		a.fail("bad-argument", fmt.Sprintf("%s is given twice", name), "only one value can hold", "remove one")
		return
	}
	v, err := evalScalar(strings.TrimSpace(text))
	if err != nil {
		e := err.(*Error)
		a.fail(e.Code, fmt.Sprintf("%s=%s: %s", name, text, e.What), e.Why, e.Do)
		return
	}
	a.values[name], a.given[name] = v, true
}

// float gives a number.
func (a *arguments) float(name string) float64 {
	if a.err != nil || a.values[name].Data == nil {
		return 0
	}
	return a.values[name].Float64(0)
}

// seed gives any integer, negative ones as their two's complement.
func (a *arguments) seed(name string) uint64 {
	if a.err != nil {
		return 0
	}
	if u, ok := Slice[uint64](a.values[name]); ok {
		return u[0]
	}
	v, err := Convert(a.values[name], Int64)
	if err != nil {
		a.fail("bad-argument", fmt.Sprintf("%s is %v", name, a.float(name)), "a seed is an integer", "write an integer")
		return 0
	}
	return uint64(v.Data.([]int64)[0])
}

// length gives a number of things of size bytes each: 0 or more, and few enough
// for memory.
func (a *arguments) length(name string, size int64) int {
	if a.err != nil {
		return 0
	}
	v, err := Convert(a.values[name], Int64)
	if err != nil {
		a.fail("bad-argument", fmt.Sprintf("%s is %v", name, a.float(name)), "a size is an integer", "write an integer, such as 1000, 1e6, 1<<20, 4k or 4Ki")
		return 0
	}
	n := v.Data.([]int64)[0]
	if err := checkSize(n, size, a.limit); err != nil {
		e := err.(*Error)
		a.fail(e.Code, fmt.Sprintf("%s=%d: %s", name, n, e.What), e.Why, e.Do)
		return 0
	}
	return int(n)
}

// dimension gives a number of rows or columns: a length that an int32 can index.
func (a *arguments) dimension(name string) int {
	n := a.length(name, 4)
	if n > math.MaxInt32-1 {
		a.fail("too-large", fmt.Sprintf("%s is %d", name, n),
			fmt.Sprintf("column numbers are int32, which end at %d", math.MaxInt32), "use a smaller matrix")
		return 0
	}
	return n
}

// entries checks the number of entries of a matrix before they are made.
func (a *arguments) entries(n float64) bool {
	if a.err == nil && n > math.MaxInt32 {
		e := tooMany(0, math.MaxInt32)
		a.fail(e.Code, fmt.Sprintf("the matrix would have %.4g entries", n), e.Why, e.Do)
	}
	if a.err == nil {
		if err := checkSize(int64(n), 8, a.limit); err != nil {
			e := err.(*Error)
			a.fail(e.Code, e.What, e.Why, e.Do)
		}
	}
	return a.err == nil
}

// stopped is asked now and then in long loops.
func (a *arguments) stopped(row int) bool {
	if row&0xfff == 0 && a.err == nil {
		a.err = a.ctx.Err()
	}
	return a.err != nil
}

// canonical lists all values in the order of the parameters.
func (a *arguments) canonical() string {
	var parts []string
	for _, p := range a.generator.Parameters {
		if v, ok := a.values[p.Name]; ok && (p.Default != "" || a.given[p.Name]) {
			parts = append(parts, fmt.Sprintf("%s=%v/%t", p.Name, v.Data, a.given[p.Name]))
		}
	}
	return strings.Join(parts, ",")
}
