package fuse

import "github.com/surge-ndp/surge/ops/ir"

// standins writes blocks anew with other scalars in place of some of their variables.
type standins struct {
	names  *ir.Namer
	sub    ir.Subst
	stands func(v *ir.Var) bool                  // whether another scalar stands for v
	now    map[ir.Atom]ir.Atom                   // what stands for such variables
	stmt   func(e emitter, s *ir.Stmt) (ok bool) // writes what is not just copied
}

// value is what an atom is in the new block.
func (st *standins) value(a ir.Atom) ir.Atom {
	if x, ok := st.now[a]; ok {
		return x
	}
	return st.sub.Atom(a)
}

func (st *standins) values(as []ir.Atom) []ir.Atom {
	xs := make([]ir.Atom, len(as))
	for i, a := range as {
		xs[i] = st.value(a)
	}
	return xs
}

// bind gives v a new name.
func (st *standins) bind(v *ir.Var) *ir.Var {
	if !st.stands(v) {
		x := st.names.Var(v.Name, v.T)
		st.sub[v] = x
		return x
	}
	name, t := v.Name, v.T
	if t.Rank > 0 {
		name, t.Rank = elementName(v), 0
	}
	x := st.names.Var(name, t)
	st.now[v] = x
	return x
}

func (st *standins) binds(vs []*ir.Var) []*ir.Var {
	xs := make([]*ir.Var, len(vs))
	for i, v := range vs {
		xs[i] = st.bind(v)
	}
	return xs
}

// block writes the statements of b.
func (st *standins) block(e emitter, b *ir.Block) {
	for _, s := range b.Stmts {
		e.pos = s.Pos
		if st.stmt(e, s) {
			continue
		}
		switch op := s.Op.(type) {
		case *ir.If:
			n := &ir.If{Cond: st.value(op.Cond), Then: st.inner(e, op.Then), Else: st.inner(e, op.Else)}
			e.stmt(n, st.binds(s.Dst)...)
		case *ir.Loop:
			n := &ir.Loop{Init: st.values(op.Init), Params: st.binds(op.Params)}
			if op.I != nil {
				n.I, n.Lo, n.Hi = st.bind(op.I), st.value(op.Lo), st.value(op.Hi)
			}
			if op.Cond != nil {
				n.Cond = st.inner(e, op.Cond)
			}
			n.Body = st.inner(e, op.Body)
			e.stmt(n, st.binds(s.Dst)...)
		default:
			*e.out = append(*e.out, s.Clone(st.sub, st.names))
		}
	}
}

// inner is a block of its own.
func (st *standins) inner(e emitter, b *ir.Block) *ir.Block {
	c := &ir.Block{}
	st.block(e.into(c), b)
	c.Results = st.values(b.Results)
	return c
}
