package goroutine

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/pass"
	"github.com/surge-ndp/surge/ops/ir"
)

// halves is what functions go through first that are for machines with vectors of 256 bits alone.
var halves = pass.Pass[*kir.Func]{
	Name: "halves", Doc: "vectors of eight lanes of 64 bits become two of four lanes",
	Run: func(f *kir.Func) error {
		if !Halve(f) {
			return errWhole
		}
		return nil
	},
}

// errWhole is that a function has no vectors that had better be halves, or something that has none.
var errWhole = errors.New("no vectors are computed by halves")

// halvedLanes is how many lanes vectors have that are computed by halves.
const halvedLanes = 8

// Halve puts two vectors of four lanes in place of each of eight lanes of 64 bits: for processors whose vectors have
// 256 bits, in functions that have eight lanes of narrower numbers as well. Four lanes of those would leave half of
// each vector empty, and Go copies and saves vectors of 128 bits by instructions that are slow among wider ones. It
// reports whether the function has such vectors beside narrower ones, and nothing that has no halves.
func Halve(f *kir.Func) bool {
	if !mixesWidths(f) {
		return false
	}
	h := &halver{names: kir.NamesOf(f.Body), of: map[*kir.Var][2]*kir.Var{}}
	f.Body = h.block(f.Body)
	return !h.failed
}

// mixesWidths reports whether a function has vectors of eight lanes of 64 bits, others of as many narrower lanes, and
// no others of 512 bits.
func mixesWidths(f *kir.Func) bool {
	whole, narrow, others := false, false, false
	kir.Walk(f.Body, nil, func(x kir.Expr) {
		t := x.Type()
		c, through := x.(*kir.Convert)
		through = through && throughInts(c)
		switch {
		case isHalved(t):
			whole = true
		case t.Lanes == halvedLanes:
			narrow, others = true, others || through
		default:
			others = others || bitsOf(t) > 256
		}
	})
	return whole && narrow && !others
}

// isHalved reports whether a vector is computed by halves.
func isHalved(t kir.Type) bool { return t.Lanes == halvedLanes && bitsOf(t) == 512 }

// halfOf is the type of half of a vector.
func halfOf(t kir.Type) kir.Type {
	t.Lanes /= 2
	return t
}

type halver struct {
	names  *kir.Names
	of     map[*kir.Var][2]*kir.Var
	before []kir.Stmt            // statements that the one at hand needs before it
	once   map[kir.Expr]kir.Expr // its operands that are computed once for both halves
	failed bool
}

func (h *halver) block(body []kir.Stmt) []kir.Stmt {
	around, once := h.before, h.once
	var out []kir.Stmt
	for _, s := range body {
		h.before, h.once = nil, map[kir.Expr]kir.Expr{}
		halved := h.stmt(s)
		out = append(append(out, h.before...), halved...)
	}
	h.before, h.once = around, once
	return out
}

