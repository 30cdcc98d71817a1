package lower

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// lowerer walks over the statements of a computation. Each part of its state has a type: where statements go, what is
// known of the kernel, which statements are computed in another way than they say, and the vector loop around the
// current position.
type lowerer struct {
	*emitter
	facts
	instead
	vectorLoop
	masks

	levels  []level
	env     *env
	on      runner               // what runs the statements
	dest    map[*ir.Var]*array   // where an inner operator puts its results
	swapped map[*ir.Var]*carried // the sequences that loops carry, by their parameters
	rooms   []*room              // scratch memory of the function around the current position
	marked  *mark                // the loop around the current position whose turns run in lanes, nil for none
	atTop   bool                 // the code is that of the kernel's top level: no chunks of elements end between which a run can stop
	loops   int                  // sequential loops around the current position

	// What loops of independent turns share a level, of which some cannot have what it has: see [lowerer.someUse].
	laneless    int  // the level of a loop of independent turns that could have no lanes, 0 for none
	laned       bool // a loop of independent turns has lanes
	whyLaneless string
	poolless    int  // the level of a loop of independent turns that the pool cannot divide, 0 for none
	markless    int  // the level of a loop of independent turns that is not marked, 0 for none
	marks       bool // a loop of independent turns is marked
	pooled      uint // levels that are divided among the pool, a bit each

	leaves    bool // such loops that hold no others have the lanes of the levels below theirs
	leafLanes bool // some have
}

// facts are what is known of the kernel before it is lowered.
type facts struct {
	k       *fuse.Kernel
	defs    analysis.Defs
	allocs  map[*ir.Var]*ir.Stmt // what made the arrays that are updated in place
	hoisted map[*ir.Check]bool   // checks that are made elsewhere
	checked map[*ir.Stmt]bool    // conversions of indices that are not negative
	doubled map[*ir.Var]bool     // sequences that get memory for a second one
}

// instead says which statements are computed in another way than they say.
type instead struct {
	skip   map[*ir.Stmt]bool        // another statement absorbs them
	same   map[*ir.Stmt]ir.Atom     // their result is known to be another value
	rows   map[*ir.Stmt]*binRow     // Maps whose elements are combined into bins
	strips map[*ir.Stmt]value       // strip gathers, by their Index statement
	fields *fieldStrips             // of the strip of elements around the current position, nil outside of one
	packed map[*ir.Stmt]packedRead  // reads of packed rows
	stored map[*ir.Stmt]*storedPack // reads of stored rows that are packed
	own    *ownRows                 // what the elements of the loop on lanes fill, nil for nothing
	panels map[*ir.Block]*panel     // what is packed for Maps on lanes, by their bodies
	clamps map[*ir.Stmt]clamp       // clamps that have no effect in the vector loop
	within *border                  // the border that the vector loop has behind it, nil for none
}

// vectorLoop is the vector loop around the current position; width is 1 outside of one.
type vectorLoop struct {
	width        int
	laneLevel    int
	updating     int // the level of the loop of independent turns that has the lanes, 0 for none
	preheader    *[]kir.Stmt
	mark         int  // what was declared up to here is outside of the vector loop
	takesScratch bool // the preheader takes scratch memory
	split        bool // the lanes at hand take different branches of a condition: see [lowerer.ifAllLanes]
	splats       map[splatKey]kir.Expr
	constSplats  map[constKey]kir.Expr
}

// masks are what is known of the lanes that run the current statements.
type masks struct {
	active    kir.Expr // the lanes that run the current branch or loop, nil for all
	guarded   bool     // what was lowered must not run if no lane is active
	scratch   bool     // lanes took scratch memory
	versions  int      // loops around the current position that exist in two versions
	laneIndex *ir.Var  // the index of the Map on lanes that is computed in tiles

	filled map[*ir.Stmt]bool // the Maps on lanes whose rows are known to fill a vector
}

func newLowerer(k *fuse.Kernel, levels []level) *lowerer {
	l := &lowerer{emitter: newEmitter(), levels: levels, dest: map[*ir.Var]*array{}, swapped: map[*ir.Var]*carried{}}
	known := k.Facts()
	l.facts = facts{k: k, defs: known.Defs, allocs: known.Allocs, doubled: known.Doubled, hoisted: map[*ir.Check]bool{}, checked: map[*ir.Stmt]bool{}}
	l.instead = instead{skip: map[*ir.Stmt]bool{}, rows: map[*ir.Stmt]*binRow{}}
	l.filled = map[*ir.Stmt]bool{}
	l.width = 1
	l.on, l.env = &worker{l}, (*env)(nil).child()
	for _, p := range k.Func.Params {
		l.bindStored(p, l.offsetRows(p), nil)
	}
	for _, v := range k.Turning() {
		l.bindStored(v, nil, nil)
	}
	for _, s := range k.Steps() {
		for i, d := range s.Dst {
			if d.T.IsScalar() {
				l.names[HostName(d)]++
				l.env.m[d] = scalar(&kir.Ref{V: &kir.Var{Name: HostName(d), T: kir.ScalarType(d.T.Kind), Host: true}})
				continue
			}
			switch op := s.Op.(type) {
			case *ir.Map, *ir.Scan, *ir.Scatter, *ir.Hist, *ir.Sort:
				l.bindStored(d, l.storedRows(s, i), l.atom(ir.ResultLength(s.Op), l.env).x)
			case *ir.View:
				if op.Fn == ir.Flatten {
					inner, _ := l.env.get(op.Args[0].(*ir.Var))
					l.env.m[d] = value{arr: l.flattened(inner.arr, l.env)}
				}
			}
		}
	}
	return l
}

