package goroutine

import (
	"slices"
	"strings"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// heldNumbers has the scalar floats that are constants wait in memory, where the turns of a loop compute with them
// beside vector code. The compiler makes constants anew wherever it has needed their register for something else, in
// the midst of vectors, too, by instructions that stall there: up to 40 ns each.
func heldNumbers(body []kir.Stmt, names *kir.Names) []kir.Stmt {
	h := &numbersHeld{names: names, arrays: map[ir.Const]*kir.Array{}}
	h.block(body, false)
	return append(h.stores, body...)
}

// numbersHeld are the constants of one function, or of the body of a parallel loop.
type numbersHeld struct {
	names  *kir.Names
	arrays map[ir.Const]*kir.Array
	stores []kir.Stmt
}

// block looks at the loops of a block, which is a part of one beside vector code or not.
func (h *numbersHeld) block(body []kir.Stmt, beside bool) {
	for _, s := range body {
		switch s := s.(type) {
		case *kir.Vectors:
			continue
		case *kir.Par:
			s.Body = heldNumbers(s.Body, h.names)
			continue
		case *kir.For, *kir.While:
			for _, b := range kir.Blocks(s) {
				h.block(b, holdsVectors(b))
			}
			continue
		case *kir.Let: // a variable that begins as a constant is one up to its first assignment
			if _, constant := s.X.(*kir.Const); beside && !constant {
				s.X = rewritten(s.X, h.held)
			}
		case *kir.Set:
			if _, constant := s.X.(*kir.Const); beside && !constant {
				s.X = rewritten(s.X, h.held)
			}
		case *kir.Store:
			if beside {
				s.X = rewritten(s.X, h.held)
			}
		case *kir.If:
			if beside {
				s.Cond = rewritten(s.Cond, h.held)
			}
		}
		for _, b := range kir.Blocks(s) {
			h.block(b, beside)
		}
	}
}

// holdsVectors reports whether there is vector code with a loop in a block.
func holdsVectors(body []kir.Stmt) bool {
	found := false
	kir.Walk(body, func(s kir.Stmt) {
		if v, ok := s.(*kir.Vectors); ok {
			found = found || slices.ContainsFunc(v.Body, func(s kir.Stmt) bool { return len(kir.Blocks(s)) > 0 })
		}
	}, nil)
	return found
}

// held is a constant in memory; nil for anything else, but for vectors of constants, which stay as they are.
func (h *numbersHeld) held(x kir.Expr) kir.Expr {
	if s, ok := x.(*kir.Splat); ok {
		return s
	}
	c, ok := x.(*kir.Const)
	if !ok || !c.C.Kind.IsFloat() {
		return nil
	}
	zero := &kir.Const{C: ir.IntConst(ir.Int, 0)}
	a := h.arrays[c.C]
	if a == nil {
		a = &kir.Array{Name: h.names.Fresh(numberName(c.C) + "Held"), Kind: c.C.Kind, Space: kir.Strip, Size: 1}
		h.arrays[c.C] = a
		h.stores = append(h.stores, &kir.Store{A: a, I: zero, X: c})
	}
	return &kir.Load{A: a, I: zero, T: kir.ScalarType(c.C.Kind)}
}

// numberName is a name for a number: n1p5 for 1.5.
func numberName(c ir.Const) string {
	text, _, _ := strings.Cut(c.String(), ":")
	return "n" + strings.NewReplacer(".", "p", "-", "m", "+", "").Replace(text)
}
