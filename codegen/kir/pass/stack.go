package pass

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// maxOnStack is up to how many bytes scratch memory becomes a buffer of the function.
const maxOnStack = 16 << 10

// Stack makes scratch memory of a constant size a buffer of the function, on the stack of the thread that runs it,
// where that is the same. Taking scratch memory and giving it back costs as much as a small array is worth.
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
	taken, shared := map[*kir.Array]bool{}, map[*kir.Array]bool{}
	short(body, true, taken)
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
	return moveToStack(body, func(a *kir.Array) bool { return taken[a] && !shared[a] })
}

// short notes the arrays of constant size that live no longer than a turn of the loop around them. given says that a
// Scoped, or the beginning of a function, lies between the statements and that loop.
func short(body []kir.Stmt, given bool, taken map[*kir.Array]bool) {
	for _, s := range body {
		inside := given
		switch s := s.(type) {
		case *kir.AllocScratch:
			if n, ok := constantSize(s.N); ok && given && !s.Grows && n > 0 && n*int64(s.A.Kind.Bytes()) <= maxOnStack {
				taken[s.A] = true
			}
		case *kir.For, *kir.While, *kir.Stride:
			inside = false
		case *kir.Scoped, *kir.Par:
			inside = true
		}
		for _, b := range kir.Blocks(s) {
			short(b, inside, taken)
		}
	}
}

// constantSize returns the value of a size that is a constant.
func constantSize(x kir.Expr) (int64, bool) {
	switch x := x.(type) {
	case *kir.Const:
		return x.C.Int(), true
	case *kir.Bin:
		a, ok := constantSize(x.X)
		b, both := constantSize(x.Y)
		if ok && both && x.Fn == ir.Mul && a >= 0 && b >= 0 && a < 1<<20 && b < 1<<20 {
			return a * b, true
		}
	}
	return 0, false
}

// moveToStack makes the arrays that move says buffers of their functions, and drops what gives back no scratch memory
// then.
func moveToStack(body []kir.Stmt, move func(*kir.Array) bool) []kir.Stmt {
	var out []kir.Stmt
	for _, s := range body {
		switch s := s.(type) {
		case *kir.AllocScratch:
			if move(s.A) {
				n, _ := constantSize(s.N)
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
