package fuse

import (
	"maps"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// Place is where a sequence of the IR lies that is a field of the elements of a sequence of structs, if it is read and
// written there and not in a column of its own.
type Place struct {
	Structs string // the parameter or result that holds the structs
	Path    string // from a struct to the number in Go: .pos.x
	GoType  string // of the number
	// Apart is how many numbers a struct holds, if they are 2 to mostApart of one size and nothing else: vectors of them
	// are loaded as they lie, and taken apart. It is 0 for other structs. Nth is how many of them lie before this one.
	Apart, Nth int
}

// ApartIn returns Apart of a struct whose numbers have the given kinds.
func ApartIn(kinds []ir.Kind) int {
	if len(kinds) < 2 || len(kinds) > mostApart {
		return 0
	}
	for _, k := range kinds {
		if k == ir.Bool || k.Bytes() != kinds[0].Bytes() {
			return 0
		}
	}
	return len(kinds)
}

// PutInPlace says where sequences lie that have no column of their own.
func (k *Kernel) PutInPlace(places map[*ir.Var]*Place) {
	k.InPlace = places
	for _, c := range k.Computations {
		c.inPlace = places
	}
}

// Uses is how a kernel uses a sequence.
type Uses struct {
	// Whole says that something needs the sequence as such, and not one element at a time: an operation on it, a result
	// of the kernel that it is by itself, the features of a computation.
	Whole bool
	// Passes is how many computations read elements.
	Passes int
	// Again says that a level reads elements that a level around it reads again for each of its own.
	Again bool
}

// ManyPasses is how many computations have to read a sequence for a copy of it to pay.
const ManyPasses = 4

// Stored returns the stored sequence behind a result of the kernel: the result itself, or what it flattens; nil for a
// constant.
func (k *Kernel) Stored(a ir.Atom) *ir.Var {
	v, ok := a.(*ir.Var)
	if !ok {
		return nil
	}
	for _, s := range slices.Backward(k.Steps()) {
		if view, ok := s.Op.(*ir.View); ok && view.Fn == ir.Flatten && s.Dst[0] == v {
			v = view.Args[0].(*ir.Var)
		}
	}
	return v
}

// UsesOf returns how the kernel uses each of the sequences that it is given or computes.
func (k *Kernel) UsesOf() map[*ir.Var]*Uses {
	w := &useWalk{all: map[*ir.Var]*Uses{}, of: map[ir.Atom]*ir.Var{}, moves: map[ir.Atom]map[*ir.Var]bool{}}
	add := func(v *ir.Var) {
		if v.T.Rank > 0 {
			w.all[v], w.of[v] = &Uses{}, v
		}
	}
	for _, p := range k.Func.Params {
		add(p)
	}
	for _, c := range k.Computations {
		for _, d := range c.Stmt.Dst {
			add(d)
		}
	}
	for _, s := range k.Func.Body.Stmts {
		w.reads = map[*ir.Var]bool{}
		w.stmt(s, nil)
		for v := range w.reads {
			w.all[v].Passes++
		}
	}
	for _, c := range k.Computations {
		if c.Probe != nil {
			w.block(c.Probe.Body, nil)
		}
		for _, f := range c.Features {
			if f.Offsets != nil && f.Offsets.T.Rank == 1 { // of rows only the offsets are meant
				w.whole(f.Offsets)
			}
		}
	}
	return w.all
}

type useWalk struct {
	all   map[*ir.Var]*Uses
	of    map[ir.Atom]*ir.Var          // the sequence that a row is of
	moves map[ir.Atom]map[*ir.Var]bool // the indices of loops and operators that a value depends on
	reads map[*ir.Var]bool             // elements are read in the current statement of the kernel
}

func (w *useWalk) whole(a ir.Atom) {
	if v := w.of[a]; v != nil {
		w.all[v].Whole = true
	}
}

func (w *useWalk) block(b *ir.Block, levels []*ir.Var) {
	for _, s := range b.Stmts {
		w.stmt(s, levels)
	}
}

func (w *useWalk) stmt(s *ir.Stmt, levels []*ir.Var) {
	on := map[*ir.Var]bool{}
	depend := func(a ir.Atom) { maps.Copy(on, w.moves[a]) }
	inner := levels
	switch op := s.Op.(type) {
	case *ir.Index:
		if v := w.of[op.X]; v != nil {
			if s.Dst[0].T.IsScalar() {
				w.read(v, op, levels)
			} else { // a row of it
				w.of[s.Dst[0]] = v
			}
		}
	case *ir.Len:
	default:
		for _, a := range ir.Operands(s.Op) {
			w.whole(*a)
		}
	}
	for _, a := range ir.Operands(s.Op) {
		depend(*a)
	}
	i := ir.OperatorIndex(s.Op)
	from := map[*ir.Var]bool{}
	if l, ok := s.Op.(*ir.Loop); ok {
		if i = l.I; i == nil { // its turns have no number
			i = &ir.Var{Name: "turn"}
		}
		for _, a := range append([]ir.Atom{l.Lo}, l.Init...) { // where it begins may depend on the levels around it
			maps.Copy(from, w.moves[a])
		}
	}
	if i != nil {
		if one, ok := ir.OperatorLength(s.Op).(ir.Const); !ok || one.Int() != 1 {
			inner = append(levels[:len(levels):len(levels)], i)
		}
		from[i] = true
		for _, v := range ir.Bound(s.Op) {
			w.moves[v] = from
		}
	}
	for _, b := range ir.Blocks(s.Op) {
		w.block(b, inner)
		for _, a := range b.Results {
			w.whole(a)
			depend(a)
		}
	}
	for _, d := range s.Dst {
		w.moves[d] = on
	}
}

// read notes that elements are read, and whether a level around reads the same ones again: the index moves with a
// level, and rests while one further out turns. What rests while the levels inside turn is read once and kept.
func (w *useWalk) read(v *ir.Var, op *ir.Index, levels []*ir.Var) {
	w.reads[v] = true
	moves := maps.Clone(w.moves[op.I])
	if moves == nil {
		moves = map[*ir.Var]bool{}
	}
	maps.Copy(moves, w.moves[op.X])
	rested := false
	for _, l := range levels {
		if moves[l] {
			w.all[v].Again = w.all[v].Again || rested
		} else {
			rested = true
		}
	}
}
