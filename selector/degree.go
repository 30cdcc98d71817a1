package selector

import (
	"slices"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/selector/param"
)

// Size is a product of features, over others: length*length/aspect_ratio. Without any it is 1.
type Size struct {
	// Times are the names of the features that are multiplied, Over those of what the product is divided by.
	Times, Over []string
}

// by returns the product of two sizes.
func (s Size) by(other Size) Size {
	return Size{slices.Concat(s.Times, other.Times), slices.Concat(s.Over, other.Over)}
}

// String is the size as model files have it.
func (s Size) String() string {
	text := strings.Join(s.Times, "*")
	if text == "" {
		text = "1"
	}
	return strings.Join(append([]string{text}, s.Over...), "/")
}

// Of returns the size of an input, 0 where a feature is not there or is a divisor and 0, as where there are no
// elements.
func (s Size) Of(feature func(name string) (float64, bool)) float64 {
	size := 1.0
	for _, name := range s.Times {
		v, _ := feature(name)
		size *= v
	}
	for _, name := range s.Over {
		v, _ := feature(name)
		size = over(size, v)
	}
	return size
}

// over divides, and is 0 where that cannot be done.
func over(x, y float64) float64 {
	if y == 0 {
		return 0
	}
	return x / y
}

// levels is a set of nesting levels: bit l-1 is level l.
type levels uint16

func (s levels) has(level int) bool { return s&(1<<(level-1)) != 0 }

func (s levels) with(level int) levels { return s | 1<<(level-1) }

// all lists the levels, the outermost first.
func (s levels) all() (list []int) {
	for l := 1; l <= 16; l++ {
		if s.has(l) {
			list = append(list, l)
		}
	}
	return list
}

// Mapping is what variants have in common whose parallelism is the same: a form, and which levels of it run in parallel
// on which of the two levels that hardware has (incremental flattening calls them 1 and 0). Mappings can be compared.
type Mapping struct {
	Form string
	// outer are the levels that run on the outer level of the hardware, on the threads of a pool or a team or on the
	// groups of a device; inner those that run on its inner level, on lanes or on the work-items of a group.
	outer, inner levels
	threads      int // that take part in outer, 0 on a device and without any
	depth        int // how many levels there are
}

// MappingOf returns the mapping of a variant, or of a code. A pool of one thread runs nothing in parallel.
func MappingOf(v Variant) Mapping {
	c := Mapping{Form: v.Form, depth: strings.Count(v.Schedule, ">") + 1}
	if v.Schedule == AlgorithmSchedule {
		c.depth = 0
	}
	threads, pool := param.NumThreads.Get(v.Policy, 0)
	if threads > 1 {
		c.threads = threads
	}
	for _, s := range v.Policy {
		if !param.ExecutionResource.Is(s) || s.Depth() < 1 || s.Depth() > 16 {
			continue
		}
		for _, part := range param.ExecutionResource.Value(s).Parts() {
			switch part {
			case param.Pool, param.Team, param.Grid:
				if !pool || threads > 1 {
					c.outer = c.outer.with(s.Depth())
				}
			default:
				c.inner = c.inner.with(s.Depth())
			}
		}
	}
	return c
}

// byElements reports whether threads share the elements of the form's rows, and not the rows.
func (c Mapping) byElements() bool {
	return slices.Contains(strings.Split(c.Form, "+"), flatForm)
}

// shared are the levels whose elements the outer level of the hardware shares: those that run on it, and of a form that
// shares the elements of rows also these.
func (c Mapping) shared() levels {
	if c.byElements() && c.outer.has(1) && c.depth > 1 {
		return c.outer.with(2)
	}
	return c.outer
}

// String says which levels run where: level 1 on 2 threads, level 2 on lanes; nothing in parallel.
func (c Mapping) String() string {
	var parts []string
	name := func(levels levels, where string) {
		list := levels.all()
		if len(list) == 0 {
			return
		}
		text := "level"
		if len(list) > 1 {
			text += "s"
		}
		for i, l := range list {
			if i > 0 {
				text += " and"
			}
			text += " " + strconv.Itoa(l)
		}
		parts = append(parts, text+" on "+where)
	}
	if c.threads > 0 {
		name(c.outer, plural(c.threads, "thread"))
	} else {
		name(c.outer, "the grid")
	}
	name(c.inner, "lanes")
	text := "nothing in parallel"
	if len(parts) > 0 {
		text = strings.Join(parts, ", ")
	}
	if c.Form != Nest {
		text = c.Form + ": " + text
	}
	return text
}

// Outer is the degree of parallelism on the outer level of the hardware: how many elements there are that it can share.
// Rows of different lengths count as many as there would be if all were as long as that of an average element,
// (Σl)²/Σl² of the row lengths l: where one row has nearly all elements, that is nearly 1, whatever the others do.
// Levels whose length no feature tells before the run count 1. has reports whether the computation has a feature.
func (c Mapping) Outer(has func(name string) bool) Size {
	s := c.shared()
	if s == 1 && c.depth > 1 && has(c.feature(has, AverageRowLength)) && has(c.feature(has, ElementRowLength)) {
		rows := c.length(has, 1).by(c.length(has, 2))
		return Size{rows.Times, append(rows.Over, c.feature(has, ElementRowLength))}
	}
	return c.product(has, s, AverageRowLength)
}

// Inner is the degree of parallelism on the inner level of the hardware. Of rows of different lengths it is that of an
// average element.
func (c Mapping) Inner(has func(name string) bool) Size {
	return c.product(has, c.inner, ElementRowLength)
}

// whole is the parallelism that there is at all.
func (c Mapping) whole(has func(name string) bool) Size {
	return c.product(has, 1<<c.depth-1, AverageRowLength)
}

// product is the number of elements that some levels have together.
func (c Mapping) product(has func(name string) bool, of levels, row string) Size {
	var s Size
	for _, l := range of.all() {
		length := c.length(has, l)
		if name := c.feature(has, row); l == 2 && has(name) && !of.has(1) {
			length = Size{Times: []string{name}}
		}
		s = s.by(length)
	}
	return s
}

// feature is the name that a feature has in the form.
func (c Mapping) feature(has func(name string) bool, name string) string {
	if own := FormFeature(c.Form, name); has(FormFeature(c.Form, Length)) {
		return own
	}
	return name
}

// length is the number of elements of a row of a level, 1 where no feature tells: what [Input.rows] is for values.
func (c Mapping) length(has func(name string) bool, level int) Size {
	one := func(name string) Size { return Size{Times: []string{c.feature(has, name)}} }
	known := func(name string) bool { return has(c.feature(has, name)) }
	switch {
	case level == 1 && known(Length):
		return one(Length)
	case level > 2 && level == c.depth && known(InnerRowLength):
		return one(InnerRowLength)
	case level == 2 && known(AverageRowLength):
		return one(AverageRowLength)
	case level == 2 && known(AspectRatio):
		return Size{Times: []string{c.feature(has, Length)}, Over: []string{c.feature(has, AspectRatio)}}
	}
	return Size{}
}