func (h *halver) stmt(s kir.Stmt) []kir.Stmt {
	switch s := s.(type) {
	case *kir.Let:
		if !isHalved(s.V.T) {
			return []kir.Stmt{&kir.Let{V: s.V, X: h.whole(s.X)}}
		}
		lo, hi := h.half(s.X, 0), h.half(s.X, 1)
		vs := [2]*kir.Var{h.fresh(s.V.Name+"Low", halfOf(s.V.T)), h.fresh(s.V.Name+"High", halfOf(s.V.T))}
		h.of[s.V] = vs
		return []kir.Stmt{&kir.Let{V: vs[0], X: lo}, &kir.Let{V: vs[1], X: hi}}
	case *kir.Set:
		if !isHalved(s.V.T) {
			return []kir.Stmt{&kir.Set{V: s.V, X: h.whole(s.X)}}
		}
		lo, hi := h.half(s.X, 0), h.half(s.X, 1)
		return []kir.Stmt{&kir.Set{V: h.of[s.V][0], X: lo}, &kir.Set{V: h.of[s.V][1], X: hi}}
	case *kir.Store:
		if !isHalved(s.X.Type()) {
			return []kir.Stmt{&kir.Store{A: s.A, I: h.whole(s.I), X: h.whole(s.X), Mask: h.optional(s.Mask)}}
		}
		return h.stores(s.X, s.Mask, func(k int, x, mask kir.Expr) kir.Stmt {
			return &kir.Store{A: s.A, I: plus(h.simple(s.I), 4*k), X: x, Mask: mask}
		})
	case *kir.Scatter:
		if !isHalved(s.X.Type()) && !isHalved(s.I.Type()) {
			return []kir.Stmt{&kir.Scatter{A: s.A, I: s.I, X: h.whole(s.X), Mask: h.optional(s.Mask)}}
		}
		at := [2]kir.Expr{h.named(h.half(s.I, 0)), h.named(h.half(s.I, 1))}
		return h.stores(s.X, s.Mask, func(k int, x, mask kir.Expr) kir.Stmt { return &kir.Scatter{A: s.A, I: at[k], X: x, Mask: mask} })
	case *kir.StoreEvery:
		if !isHalved(s.X.Type()) {
			return []kir.Stmt{&kir.StoreEvery{A: s.A, I: h.whole(s.I), By: s.By, X: h.whole(s.X)}}
		}
		return h.stores(s.X, nil, func(k int, x, _ kir.Expr) kir.Stmt {
			return &kir.StoreEvery{A: s.A, I: plus(h.simple(s.I), 4*k*s.By), By: s.By, X: x}
		})
	case *kir.If:
		c := &kir.If{Cond: h.whole(s.Cond)}
		c.Then, c.Else = h.block(s.Then), h.block(s.Else)
		return []kir.Stmt{c}
	case *kir.While:
		c := *s
		c.Cond = h.block(s.Cond)
		before := h.before
		h.before = nil
		c.Test = h.whole(s.Test)
		c.Cond = append(c.Cond, h.before...)
		h.before = before
		c.Body = h.block(s.Body)
		return []kir.Stmt{&c}
	case *kir.Result:
		return []kir.Stmt{&kir.Result{Name: s.Name, X: h.whole(s.X)}}
	case *kir.Check:
		c := *s
		c.Args = nil
		for _, x := range s.Args {
			c.Args = append(c.Args, h.whole(x))
		}
		c.Position = h.optional(s.Position)
		return []kir.Stmt{&c}
	case *kir.Publish:
		return []kir.Stmt{&kir.Publish{Chain: s.Chain, X: h.whole(s.X), Chunk: s.Chunk}}
	}
	kir.Walk([]kir.Stmt{kir.Shallow(s)}, nil, func(x kir.Expr) { h.failed = h.failed || isHalved(x.Type()) })
	kir.Rewrite(s, h.block)
	return []kir.Stmt{s}
}

// stores are the stores of both halves of a vector, which is computed before either.
func (h *halver) stores(x, mask kir.Expr, store func(k int, x, mask kir.Expr) kir.Stmt) []kir.Stmt {
	var values, masks [2]kir.Expr
	for k := range values {
		values[k] = h.half(x, k)
		if mask != nil {
			masks[k] = h.named(h.half(mask, k))
		}
	}
	for k := range values {
		values[k] = h.named(values[k])
	}
	return []kir.Stmt{store(0, values[0], masks[0]), store(1, values[1], masks[1])}
}

func (h *halver) fresh(name string, t kir.Type) *kir.Var {
	return &kir.Var{Name: h.names.Fresh(name), T: t}
}

// named gives a value a name before the statement at hand, unless it has one or costs nothing.
func (h *halver) named(x kir.Expr) kir.Expr {
	switch x := x.(type) {
	case *kir.Ref, *kir.Const, *kir.ZeroOf:
		return x
	case *kir.Splat:
		if _, ok := x.X.(*kir.Const); ok {
			return x
		}
	case *kir.Half:
		if _, ok := x.X.(*kir.Ref); ok {
			return x
		}
	}
	v := h.fresh("half", x.Type())
	h.before = append(h.before, &kir.Let{V: v, X: x})
	return &kir.Ref{V: v}
}

// optional is whole for what may not be there.
func (h *halver) optional(x kir.Expr) kir.Expr {
	if x == nil {
		return nil
	}
	return h.whole(x)
}

// simple is an operand of both halves that is computed once.
func (h *halver) simple(x kir.Expr) kir.Expr {
	if h.once[x] == nil {
		h.once[x] = h.named(h.whole(x))
	}
	return h.once[x]
}

