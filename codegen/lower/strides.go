package lower

import (
	"maps"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// Where elements read at a step that is 1 more often than not (fuse.StepOf), vectors read what lies side by side then.
// Which step it is is asked before the vector loop, of which there are two.

// byOne emits vector loops for a step of 1 and for others.
func (l *lowerer) byOne(step ir.Atom, products map[*ir.Stmt]ir.Atom, e *env, vectors func()) {
	x, known := e.getAtom(step)
	if !known || x.form != uniform || x.arr != nil {
		vectors()
		return
	}
	node := &kir.If{Cond: compare(ir.Eq, x.x, intConst(1))}
	same := l.same
	l.inside(&node.Then, func() {
		l.same = maps.Clone(same)
		if l.same == nil {
			l.same = map[*ir.Stmt]ir.Atom{}
		}
		maps.Copy(l.same, products)
		vectors()
	})
	l.same = same
	l.inside(&node.Else, vectors)
	l.emit(node)
}
