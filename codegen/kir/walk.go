package kir

// eachExpr calls f for the expressions that a statement evaluates itself (those of its blocks not included). Walks take
// most of the time of passes: they make no lists.
func eachExpr(s Stmt, f func(Expr)) {
	switch s := s.(type) {
	case *Let:
		f(s.X)
	case *Set:
		f(s.X)
	case *Store:
		f(s.I)
		f(s.X)
		if s.Mask != nil {
			f(s.Mask)
		}
	case *Scatter:
		f(s.I)
		f(s.X)
		f(s.Mask)
	case *StoreEvery:
		f(s.I)
		f(s.X)
	case *For:
		if s.Keep {
			f(&Ref{s.V})
		} else {
			f(s.Lo)
		}
		f(s.Hi)
	case *Stride:
		f(s.Lo)
		f(s.Hi)
		f(s.Step)
	case *While:
		f(s.Test)
	case *If:
		f(s.Cond)
	case *Par:
		f(s.N)
		if s.Chain != nil {
			f(s.Chain.Seed)
		}
		if s.PartialWidth != nil {
			f(s.PartialWidth)
		}
		if s.Work != nil {
			f(s.Work)
		}
	case *Publish:
		f(s.X)
	case *AllocScratch:
		f(s.N)
	case *Grow:
		f(s.Keep)
		f(s.N)
	case *Result:
		f(s.X)
	case *Call:
		f(s.R)
	case *GoCall:
		f(s.R)
	case *Check:
		if s.Position != nil {
			f(s.Position)
		}
		for _, x := range s.Args {
			f(x)
		}
	case *CheckAll:
		f(s.I)
		f(s.N)
		f(s.Limit)
	}
}

// eachBlock calls f for the statement lists inside a statement, in order of execution.
func eachBlock(s Stmt, f func(*[]Stmt)) {
	switch s := s.(type) {
	case *For:
		f(&s.Body)
	case *Stride:
		f(&s.Body)
	case *While:
		f(&s.Cond)
		f(&s.Body)
	case *If:
		f(&s.Then)
		f(&s.Else)
	case *Par:
		f(&s.Body)
		if s.CombinePartial != nil {
			f(&s.CombinePartial.Body)
		}
		if s.Long != nil {
			f(&s.Long.Body)
		}
	case *Scoped:
		f(&s.Body)
	case *Divergent:
		f(&s.Body)
	case *Vectors:
		f(&s.Body)
	}
}

// eachOperand calls f for the direct operands of an expression.
func eachOperand(x Expr, f func(Expr)) {
	switch x := x.(type) {
	case *Bin:
		f(x.X)
		f(x.Y)
	case *Un:
		f(x.X)
	case *FMA:
		f(x.X)
		f(x.Y)
		f(x.Z)
	case *Convert:
		f(x.X)
	case *Select:
		f(x.C)
		f(x.X)
		f(x.Y)
	case *Load:
		f(x.I)
		if x.Mask != nil {
			f(x.Mask)
		}
	case *Gather:
		f(x.I)
		if x.Mask != nil {
			f(x.Mask)
		}
	case *Every:
		f(x.I)
	case *IotaBy:
		f(x.Start)
		f(x.D)
	case *FirstLanes:
		f(x.Start)
		f(x.Bound)
	case *Splat:
		f(x.X)
	case *Iota:
		f(x.Start)
	case *Lane:
		f(x.X)
	case *LaneWhere:
		f(x.X)
		f(x.Mask)
	case *Horizontal:
		f(x.X)
	case *AnyLane:
		f(x.X)
	case *Compress:
		f(x.X)
		f(x.Mask)
	case *CountLanes:
		f(x.X)
	case *Half:
		f(x.X)
	case *Join:
		f(x.Lo)
		f(x.Hi)
	case *Shuffle:
		f(x.X)
		f(x.From)
	case *Collective:
		f(x.X)
	case *Routine:
		for _, a := range x.Args {
			f(a.X)
		}
	}
}

// Operands returns the direct operands of an expression.
func Operands(x Expr) []Expr {
	var xs []Expr
	eachOperand(x, func(o Expr) { xs = append(xs, o) })
	return xs
}

// WalkExpr calls f for x and everything inside it.
func WalkExpr(x Expr, f func(Expr)) {
	var walk func(x Expr)
	walk = func(x Expr) {
		f(x)
		eachOperand(x, walk)
	}
	walk(x)
}

// Calls reports whether a statement itself, not one inside it, calls a function on vectors that is too large to be
// inlined: such a function keeps no registers of its caller.
func Calls(s Stmt) bool {
	found := false
	eachExpr(s, func(x Expr) {
		WalkExpr(x, func(x Expr) {
			switch x := x.(type) {
			case *Un:
				found = found || x.T.Lanes > 1 && CallsUnary(x.Fn)
			case *Bin:
				found = found || x.T.Lanes > 1 && CallsBinary(x.Fn)
			}
		})
	})
	return found
}

// Walk calls stmt for every statement of body and of the blocks inside, outer first, and expr for every expression.
// Either may be nil.
func Walk(body []Stmt, stmt func(Stmt), expr func(Expr)) {
	var walk func(x Expr)
	walk = func(x Expr) {
		expr(x)
		eachOperand(x, walk)
	}
	var block func(*[]Stmt)
	block = func(b *[]Stmt) {
		for _, s := range *b {
			if stmt != nil {
				stmt(s)
			}
			if expr != nil {
				eachExpr(s, walk)
			}
			eachBlock(s, block)
		}
	}
	block(&body)
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
	eachBlock(s, func(b *[]Stmt) { bs = append(bs, *b) })
	return bs
}

// BlocksOf returns pointers to the statement lists inside a statement, for passes that replace them.
func BlocksOf(s Stmt) []*[]Stmt {
	var bs []*[]Stmt
	eachBlock(s, func(b *[]Stmt) { bs = append(bs, b) })
	return bs
}

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
	eachBlock(s, func(b *[]Stmt) { *b = f(*b) })
}
