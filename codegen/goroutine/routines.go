package goroutine

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// moveFields prints the call that takes fields of consecutive structs into a buffer, or puts them there.
func (p *printer) moveFields(r *kir.Routine) string {
	name, field, buf := "vec.TakeFields", r.Args[1], r.Args[0]
	if r.Name == kir.PutFields {
		name, field, buf = "vec.PutFields", r.Args[0], r.Args[1]
	}
	at := p.fieldAddress(field.A, field.X)
	return fmt.Sprintf("%s(%s, %s, vec.Size(%s), %s)", name, p.base(buf.A, true), at, field.A.Field.Structs, p.expr(r.Args[2].X))
}

// routine prints a call of a strip routine. An address of no elements is the array's own: one past the end is not
// formed. The call is as the routine returns it: ints come back as lanes.
func (p *printer) routine(r *kir.Routine) string {
	if r.Name == kir.Clear {
		return "vec.Clear()"
	}
	if r.Name == kir.TakeFields || r.Name == kir.PutFields {
		return p.moveFields(r)
	}
	if r.Name == kir.SortIndex {
		return p.sortIndex(r)
	}
	if r.Name == kir.Zero {
		n := p.expr(r.Args[1].X)
		return fmt.Sprintf("vec.Zero(vec.Addr(%s, %s, %s), %s)", p.base(r.Args[0].A, false), p.expr(r.Args[0].X), n, n)
	}
	if r.Name == kir.Move {
		to, from := r.Args[0], r.Args[1]
		return fmt.Sprintf("vec.Move(%s, %s, %s, %s, %s)", p.base(to.A, false), p.expr(to.X), p.base(from.A, false), p.expr(from.X), p.expr(r.Args[2].X))
	}
	if r.Name == kir.PackRows {
		dst, src, lanes, n := r.Args[0], r.Args[1], p.expr(r.Args[2].X), p.expr(r.Args[3].X)
		to := p.base(dst.A, true)
		if c, ok := dst.X.(*kir.Const); !ok || c.C.Int() != 0 {
			to = fmt.Sprintf("vec.Addr(%s, %s, %s)", to, p.expr(dst.X), n)
		}
		return fmt.Sprintf("vec.PackRows(%s, vec.Addr(%s, %s, %s), %s, %s)", to, p.base(src.A, true), p.expr(src.X), n, lanes, n)
	}
	if r.Name == kir.UnpackRows {
		dst, src, lanes, n := r.Args[0], r.Args[1], p.expr(r.Args[2].X), p.expr(r.Args[3].X)
		return fmt.Sprintf("vec.UnpackRows(vec.Addr(%s, %s, %s), vec.Addr(%s, %s, %s), %s, %s)",
			p.base(dst.A, true), p.expr(dst.X), n, p.base(src.A, true), p.expr(src.X), n, lanes, n)
	}
	if r.Name == kir.SumTile {
		return p.sumTile(r)
	}
	n := r.Args[len(r.Args)-1].X
	if strings.HasPrefix(string(r.Name), "scan_add") {
		n = r.Args[2].X
	}
	count := p.expr(n)
	address := func(a kir.Arg) string {
		b := p.base(a.A, true)
		if c, ok := a.X.(*kir.Const); ok && c.C.Int() == 0 {
			return b
		}
		return fmt.Sprintf("vec.Addr(%s, %s, %s)", b, p.expr(a.X), count)
	}
	k := letters(r.Args[0].A.Kind)
	switch r.Name {
	case kir.GatherStrip:
		name := "vec.GatherStrip" + k
		if r.Args[2].A.Kind != ir.Int32 {
			name += "I64"
		}
		return fmt.Sprintf("%s(%s, %s, %s, %s)", name, address(r.Args[0]), address(r.Args[1]), address(r.Args[2]), count)
	case kir.DotGather:
		return fmt.Sprintf("vec.DotGather%s(%s, %s, %s, %s)", k, address(r.Args[0]), address(r.Args[1]), address(r.Args[2]), count)
	case kir.ScanAdd, kir.ScanAddInclusive, kir.ScanAddStream, kir.ScanAddInclusiveStream:
		name := "vec.ScanAdd"
		if strings.Contains(string(r.Name), "inclusive") {
			name += "Inclusive"
		}
		if strings.HasSuffix(string(r.Name), "stream") {
			name += "Stream"
		}
		name += k
		return fmt.Sprintf("%s(%s, %s, %s, %s)", name, address(r.Args[0]), address(r.Args[1]), count, p.laneValue(r.Args[3].X))
	}
	panic("goroutine: routine " + strconv.Quote(string(r.Name)))
}

// sortIndex prints the call of the runtime's sort: keys, permutation, length, and the level whose loop parameters it
// runs under, 0 for one worker.
func (p *printer) sortIndex(r *kir.Routine) string {
	n := p.expr(r.Args[2].X)
	address := func(a kir.Arg) string { return fmt.Sprintf("vec.Addr(%s, %s, %s)", p.base(a.A, false), p.expr(a.X), n) }
	loop := "rt.Loop{Threads: 1}"
	if level := r.Args[3].X.(*kir.Const).C.Int(); level > 0 {
		loop = fmt.Sprintf("l.Loops[%d]", level-1)
	}
	return fmt.Sprintf("rt.SortIndex(w, %s, %s, %s, %s)", loop, address(r.Args[0]), address(r.Args[1]), n)
}

// sumTile prints the call of a routine for the sums of a register tile: sums, the rows' array, where the rows begin,
// their step, the vectors with their step from product to product and from one to the next, how many products, and
// the shape of the tile.
func (p *printer) sumTile(r *kir.Routine) string {
	a := func(i int) string { return p.expr(r.Args[i].X) }
	height, vectors := r.Args[8].X.(*kir.Const).C.Int(), r.Args[9].X.(*kir.Const).C.Int()
	return fmt.Sprintf("vec.SumTile%dx%d%s(%s, %s, %s, %s, vec.Addr(%s, %s, %s), %s, %s, %s)", height, vectors, vecName(r.T),
		p.base(r.Args[0].A, true), p.base(r.Args[1].A, true), p.base(r.Args[2].A, false), a(3), p.base(r.Args[4].A, true), a(4), a(7), a(5), a(6), a(7))
}
