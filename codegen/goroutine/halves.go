package goroutine

import (
	"errors"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/pass"
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
