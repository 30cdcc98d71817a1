package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// gridLoop gives the grids whose rows a loop makes, z[i] = make([]T, w), their memory before it. It says whether that
// is all that the loop does; otherwise what is left of its body is to be lowered.
func (l *lowerer) gridLoop(lp *loop, targets []*rowTarget) bool {
	makes := map[int]bool{}
	var made []*types.Var
	for _, t := range targets {
		at, before, call, why := l.makesFirst(lp, t)
		if call == nil {
			l.problem(t.pos, rowsNeeded(t, lp, why))
			l.env.set(t.v, value{bad: true})
			continue
		}
		l.pos = lp.pos
		x := l.gridOfTurns(lp, l.env.vals[t.v], before, call)
		x.typ = t.v.Type()
		l.bind(t.v, x)
		makes[at], made = true, append(made, t.v)
	}
	if len(makes) == len(lp.body.List) {
		return true
	}
	var rest []ast.Stmt
	for i, s := range lp.body.List {
		if !makes[i] {
			rest = append(rest, s)
		}
	}
	lp.body = &ast.BlockStmt{Lbrace: lp.body.Lbrace, List: rest, Rbrace: lp.body.Rbrace}
	start := lp.start
	lp.start = func(i ir.Atom) {
		start(i)
		for _, v := range made {
			if x := l.env.vals[v]; x.grid != nil {
				g := *x.grid
				g.made = l.bin("made", ir.Add, i, oneInt)
				x.grid = &g
				l.env.vals[v] = x
			}
		}
	}
	return false
}

// makesFirst finds the statement of the body of the loop that makes the row of t, before anything else is done to the
// grid, and what the turn does before that; rows of other grids are made by statements of their own. It says why not if
// there is none.
func (l *lowerer) makesFirst(lp *loop, t *rowTarget) (at int, before []ast.Stmt, call *ast.CallExpr, why string) {
	x := l.env.vals[t.v]
	switch {
	case x.grid == nil || t.appends || l.env.captured(t.v):
		return 0, nil, nil, "the loop assigns other variables as well, which go from turn to turn"
	case !x.grid.blank:
		return 0, nil, nil, "its rows were made before"
	}
	for i, s := range lp.body.List {
		v, call := l.makesRow(lp, s)
		switch {
		case v == t.v:
			before := &ast.BlockStmt{List: before}
			for _, e := range call.Args[1:] {
				if mentions(l.unit.info, e, map[*types.Var]bool{t.v: true}) {
					return 0, nil, nil, "how long a row is depends on other rows"
				}
			}
			changed := l.assigned(before)
			for _, key := range l.env.keys {
				if changed[key] {
					return 0, nil, nil, "what comes before the row is made assigns " + keyName(key) + ", which goes from turn to turn"
				}
			}
			if l.leaves(before, lp) {
				return 0, nil, nil, "the loop may be left before the row is made"
			}
			if l.variantIn(call.Args[1], lp, changed) {
				return 0, nil, nil, "how long a row is depends on what earlier turns have computed"
			}
			for _, s := range lp.body.List[i+1:] {
				if jumpsTo([]ast.Stmt{s}, token.BREAK, lp.label) || len(l.outward(s)) > 0 || l.returnsIt(s, t.v) {
					return 0, nil, nil, "the loop may be left before all rows are made"
				}
			}
			return i, before.List, call, ""
		case mentions(l.unit.info, s, map[*types.Var]bool{t.v: true}):
			return 0, nil, nil, unmade(lp, t)
		case v == nil:
			before = append(before, s)
		}
	}
	return 0, nil, nil, unmade(lp, t)
}

// unmade says that a loop does not make the rows of t first.
func unmade(lp *loop, t *rowTarget) string {
	return "the turns of the loop need each other, and do not begin with " + t.v.Name() + "[" + lp.index.Name() + "] = make(…)"
}

// variantIn reports whether e, or what it is computed from, is assigned by other turns of the loop than the one at
// hand: changed is assigned in the same turn before.
func (l *lowerer) variantIn(e ast.Expr, lp *loop, changed map[any]bool) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			v, isVar := l.unit.info.Uses[id].(*types.Var)
			_, known := l.env.vals[v]
			found = found || isVar && known && v != lp.index && lp.changed[v] && !changed[v]
		}
		return !found
	})
	return found
}

