package lower

import "github.com/surge-ndp/surge/ops/ir"

// unsigned are the kinds of narrow signed integers without their sign.
var unsigned = map[ir.Kind]ir.Kind{ir.Int8: ir.Uint8, ir.Int16: ir.Uint16, ir.Int32: ir.Uint32}

// checkedIndices marks the conversions to int, in b and in the blocks inside it, of indices that one of the checks
// made before, which are in hoisted, has found to be none below zero. Such an index is widened without its sign:
// amd64 has that for nothing, as any load of 32 bits clears the rest of the register, where the Go compiler takes an
// instruction for the address and another one for the sign.
//
// A check counts only in the block of the conversion: in one around or inside it, what is converted may be what no
// check saw.
func checkedIndices(b *ir.Block, hoisted map[*ir.Check]bool) map[*ir.Stmt]bool {
	marked := map[*ir.Stmt]bool{}
	var mark func(b *ir.Block)
	mark = func(b *ir.Block) {
		narrow := map[ir.Atom]*ir.Stmt{}
		for _, s := range b.Stmts {
			switch op := s.Op.(type) {
			case *ir.Convert:
				if op.To == ir.Int && unsigned[op.X.Type().Kind] != ir.Invalid {
					narrow[s.Dst[0]] = s
				}
			case *ir.Check:
				if op.Kind == ir.CheckIndex && hoisted[op] && narrow[op.Args[0]] != nil {
					marked[narrow[op.Args[0]]] = true
				}
			}
			for _, inner := range ir.Blocks(s.Op) {
				mark(inner)
			}
		}
	}
	mark(b)
	return marked
}