// storedRows says how the rows of nested result i of a top-level Map are laid out: nil for flat results.
func (l *lowerer) storedRows(s *ir.Stmt, i int) *rows {
	m, ok := s.Op.(*ir.Map)
	if !ok || s.Dst[i].T.Rank < 2 {
		return nil
	}
	var outer *rows
	levels, names := rowLevels(m, i), RowOffsetsNames(s.Dst[i])
	for k := len(levels) - 1; k >= 0; k-- {
		outer = &rows{inner: outer}
		if regular := regularRows(levels, k); regular != nil {
			outer.length, outer.total = regular.Length, regular.Total
		} else {
			outer.offsets = l.global(names[k], ir.Int)
		}
	}
	return outer
}

// offsetRows is how the rows of a nested parameter lie, nil for flat ones.
func (l *lowerer) offsetRows(v *ir.Var) (outer *rows) {
	for _, name := range slices.Backward(RowOffsetsNames(v)) {
		outer = &rows{offsets: l.global(name, ir.Int), inner: outer}
	}
	return outer
}

// bindStored enters a sequence that lives in the frame: r is how its rows lie, n the number of its elements, nil if
// memory says it.
func (l *lowerer) bindStored(v *ir.Var, r *rows, n kir.Expr) {
	name := HostName(v)
	if v.T.IsScalar() {
		l.names[name]++
		l.env.m[v] = scalar(&kir.Ref{V: &kir.Var{Name: name, T: kir.ScalarType(v.T.Kind), Host: true}})
		return
	}
	a := l.global(name, v.T.Kind)
	a.Field = l.fieldOf(v)
	if sizes := l.k.Regular[v]; sizes != nil {
		a.RowLength = HostName(sizes.Row())
	}
	arr := &array{a: a, n: &kir.Length{A: a}, rows: r}
	switch {
	case r != nil && r.offsets != nil:
		arr.n = sub(&kir.Length{A: r.offsets}, intConst(1))
	case r != nil:
		arr.n = n
	}
	l.env.m[v] = value{arr: arr}
}

// store emits a store that all who run the code have come to: one of them makes it.
func (l *lowerer) store(s *kir.Store) {
	if s.A.Space == kir.Own && l.on.inStep() { // who has no element goes through one again, in memory of its own
		l.emit(s)
		return
	}
	l.on.ifLeader(func() { l.emit(s) })
}

// letExpr binds x to a variable unless it is a variable or constant already.
func (l *lowerer) letExpr(base string, x kir.Expr) kir.Expr {
	switch x.(type) {
	case *kir.Ref, *kir.Const:
		return x
	}
	v := l.fresh(base, x.Type())
	l.emit(&kir.Let{V: v, X: x})
	l.on.declares(v, x)
	return &kir.Ref{V: v}
}

func (l *lowerer) atom(a ir.Atom, e *env) value {
	switch a := a.(type) {
	case ir.Const:
		return scalar(&kir.Const{C: a})
	case *ir.Var:
		if v, ok := e.get(a); ok {
			return v
		}
		panic(fmt.Sprintf("lower: %s has no value", a.Name))
	}
	panic("lower: nil atom")
}

func (l *lowerer) atoms(as []ir.Atom, e *env) []value {
	vs := make([]value, len(as))
	for i, a := range as {
		vs[i] = l.atom(a, e)
	}
	return vs
}

func (l *lowerer) block(b *ir.Block, e *env, depth int) []value {
	for _, s := range b.Stmts {
		if !l.skip[s] {
			l.stmt(s, e, depth)
		}
	}
	return l.atoms(b.Results, e)
}

// bind gives v's value a name of its own and enters it.
func (l *lowerer) bind(v *ir.Var, x value, e *env) {
	if x.arr == nil {
		x.x = l.letExpr(v.Name, x.x)
	}
	e.m[v] = x
}

func (e *env) getAtom(a ir.Atom) (value, bool) {
	switch a := a.(type) {
	case ir.Const:
		return scalar(&kir.Const{C: a}), true
	case *ir.Var:
		return e.get(a)
	}
	return value{}, false
}

// sourceName is a variable's name without the number that tells it from others of that name in the source.
func sourceName(name string) string {
	source, _, _ := strings.Cut(name, ".")
	return source
}
