package fuse

import "github.com/surge-ndp/surge/ops/ir"

// dropCopies removes the Maps at the top level that only copy what another computation stored to a result of the
// kernel, such as the parts of a struct that one Map computed: the result is then the stored sequence itself. A
// sequence that is a result already is copied, as the caller may change one of the two.
func dropCopies(f *ir.Func) {
	stored := map[*ir.Var]ir.Atom{} // what a computation stores, and its length
	made := map[*ir.Var]*ir.Stmt{}  // rows, and the computation that stores them
	flat := map[*ir.Var]*ir.Var{}   // what lines up rows, and these
	whole := map[*ir.Var]ir.Atom{}  // a single row that is an array, and the length of that
	taken := map[ir.Atom]bool{}
	for _, a := range f.Body.Results {
		taken[a] = true
	}
	sub := ir.Subst{}
	for _, s := range f.Body.Stmts {
		switch op := s.Op.(type) {
		case *ir.Map:
			if x := copied(op); x != nil && len(s.Dst) == 1 && taken[s.Dst[0]] && stored[x] == op.N && !taken[x] && !taken[flat[x]] {
				sub[s.Dst[0]], taken[x] = x, true
				if rows := flat[x]; rows != nil {
					taken[rows] = true
				}
				continue
			}
			allocs := ir.Allocs(op.Body)
			for i, d := range s.Dst {
				if d.T.Rank == 1 {
					stored[d] = op.N
					continue
				}
				made[d] = s
				if row, ok := op.Body.Results[i].(*ir.Var); ok && ir.IsInt(op.N, 1) && allocs[row] != nil {
					if array, ok := allocs[row].Op.(*ir.Alloc); ok {
						whole[d] = array.N
					}
				}
			}
		case *ir.View:
			if rows, ok := op.Args[0].(*ir.Var); ok && op.Fn == ir.Flatten && made[rows] != nil && !taken[rows] {
				flat[s.Dst[0]] = rows
				if n := whole[rows]; n != nil {
					stored[s.Dst[0]] = n
				}
			}
		case *ir.Len: // rows of one computation have the same lengths
			if rows := flat[op.X.(*ir.Var)]; rows != nil {
				for x, others := range flat {
					if made[others] == made[rows] {
						stored[x] = s.Dst[0]
					}
				}
			}
		case *ir.Scan:
			for _, d := range s.Dst {
				stored[d] = op.N
			}
		}
	}
	substitute(f.Body, sub)
	simplify(f)
}

// copied returns the sequence that a Map copies element by element, or nil.
func copied(m *ir.Map) *ir.Var {
	if len(m.Body.Stmts) != 1 || len(m.Body.Results) != 1 {
		return nil
	}
	read, ok := m.Body.Stmts[0].Op.(*ir.Index)
	if !ok || read.I != ir.Atom(m.I) || m.Body.Results[0] != ir.Atom(m.Body.Stmts[0].Dst[0]) {
		return nil
	}
	return read.X.(*ir.Var)
}
