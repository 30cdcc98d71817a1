package kir

import "github.com/surge-ndp/surge/ops/ir"

// isConstant reports whether a vector repeats a constant: such ones lie in tables of the program.
func isConstant(x Expr) bool {
	s, ok := x.(*Splat)
	if ok {
		_, ok = s.X.(*Const)
	}
	return ok
}

// want checks the type of an expression; masks of all widths are masks.
func (v *verifier) want(x Expr, t Type, what string) {
	if got := x.Type(); !sameType(got, t) {
		v.failf("%s is %s of type %s, and not %s", what, Text(x), got.full(), t.full())
	}
}

func sameType(a, b Type) bool { return a.Kind == b.Kind && a.Lanes == b.Lanes }

func (v *verifier) element(a *Array, x Expr) {
	if x.Type().Kind != a.Kind {
		v.failf("an element of type %s is stored into %s of %s", x.Type().full(), a.Name, a.Kind)
	}
}

func (v *verifier) mask(m Expr, lanes int) {
	if m != nil && !sameType(m.Type(), Type{Kind: ir.Bool, Lanes: lanes}) {
		v.failf("%s of type %s is no mask of %d lanes", Text(m), m.Type().full(), lanes)
	}
}

// expr checks an expression and everything inside it.
// distances reports whether elements may be read and written that lie so far from each other: see [Every].
func distances(by int) bool { return by == -1 || by > 1 }

func (v *verifier) expr(x Expr) {
	for _, o := range Operands(x) {
		v.expr(o)
	}
	switch x.(type) {
	case *Place, *GroupsOf, *Found, *RoundOf, *Shuffle, *Collective:
		if !v.device {
			v.failf("%s is an expression of devices", Text(x))
		}
	}
	same := func(operands ...Expr) {
		for _, o := range operands {
			if !sameType(o.Type(), operands[0].Type()) {
				v.failf("%s has operands of the types %s and %s", Text(x), operands[0].Type().full(), o.Type().full())
			}
		}
	}
	lanes := func() {
		for _, o := range Operands(x) {
			if o.Type().Lanes != x.Type().Lanes {
				v.failf("%s of type %s has an operand of type %s", Text(x), x.Type().full(), o.Type().full())
			}
		}
	}
	switch x := x.(type) {
	case *Ref:
		v.use(x.V)
	case *Bin:
		if n := x.Y.Type().Lanes; (x.Fn == ir.Shl || x.Fn == ir.Shr) && n == 1 {
			if x.X.Type().Lanes != x.T.Lanes { // one count may be that of all lanes
				v.failf("%s of type %s has an operand of type %s", Text(x), x.T.full(), x.X.Type().full())
			}
		} else {
			lanes()
		}
		if x.Fn != ir.Shl && x.Fn != ir.Shr && x.Fn != ir.RotateLeft { // whose counts may be of other kinds
			same(x.X, x.Y)
		}
		if !sameType(x.T, plainType(x)) {
			v.failf("%s has the type %s", Text(x), x.T.full())
		}
	case *Un:
		lanes()
	case *FMA:
		lanes()
		same(x.X, x.Y, x.Z)
	case *Convert:
		lanes()
	case *Select:
		lanes()
		same(x.X, x.Y)
		if x.C.Type().Kind != ir.Bool {
			v.failf("%s is chosen by a value of type %s", Text(x), x.C.Type().full())
		}
	case *Load:
		v.want(x.I, Int, "an index of "+x.A.Name)
		if x.T.Kind != x.A.Kind {
			v.failf("%s of %s is read as %s", x.A.Name, x.A.Kind, x.T.full())
		}
		v.mask(x.Mask, x.T.Lanes)
	case *Gather:
		if t := x.I.Type(); !t.Kind.IsInteger() || t.Lanes != x.T.Lanes || x.T.Kind != x.A.Kind {
			v.failf("%s of %s is read as %s by indices of type %s", x.A.Name, x.A.Kind, x.T.full(), t.full())
		}
		v.mask(x.Mask, x.T.Lanes)
	case *Every:
		v.want(x.I, Int, "an index of "+x.A.Name)
		if x.T.Kind != x.A.Kind || x.T.Lanes == 1 || !distances(x.By) {
			v.failf("every element at a distance of %d of %s of %s is read as %s", x.By, x.A.Name, x.A.Kind, x.T.full())
		}
	case *Splat:
		if t := x.X.Type(); t.Lanes != 1 || t.Kind != x.T.Kind {
			v.failf("%s of type %s repeats a value of type %s", Text(x), x.T.full(), t.full())
		}
	case *Iota:
		if x.Start.Type().Lanes != 1 {
			v.failf("%s starts at a vector", Text(x))
		}
	case *IotaBy:
		same(x.Start, x.D)
	case *FirstLanes:
		same(x.Start, x.Bound)
	case *Lane:
		if x.K < 0 || x.K >= x.X.Type().Lanes {
			v.failf("%s has %d lanes", Text(x.X), x.X.Type().Lanes)
		}
	case *LaneWhere:
		v.mask(x.Mask, x.X.Type().Lanes)
	case *Half:
		if n := x.X.Type().Lanes; n < 4 || n%2 != 0 {
			v.failf("%s has %d lanes, and no halves", Text(x.X), n)
		}
	case *Join:
		same(x.Lo, x.Hi)
	case *Compress:
		v.mask(x.Mask, x.X.Type().Lanes)
	case *GroupsOf:
		if x.Step < 0 || x.Step >= v.launch {
			v.failf("launch %d asks for the groups of launch %d", v.launch, x.Step)
		}
	case *Found:
		if x.Step < 0 || x.Step >= v.finding {
			v.failf("launch %d asks for what launch %d finds", v.launch, x.Step)
		}
	case *Routine:
		v.routine(x)
	}
}

func (v *verifier) routine(r *Routine) {
	if r.Name == GoFunc {
		for i, a := range r.Args {
			if a.A == nil {
				continue
			}
			v.want(a.X, Int, "an index of "+a.A.Name)
			if i+1 == len(r.Args) || r.Args[i+1].A != nil {
				v.failf("%s has no number of elements of %s", Text(r), a.A.Name)
			}
		}
		return
	}
	args, known := routineArgs[r.Name]
	if !known {
		v.failf("no routine is called %s", r.Name)
		return
	}
	fixed, many := args, false
	if n := len(args); n > 0 && args[n-1] == '*' {
		fixed, many = args[:n-1], true
	}
	if len(r.Args) < len(fixed) || len(r.Args) > len(fixed) && !many {
		v.failf("%s takes the arguments %q", Text(r), args)
		return
	}
	for i, a := range r.Args {
		kind := byte('x')
		if i < len(fixed) {
			kind = fixed[i]
		}
		if (a.A != nil) != (kind == 'A') {
			v.failf("argument %d of %s: the routine takes %q", i+1, Text(r), args)
		}
		if a.A != nil {
			v.want(a.X, Int, "an index of "+a.A.Name)
		}
	}
}
