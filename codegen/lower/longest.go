package lower

import (
	"fmt"
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
)

// A device takes all memory before a launch, and how long a sequence gets that an element needs for itself may be known
// in the element alone: it is read there, or calculated. Then a launch before that finds the longest one. It goes
// through the elements too, but does only what it takes to know the length.

// findings are the launches that find something for those behind them, and their buffers.
type findings struct {
	launches []*kir.Launch
	temps    []*kir.Temp
	by       map[string]int // which finds what a block yields, by its text
}

// anyMemory is a length that no memory has room for: longer ones count as so long.
const anyMemory = 1 << 60

// longest returns what n does not exceed in any element, d being a sequence of that length: what a launch before this
// one finds. It returns nil if no launch can find it.
func (dv *device) longest(d *ir.Var, n kir.Expr, e *env) kir.Expr {
	body := ir.Blocks(dv.top.Op)[0]
	var before []*ir.Stmt
	at, length := defining(body, d), dv.source(n, e, &before)
	if at == nil || length == nil {
		return nil
	}
	find := fuse.Longest(body, at, before, length, dv.hoisted)
	if find == nil || slices.ContainsFunc(ir.Free(find), func(v *ir.Var) bool {
		_, known := dv.lowerer.env.get(v)
		return v != ir.OperatorIndex(dv.top.Op) && !known
	}) {
		return nil
	}
	text := find.String()
	if _, ok := dv.found.by[text]; !ok {
		dv.find(find)
		dv.found.by[text] = len(dv.found.launches) - 1
	}
	return &kir.Found{Step: dv.found.by[text]}
}

// find adds a launch that finds the greatest value that a block yields for an element of the outermost operator.
func (dv *device) find(b *ir.Block) {
	l := *dv.lowerer // with the names and the frame
	l.emitter = &emitter{names: l.names, globals: l.globals, serial: l.serial}
	l.instead = instead{skip: map[*ir.Stmt]bool{}, rows: map[*ir.Stmt]*binRow{}}
	l.dest, l.swapped, l.loops = map[*ir.Var]*array{}, map[*ir.Var]*carried{}, 0
	l.levels = make([]level, len(dv.levels)+1)
	for i := range l.levels {
		l.levels[i] = level{width: 1, unroll: 1}
	}
	l.levels[0].par, l.levels[0].on = true, kir.Grid
	sub := newDevice(&l, fmt.Sprintf("%s_longest%d", dv.program.Name, len(dv.found.launches)+1))
	sub.top, sub.found, sub.wanted = dv.top, dv.found, dv.wanted
	e := l.env.child()
	n := sub.atom(ir.OperatorLength(dv.top.Op), e).x
	k := sub.launch(kir.Item, kir.Grid, n, "the longest sequence", dv.top.Pos)
	k.MaxGroups = maxFinders
	k.Finds = sub.temp("longest", ir.Int, intConst(1), kir.Item)
	most := sub.fresh("most", kir.Int)
	sub.emit(&kir.Let{V: most, X: intConst(0)})
	index := ir.OperatorIndex(dv.top.Op)
	sub.spread(n, index.Name, 0, l.levels[0], dv.top, k.What, e, func(i kir.Expr, e *env) {
		e.m[index] = scalar(i)
		length := sub.block(b, e, 1)[0].x
		sub.emit(&kir.Set{V: most, X: maxOf(&kir.Ref{V: most}, length)})
	})
	sub.emit(&kir.Store{A: k.Finds, I: place(kir.GlobalOf), X: &kir.Ref{V: most}})
	sub.endLaunch(sub.label)
	for _, t := range sub.program.Temps { // what it needs for itself was found by launches before it
		t.Step = len(dv.found.launches)
		dv.found.temps = append(dv.found.temps, t)
	}
	dv.found.launches = append(dv.found.launches, k)
}

// withFindings puts the launches that find something before the others.
func (dv *device) withFindings() {
	p, by := dv.program, len(dv.found.launches)
	if by == 0 {
		return
	}
	groups := map[*kir.GroupsOf]bool{}
	for _, k := range p.Launches {
		kir.Walk(k.Body, nil, func(x kir.Expr) {
			if g, ok := x.(*kir.GroupsOf); ok {
				groups[g] = true
			}
		})
	}
	for g := range groups {
		g.Step += by
	}
	for _, t := range p.Temps {
		t.Step += by
	}
	p.Launches = append(dv.found.launches, p.Launches...)
	p.Temps = append(dv.found.temps, p.Temps...)
	p.Round += by
}

// defining returns the statement of b, or of a block inside, that makes the sequence d, or the loop that carries it.
func defining(b *ir.Block, d *ir.Var) *ir.Stmt {
	var at *ir.Stmt
	ir.Walk(b, func(s *ir.Stmt) {
		if slices.Contains(s.Dst, d) || slices.Contains(ir.Bound(s.Op), d) {
			at = s
		}
	})
	return at
}

// source returns what yields x in the IR: values of e, and statements over these, which it adds to out. It returns nil
// if there is no such thing.
func (dv *device) source(x kir.Expr, e *env, out *[]*ir.Stmt) ir.Atom {
	yieldOf := func(k ir.Kind, op ir.Op) ir.Atom {
		v := &ir.Var{Name: fmt.Sprintf("length.%d", len(*out)), T: ir.Scalar(k)}
		*out = append(*out, &ir.Stmt{Dst: []*ir.Var{v}, Op: op})
		return v
	}
	yield := func(op ir.Op) ir.Atom { return yieldOf(ir.Int, op) }
	switch x := x.(type) {
	case *kir.Const:
		return x.C
	case *kir.Ref:
		if v := e.holder(func(v value) bool { r, ok := v.x.(*kir.Ref); return ok && r.V == x.V }); v != nil {
			return v
		}
		if def := dv.lets[x.V]; def != nil {
			return dv.source(def, e, out)
		}
	case *kir.Length:
		if v := e.holder(func(v value) bool { return v.arr != nil && v.arr.a == x.A && v.arr.off == nil && v.arr.rows == nil }); v != nil {
			return yield(&ir.Len{X: v})
		}
	case *kir.Bin:
		switch x.Fn {
		case ir.Add, ir.Sub, ir.Mul, ir.Min, ir.Max:
			a, b := dv.source(x.X, e, out), dv.source(x.Y, e, out)
			if a == nil || b == nil {
				return nil
			}
			product := yield(&ir.Binary{Fn: x.Fn, X: a, Y: b})
			if x.Fn != ir.Mul {
				return product
			}
			// Rows of some length, one behind the other: where that is more than any memory has, it stays so.
			any := ir.IntConst(ir.Int, anyMemory)
			least := yield(&ir.Binary{Fn: ir.Div, X: any, Y: yield(&ir.Binary{Fn: ir.Max, X: b, Y: ir.IntConst(ir.Int, 1)})})
			return yield(&ir.Select{Cond: yieldOf(ir.Bool, &ir.Binary{Fn: ir.Gt, X: a, Y: least}), X: any, Y: product})
		}
	}
	return nil
}

// holder returns the variable with a value that is wanted, of several the first one by name; nil if there is none.
func (e *env) holder(wanted func(v value) bool) *ir.Var {
	var found *ir.Var
	for ; e != nil && found == nil; e = e.parent {
		for v, x := range e.m {
			if wanted(x) && (found == nil || v.Name < found.Name) {
				found = v
			}
		}
	}
	return found
}
