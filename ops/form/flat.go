package form

import (
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
)

// flat shares irregular rows by what they hold:
//
//	map i < n { … reduce k < offsets[i+1] - offsets[i] { … } … }
//
// becomes
//
//	map i < n by offsets { … reduce k < offsets[i+1] - offsets[i] { … } … }
//
// Threads get runs of rows with as many elements and rows together, found by a search along the offsets (merge path),
// and a row that is longer than such a run is cut into parts, which all threads take and combine in their order. So one
// giant row, or a million empty ones, cost what they hold.
//
// Long rows come last. Of several rows that fail, another one would be reported than plain Go's, so none may fail: all
// its checks have to be those that the inspector makes.
var flat = Rule{
	Name:      "flat",
	Doc:       "rows that differ in length are shared by elements, and long ones are cut, where threads shared rows",
	Arguments: holders,
	None:      "its elements are not rows",
	Apply:     byElements,
}

// holders is the one way to apply the rule to an operator whose elements hold operators, and none for others.
func holders(at Site) []string {
	found := false
	ir.Walk(ir.Blocks(at.Stmt.Op)[0], func(s *ir.Stmt) { found = found || ir.OperatorIndex(s.Op) != nil })
	if !found {
		return nil
	}
	return []string{""}
}

func byElements(at Site, _ string) (to Rewriting, reason string) {
	m, ok := at.Stmt.Op.(*ir.Map)
	if !ok {
		return to, "what its rows are combined into depends on their order; this is a " + ir.OperatorName(at.Stmt.Op)
	}
	offsets := fuse.RowOffsets(at.Stmt)
	switch {
	case m.By != nil:
		return to, "its rows are shared by elements already"
	case offsets == nil:
		return to, "its rows are all as long, or nothing tells before it starts how long they are"
	case mayFail(at):
		return to, "a row may fail, and of several that do the first is reported: long rows would come last"
	}
	c := *m
	c.By = offsets
	return Rewriting{Stmt: &ir.Stmt{Dst: at.Stmt.Dst, Op: &c, Pos: at.Stmt.Pos}}, ""
}

// mayFail reports whether a computation has checks that are not made before it starts.
func mayFail(at Site) bool {
	hoisted := fuse.Split(at.Func).HoistedChecks()
	found := false
	for _, b := range ir.Blocks(at.Stmt.Op) {
		ir.Walk(b, func(s *ir.Stmt) {
			c, ok := s.Op.(*ir.Check)
			found = found || ok && !hoisted[c]
		})
	}
	return found
}
