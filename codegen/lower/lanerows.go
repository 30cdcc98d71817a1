package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Rows of lanes]
//
// Lanes of a loop of independent turns may each read another row of a stored nested sequence, as turn s of one that
// goes through the states of a model and looks at emission[s][o]. Where the rows begin and end is read for all lanes at
// once, and an element is gathered from where its lane's row begins. Nothing else can be done with such a row than to
// read elements, and to ask for its length.

// laneRows are the rows of the lanes of a vector: where each begins in the data, and how long it is.
type laneRows struct{ lo, n kir.Expr }

// rowsByLane returns the rows at indices that differ from lane to lane; nil if they are not read so.
func (l *lowerer) rowsByLane(arr *array, i value) *array {
	r := arr.rows
	if l.updating != l.laneLevel || !readByLane(arr) {
		return nil
	}
	read := func(by int) kir.Expr {
		t, off := l.vectorType(ir.Int, l.width), add(arr.off, intConst(by))
		if i.form == contig {
			return &kir.Load{A: r.offsets, I: add(off, i.x), T: t, Mask: l.activeFor(ir.Int)}
		}
		at := value{x: l.vec(i), form: vector}
		if !isZero(off) {
			at = l.binary(ir.Add, at, scalar(off))
		}
		return &kir.Gather{A: r.offsets, I: at.x, T: t, Mask: l.activeFor(ir.Int)}
	}
	begin := value{x: l.letExpr("lo", read(0)), form: vector}
	end := value{x: l.letExpr("hi", read(1)), form: vector}
	n := l.binary(ir.Sub, end, begin)
	return &array{a: arr.a, lanes: &laneRows{begin.x, n.x}}
}

// readByLane reports whether elements of rows of arr can be gathered.
func readByLane(arr *array) bool {
	return arr.rows.offsets != nil && arr.rows.inner == nil && arr.a.Kind != ir.Bool && arr.a.Field == nil && !arr.private
}

// element gathers element i of each lane's row.
func (r *laneRows) element(l *lowerer, a *kir.Array, i value) value {
	at := l.binary(ir.Add, value{x: r.lo, form: vector}, value{x: l.vec(i), form: vector})
	return value{x: &kir.Gather{A: a, I: at.x, T: l.vectorType(a.Kind, l.width), Mask: l.activeFor(a.Kind)}, form: vector}
}