// leaves reports whether the statements may leave the turn.
func (l *lowerer) leaves(b *ast.BlockStmt, lp *loop) bool {
	return l.returns(b) || jumpsTo(b.List, token.BREAK, lp.label) || jumpsTo(b.List, token.CONTINUE, lp.label) || len(l.outward(b)) > 0
}

// returnsIt reports whether a return statement in n gives the variable v to the caller.
func (l *lowerer) returnsIt(n ast.Node, v *types.Var) bool {
	result := slices.Contains(l.frame.results, any(v))
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if r, ok := n.(*ast.ReturnStmt); ok && !l.frame.exits[r] {
			found = found || mentions(l.unit.info, r, map[*types.Var]bool{v: true}) || len(r.Results) == 0 && result
		}
		return !found
	})
	return found
}

// gridOfTurns is the blank grid x with rows as the loop makes them: call makes one, behind the statements before.
func (l *lowerer) gridOfTurns(lp *loop, x value, before []ast.Stmt, call *ast.CallExpr) value {
	width := call.Args[1]
	g := &grid{n: x.grid.n}
	exact := ir.IsInt(lp.lo, 0) && l.sameNumber(lp.hi, g.n)
	if !exact {
		l.inside(lp, x, text(call))
	}
	checked := func(w ir.Atom) {
		if c, ok := w.(ir.Const); !ok || c.Int() < 0 {
			l.check(ir.CheckNonneg, "make", text(width), w)
		}
	}
	if exact && !lp.declares(l.unit.info, width) && l.invariant(width, lp.changed, lp.index, lp.body) {
		some := l.bin("some", ir.Gt, g.n, zeroInt)
		if !mayFail(width) {
			g.width = l.toInt(l.scalar(width))
			if !l.atLeastZero(g.width) {
				l.conds(some, func() []ir.Atom { checked(g.width); return nil }, func() []ir.Atom { return nil })
			}
		} else {
			g.width = l.cond("width", intType, some, func() ir.Atom {
				w := l.toInt(l.scalar(width))
				checked(w)
				return w
			}, func() ir.Atom { return zeroInt })
		}
		return l.allocGrid(x.typ, g, l.arith(ir.Mul, g.n, g.width), call.Pos())
	}
	widths := l.mapped("widths", g.n, func(i *ir.Var) []ir.Atom {
		turn := func() []ir.Atom {
			lp.start(i)
			l.run(before)
			w := l.toInt(l.scalar(width))
			checked(w)
			return []ir.Atom{w}
		}
		if exact {
			return turn()
		}
		here := l.bin("here", ir.And, l.bin("t", ir.Le, lp.lo, i), l.bin("t", ir.Lt, i, lp.hi))
		return l.conds(here, turn, func() []ir.Atom { return []ir.Atom{zeroInt} })
	})
	if exact {
		if g.width = l.widthIn(widths[0]); g.width != nil {
			return l.allocGrid(x.typ, g, l.arith(ir.Mul, g.n, g.width), call.Pos())
		}
	}
	var total ir.Atom
	g.starts, total = l.startsOf(g.n, widths[0])
	return l.allocGrid(x.typ, g, total, call.Pos())
}

// declares reports whether e names a variable that the loop declares, such as the value of a range.
func (lp *loop) declares(info *types.Info, e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		v, isVar := info.Uses[id].(*types.Var)
		found = found || ok && isVar && lp.pos <= v.Pos() && v.Pos() < lp.body.End()
		return !found
	})
	return found
}

// scalar lowers an expression that is a number; 0 stands for one that is refused.
func (l *lowerer) scalar(e ast.Expr) ir.Atom {
	v := l.expr(e)
	if v.bad || len(v.atoms) != 1 {
		return zeroInt
	}
	return v.atoms[0]
}

