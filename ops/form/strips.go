package form

import (
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
)

// strips splits the loops in elements that accumulate in the order of the source:
//
//	map i < n { … s' = loop (s) init a for j = lo to hi { …; x = …; t = add s x; yield t } … }
//
// becomes
//
//	map i < n {
//		… s' = loop (s) init a for strip = 0 to strips {
//			x' = map k < turns { …; x = …; yield x }
//			s2 = loop (s1) init s for k = 0 to turns { x = index x' k; t = add s1 x; yield t }
//			yield s2
//		} …
//	}
//
// So turns of one element are on lanes, where the nest has elements on lanes. That is better where there are few
// elements. No bit of the result changes. Elements whose loops update arrays, or have as many turns as what they read
// says, do badly on lanes, and have their strips in the nest.
var strips = Rule{
	Name:      "strips",
	Paper:     "G9",
	Doc:       "turns of a loop in elements do their work on lanes, a strip at a time, before it accumulates",
	Arguments: loopers,
	None:      "its elements have no loops",
	Apply:     intoStrips,
}

// loopers is the one way to apply the rule to a Map whose elements have loops, and none for others.
func loopers(at Site) []string {
	found := false
	if m, ok := at.Stmt.Op.(*ir.Map); ok {
		ir.Walk(m.Body, func(s *ir.Stmt) {
			_, isLoop := s.Op.(*ir.Loop)
			found = found || isLoop
		})
	}
	if !found {
		return nil
	}
	return []string{""}
}

func intoStrips(at Site, _ string) (to Rewriting, reason string) {
	s := fuse.InStrips(at.Func, at.Stmt, at.Names)
	if s == nil {
		return to, "of elements that are numbers, and whose loops count to nothing that is read, none accumulates numbers alone by turns with much work"
	}
	return Rewriting{Stmt: s}, ""
}
