package goroutine

import (
	"maps"
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/pass"
	"github.com/surge-ndp/surge/ops/ir"
)

// accumulators has the vectors of a small array in registers while a loop changes them, as those of the sums of a row
// of a product. Loops over such an array have a constant number of turns, which then stand one behind the other: each
// of them has an element of its own. Where whole vectors are all that there is, nothing is left for the loop behind.
var accumulators = pass.Pass[*kir.Func]{
	Name: "accumulators", Doc: "vectors of small arrays stay in registers while a loop changes them",
	Behind: []string{"prune"},
	Run: func(f *kir.Func) error {
		f.Body = constantTurns(f.Body, kir.NamesOf(f.Body))
		if err := pass.Prune.Run(f); err != nil {
			return err
		}
		f.Body = inRegisters(f.Body, kir.NamesOf(f.Body))
		return pass.Prune.Run(f)
	},
}

// writtenTurns is how many turns of a loop over vectors stand one behind the other at most, and writtenLines how many
// statements these have together.
const writtenTurns, writtenLines = 8, 64

// constantTurns writes out the loops over vectors that a constant number of whole vectors fills, and drops what follows
// them.
func constantTurns(body []kir.Stmt, names *kir.Names) []kir.Stmt {
	for _, s := range body {
		kir.Rewrite(s, func(b []kir.Stmt) []kir.Stmt { return constantTurns(b, names) })
	}
	at := map[*kir.Var]int64{} // what the indices are that loops count on from
	var out []kir.Stmt
	for _, s := range body {
		switch s := s.(type) {
		case *kir.Let:
			if c, ok := s.X.(*kir.Const); ok && s.V.T == kir.Int {
				at[s.V] = c.C.Int()
			}
		case *kir.Vectors:
			s.Body = writtenOut(s.Body, at, names)
		case *kir.For:
			lo, known := at[s.V]
			hi, ok := constantOf(s.Hi)
			if s.Keep && known && ok && lo >= hi {
				continue
			}
			forget(at, s)
		default:
			forget(at, s)
		}
		out = append(out, s)
	}
	return out
}

// forget deletes the indices that a statement may change.
func forget(at map[*kir.Var]int64, s kir.Stmt) {
	kir.Walk([]kir.Stmt{s}, func(s kir.Stmt) {
		switch s := s.(type) {
		case *kir.For:
			delete(at, s.V)
		case *kir.Set:
			delete(at, s.V)
		}
	}, nil)
}

func constantOf(x kir.Expr) (int64, bool) {
	c, ok := x.(*kir.Const)
	if !ok || !c.C.Kind.IsInteger() {
		return 0, false
	}
	return c.C.Int(), true
}

// writtenOut is constantTurns for the loops of vector code, which at has the indices of.
func writtenOut(body []kir.Stmt, at map[*kir.Var]int64, names *kir.Names) []kir.Stmt {
	var out []kir.Stmt
	for _, s := range body {
		loop, ok := s.(*kir.For)
		if !ok {
			forget(at, s)
			out = append(out, s)
			continue
		}
		lo, known := at[loop.V]
		hi, constant := constantOf(loop.Hi)
		forget(at, loop)
		step := int64(loop.Step)
		turns := (hi - lo) / max(step, 1)
		if !known || !constant || !loop.Keep || !loop.Whole || loop.Watched || (hi-lo)%step != 0 || turns < 1 || turns > writtenTurns ||
			turns*int64(len(loop.Body)) > writtenLines || !simple(loop.Body) {
			out = append(out, s)
			continue
		}
		for k := range turns {
			i := &kir.Const{C: ir.IntConst(ir.Int, lo+k*step)}
			out = append(out, copied(loop.Body, map[*kir.Var]kir.Expr{loop.V: i}, names)...)
		}
		out = append(out, &kir.Set{V: loop.V, X: &kir.Const{C: ir.IntConst(ir.Int, hi)}})
		at[loop.V] = hi
	}
	return out
}

// simple reports whether statements are such that [copied] copies.
func simple(body []kir.Stmt) bool {
	return !slices.ContainsFunc(body, func(s kir.Stmt) bool {
		switch s := s.(type) {
		case *kir.Let:
			return false
		case *kir.Set:
			return false
		case *kir.Store:
			return s.Mask != nil
		}
		return true
	})
}

// inRegisters has vectors of scratch arrays in variables while a loop changes them, innermost loops first. Loops in
// vector code stay as they are: behind them, nothing clears registers.
func inRegisters(body []kir.Stmt, names *kir.Names) []kir.Stmt {
	var out []kir.Stmt
	for _, s := range body {
		if _, ok := s.(*kir.Vectors); ok {
			out = append(out, s)
			continue
		}
		kir.Rewrite(s, func(b []kir.Stmt) []kir.Stmt { return inRegisters(b, names) })
		if loop, ok := s.(*kir.For); ok && !loop.Outlined && !loop.Keep {
			if v := held(loop, names); v != nil {
				s = v
			}
		}
		out = append(out, s)
	}
	return out
}

// heldVectors are the vectors of one array that a loop reads and writes.
type heldVectors struct {
	t    kir.Type
	vars map[int64]*kir.Var // by the element that they begin at
	bad  bool
}

