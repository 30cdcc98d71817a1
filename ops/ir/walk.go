package ir

import "slices"

// Operands returns pointers to the atoms that op reads directly (those inside its blocks not included), in a fixed
// order, so that a pass may replace them.
func Operands(op Op) []*Atom {
	switch op := op.(type) {
	case *Unary:
		return []*Atom{&op.X}
	case *Binary:
		return []*Atom{&op.X, &op.Y}
	case *FMA:
		return []*Atom{&op.X, &op.Y, &op.Z}
	case *Convert:
		return []*Atom{&op.X}
	case *Select:
		return []*Atom{&op.Cond, &op.X, &op.Y}
	case *Len:
		return []*Atom{&op.X}
	case *Index:
		return []*Atom{&op.X, &op.I}
	case *View:
		return refs(op.Args)
	case *Map:
		if op.By != nil {
			return []*Atom{&op.N, &op.By}
		}
		return []*Atom{&op.N}
	case *Reduce:
		return append([]*Atom{&op.N}, refs(op.Init)...)
	case *Scan:
		return append([]*Atom{&op.N}, refs(op.Init)...)
	case *Scatter:
		return []*Atom{&op.N, &op.W}
	case *Hist:
		return append([]*Atom{&op.N, &op.W}, refs(op.Init)...)
	case *Sort:
		return []*Atom{&op.N}
	case *If:
		return []*Atom{&op.Cond}
	case *Loop:
		if op.I != nil {
			return append([]*Atom{&op.Lo, &op.Hi}, refs(op.Init)...)
		}
		return refs(op.Init)
	case *Alloc:
		return []*Atom{&op.N}
	case *Update:
		return []*Atom{&op.X, &op.I, &op.Value}
	case *Grow:
		return []*Atom{&op.X, &op.Keep, &op.N}
	case *Check:
		return refs(op.Args)
	case *Call:
		return refs(op.Args)
	}
	panic("ir: unknown node")
}

func refs(as []Atom) []*Atom {
	rs := make([]*Atom, len(as))
	for i := range as {
		rs[i] = &as[i]
	}
	return rs
}

// Blocks returns the blocks of op, in the order in which the text form writes them.
func Blocks(op Op) []*Block {
	switch op := op.(type) {
	case *Map:
		return []*Block{op.Body}
	case *Reduce:
		return []*Block{op.Body, op.Comb.Body}
	case *Scan:
		return []*Block{op.Body, op.Comb.Body}
	case *Scatter:
		return []*Block{op.Body}
	case *Hist:
		return []*Block{op.Body, op.Comb.Body}
	case *Sort:
		return []*Block{op.Body}
	case *If:
		return []*Block{op.Then, op.Else}
	case *Loop:
		if op.Cond != nil {
			return []*Block{op.Cond, op.Body}
		}
		return []*Block{op.Body}
	}
	return nil
}

// Bound returns the variables that op binds for its blocks: indices, loop parameters, lambda parameters.
func Bound(op Op) []*Var {
	switch op := op.(type) {
	case *Map:
		return []*Var{op.I}
	case *Reduce:
		return append([]*Var{op.I}, op.Comb.Params...)
	case *Scan:
		return append([]*Var{op.I}, op.Comb.Params...)
	case *Scatter:
		return []*Var{op.I}
	case *Hist:
		return append([]*Var{op.I}, op.Comb.Params...)
	case *Sort:
		return []*Var{op.I}
	case *Loop:
		vs := append([]*Var(nil), op.Params...)
		if op.I != nil {
			vs = append(vs, op.I)
		}
		return vs
	}
	return nil
}

// Walk calls f for every statement of b and of the blocks inside it, in order, outer statements first.
func Walk(b *Block, f func(*Stmt)) {
	for _, s := range b.Stmts {
		f(s)
		for _, c := range Blocks(s.Op) {
			Walk(c, f)
		}
	}
}

// Pure reports whether a statement may be dropped when nothing uses its results: only a [Check], or a [Call], which may
// panic (alone or inside a block) makes it impure.
func Pure(s *Stmt) bool {
	switch s.Op.(type) {
	case *Check, *Call:
		return false
	}
	for _, b := range Blocks(s.Op) {
		for _, t := range b.Stmts {
			if !Pure(t) {
				return false
			}
		}
	}
	return true
}

// Calls returns the names of the functions that b calls as they stand, each once, in order.
func Calls(b *Block) []string {
	var names []string
	Walk(b, func(s *Stmt) {
		if c, ok := s.Op.(*Call); ok && !slices.Contains(names, c.Fn) {
			names = append(names, c.Fn)
		}
	})
	return names
}

// HasCalls reports whether op is a [Call], or holds one.
func HasCalls(op Op) bool {
	if _, ok := op.(*Call); ok {
		return true
	}
	return slices.ContainsFunc(Blocks(op), func(b *Block) bool { return len(Calls(b)) > 0 })
}

// Free returns the variables that b uses and does not bind, each once, in order of first use.
func Free(b *Block) []*Var {
	var free []*Var
	bound, seen := map[*Var]bool{}, map[*Var]bool{}
	use := func(a Atom) {
		if v, ok := a.(*Var); ok && !bound[v] && !seen[v] {
			seen[v] = true
			free = append(free, v)
		}
	}
	var block func(*Block)
	block = func(b *Block) {
		for _, s := range b.Stmts {
			for _, a := range Operands(s.Op) {
				use(*a)
			}
			for _, v := range Bound(s.Op) {
				bound[v] = true
			}
			for _, c := range Blocks(s.Op) {
				block(c)
			}
			for _, v := range s.Dst {
				bound[v] = true
			}
		}
		for _, a := range b.Results {
			use(a)
		}
	}
	block(b)
	return free
}
