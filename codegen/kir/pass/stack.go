package pass

import (
	"maps"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// maxOnStack is up to how many bytes scratch memory becomes a buffer of the function.
const maxOnStack = 16 << 10

// Stack makes scratch memory of at most a constant size a buffer of the function, on the stack of the thread that runs
// it, where that is the same. Taking scratch memory and giving it back costs as much as a small array is worth.
//
// A buffer is one piece of memory for all turns of the loops around it, so what is in the memory may not outlive a
// turn: between the memory and the next loop around it there is a [kir.Scoped], at whose end it is given back. And it
// belongs to one function, so no parallel region that begins after the memory was taken may use it, nor a loop that
// becomes a function.
var Stack = Pass[*kir.Func]{
	Name: "stack", Doc: "scratch memory of constant size becomes a buffer of the function",
	Run: func(f *kir.Func) error {
		f.Body = onStack(f.Body)
		return nil
	},
}

func onStack(body []kir.Stmt) []kir.Stmt {
	taken, shared := map[*kir.Array]int64{}, map[*kir.Array]bool{}
	short(body, true, mostOf(body), taken)
	kir.Walk(body, func(s kir.Stmt) {
		if f, ok := s.(*kir.For); ok && f.Outlined {
			kir.Arrays([]kir.Stmt{f}, func(a *kir.Array) { shared[a] = true })
		}
		p, ok := s.(*kir.Par)
		if !ok {
			return
		}
		own := map[*kir.Array]bool{}
		kir.Walk(p.Body, func(s kir.Stmt) {
			if a, ok := s.(*kir.AllocScratch); ok {
				own[a.A] = true
			}
		}, nil)
		kir.Arrays(p.Body, func(a *kir.Array) {
			if !own[a] {
				shared[a] = true
			}
		})
	}, nil)
	maps.DeleteFunc(taken, func(a *kir.Array, _ int64) bool { return shared[a] })
	return moveToStack(body, taken)
}

// mostOf returns the numbers of which a constant says how much they are at most: the lesser of it and something else.
func mostOf(body []kir.Stmt) map[*kir.Var]int64 {
	most := map[*kir.Var]int64{}
	kir.Walk(body, func(s kir.Stmt) {
		if let, ok := s.(*kir.Let); ok {
			if least, ok := let.X.(*kir.Bin); ok && least.Fn == ir.Min {
				if c, ok := least.X.(*kir.Const); ok && c.C.Kind == ir.Int {
					most[let.V] = c.C.Int()
				}
			}
		}
	}, nil)
	kir.Walk(body, func(s kir.Stmt) {
		if set, ok := s.(*kir.Set); ok {
			delete(most, set.V)
		}
	}, nil)
	return most
}

// short notes the arrays of at most a constant size that live no longer than a turn of the loop around them. given says
// that a Scoped, or the beginning of a function, lies between the statements and that loop.
func short(body []kir.Stmt, given bool, most map[*kir.Var]int64, taken map[*kir.Array]int64) {
	for _, s := range body {
		inside := given
		switch s := s.(type) {
		case *kir.AllocScratch:
			if n, ok := constantSize(s.N, most); ok && given && !s.Grows && n > 0 && n*int64(s.A.Kind.Bytes()) <= maxOnStack {
				taken[s.A] = n
			}
		case *kir.For, *kir.While, *kir.Stride:
			inside = false
		case *kir.Scoped, *kir.Par:
			inside = true
		}
		for _, b := range kir.Blocks(s) {
			short(b, inside, most, taken)
		}
	}
}

// constantSize returns what a size is at most, where a constant says that.
func constantSize(x kir.Expr, most map[*kir.Var]int64) (int64, bool) {
	switch x := x.(type) {
	case *kir.Ref:
		n, ok := most[x.V]
		return n, ok
	case *kir.Const:
		return x.C.Int(), true
	case *kir.Bin:
		a, ok := constantSize(x.X, most)
		b, both := constantSize(x.Y, most)
		if ok && both && x.Fn == ir.Mul && a >= 0 && b >= 0 && a < 1<<20 && b < 1<<20 {
			return a * b, true
		}
	}
	return 0, false
}

// moveToStack makes arrays buffers of their functions, of the sizes that move says, and drops what gives back no
// scratch memory then.
func moveToStack(body []kir.Stmt, move map[*kir.Array]int64) []kir.Stmt {
	var out []kir.Stmt
	for _, s := range body {
		switch s := s.(type) {
		case *kir.AllocScratch:
			if n := move[s.A]; n > 0 {
				s.A.Space, s.A.Size = kir.Strip, int(n)
				continue
			}
		case *kir.Scoped:
			s.Body = moveToStack(s.Body, move)
			if !takesScratch(s.Body) {
				out = append(out, s.Body...)
				continue
			}
		default:
			for _, b := range kir.BlocksOf(s) {
				*b = moveToStack(*b, move)
			}
		}
		out = append(out, s)
	}
	return out
}

// takesScratch reports whether statements take scratch memory, parallel regions aside, which have their own.
func takesScratch(body []kir.Stmt) bool {
	found := false
	kir.Walk(body, func(s kir.Stmt) {
		_, takes := s.(*kir.AllocScratch)
		found = found || takes
	}, nil)
	return found
}