// held is a loop with the vectors of small arrays in variables, between what reads and what writes them; nil if there
// are none, or some scalar floats are computed beside them, for which vector registers would have to be cleared.
func held(loop *kir.For, names *kir.Names) *kir.Vectors {
	arrays := map[*kir.Array]*heldVectors{}
	var order []*kir.Array
	touch := func(a *kir.Array, i kir.Expr, t kir.Type, masked bool) {
		if a.Space != kir.Scratch {
			return
		}
		h := arrays[a]
		if h == nil {
			h = &heldVectors{t: t, vars: map[int64]*kir.Var{}}
			arrays[a] = h
			order = append(order, a)
		}
		at, ok := constantOf(i)
		h.bad = h.bad || !ok || masked || t != h.t || t.Lanes < 2 || at%int64(t.Lanes) != 0
		h.vars[at] = nil
	}
	scalars, others := false, map[*kir.Array]int{}
	kir.Walk(loop.Body, func(s kir.Stmt) {
		switch s := s.(type) {
		case *kir.Store:
			touch(s.A, s.I, s.X.Type(), s.Mask != nil)
			others[s.A]--
			scalars = scalars || isScalarFloat(s.X.Type())
		case *kir.Let:
			load, read := s.X.(*kir.Load)
			if scalars = scalars || isScalarFloat(s.V.T) && !read; read {
				touch(load.A, load.I, load.T, load.Mask != nil)
				others[load.A]--
			}
		case *kir.Set:
			scalars = scalars || isScalarFloat(s.V.T)
		case *kir.Check, *kir.CheckAll, *kir.Call, *kir.GoCall, *kir.Par, *kir.AllocScratch:
			call, ok := s.(*kir.Call)
			scalars = scalars || !ok || call.R.Name != kir.Clear
		}
	}, func(x kir.Expr) {
		switch x := x.(type) {
		case *kir.Ref, *kir.Const, *kir.Load:
		default:
			scalars = scalars || isScalarFloat(x.Type())
		}
	})
	kir.Arrays(loop.Body, func(a *kir.Array) { others[a]++ })
	room := roomBeside(loop.Body)
	order = slices.DeleteFunc(order, func(a *kir.Array) bool {
		h := arrays[a]
		if h.bad || others[a] != 0 || len(h.vars) > room {
			delete(arrays, a)
			return true
		}
		room -= len(h.vars)
		return false
	})
	if scalars || len(order) == 0 {
		return nil
	}
	out := &kir.Vectors{}
	for _, a := range order {
		h := arrays[a]
		for _, at := range slices.Sorted(maps.Keys(h.vars)) {
			v := &kir.Var{Name: names.Fresh(a.Name + "s"), T: h.t}
			h.vars[at] = v
			out.Body = append(out.Body, &kir.Let{V: v, X: &kir.Load{A: a, I: &kir.Const{C: ir.IntConst(ir.Int, at)}, T: h.t}})
		}
	}
	splatLoads(loop)
	loop.Body = withHeld(loop.Body, arrays)
	out.Body = append(out.Body, loop)
	for _, a := range order {
		h := arrays[a]
		for _, at := range slices.Sorted(maps.Keys(h.vars)) {
			out.Body = append(out.Body, &kir.Store{A: a, I: &kir.Const{C: ir.IntConst(ir.Int, at)}, X: &kir.Ref{V: h.vars[at]}})
		}
	}
	out.Body = append(out.Body, &kir.Call{R: &kir.Routine{Name: kir.Clear}})
	return out
}

// splatLoads has the scalar floats of a loop that fill vectors, and are read from an array, be read to the vectors
// themselves, where the loop changes scratch arrays only: on their way through scalar registers they stall.
func splatLoads(loop *kir.For) {
	loads, changed, others := map[*kir.Var]*kir.Load{}, map[*kir.Var]bool{}, false
	kir.Walk(loop.Body, func(s kir.Stmt) {
		a := kir.ArrayOf(s)
		others = others || a != nil && a.Space != kir.Scratch
		switch s := s.(type) {
		case *kir.Set:
			changed[s.V] = true
		case *kir.For:
			changed[s.V] = true
		case *kir.Let:
			if load, ok := s.X.(*kir.Load); ok && isScalarFloat(s.V.T) && load.Mask == nil && load.A.Field == nil && load.A.Space == kir.Global {
				loads[s.V] = load
			}
		}
	}, nil)
	for v, load := range loads {
		fixed := !changed[v] && !others
		kir.WalkExpr(load.I, func(x kir.Expr) {
			r, ok := x.(*kir.Ref)
			fixed = fixed && (!ok || !changed[r.V])
		})
		if !fixed {
			delete(loads, v)
		}
	}
	kir.Walk(loop.Body, nil, func(x kir.Expr) {
		if s, ok := x.(*kir.Splat); ok {
			if r, ok := s.X.(*kir.Ref); ok && loads[r.V] != nil {
				s.X = loads[r.V]
			}
		}
	})
}

func isScalarFloat(t kir.Type) bool { return t.Lanes <= 1 && t.Kind.IsFloat() }

// withHeld is a body in which the vectors of arrays are variables, as one piece of vector code.
func withHeld(body []kir.Stmt, arrays map[*kir.Array]*heldVectors) []kir.Stmt {
	var out []kir.Stmt
	for _, s := range body {
		switch s := s.(type) {
		case *kir.Vectors:
			out = append(out, withHeld(s.Body, arrays)...)
			continue
		case *kir.Call: // clears vector registers, as nothing else is called
			continue
		case *kir.Let:
			if load, ok := s.X.(*kir.Load); ok && arrays[load.A] != nil {
				at, _ := constantOf(load.I)
				s.X = &kir.Ref{V: arrays[load.A].vars[at]}
			}
		case *kir.Store:
			if h := arrays[s.A]; h != nil {
				at, _ := constantOf(s.I)
				out = append(out, &kir.Set{V: h.vars[at], X: s.X})
				continue
			}
		default:
			kir.Rewrite(s, func(b []kir.Stmt) []kir.Stmt { return withHeld(b, arrays) })
		}
		out = append(out, s)
	}
	return out
}
