package lower

import (
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
)

// Rows are the rows of a nested result that all have one length, known before the computation runs, but for the last
// one, which may be shorter.
type Rows struct {
	Length ir.Atom
	Total  ir.Atom // the elements of all of them; nil if the last row is as long as the others
}

// RegularRows returns how the rows of nested result i lie, or nil if they differ in length: see [RowOffsets].
func RegularRows(c *fuse.Computation, i int) (r *Rows, err error) {
	m, ok := c.Stmt.Op.(*ir.Map)
	if !ok || c.Stmt.Dst[i].T.Rank < 2 {
		return nil, nil
	}
	defer refused(&err)
	return regularRows(m, innerLength(m, i)), nil
}

// regularRows returns the rows of a Map that have length n: one that is known outside of the Map, or that of the parts
// of something, as ops.Split makes them, which is min(i·length + length, total) - i·length.
func regularRows(m *ir.Map, n ir.Atom) *Rows {
	inside := map[ir.Atom]ir.Op{m.I: nil}
	for _, s := range m.Body.Stmts {
		for _, d := range s.Dst {
			inside[d] = s.Op
		}
	}
	outside := func(a ir.Atom) bool { _, in := inside[a]; return a != nil && !in }
	if outside(n) {
		return &Rows{Length: n}
	}
	// beside returns the other operand of a = fn(x, one).
	beside := func(a ir.Atom, fn ir.BinaryFn, one ir.Atom) ir.Atom {
		op, ok := inside[a].(*ir.Binary)
		switch {
		case !ok || op.Fn != fn:
			return nil
		case op.X == one:
			return op.Y
		case op.Y == one:
			return op.X
		}
		return nil
	}
	diff, ok := inside[n].(*ir.Binary)
	if !ok || diff.Fn != ir.Sub {
		return nil
	}
	width := beside(diff.Y, ir.Mul, m.I)
	least, ok := inside[diff.X].(*ir.Binary)
	if !ok || least.Fn != ir.Min || !outside(width) {
		return nil
	}
	for _, q := range [][2]ir.Atom{{least.X, least.Y}, {least.Y, least.X}} {
		if end, total := q[0], q[1]; beside(end, ir.Add, diff.Y) == width && outside(total) {
			return &Rows{Length: width, Total: total}
		}
	}
	return nil
}
