package goroutine

import (
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// SlowSpills reports whether a function has vectors of 128 bits among wider ones, and more than registers hold. The
// Go compiler saves those of 128 bits by instructions of the old encoding, which take a hundred times as long while
// the upper halves of registers are in use.
func SlowSpills(f *kir.Func) bool {
	var live []*span
	wide := false
	for v, s := range measure(f.Body) {
		s.narrow = bitsOf(v.T) == 128
		wide = wide || bitsOf(v.T) > 128
		live = append(live, s)
	}
	return wide && slices.ContainsFunc(live, func(s *span) bool {
		alive, narrow := 0, 0
		for _, o := range live {
			if o.first <= s.first && s.first < o.last {
				alive++
				if o.narrow {
					narrow++
				}
			}
		}
		return alive > vectorRegisters && narrow >= narrowSpilled
	})
}

func bitsOf(t kir.Type) int {
	switch {
	case t.Lanes <= 1:
		return 0
	case t.Kind == ir.Bool:
		return t.Bits * t.Lanes
	}
	return kir.LaneBits(t.Kind) * t.Lanes
}

// span is where a vector is alive: from where it is made to its last use, in the order of the text.
type span struct {
	first, last int
	narrow      bool
}

// measure returns where the vectors of a function are alive.
func measure(body []kir.Stmt) map[*kir.Var]*span {
	spans := map[*kir.Var]*span{}
	addSpans(body, spans, new(int))
	return spans
}

// addSpans adds the spans of the vectors in body, which begins at position at. What a loop uses of what was made
// before it is alive to its end.
func addSpans(body []kir.Stmt, spans map[*kir.Var]*span, at *int) {
	for _, s := range body {
		*at++
		begin := *at
		used := map[*kir.Var]bool{}
		kir.Walk([]kir.Stmt{s}, func(s kir.Stmt) {
			if set, ok := s.(*kir.Set); ok && set.V.T.Lanes > 1 {
				used[set.V] = true
			}
		}, func(x kir.Expr) {
			if r, ok := x.(*kir.Ref); ok && r.V.T.Lanes > 1 {
				used[r.V] = true
			}
		})
		if let, ok := s.(*kir.Let); ok && let.V.T.Lanes > 1 {
			spans[let.V] = &span{first: begin, last: begin}
		}
		for _, b := range kir.Blocks(s) {
			addSpans(b, spans, at)
		}
		for v := range used {
			if p := spans[v]; p != nil && p.first < begin {
				p.last = *at
			}
		}
	}
}
