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
