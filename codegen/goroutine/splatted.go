package goroutine

import "github.com/surge-ndp/surge/codegen/kir"

// splatted reports whether the statements of a block load so many vectors, and so many numbers that become vectors,
// that the order in which they do it matters: the taps of a convolution, each with a weight that is another one in
// each turn.
//
// The Go compiler puts what stands in the text of a function itself before what comes of calls that it has inlined,
// and a splat is one. Loads through pointers (see [printer.addr]) all come first then, the vectors wait for the
// numbers, more of both are alive than there are registers, and numbers are spilled as vectors of 128 bits (see
// [SlowSpills]). Loads by calls have the place of their call, as splats do, and each product is made as soon as both
// factors are there.
func splatted(body []kir.Stmt) bool {
	loads, splats := 0, 0
	for _, s := range body {
		if len(kir.Blocks(s)) > 0 {
			continue // loads its own
		}
		kir.Walk([]kir.Stmt{s}, nil, func(x kir.Expr) {
			switch x := x.(type) {
			case *kir.Load:
				if x.T.Lanes > 1 {
					loads++
				}
			case *kir.Splat:
				if _, ok := x.X.(*kir.Load); ok {
					splats++
				}
			}
		})
	}
	return splats >= narrowSpilled && loads > 0 && loads+splats > vectorRegisters
}

// splatsTogether is how many numbers become vectors in one run of statements.
const splatsTogether = 6

// splatsApart says before which statements of a block a run of others has to end, which asks whether the kernel is to
// stop: where more numbers become vectors for the loops of the block than there are registers for, as what a triangle
// is does before the loop over its pixels. The compiler makes all of them vectors of 128 bits first, as far as
// statements run one after the other, and spills these (see [SlowSpills]).
func splatsApart(body []kir.Stmt) func(i int) bool {
	inLoops := map[*kir.Var]bool{}
	for i, s := range body {
		if len(kir.Blocks(s)) > 0 {
			kir.Walk(body[i:i+1], nil, func(x kir.Expr) {
				if r, ok := x.(*kir.Ref); ok && r.V.T.Lanes > 1 {
					inLoops[r.V] = true
				}
			})
		}
	}
	n := 0
	ends := make([]int, len(body)) // how many there are up to a statement
	for i, s := range body {
		if let, ok := s.(*kir.Let); ok && inLoops[let.V] {
			if x, ok := let.X.(*kir.Splat); ok && !isConstantVector(x) {
				n++
			}
		}
		ends[i] = n
	}
	last := 0
	return func(i int) bool {
		if i == 0 || n <= operandRegisters || ends[i] == ends[i-1] || ends[i-1]-last < splatsTogether {
			return false
		}
		last = ends[i-1]
		return true
	}
}