// half is half k of a vector: 0 for the lower lanes.
func (h *halver) half(x kir.Expr, k int) kir.Expr {
	t := x.Type()
	switch {
	case t.Lanes == 1:
		if hasVector(x) || hasLoad(x) {
			return h.simple(x)
		}
		return x
	case !isHalved(t):
		return halfOfWhole(h.simple(x), k)
	}
	switch x := x.(type) {
	case *kir.Ref:
		return &kir.Ref{V: h.of[x.V][k]}
	case *kir.ZeroOf:
		return &kir.ZeroOf{T: halfOf(t)}
	case *kir.Bin:
		if x.Fn == kir.RSqrtStep { // of what is exact
			return h.half(x.Y, k)
		}
		return &kir.Bin{Fn: x.Fn, X: h.half(x.X, k), Y: h.half(x.Y, k), T: halfOf(t), Wrap: x.Wrap}
	case *kir.Un:
		if x.Fn == kir.RSqrtEstimate { // there is none to vectors of 256 bits
			one := &kir.Splat{X: &kir.Const{C: ir.FloatConst(t.Kind, 1)}, T: halfOf(t)}
			return &kir.Bin{Fn: ir.Div, X: one, Y: &kir.Un{Fn: ir.Sqrt, X: h.half(x.X, k), T: halfOf(t)}, T: halfOf(t)}
		}
		return &kir.Un{Fn: x.Fn, X: h.half(x.X, k), T: halfOf(t)}
	case *kir.FMA:
		return &kir.FMA{X: h.half(x.X, k), Y: h.half(x.Y, k), Z: h.half(x.Z, k)}
	case *kir.Convert:
		return &kir.Convert{X: h.half(x.X, k), T: halfOf(t)}
	case *kir.Select:
		return &kir.Select{C: h.half(x.C, k), X: h.half(x.X, k), Y: h.half(x.Y, k)}
	case *kir.Splat: // both are the same
		if h.once[x] == nil {
			h.once[x] = h.named(&kir.Splat{X: h.whole(x.X), T: halfOf(t)})
		}
		return h.once[x]
	case *kir.Load:
		l := &kir.Load{A: x.A, I: plus(h.half(x.I, k), 4*k), T: halfOf(t)}
		if x.Mask != nil {
			l.Mask = h.half(x.Mask, k)
		}
		return l
	case *kir.Every:
		return &kir.Every{A: x.A, I: plus(h.half(x.I, k), 4*k*x.By), By: x.By, T: halfOf(t)}
	case *kir.Gather:
		g := &kir.Gather{A: x.A, I: h.half(x.I, k), T: halfOf(t)}
		if x.Mask != nil {
			g.Mask = h.half(x.Mask, k)
		}
		return g
	case *kir.Iota:
		if x.T.Kind.IsInteger() {
			return &kir.Iota{Start: plus(h.half(x.Start, k), 4*k), T: halfOf(t)}
		}
	case *kir.IotaBy:
		return &kir.IotaBy{Fn: x.Fn, Start: plus(h.half(x.Start, k), 4*k), D: h.half(x.D, k), T: halfOf(t)}
	case *kir.FirstLanes:
		return &kir.FirstLanes{Start: plus(h.half(x.Start, k), 4*k), Bound: h.half(x.Bound, k), OrEqual: x.OrEqual, T: halfOf(t)}
	}
	h.failed = true
	return &kir.ZeroOf{T: halfOf(t)}
}

// halfOfWhole is half k of a vector that is not computed by halves.
func halfOfWhole(x kir.Expr, k int) kir.Expr {
	switch x := x.(type) {
	case *kir.Splat:
		return &kir.Splat{X: x.X, T: halfOf(x.T)}
	case *kir.ZeroOf:
		return &kir.ZeroOf{T: halfOf(x.T)}
	}
	return &kir.Half{X: x, High: k == 1}
}

// whole is an expression of another type, in which vectors that are computed by halves are joined to narrower ones,
// or to scalars.
func (h *halver) whole(x kir.Expr) kir.Expr {
	if !hasHalved(x) {
		return x
	}
	join := func(half func(k int) kir.Expr) kir.Expr { return &kir.Join{Lo: half(0), Hi: half(1)} }
	switch x := x.(type) {
	case *kir.Convert:
		if isHalved(x.X.Type()) {
			return join(func(k int) kir.Expr { return &kir.Convert{X: h.half(x.X, k), T: halfOf(x.T)} })
		}
	case *kir.Gather:
		if isHalved(x.I.Type()) {
			return join(func(k int) kir.Expr {
				g := &kir.Gather{A: x.A, I: h.half(x.I, k), T: halfOf(x.T)}
				if x.Mask != nil {
					g.Mask = h.half(x.Mask, k)
				}
				return g
			})
		}
	case *kir.Horizontal:
		if isHalved(x.X.Type()) {
			both := &kir.Bin{Fn: x.Fn, X: h.half(x.X, 0), Y: h.half(x.X, 1), T: halfOf(x.X.Type()), Wrap: x.X.Type().Kind.IsInteger()}
			return &kir.Horizontal{Fn: x.Fn, X: both}
		}
	case *kir.AnyLane:
		if isHalved(x.X.Type()) {
			return &kir.AnyLane{X: &kir.Bin{Fn: ir.Or, X: h.half(x.X, 0), Y: h.half(x.X, 1), T: halfOf(x.X.Type())}}
		}
	case *kir.CountLanes:
		if isHalved(x.X.Type()) {
			return &kir.Bin{Fn: ir.Add, X: &kir.CountLanes{X: h.half(x.X, 0)}, Y: &kir.CountLanes{X: h.half(x.X, 1)}, T: kir.Int}
		}
	case *kir.Lane:
		if isHalved(x.X.Type()) {
			return &kir.Lane{X: h.half(x.X, x.K/4), K: x.K % 4}
		}
	case *kir.LaneWhere:
		return h.laneWhere(x)
	}
	return h.operands(x)
}

