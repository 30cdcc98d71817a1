package goroutine

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/pass"
	"github.com/surge-ndp/surge/ops/ir"
)

const (
	// turnsTogether is how many turns of a short loop stand one behind the other.
	turnsTogether = 4
	// shortTurn is how many operations a turn has at most that counting it slows down.
	shortTurn = 12
	// mostStart is the most that a constant may be from which such a loop counts: no length is near the end of an int.
	mostStart = 1 << 31
)

// severalTurns has short loops inside an element count once for several turns. The Go compiler does not do so, and a
// loop of a few instructions takes up to twice as long where it happens to lie across a line of the instruction cache.
var severalTurns = pass.Pass[*kir.Func]{
	Name: "turns", Doc: "short loops in an element make several turns before they count on",
	Behind: []string{"prune"},
	Run: func(f *kir.Func) error {
		names := kir.NamesOf(f.Body)
		f.Body = inTurns(f.Body, names)
		return nil
	},
}

func inTurns(body []kir.Stmt, names *kir.Names) []kir.Stmt {
	var out []kir.Stmt
	for _, s := range body {
		for _, b := range kir.BlocksOf(s) {
			*b = inTurns(*b, names)
		}
		loop, ok := s.(*kir.For)
		if !ok || !short(loop) {
			out = append(out, s)
			continue
		}
		several := &kir.For{V: loop.V, Hi: loop.Hi, Step: turnsTogether, Whole: true, Keep: true}
		for turn := range turnsTogether {
			at := map[*kir.Var]kir.Expr{}
			if turn > 0 {
				at[loop.V] = &kir.Bin{Fn: ir.Add, X: &kir.Ref{V: loop.V}, Y: &kir.Const{C: ir.IntConst(ir.Int, int64(turn))}, T: kir.Int}
			}
			several.Body = append(several.Body, copied(loop.Body, at, names)...)
		}
		lo := loop.Lo
		loop.Lo, loop.Keep = nil, true
		out = append(out, &kir.Let{V: loop.V, X: lo}, several, loop)
	}
	return out
}

// short reports whether a loop inside an element hands scalars from turn to turn by a few operations, and may be
// counted past its end by a few turns without leaving the range of int. (What only stores waits for memory.)
func short(loop *kir.For) bool {
	lo, ok := loop.Lo.(*kir.Const)
	if loop.Lo == nil {
		lo, ok = &kir.Const{C: ir.IntConst(ir.Int, 0)}, true
	}
	if !ok || lo.C.Int() < 0 || lo.C.Int() > mostStart || loop.What != "" || loop.Step != 1 || loop.Keep || loop.Outlined || loop.Watched || loop.Lanes > 0 {
		return false
	}
	if hi, ok := loop.Hi.(*kir.Const); ok && hi.C.Int()-lo.C.Int() < 2*turnsTogether {
		return false
	}
	operations, simple := 0, true
	set := map[*kir.Var]bool{}
	for _, s := range loop.Body {
		switch s := s.(type) {
		case *kir.Let:
			simple = simple && s.V.T.Lanes <= 1 && s.V.Memory == nil
		case *kir.Set:
			simple = simple && s.V.T.Lanes <= 1
			set[s.V] = true
		case *kir.Store:
			simple = simple && s.Mask == nil
			operations++
		default:
			return false
		}
	}
	kir.Walk(loop.Body, nil, func(x kir.Expr) {
		switch x := x.(type) {
		case *kir.Const, *kir.Ref:
		case *kir.Bin:
			operations++
			simple = simple && !kir.CallsBinary(x.Fn)
		case *kir.Un:
			operations++
			simple = simple && !kir.CallsUnary(x.Fn)
		case *kir.Convert, *kir.Select, *kir.FMA:
			operations++
		case *kir.Load:
			operations++
			simple = simple && x.Mask == nil
		default:
			simple = false
		}
		simple = simple && x.Type().Lanes <= 1
	})
	kir.WalkExpr(loop.Hi, func(x kir.Expr) {
		r, ok := x.(*kir.Ref)
		simple = simple && (!ok || !set[r.V])
		if _, ok := x.(*kir.Load); ok {
			simple = false
		}
	})
	return simple && len(set) > 0 && !set[loop.V] && operations <= shortTurn
}
