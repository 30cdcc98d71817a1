package ir

import "strconv"

// Namer hands out variable names that are unique in one function.
type Namer struct{ used map[string]int }

// NewNamer returns a namer that avoids every name used in f, which may be nil.
func NewNamer(f *Func) *Namer {
	n := &Namer{used: map[string]int{}}
	if f == nil {
		return n
	}
	for _, p := range f.Params {
		n.used[p.Name]++
	}
	Walk(f.Body, func(s *Stmt) {
		for _, v := range s.Dst {
			n.used[v.Name]++
		}
		for _, v := range Bound(s.Op) {
			n.used[v.Name]++
		}
	})
	return n
}

// Name returns base, or base.1, base.2, … where base is taken. A suffix that base already has is dropped first.
func (n *Namer) Name(base string) string {
	for i := len(base) - 1; i > 0; i-- {
		if base[i] == '.' {
			base = base[:i]
			break
		}
		if base[i] < '0' || base[i] > '9' {
			break
		}
	}
	if base == "" || base == "_" {
		base = "t"
	}
	for {
		k := n.used[base]
		n.used[base] = k + 1
		if k == 0 {
			return base
		}
		name := base + "." + strconv.Itoa(k)
		if n.used[name] == 0 {
			n.used[name] = 1
			return name
		}
	}
}

// Var returns a fresh variable named after base.
func (n *Namer) Var(base string, t Type) *Var { return &Var{Name: n.Name(base), T: t} }

// Subst maps variables to what replaces them.
type Subst map[*Var]Atom

// Atom returns what replaces a, following chains.
func (s Subst) Atom(a Atom) Atom {
	for {
		v, ok := a.(*Var)
		if !ok {
			return a
		}
		r, ok := s[v]
		if !ok {
			return a
		}
		a = r
	}
}

// Clone returns a deep copy of b under s: every variable that b binds is replaced by a fresh one from n (and s is
// extended accordingly), every other one by what s says.
func (b *Block) Clone(s Subst, n *Namer) *Block {
	c := &Block{Stmts: make([]*Stmt, len(b.Stmts)), Results: make([]Atom, len(b.Results))}
	for i, st := range b.Stmts {
		c.Stmts[i] = st.Clone(s, n)
	}
	for i, r := range b.Results {
		c.Results[i] = s.Atom(r)
	}
	return c
}

// Clone returns a deep copy of st under s, as [Block.Clone] does.
func (st *Stmt) Clone(s Subst, n *Namer) *Stmt {
	op := cloneOp(st.Op, s, n)
	dst := make([]*Var, len(st.Dst))
	for i, v := range st.Dst {
		dst[i] = fresh(v, s, n)
	}
	return &Stmt{Dst: dst, Op: op, Pos: st.Pos}
}

func fresh(v *Var, s Subst, n *Namer) *Var {
	w := n.Var(v.Name, v.T)
	s[v] = w
	return w
}

func freshAll(vs []*Var, s Subst, n *Namer) []*Var {
	ws := make([]*Var, len(vs))
	for i, v := range vs {
		ws[i] = fresh(v, s, n)
	}
	return ws
}

func atoms(as []Atom, s Subst) []Atom {
	bs := make([]Atom, len(as))
	for i, a := range as {
		bs[i] = s.Atom(a)
	}
	return bs
}

func (l *Lambda) clone(s Subst, n *Namer) *Lambda {
	ps := freshAll(l.Params, s, n)
	return &Lambda{Params: ps, Body: l.Body.Clone(s, n)}
}

func cloneOp(op Op, s Subst, n *Namer) Op {
	switch op := op.(type) {
	case *Unary:
		return &Unary{op.Fn, s.Atom(op.X)}
	case *Binary:
		return &Binary{op.Fn, s.Atom(op.X), s.Atom(op.Y)}
	case *FMA:
		return &FMA{s.Atom(op.X), s.Atom(op.Y), s.Atom(op.Z)}
	case *Convert:
		return &Convert{op.To, s.Atom(op.X)}
	case *Select:
		return &Select{s.Atom(op.Cond), s.Atom(op.X), s.Atom(op.Y)}
	case *Len:
		return &Len{s.Atom(op.X)}
	case *Index:
		return &Index{s.Atom(op.X), s.Atom(op.I)}
	case *View:
		return &View{op.Fn, atoms(op.Args, s)}
	case *Map:
		count := s.Atom(op.N)
		i := fresh(op.I, s, n)
		m := &Map{N: count, I: i, Body: op.Body.Clone(s, n)}
		if op.By != nil {
			m.By = s.Atom(op.By)
		}
		return m
	case *Reduce:
		count, init := s.Atom(op.N), atoms(op.Init, s)
		i := fresh(op.I, s, n)
		return &Reduce{count, i, op.Body.Clone(s, n), op.Comb.clone(s, n), init}
	case *Scan:
		count, init := s.Atom(op.N), atoms(op.Init, s)
		i := fresh(op.I, s, n)
		return &Scan{count, i, op.Body.Clone(s, n), op.Comb.clone(s, n), init, op.Inclusive}
	case *Scatter:
		count, w := s.Atom(op.N), s.Atom(op.W)
		i := fresh(op.I, s, n)
		return &Scatter{count, w, i, op.Body.Clone(s, n)}
	case *Hist:
		count, w, init := s.Atom(op.N), s.Atom(op.W), atoms(op.Init, s)
		i := fresh(op.I, s, n)
		return &Hist{count, w, i, op.Body.Clone(s, n), op.Comb.clone(s, n), init}
	case *Sort:
		count := s.Atom(op.N)
		i := fresh(op.I, s, n)
		return &Sort{count, i, op.Body.Clone(s, n)}
	case *If:
		return &If{s.Atom(op.Cond), op.Then.Clone(s, n), op.Else.Clone(s, n)}
	case *Loop:
		l := &Loop{Init: atoms(op.Init, s), Independent: op.Independent, Ahead: op.Ahead}
		if op.I != nil {
			l.Lo, l.Hi = s.Atom(op.Lo), s.Atom(op.Hi)
		}
		l.Params = freshAll(op.Params, s, n)
		if op.I != nil {
			l.I = fresh(op.I, s, n)
		}
		if op.Cond != nil {
			l.Cond = op.Cond.Clone(s, n)
		}
		l.Body = op.Body.Clone(s, n)
		return l
	case *Alloc:
		return &Alloc{op.Kind, s.Atom(op.N), op.Grows, op.Blank}
	case *Grow:
		return &Grow{s.Atom(op.X), s.Atom(op.Keep), s.Atom(op.N)}
	case *Update:
		return &Update{s.Atom(op.X), s.Atom(op.I), s.Atom(op.Value)}
	case *Check:
		return &Check{op.Kind, op.Op, op.Arg, atoms(op.Args, s)}
	case *Call:
		return &Call{op.Fn, atoms(op.Args, s)}
	}
	panic("ir: unknown node")
}

// Clone returns a deep copy of f with the same names.
func (f *Func) Clone() *Func {
	s, n := Subst{}, NewNamer(nil)
	g := &Func{Name: f.Name, Pos: f.Pos, Params: freshAll(f.Params, s, n), Reassociate: f.Reassociate, Sizes: f.Sizes}
	g.Body = f.Body.Clone(s, n)
	return g
}
