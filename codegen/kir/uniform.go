package kir

// Uniform decides whether something has one value for all that run the same code: the turns of a loop, the work-items
// of a group. The functions say which variables have, and which arrays keep what they hold; the rest is what is
// computed from these. Places are those that the work-items of a group have in common (see [Place.OfGroup]).
type Uniform struct {
	Var   func(v *Var) bool
	Array func(a *Array) bool // nil: what is loaded may differ
}

// Expr reports whether an expression is known to have one value.
func (u Uniform) Expr(x Expr) bool {
	same := true
	WalkExpr(x, func(x Expr) { same = same && u.node(x) })
	return same
}

// Stmt reports whether all that a statement evaluates is known to have one value.
func (u Uniform) Stmt(s Stmt) bool {
	same := true
	Walk([]Stmt{s}, nil, func(x Expr) { same = same && u.node(x) })
	return same
}

// node reports whether a node of an expression has one value if its operands have.
func (u Uniform) node(x Expr) bool {
	switch x := x.(type) {
	case nil: // a bound that is left out
		return true
	case *Ref:
		return x.V.Host || u.Var(x.V)
	case *Place:
		return x.OfGroup()
	case *Load:
		return u.Array != nil && x.Mask == nil && u.Array(x.A)
	case *Routine:
		for _, a := range x.Args {
			if a.A != nil {
				return false
			}
		}
		return true
	case *Const, *Length, *GroupsOf, *Found, *RoundOf, *Bin, *Un, *FMA, *Convert, *Select:
		return true
	}
	return false
}

// OfGroup reports whether a place is the same for all work-items of a group.
func (p *Place) OfGroup() bool {
	switch p.What {
	case GroupOf, Groups, Items, Warps, Lanes, Globals, Blockwise:
		return true
	}
	return false
}
