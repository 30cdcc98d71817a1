package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// span is a part [lo, lo+n) of memory that belongs to one element of level 1 alone; total is where all of them end.
type span struct{ lo, n, total kir.Expr }

// maxPrivate is the largest sequence in bytes that a work-item keeps for itself.
const maxPrivate = 512

// scratchOf gives a sequence memory that one work-item or one team owns, so many times over.
func (dv *device) scratchOf(d *ir.Var, n kir.Expr, times int, e *env) *array {
	host := dv.hostBound(n)
	if host == nil {
		if s, ok := dv.spanOf(n, e); ok {
			return &array{a: dv.temp(d.Name, d.T.Kind, multiple(s.total, times), kir.OneGroup), off: multiple(s.lo, times), n: n}
		}
		if host = dv.longest(d, n, e); host == nil {
			veto("the length of %s, which each element needs for itself, is not known before the launch", d.Name)
		}
	}
	host = multiple(host, times)
	team := dv.team
	if c, ok := host.(*kir.Const); ok && team == kir.Item && c.C.Int() > 0 && int(c.C.Int())*d.T.Kind.Bytes() <= maxPrivate {
		return &array{a: &kir.Array{Name: dv.name(d.Name), Kind: d.T.Kind, Space: kir.Private, Size: int(c.C.Int())}, n: n}
	}
	if team == kir.Item {
		return &array{a: dv.own(d.Name, d.T.Kind, host), n: n}
	}
	var number kir.Expr
	switch team {
	case kir.Warp:
		number = add(mul(place(kir.GroupOf), place(kir.Warps)), place(kir.WarpOf))
	case kir.Group:
		number = place(kir.GroupOf)
	default:
		veto("all workgroups compute the sequence %s and all need it, and they cannot wait for each other", sourceName(d.Name))
	}
	a := dv.temp(d.Name, d.T.Kind, host, team)
	dv.strides()
	return &array{a: a, off: dv.letExpr(d.Name+"At", mul(number, host)), n: n}
}

// multiple is times x.
func multiple(x kir.Expr, times int) kir.Expr {
	if c, ok := x.(*kir.Const); ok {
		return intConst(int(c.C.Int()) * times)
	}
	if times == 1 || isZero(x) {
		return x
	}
	return mul(x, intConst(times))
}

// hostBound returns something in terms of the frame that x does not exceed, or nil: x itself, or the size of a tile
// if x is the length of one, of which the last may be short.
func (dv *device) hostBound(x kir.Expr) kir.Expr {
	if h := dv.hostExpr(x); h != nil {
		return h
	}
	def := dv.defined(x)
	if s, ok := def.(*kir.Select); ok {
		a, b := dv.hostBound(s.X), dv.hostBound(s.Y)
		if a == nil || b == nil {
			return nil
		}
		return maxOf(a, b)
	}
	d, ok := def.(*kir.Bin)
	if !ok {
		return nil
	}
	switch d.Fn {
	case ir.Min:
		a, b := dv.hostBound(d.X), dv.hostBound(d.Y)
		switch {
		case a == nil:
			return b
		case b == nil:
			return a
		}
		return minOf(a, b)
	case ir.Sub: // min(lo+size, end) - lo, with lo = i*size
		hi, ok := dv.defined(d.X).(*kir.Bin)
		if !ok || hi.Fn != ir.Min {
			return nil
		}
		end, ok := dv.defined(hi.X).(*kir.Bin)
		lo, ok2 := dv.defined(d.Y).(*kir.Bin)
		if !ok || !ok2 || end.Fn != ir.Add || lo.Fn != ir.Mul || !sameRef(end.X, d.Y) {
			return nil
		}
		i, ok := lo.X.(*kir.Ref)
		size, limit := dv.hostExpr(end.Y), dv.hostBound(hi.Y)
		if !ok || !dv.counters[i.V] || size == nil || limit == nil || !kir.Equal(dv.hostExpr(lo.Y), size) {
			return nil
		}
		return minOf(size, limit)
	}
	return nil
}

