package kir

// exprs returns the expressions that a statement evaluates itself (those of its blocks not included).
func exprs(s Stmt) []Expr {
	switch s := s.(type) {
	case *Let:
		return []Expr{s.X}
	case *Set:
		return []Expr{s.X}
	case *Store:
		if s.Mask != nil {
			return []Expr{s.I, s.X, s.Mask}
		}
		return []Expr{s.I, s.X}
	case *Scatter:
		return []Expr{s.I, s.X, s.Mask}
	case *StoreEvery:
		return []Expr{s.I, s.X}
	case *For:
		if s.Keep {
			return []Expr{&Ref{s.V}, s.Hi}
		}
		return []Expr{s.Lo, s.Hi}
	case *Stride:
		return []Expr{s.Lo, s.Hi, s.Step}
	case *While:
		return []Expr{s.Test}
	case *If:
		return []Expr{s.Cond}
	case *Par:
		xs := []Expr{s.N}
		if s.Chain != nil {
			xs = append(xs, s.Chain.Seed)
		}
		if s.PartialWidth != nil {
			xs = append(xs, s.PartialWidth)
		}
		if s.Work != nil {
			xs = append(xs, s.Work)
		}
		return xs
	case *Publish:
		return []Expr{s.X}
	case *AllocScratch:
		return []Expr{s.N}
	case *Grow:
		return []Expr{s.Keep, s.N}
	case *Result:
		return []Expr{s.X}
	case *Call:
		return []Expr{s.R}
	case *GoCall:
		return []Expr{s.R}
	case *Check:
		if s.Position != nil {
			return append([]Expr{s.Position}, s.Args...)
		}
		return s.Args
	case *CheckAll:
		return []Expr{s.I, s.N, s.Limit}
	}
	return nil
}

// blocks returns pointers to the statement lists inside a statement, in order of execution.
func blocks(s Stmt) []*[]Stmt {
	switch s := s.(type) {
	case *For:
		return []*[]Stmt{&s.Body}
	case *Stride:
		return []*[]Stmt{&s.Body}
	case *While:
		return []*[]Stmt{&s.Cond, &s.Body}
	case *If:
		return []*[]Stmt{&s.Then, &s.Else}
	case *Par:
		all := []*[]Stmt{&s.Body}
		if s.CombinePartial != nil {
			all = append(all, &s.CombinePartial.Body)
		}
		if s.Long != nil {
			all = append(all, &s.Long.Body)
		}
		return all
	case *Scoped:
		return []*[]Stmt{&s.Body}
	case *Divergent:
		return []*[]Stmt{&s.Body}
	case *Vectors:
		return []*[]Stmt{&s.Body}
	}
	return nil
}

// Operands returns the direct operands of an expression.
func Operands(x Expr) []Expr {
	switch x := x.(type) {
	case *Bin:
		return []Expr{x.X, x.Y}
	case *Un:
		return []Expr{x.X}
	case *FMA:
		return []Expr{x.X, x.Y, x.Z}
	case *Convert:
		return []Expr{x.X}
	case *Select:
		return []Expr{x.C, x.X, x.Y}
	case *Load:
		if x.Mask != nil {
			return []Expr{x.I, x.Mask}
		}
		return []Expr{x.I}
	case *Gather:
		if x.Mask != nil {
			return []Expr{x.I, x.Mask}
		}
		return []Expr{x.I}
	case *Every:
		return []Expr{x.I}
	case *IotaBy:
		return []Expr{x.Start, x.D}
	case *FirstLanes:
		return []Expr{x.Start, x.Bound}
	case *Splat:
		return []Expr{x.X}
	case *Iota:
		return []Expr{x.Start}
	case *Lane:
		return []Expr{x.X}
	case *LaneWhere:
		return []Expr{x.X, x.Mask}
	case *Horizontal:
		return []Expr{x.X}
	case *AnyLane:
		return []Expr{x.X}
	case *Compress:
		return []Expr{x.X, x.Mask}
	case *CountLanes:
		return []Expr{x.X}
	case *Half:
		return []Expr{x.X}
	case *Join:
		return []Expr{x.Lo, x.Hi}
	case *Shuffle:
		return []Expr{x.X, x.From}
	case *Collective:
		return []Expr{x.X}
	case *Routine:
		var xs []Expr
		for _, a := range x.Args {
			xs = append(xs, a.X)
		}
		return xs
	}
	return nil
}

// WalkExpr calls f for x and everything inside it.
func WalkExpr(x Expr, f func(Expr)) {
	f(x)
	for _, o := range Operands(x) {
		WalkExpr(o, f)
	}
}