// mayFail reports whether e indexes something, divides or calls.
func mayFail(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			found = true
		case *ast.BinaryExpr:
			found = found || n.Op == token.QUO || n.Op == token.REM || n.Op == token.SHL || n.Op == token.SHR
		}
		return !found
	})
	return found
}

// startsOf is where n rows of these widths begin that lie one behind the other, and where the last one ends.
func (l *lowerer) startsOf(n, widths ir.Atom) (starts, total ir.Atom) {
	ends, total := l.counted(n, widths)
	starts = l.mapped("starts", l.arith(ir.Add, n, oneInt), func(i *ir.Var) []ir.Atom {
		return []ir.Atom{l.cond("start", intType, l.bin("first", ir.Eq, i, zeroInt), func() ir.Atom { return zeroInt },
			func() ir.Atom { return l.at("end", ends, l.bin("k", ir.Sub, i, oneInt)) })}
	})[0]
	return starts, total
}

// rowsNeeded says that rows are made in a way that is not compiled.
func rowsNeeded(t *rowTarget, lp *loop, why string) problem {
	z := t.v.Name()
	what := "an element of " + z + " is assigned, which is a slice of rows, by a loop whose turns need each other"
	if t.appends {
		what = "a row is appended to " + z + " by a loop whose turns need each other"
	}
	return problem{CodeRows, what, why + ": rows are made by a loop of their own, each turn the one that it counts",
		"make the rows in a loop that does nothing else, as in for i := range " + z + " { " + z + "[i] = … }, and what goes from turn to turn in another one"}
}

// adoptChanged makes grids of rows that the loop updates.
func (l *lowerer) adoptChanged(lp *loop) {
	for _, key := range l.env.keys {
		if lp.changed[key] && gridRank(l.env.vals[key].typ) == 2 {
			l.toGrid(key)
		}
	}
	l.adoptUpdated(lp.body)
}

// mayBecomeGrid reports whether the variable is of rows that nothing else names.
func (l *lowerer) mayBecomeGrid(key any) bool {
	x := l.env.vals[key]
	if x.bad || x.rows == nil || !x.rows.fresh || x.rows.escaped.IsValid() || l.env.captured(key) {
		return false
	}
	return isGridType(x.typ) || gridRank(x.typ) > 0 && !x.rows.blank
}

// toGrid makes a grid of the rows of a variable, if they are fresh.
func (l *lowerer) toGrid(key any) {
	if l.mayBecomeGrid(key) {
		l.bind(key, l.gridOfRows(l.env.vals[key]))
	}
}

// gridOfRows is a grid with the rows of x.
func (l *lowerer) gridOfRows(x value) value {
	var g *grid
	var size ir.Atom // of the flat sequence
	n, below := l.counter(l.length(x)), gridRank(x.typ)-1
	row, _ := isSequence(x.typ)
	switch w := arrayWidth(row); {
	case w != nil:
		g = l.regularGrid(n, []ir.Atom{w})
	case below > 1:
		sizes := l.evenSizes(x.atoms[0], below)
		if len(sizes) < below {
			sizes = l.checkedSizes(x.atoms[0], below)
		}
		g = l.regularGrid(n, sizes)
	default:
		if w = l.evenWidth(x.atoms[0]); w != nil {
			g = l.regularGrid(n, []ir.Atom{w})
			break
		}
		widths := l.mapped("widths", n, func(i *ir.Var) []ir.Atom {
			return []ir.Atom{l.emit("n", intType, &ir.Len{X: l.at("row", x.atoms[0], i)})}
		})
		g = &grid{n: n}
		g.starts, size = l.startsOf(n, widths[0])
	}
	if g.width != nil {
		size = l.elementsOf(g)
	}
	flat := value{atoms: slices.Clone(x.atoms)}
	for range below {
		for i, a := range flat.atoms {
			flat.atoms[i] = l.emit("flat", a.Type().Elem(), &ir.View{Fn: ir.Flatten, Args: []ir.Atom{a}})
		}
	}
	out := l.copiedOf(flat, size)
	out.typ, out.grid, out.own = x.typ, g, &owner{depth: l.ops, loops: l.loops, arms: l.arms}
	return out
}
