package interp

import (
	"fmt"
	"strings"
)

// stand is where in the order of things a use of memory takes place: part Part of region Region, within a part of
// another region. Parts of one region run at once; regions within one part run one after the other. On a device, a
// launch is a region whose parts are workgroups, and what a group does between two barriers is a region whose parts
// are work-items. On the pool, a parallel loop is a region whose parts are chunks.
type stand struct {
	up     *stand
	depth  int
	region int
	part   int
	what   string // what the parts are
}

func (s *stand) inside(region, part int, what string) *stand {
	return &stand{up: s, depth: s.depth + 1, region: region, part: part, what: what}
}

// String names the parts from the outermost on.
func (s *stand) String() string {
	var parts []string
	for ; s.up != nil; s = s.up {
		parts = append([]string{fmt.Sprintf("%s %d", s.what, s.part)}, parts...)
	}
	if len(parts) == 0 {
		return "what stands outside of parallel loops"
	}
	return strings.Join(parts, ", ")
}

// unordered returns the region whose parts a and b differ in, and whether there is one: then nothing orders them.
func unordered(a, b *stand) (region int, ok bool) {
	if a == b {
		return 0, false
	}
	for a.depth > b.depth {
		a = a.up
	}
	for b.depth > a.depth {
		b = b.up
	}
	for a != b && a.up != b.up {
		a, b = a.up, b.up
	}
	return a.region, a != b && a.region == b.region && a.part != b.part
}

// cell is who used an element: the last one to write, and of those who read after others enough that whoever races
// with one of them races with one of these.
type cell struct {
	writer  *stand
	readers [4]*stand
}

func (c *cell) read(t *thread, m *memory, i int64) {
	at := t.stand(m)
	if w := c.writer; w != nil && w != at {
		if _, race := unordered(w, at); race {
			t.fault(Race, "%s[%d] is read in %s and written in %s, and nothing orders them", m.name, i, at, w)
		}
	}
	kept := c.readers[:0]
	regions := [len(c.readers)]int{}
	for _, r := range c.readers {
		if r == nil {
			break
		}
		if r == at {
			return
		}
		region, race := unordered(r, at)
		if !race { // whoever races with r from here on races with this one too
			continue
		}
		for k := range kept {
			if regions[k] == region { // two parts of a region are enough: any third one races with one of them
				return
			}
		}
		regions[len(kept)] = region
		kept = append(kept, r)
	}
	if len(kept) == len(c.readers) {
		copy(kept, kept[1:])
		kept = kept[:len(kept)-1]
	}
	kept = append(kept, at)
	clear(c.readers[len(kept):])
}

func (c *cell) write(t *thread, m *memory, i int64) {
	at := t.stand(m)
	if w := c.writer; w != nil && w != at {
		if _, race := unordered(w, at); race {
			t.fault(Race, "%s[%d] is written in %s and in %s, and nothing orders them", m.name, i, at, w)
		}
	}
	for _, r := range c.readers {
		if r == nil {
			break
		}
		if _, race := unordered(r, at); race {
			t.fault(Race, "%s[%d] is written in %s and read in %s, and nothing orders them", m.name, i, at, r)
		}
	}
	c.writer = at
	clear(c.readers[:])
}
