package fuse

import (
	"github.com/surge-ndp/surge/ops/ir"
)

// Feature is an input feature of a computation that is inferred from its structure and costs constant time (Surge
// section 3.4).
type Feature struct {
	Name string // one of selector.Inferred
	Unit string
	// Length is the number of outermost elements, for bins that of the results. Row is, for aspect_ratio, the length
	// of a row, an int known before the computation starts; Offsets is, for average_row_length, load_imbalance and
	// element_row_length, the sequence of row offsets, or a stored nested sequence whose rows are meant.
	Length  ir.Atom
	Row     ir.Atom
	Offsets *ir.Var
	// Total is, for an aspect_ratio of tiles, how many elements all of them have together: the last one is shorter than
	// Row, and the only one may be far shorter.
	Total ir.Atom
	// Inner is, for inner_row_length, the length of an innermost row that is known before the computation starts.
	// Probed is the level, counted from 1, whose average row length the computation's [Probe] tells, or for
	// loop_operations the one after the last; 0 for other features.
	Inner  ir.Atom
	Probed int
}

// features infers length, and aspect ratio or average row length from the first one of the operators nested in the
// computation that has the most levels itself, of loops that update from the first one whose turns are the most work:
// one that runs in the turns of a loop is asked before operators that run once.
func features(top *ir.Stmt) []Feature {
	n := lengthOf(top.Op)
	fs := []Feature{{Name: "length", Unit: "elements", Length: n}}
	body := ir.Blocks(top.Op)[0]
	index := indexOf(top.Op)
	defs := map[ir.Atom]ir.Op{}
	var inner ir.Atom
	var first ir.Op
	deepest, heaviest, once := 0, 0.0, false
	again := inTurnsOf(body)
	bound := map[ir.Atom]bool{}
	for _, v := range ir.Bound(top.Op) {
		bound[v] = true
	}
	ir.Walk(body, func(s *ir.Stmt) {
		for _, d := range s.Dst {
			defs[d] = s.Op
		}
		for _, v := range ir.Bound(s.Op) {
			bound[v] = true
		}
		if indexOf(s.Op) == nil {
			return
		}
		levels := levelsOf(s)
		more := levels > deepest // than those inside it
		if loop, ok := s.Op.(*ir.Loop); ok {
			if _, loops := first.(*ir.Loop); first == nil || loops || once && again[s] && levels >= deepest {
				work := weigh(loop.Body)
				more, heaviest = work > heaviest, max(work, heaviest)
			}
		}
		if more {
			inner, deepest, first, once = lengthOf(s.Op), levels, s.Op, !again[s]
		}
	})
	if inner == nil || bound[inner] { // which no input says
		return fs
	}
	if _, loop := first.(*ir.Loop); loop {
		known := func(a ir.Atom) bool { _, local := defs[a]; return !local && !bound[a] }
		if inner = most(defs, inner, known); inner == nil {
			return fs
		}
	}
	if size := bounded(defs, inner); size != nil { // strips, of which the last one may be shorter
		inner = size
	}
	def, local := defs[inner]
	if !local {
		if off := deeperOffsets(body, defs, index); off != nil {
			return append(fs, rowLengths(n, off)...)
		}
		return append(fs, Feature{Name: "aspect_ratio", Unit: "rows/row length", Length: n, Row: inner})
	}
	if n, ok := def.(*ir.Len); ok { // the rows of a nested sequence that is stored
		if row, ok := defs[n.X].(*ir.Index); ok && row.I == ir.Atom(index) {
			if rows := row.X.(*ir.Var); defs[rows] == nil {
				return append(fs, rowLengths(fs[0].Length, rows)...)
			}
		}
		return fs
	}
	sub, ok := def.(*ir.Binary)
	if !ok || sub.Fn != ir.Sub {
		return fs
	}
	if off := offsetsOf(defs, sub.Y, index); off != nil && offsetsOf(defs, sub.X, nil) == off {
		return append(fs, rowLengths(n, off)...)
	}
	if size := tileSize(defs, sub, index); size != nil {
		return append(fs, Feature{Name: "aspect_ratio", Unit: "rows/row length", Length: n, Row: size, Total: bounded(defs, sub.X)})
	}
	return fs
}

