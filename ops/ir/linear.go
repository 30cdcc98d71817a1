package ir

// Allocs maps every variable of b, and of the blocks inside it, that is a version of an array made by an [Alloc] to the
// statement of that Alloc.
func Allocs(b *Block) map[*Var]*Stmt {
	m := map[*Var]*Stmt{}
	of := func(a Atom) *Stmt {
		v, _ := a.(*Var)
		return m[v]
	}
	var block func(*Block)
	block = func(b *Block) {
		for _, s := range b.Stmts {
			loop, isLoop := s.Op.(*Loop)
			if isLoop {
				for i, p := range loop.Params {
					if from := of(loop.Init[i]); from != nil && p.T.Rank > 0 {
						m[p] = from
					}
				}
			}
			for _, c := range Blocks(s.Op) {
				block(c)
			}
			switch op := s.Op.(type) {
			case *Alloc:
				m[s.Dst[0]] = s
			case *Update:
				if from := of(op.X); from != nil {
					m[s.Dst[0]] = from
				}
			case *Grow:
				if from := of(op.X); from != nil {
					m[s.Dst[0]] = from
				}
			case *Loop:
				for i, d := range s.Dst {
					if from := m[op.Params[i]]; from != nil {
						m[d] = from
					}
				}
			case *If:
				for i, d := range s.Dst {
					if from := of(op.Then.Results[i]); from != nil && d.T.Rank > 0 && from == of(op.Else.Results[i]) {
						m[d] = from
					}
				}
			}
		}
	}
	block(b)
	return m
}

// linear is what [Verify] knows of arrays that are updated in place.
type linear struct {
	turns    int           // operators and loops around the statement at hand
	roots    map[*Var]*Var // version of an array, or view of one → the variable of its Alloc
	made     map[*Var]int  // that variable → turns where it may be updated
	growing  map[*Var]bool // that variable → it may grow
	versions map[*Var]bool // what may be consumed
	consumed map[*Var]string
	frozen   map[*Var]bool // that variable → an operator or a view has read it
	views    map[*Var]*Var // view of an array → the version that it was made of
}

func newLinear() *linear {
	return &linear{roots: map[*Var]*Var{}, made: map[*Var]int{}, growing: map[*Var]bool{}, versions: map[*Var]bool{}, consumed: map[*Var]string{},
		frozen: map[*Var]bool{}, views: map[*Var]*Var{}}
}

func (l *linear) root(a Atom) *Var {
	v, _ := a.(*Var)
	return l.roots[v]
}

func (l *linear) own(v, root *Var) {
	if root != nil {
		l.roots[v], l.versions[v] = root, true
		l.made[v] = l.turns
	}
}

// usable returns what ended the life of v, "" if it lives.
func (l *linear) usable(v *Var) string {
	if of := l.views[v]; of != nil {
		return l.consumed[of]
	}
	return l.consumed[v]
}

// consume ends the life of version a.
func (v *verifier) consume(s *Stmt, a Atom, by string) {
	x, ok := a.(*Var)
	switch {
	case !ok || !v.versions[x]:
		v.errorf(s, "%s is updated, and is no array that the function made", a)
	case v.made[x] != v.turns:
		v.lost = append(v.lost, s)
		v.errorf(s, "%s is updated again and again in an operator or a loop that does not carry it", a)
	case v.frozen[v.roots[x]]:
		v.errorf(s, "%s is updated after an operator or a view has read it", a)
	default:
		v.consumed[x] = by
	}
}

// reads notes which arrays statement s reads for good: as an operator, or by a view.
func (v *verifier) reads(s *Stmt) {
	freeze := func(a Atom) {
		if r := v.root(a); r != nil {
			v.frozen[r] = true
		}
	}
	switch op := s.Op.(type) {
	case *View:
		for _, a := range op.Args {
			freeze(a)
			if r := v.root(a); r != nil && len(s.Dst) == 1 {
				of, _ := a.(*Var)
				if v.views[of] != nil {
					of = v.views[of]
				}
				v.roots[s.Dst[0]], v.views[s.Dst[0]] = r, of
			}
		}
	case *Map, *Reduce, *Scan, *Scatter, *Hist, *Sort:
		for _, b := range Blocks(op) {
			for _, x := range Free(b) {
				freeze(x)
			}
		}
	}
}

// owns notes which of s's results are versions of arrays that are updated in place.
func (v *verifier) owns(s *Stmt) {
	switch op := s.Op.(type) {
	case *Alloc:
		v.own(s.Dst[0], s.Dst[0])
		v.growing[s.Dst[0]] = op.Grows
	case *Update:
		v.own(s.Dst[0], v.root(op.X))
	case *Grow:
		v.own(s.Dst[0], v.root(op.X))
	case *Loop:
		for i, d := range s.Dst {
			if d.T.Rank > 0 {
				v.own(d, v.root(op.Params[i]))
			}
		}
	case *If:
		for i, d := range s.Dst {
			if d.T.Rank == 0 {
				continue
			}
			then, els := v.root(op.Then.Results[i]), v.root(op.Else.Results[i])
			x, _ := op.Then.Results[i].(*Var)
			y, _ := op.Else.Results[i].(*Var)
			switch {
			case then == els && v.versions[x] && v.versions[y]:
				v.own(d, then)
			case v.versions[x] || v.versions[y]:
				v.errorf(s, "%s is one array or another, and one of them is updated in place", d.Name)
			}
		}
	}
}

// settled checks that an element of a Map is no array that grows: nothing says how long that is.
func (v *verifier) settled(s *Stmt, r Atom) {
	if v.growing[v.root(r)] {
		v.errorf(s, "an element is %s, which grows, so that nothing says how long it is", r)
	}
}

// branches checks the blocks of an If: what one consumes is not consumed in the other, but is behind both.
func (v *verifier) branches(s *Stmt, op *If) {
	copyOf := func(m map[*Var]string) map[*Var]string {
		c := make(map[*Var]string, len(m))
		for k, x := range m {
			c[k] = x
		}
		return c
	}
	consumed := copyOf(v.consumed)
	v.block(op.Then)
	then := v.consumed
	v.consumed = consumed
	v.block(op.Else)
	for k, x := range then {
		v.consumed[k] = x
	}
	for _, b := range Blocks(op) {
		for i, r := range b.Results {
			if x, ok := r.(*Var); ok && r.Type().Rank > 0 && v.versions[x] && i < len(s.Dst) {
				v.consumed[x] = "a condition took it over"
			}
		}
	}
}