// Calls reports whether a statement itself, not one inside it, calls a function on vectors that is too large to be
// inlined: such a function keeps no registers of its caller.
func Calls(s Stmt) bool {
	found := false
	for _, x := range exprs(s) {
		WalkExpr(x, func(x Expr) {
			switch x := x.(type) {
			case *Un:
				found = found || x.T.Lanes > 1 && CallsUnary(x.Fn)
			case *Bin:
				found = found || x.T.Lanes > 1 && CallsBinary(x.Fn)
			}
		})
	}
	return found
}

// Walk calls stmt for every statement of body and of the blocks inside, outer first, and expr for every expression.
// Either may be nil.
func Walk(body []Stmt, stmt func(Stmt), expr func(Expr)) {
	for _, s := range body {
		if stmt != nil {
			stmt(s)
		}
		if expr != nil {
			for _, x := range exprs(s) {
				WalkExpr(x, expr)
			}
		}
		for _, b := range blocks(s) {
			Walk(*b, stmt, expr)
		}
	}
}

// ArrayOf returns the array that an expression or statement addresses directly, or nil; routines may address several
// ([Routine.Args]).
func ArrayOf(x any) *Array {
	switch x := x.(type) {
	case *Load:
		return x.A
	case *Gather:
		return x.A
	case *Every:
		return x.A
	case *Length:
		return x.A
	case *Store:
		return x.A
	case *Scatter:
		return x.A
	case *StoreEvery:
		return x.A
	case *CheckAll:
		return x.A
	case *Grow:
		return x.A
	case *Par:
		return x.By
	}
	return nil
}

// Arrays calls f for every array that statements name, as often as they do.
func Arrays(body []Stmt, f func(*Array)) {
	note := func(a *Array) {
		if a != nil {
			f(a)
		}
	}
	arguments := func(r *Routine) {
		for _, a := range r.Args {
			note(a.A)
		}
	}
	Walk(body, func(s Stmt) {
		note(ArrayOf(s))
		switch s := s.(type) {
		case *Call:
			arguments(s.R)
		case *Let:
			note(s.V.Memory)
		case *AllocScratch:
			note(s.A)
		}
	}, func(x Expr) {
		note(ArrayOf(x))
		if r, ok := x.(*Routine); ok {
			arguments(r)
		}
	})
}

// Blocks returns the statement lists inside a statement.
func Blocks(s Stmt) [][]Stmt {
	var bs [][]Stmt
	for _, b := range blocks(s) {
		bs = append(bs, *b)
	}
	return bs
}

// BlocksOf returns pointers to the statement lists inside a statement, for passes that replace them.
func BlocksOf(s Stmt) []*[]Stmt { return blocks(s) }

// Shallow returns a copy of s without the statements inside it.
func Shallow(s Stmt) Stmt {
	switch s := s.(type) {
	case *For:
		c := *s
		c.Body = nil
		return &c
	case *Stride:
		c := *s
		c.Body = nil
		return &c
	case *While:
		c := *s
		c.Cond, c.Body = nil, nil
		return &c
	case *If:
		c := *s
		c.Then, c.Else = nil, nil
		return &c
	case *Par:
		c := *s
		c.Body = nil
		if s.CombinePartial != nil {
			c.CombinePartial = &CombinePartials{K: s.CombinePartial.K}
		}
		if s.Long != nil {
			c.Long = &LongRows{I: s.Long.I}
		}
		return &c
	case *Scoped:
		return &Scoped{}
	case *Divergent:
		return &Divergent{}
	case *Vectors:
		return &Vectors{}
	}
	return s
}

// Declares returns the variables that a statement declares.
func Declares(s Stmt) []*Var {
	switch s := s.(type) {
	case *Let:
		return []*Var{s.V}
	case *For:
		if !s.Keep {
			return []*Var{s.V}
		}
	case *Stride:
		return []*Var{s.V}
	case *Wait:
		return []*Var{s.V}
	case *GoCall:
		return s.Dst
	case *Par:
		vs := []*Var{s.Lo, s.Hi, s.Chunk}
		if s.Count != nil {
			vs = append(vs, s.Count)
		}
		if s.CombinePartial != nil {
			vs = append(vs, s.CombinePartial.K)
		}
		if s.Long != nil {
			vs = append(vs, s.Long.I)
		}
		return vs
	}
	return nil
}

// Rewrite replaces each statement list inside s by what f makes of it, in order of execution.
func Rewrite(s Stmt, f func([]Stmt) []Stmt) {
	for _, b := range blocks(s) {
		*b = f(*b)
	}
}
