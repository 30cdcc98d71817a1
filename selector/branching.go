package selector

import (
	"cmp"
	"fmt"
	"slices"
)

// Fork is a node of a branching tree: a comparison of a degree of parallelism with a threshold, or a leaf with a
// mapping of variants (incremental flattening, section 3: Par(e) ≥ t).
type Fork struct {
	// Threshold is its name, t1, t2 and so on from the root; "" in a leaf.
	Threshold string
	Degree    Size
	// Of says whose degree that is.
	Of string
	// Below is for what is less than the threshold.
	Below, Above *Fork
	Mapping      Mapping // of a leaf
}

// Branching returns the branching tree of some mappings, at least one. The first comparison is of all the parallelism
// that there is: where that is not enough, threads have nothing to share. Then it is, of what threads can share, that
// which has the fewest levels in parallel, the outermost ones and the most threads first, if it has enough of them,
// and else what has more; the last one takes what is left. For what each thread does the same is decided of lanes,
// rows inside first; the last one is without them. has reports whether the computation has a feature.
func Branching(mappings []Mapping, has func(name string) bool) *Fork {
	all := slices.Clone(mappings)
	slices.SortStableFunc(all, func(a, b Mapping) int {
		if a.outer|b.outer == 0 {
			return cmp.Or(-cmp.Compare(a.inner, b.inner), formOrder(a.Form, b.Form))
		}
		return cmp.Or(cmp.Compare(len(a.shared().all()), len(b.shared().all())), formOrder(a.Form, b.Form),
			cmp.Compare(a.outer, b.outer), -cmp.Compare(a.threads, b.threads), -cmp.Compare(a.inner, b.inner))
	})
	all = slices.Compact(all)
	var groups [][]Mapping // by what threads share
	for _, c := range all {
		last := len(groups) - 1
		if last >= 0 && groups[last][0].outer == c.outer && groups[last][0].threads == c.threads && (groups[last][0].Form == c.Form || c.outer == 0) {
			groups[last] = append(groups[last], c)
		} else {
			groups = append(groups, []Mapping{c})
		}
	}
	root := chain(groups, has)
	n := 0
	root.name(&n)
	return root
}

// formOrder has the nest first; others stand as they came.
func formOrder(a, b string) int {
	switch {
	case a == b:
		return 0
	case a == Nest:
		return -1
	case b == Nest:
		return 1
	}
	return cmp.Compare(a, b)
}

// chain decides among groups of mappings, those of fewer levels first.
func chain(groups [][]Mapping, has func(name string) bool) *Fork {
	first := inside(groups[0], has)
	if len(groups) == 1 {
		return first
	}
	c := groups[0][0]
	rest := chain(groups[1:], has)
	if c.outer == 0 {
		return &Fork{Degree: groups[len(groups)-1][0].whole(has), Of: "all levels", Below: first, Above: rest}
	}
	return &Fork{Degree: c.Outer(has), Of: Mapping{Form: c.Form, outer: c.outer, threads: c.threads}.String(), Below: rest, Above: first}
}

// inside decides among mappings that give threads the same.
func inside(mappings []Mapping, has func(name string) bool) *Fork {
	c := mappings[0]
	if len(mappings) == 1 {
		return &Fork{Mapping: c}
	}
	return &Fork{Degree: c.Inner(has), Of: Mapping{Form: c.Form, inner: c.inner}.String(), Below: inside(mappings[1:], has), Above: &Fork{Mapping: c}}
}

// name numbers the thresholds, a comparison before those below it, what is above first.
func (f *Fork) name(n *int) {
	if f.Below == nil {
		return
	}
	*n++
	f.Threshold = fmt.Sprintf("t%d", *n)
	f.Above.name(n)
	f.Below.name(n)
}

// Leaves returns the mappings in their order: from what is below all thresholds.
func (f *Fork) Leaves() []Mapping {
	if f.Below == nil {
		return []Mapping{f.Mapping}
	}
	return append(f.Below.Leaves(), f.Above.Leaves()...)
}
