package load

import (
	"go/ast"
	"go/types"
	"maps"
)

// Note [Parallel loops in loops]
//
// The steps of a simulation need each other, and what happens in one step does not: the loop over the steps runs in
// order, and those in it on all threads. What is known of slices (see Note [Cells]) has to hold in each turn of the
// loop around: that is what holds before it, and is forgotten nowhere in it. An exchange of slices that ends a turn,
// cur, next = next, cur, exchanges what is known of them.

// inOrder goes through a loop whose turns need each other, and finds parallel loops in it.
func (s *spreader) inOrder(loop ast.Stmt) {
	var body *ast.BlockStmt
	var head []ast.Node
	switch x := loop.(type) {
	case *ast.ForStmt:
		s.mixed(x.Init)
		body, head = x.Body, []ast.Node{x.Cond, x.Post}
	case *ast.RangeStmt:
		if !s.ranges(x) {
			s.mixed(x.X)
		}
		body, head = x.Body, []ast.Node{x.Key, x.Value}
	}
	if s.first == nil {
		s.first = loop
		defer func() { s.first = nil }()
	}
	holds := maps.Clone(s.apart)
	turn := func() {
		s.apart = maps.Clone(holds)
		s.depth++
		s.mixed(head...)
		s.list(body.List)
		s.depth--
	}
	dry, mixes := s.dry, s.mixes
	s.dry = true
	for stable := false; !stable; {
		before := len(holds)
		s.mixes = map[*types.Var]bool{}
		turn()
		maps.DeleteFunc(holds, func(v *types.Var, _ bool) bool { return s.mixes[v] || !s.apart[v] })
		maps.Copy(mixes, s.mixes)
		stable = len(holds) == before
	}
	s.dry, s.mixes = dry, mixes
	if !s.dry {
		turn()
	}
	s.apart = holds
}

// ranges reports whether a loop takes no references out of the variable that it ranges over.
func (s *spreader) ranges(x *ast.RangeStmt) bool {
	return variable(s.info, x.X) != nil && (x.Value == nil || !refers(s.info.TypeOf(x.Value)))
}

// permuted follows an exchange of slices, and reports whether a statement is one.
func (s *spreader) permuted(a *ast.AssignStmt) bool {
	places, from, _ := permutation(s.info, a)
	vs := s.permutes(a)
	before := maps.Clone(s.apart)
	for i, v := range vs {
		if before[v] != before[variable(s.info, places[from[i]])] { // some turns may end between two exchanges
			s.mixes[v] = true
		}
		if delete(s.apart, v); before[variable(s.info, places[from[i]])] && !s.elsewhere(v) {
			s.apart[v] = true
		}
	}
	return vs != nil
}