// inTurnsOf returns the statements of a block that loops in sequential code run turn by turn.
func inTurnsOf(b *ir.Block) map[*ir.Stmt]bool {
	again := map[*ir.Stmt]bool{}
	ir.Walk(b, func(s *ir.Stmt) {
		if loop, ok := s.Op.(*ir.Loop); ok && indexOf(s.Op) == nil {
			ir.Walk(loop.Body, func(t *ir.Stmt) { again[t] = true })
		}
	})
	return again
}

// RowOffsets returns what tells, before a computation starts, how long the rows are that its elements compute: offsets,
// or a nested sequence whose rows are meant; nil where they are all as long or nothing tells. Where only elements that
// a condition chooses have rows, there may be fewer rows than elements, and nothing tells either.
func RowOffsets(top *ir.Stmt) *ir.Var {
	for _, f := range features(top) {
		if f.Offsets != nil && readsAlways(ir.Blocks(top.Op)[0], f.Offsets) {
			return f.Offsets
		}
	}
	return nil
}

// readsAlways reports whether b reads an element of x under no condition.
func readsAlways(b *ir.Block, x *ir.Var) bool {
	for _, s := range b.Stmts {
		if op, ok := s.Op.(*ir.Index); ok && op.X == ir.Atom(x) {
			return true
		}
		if _, ok := s.Op.(*ir.If); ok {
			continue
		}
		for _, inner := range ir.Blocks(s.Op) {
			if readsAlways(inner, x) {
				return true
			}
		}
	}
	return false
}

// levelsOf is how many levels of operators there are in s, itself included.
func levelsOf(s *ir.Stmt) int {
	most := 0
	for _, b := range ir.Blocks(s.Op) {
		for _, t := range b.Stmts {
			most = max(most, levelsOf(t))
		}
	}
	if indexOf(s.Op) != nil {
		most++
	}
	return most
}

// tileSize returns the size of a tile, which is not in defs, if n is the length of tile number index: hi -
// index*size; else nil.
func tileSize(defs map[ir.Atom]ir.Op, n *ir.Binary, index *ir.Var) ir.Atom {
	lo, ok := defs[n.Y].(*ir.Binary)
	if !ok || lo.Fn != ir.Mul {
		return nil
	}
	for _, f := range [][2]ir.Atom{{lo.X, lo.Y}, {lo.Y, lo.X}} {
		if _, local := defs[f[1]]; !local && f[0] == ir.Atom(index) {
			return f[1]
		}
	}
	return nil
}

// rowLengths returns the features of n irregular rows.
func rowLengths(n ir.Atom, offsets *ir.Var) []Feature {
	return []Feature{
		{Name: "average_row_length", Unit: "elements", Length: n, Offsets: offsets},
		{Name: "load_imbalance", Unit: "of the average", Length: n, Offsets: offsets},
		{Name: "element_row_length", Unit: "elements", Length: n, Offsets: offsets},
	}
}

// bins returns how many elements the first reduction by index in a computation reduces to, nil if there is none or
// that is not known before the computation starts.
func bins(top *ir.Stmt) ir.Atom {
	if h, ok := top.Op.(*ir.Hist); ok {
		return h.W
	}
	var first *ir.Hist
	inside := map[ir.Atom]bool{}
	for _, b := range ir.Blocks(top.Op) {
		ir.Walk(b, func(s *ir.Stmt) {
			for _, v := range append(ir.Bound(s.Op), s.Dst...) {
				inside[v] = true
			}
			if h, ok := s.Op.(*ir.Hist); ok && first == nil {
				first = h
			}
		})
	}
	if first == nil || inside[first.W] || first.W == ir.Atom(indexOf(top.Op)) {
		return nil
	}
	return first.W
}

// bounded returns what a is at most, if it is the lesser of two numbers of which one is known before the computation
// starts; else nil.
func bounded(defs map[ir.Atom]ir.Op, a ir.Atom) ir.Atom {
	least, ok := defs[a].(*ir.Binary)
	if !ok || least.Fn != ir.Min {
		return nil
	}
	for _, x := range []ir.Atom{least.X, least.Y} {
		if _, local := defs[x]; !local {
			return x
		}
	}
	return nil
}