// laneWhere is the lane in the half that has it.
func (h *halver) laneWhere(x *kir.LaneWhere) kir.Expr {
	var lanes, any [2]kir.Expr
	for k := range lanes {
		mask := h.named(h.half(x.Mask, k))
		lanes[k], any[k] = &kir.LaneWhere{X: h.half(x.X, k), Mask: mask}, &kir.AnyLane{X: mask}
	}
	none := &kir.Un{Fn: ir.Not, X: any[0], T: kir.ScalarType(ir.Bool)}
	higher := &kir.Bin{Fn: ir.And, X: none, Y: any[1], T: kir.ScalarType(ir.Bool)}
	return &kir.Select{C: higher, X: lanes[1], Y: lanes[0]}
}

// operands copies a node that is not computed by halves, and whose operands are not.
func (h *halver) operands(x kir.Expr) kir.Expr {
	for _, o := range kir.Operands(x) {
		if isHalved(o.Type()) {
			h.failed = true
			return x
		}
	}
	node := reflect.New(reflect.TypeOf(x).Elem())
	node.Elem().Set(reflect.ValueOf(x).Elem())
	for i := range node.Elem().NumField() {
		switch f := node.Elem().Field(i); {
		case f.Type() == exprType && !f.IsNil():
			f.Set(reflect.ValueOf(h.whole(f.Interface().(kir.Expr))))
		case f.Kind() == reflect.Slice: // the arguments of a routine
			h.failed = true
		}
	}
	return node.Interface().(kir.Expr)
}

func hasHalved(x kir.Expr) bool {
	found := false
	kir.WalkExpr(x, func(x kir.Expr) { found = found || isHalved(x.Type()) })
	return found
}

func hasVector(x kir.Expr) bool {
	found := false
	kir.WalkExpr(x, func(x kir.Expr) { found = found || x.Type().Lanes > 1 })
	return found
}

func hasLoad(x kir.Expr) bool {
	found := false
	kir.WalkExpr(x, func(x kir.Expr) {
		_, ok := x.(*kir.Load)
		found = found || ok
	})
	return found
}

// plus is an index and a distance.
func plus(x kir.Expr, n int) kir.Expr {
	if n == 0 {
		return x
	}
	t := x.Type()
	return &kir.Bin{Fn: ir.Add, X: x, Y: &kir.Const{C: ir.IntConst(t.Kind, int64(n))}, T: t}
}

// join prints two halves as one vector. What calls a function for each half has a function of its own for both: the
// compiler would save the first half by an instruction that is slow among wider vectors.
func (p *printer) join(x *kir.Join) string {
	switch lo := x.Lo.(type) {
	case *kir.Gather:
		hi, ok := x.Hi.(*kir.Gather)
		if !ok || lo.A != hi.A {
			break
		}
		base, i := p.gathers(lo)
		_, j := p.gathers(hi)
		args := fmt.Sprintf("%s, %s, %s", base, i, j)
		if lo.Mask == nil {
			return fmt.Sprintf("vec.GatherHalves%s(%s)", memoryName(x.Type()), args)
		}
		mask := p.join(&kir.Join{Lo: lo.Mask, Hi: hi.Mask})
		return fmt.Sprintf("vec.GatherMaskHalves%s(%s, %s, vec.Splat%s(0))", memoryName(x.Type()), args, mask, vecName(x.Type()))
	case *kir.Half:
		if hi, ok := x.Hi.(*kir.Half); ok && !lo.High && hi.High && kir.Equal(lo.X, hi.X) {
			return p.expr(lo.X)
		}
	case *kir.Convert:
		hi, ok := x.Hi.(*kir.Convert)
		if from := lo.X.Type(); ok && lo.T.Kind == ir.Float32 && container(from.Kind) == ir.Int64 && !wide(from.Kind) {
			return fmt.Sprintf("vec.JoinF32x8OfI64x4(%s, %s)", p.expr(lo.X), p.expr(hi.X))
		}
	}
	return fmt.Sprintf("vec.Join%s(%s, %s)", vecName(x.Type()), p.expr(x.Lo), p.expr(x.Hi))
}