// defined returns what a variable was declared as; other expressions are themselves.
func (dv *device) defined(x kir.Expr) kir.Expr {
	for {
		r, ok := x.(*kir.Ref)
		if !ok || dv.lets[r.V] == nil {
			return x
		}
		x = dv.lets[r.V]
	}
}

// maxMultiple is how many times as long as a row of the input a sequence may be that lies like the rows do.
const maxMultiple = 16

// spanOf finds rows of n elements that lie one behind the other in memory, one for each element of level 1: a
// sequence of that length can lie like them. That the rows do not overlap was checked when the inputs were bound.
func (dv *device) spanOf(n kir.Expr, e *env) (span, bool) {
	for _, s := range dv.spans {
		if s.n == n {
			return s, true
		}
	}
	ref, ok := n.(*kir.Ref)
	if !ok {
		return span{}, false
	}
	diff, ok := dv.lets[ref.V].(*kir.Bin)
	if ok && diff.Fn == ir.Mul { // a multiple of such a length
		row, factor := diff.X, diff.Y
		if _, isConst := row.(*kir.Const); isConst {
			row, factor = factor, row
		}
		if c, isConst := factor.(*kir.Const); isConst && c.C.Int() > 0 && c.C.Int() <= maxMultiple {
			if s, ok := dv.spanOf(row, e); ok {
				times := int(c.C.Int())
				return span{multiple(s.lo, times), n, multiple(s.total, times)}, true
			}
		}
		return span{}, false
	}
	if !ok || diff.Fn != ir.Sub {
		return span{}, false
	}
	for c := range dv.hoisted {
		if c.Kind != ir.CheckBounds {
			continue
		}
		lo, ok1 := e.getAtom(c.Args[0])
		hi, ok2 := e.getAtom(c.Args[1])
		total, ok3 := e.getAtom(c.Args[2])
		if !ok1 || !ok2 || !ok3 || !sameRef(diff.X, hi.x) || !sameRef(diff.Y, lo.x) || !dv.ownRow(lo.x) {
			continue
		}
		if t := dv.hostExpr(total.x); t != nil {
			return span{lo.x, n, t}, true
		}
	}
	return span{}, false
}

func sameRef(x, y kir.Expr) bool {
	a, ok1 := x.(*kir.Ref)
	b, ok2 := y.(*kir.Ref)
	return ok1 && ok2 && a.V == b.V
}

// ownRow reports whether x is read from a sequence of the frame at the index of the element of level 1.
func (dv *device) ownRow(x kir.Expr) bool {
	switch x := x.(type) {
	case *kir.Ref:
		return dv.lets[x.V] != nil && dv.ownRow(dv.lets[x.V])
	case *kir.Convert:
		return dv.ownRow(x.X)
	case *kir.Load:
		r, ok := x.I.(*kir.Ref)
		return ok && dv.elem != nil && r.V == dv.elem && x.A.Space == kir.Global
	}
	return false
}

// own makes a buffer of which each work-item of the current launch has n elements for itself.
func (dv *device) own(name string, k ir.Kind, n kir.Expr) *kir.Array {
	a := dv.temp(name, k, n, kir.Item)
	a.Space = kir.Own
	dv.strides()
	return a
}

// strides says that the workgroups of the current launch go on to what lies beyond, so that a device may have as few of
// them as it is busy with, and has memory for, or as the launch asked for before.
func (dv *device) strides() {
	if k := dv.program.Launches[len(dv.program.Launches)-1]; k.MaxGroups == 0 {
		k.MaxGroups = maxScratch
	}
}

// temp makes a buffer of n elements for every per of the current launch.
func (dv *device) temp(name string, k ir.Kind, n kir.Expr, per kir.Resource) *kir.Array {
	a := &kir.Array{Name: dv.name(name), Kind: k, Space: kir.Temporary}
	p := dv.program
	p.Temps = append(p.Temps, &kir.Temp{A: a, N: n, Per: per, Step: len(p.Launches) - 1})
	return a
}