// probed adds the features that a probe tells: row lengths, and what loops do.
func (c *Computation) probed() {
	levels := len(c.Sequence)
	p := probe(c.Stmt, levels)
	if levels > 1 {
		c.innerRows(p)
	}
	if p != nil && p.Turns {
		c.Features = append(c.Features, Feature{Name: "loop_operations", Unit: "operations", Length: c.Features[0].Length, Probed: levels + 1})
		c.Probe = p
	}
}

// innerRows adds the features that tell the row lengths of inner levels which [features] does not: that of the second
// level by the probe, and that of the innermost one of deeper nests.
func (c *Computation) innerRows(p *Probe) {
	levels := len(c.Sequence)
	n := c.Features[0].Length
	if len(c.Features) == 1 && p != nil && p.Known[0] {
		c.Features = append(c.Features, Feature{Name: "average_row_length", Unit: "elements", Length: n, Probed: 2})
		c.Probe = p
	}
	if levels == 2 {
		return
	}
	if inner := innermost(c.Stmt, levels); inner != nil {
		c.Features = append(c.Features, Feature{Name: "inner_row_length", Unit: "elements", Length: n, Inner: inner})
	} else if p != nil && p.Known[levels-2] {
		c.Features = append(c.Features, Feature{Name: "inner_row_length", Unit: "elements", Length: n, Probed: levels})
		c.Probe = p
	}
}

// innermost returns the length of the operators at the innermost level if it is known before the computation starts
// and the same for all of them, or for all but the last of tiles; else nil.
func innermost(top *ir.Stmt, levels int) ir.Atom {
	var length ir.Atom
	same := true
	local := map[ir.Atom]bool{}
	defs := map[ir.Atom]ir.Op{}
	var visit func(s *ir.Stmt, depth int, around *ir.Var)
	visit = func(s *ir.Stmt, depth int, around *ir.Var) {
		for _, v := range append(ir.Bound(s.Op), s.Dst...) {
			local[v] = true
			defs[v] = s.Op
		}
		if i := indexOf(s.Op); i != nil {
			depth++
			n := lengthOf(s.Op)
			if _, loop := s.Op.(*ir.Loop); loop && depth == levels {
				if known := most(defs, n, func(a ir.Atom) bool { return !local[a] }); known != nil {
					n = known
				}
			}
			if depth == levels {
				if sub, ok := defs[n].(*ir.Binary); ok && sub.Fn == ir.Sub {
					if size := tileSize(defs, sub, around); size != nil {
						n = size
					}
				}
				same = same && (length == nil || length == n) && !local[n]
				length = n
			}
			around = i
		}
		for _, b := range ir.Blocks(s.Op) {
			for _, t := range b.Stmts {
				visit(t, depth, around)
			}
		}
	}
	visit(top, 0, nil)
	if !same {
		return nil
	}
	return length
}

// deeperOffsets returns the row offsets, indexed by the outermost operator, between which an operator deeper in its
// body runs, or nil: rows of vectors, which are reduced position by position.
func deeperOffsets(body *ir.Block, defs map[ir.Atom]ir.Op, index *ir.Var) *ir.Var {
	var found *ir.Var
	ir.Walk(body, func(s *ir.Stmt) {
		if found != nil || indexOf(s.Op) == nil {
			return
		}
		if sub, ok := defs[lengthOf(s.Op)].(*ir.Binary); ok && sub.Fn == ir.Sub {
			if off := offsetsOf(defs, sub.Y, index); off != nil && offsetsOf(defs, sub.X, nil) == off {
				found = off
			}
		}
	})
	return found
}

// offsetsOf returns the outer sequence that a is an element of (at index, if index is not nil), or nil.
func offsetsOf(defs map[ir.Atom]ir.Op, a ir.Atom, index *ir.Var) *ir.Var {
	if c, ok := defs[a].(*ir.Convert); ok {
		a = c.X
	}
	read, ok := defs[a].(*ir.Index)
	if !ok || index != nil && read.I != ir.Atom(index) {
		return nil
	}
	off := read.X.(*ir.Var)
	if _, local := defs[off]; local || off.T.Rank != 1 {
		return nil
	}
	return off
}

func lengthOf(op ir.Op) ir.Atom { return ir.OperatorLength(op) }
