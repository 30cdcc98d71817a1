package analysis

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// Defs is the operation that computes each value; parameters, loop indices and constants have none.
type Defs map[ir.Atom]ir.Op

// Of returns the definitions in blocks and in the blocks inside them.
func Of(blocks ...*ir.Block) Defs {
	d := Defs{}
	for _, b := range blocks {
		ir.Walk(b, d.Add)
	}
	return d
}

// Add adds what a statement computes, but not the blocks inside it.
func (d Defs) Add(s *ir.Stmt) {
	for _, v := range s.Dst {
		d[v] = s.Op
	}
}

// Read returns the read of an element that a is the value of, through conversions, or nil.
func (d Defs) Read(a ir.Atom) *ir.Index {
	return d.readThrough(a, func(*ir.Convert) bool { return true })
}

// ReadAsIs is Read through conversions that keep every value alone.
func (d Defs) ReadAsIs(a ir.Atom) *ir.Index {
	return d.readThrough(a, func(c *ir.Convert) bool { return keepsValues(c.X.Type().Kind, c.To) })
}

func (d Defs) readThrough(a ir.Atom, may func(*ir.Convert) bool) *ir.Index {
	switch op := d[a].(type) {
	case *ir.Index:
		return op
	case *ir.Convert:
		if may(op) {
			return d.readThrough(op.X, may)
		}
	}
	return nil
}

// keepsValues reports whether every integer of kind from has the same value as one of kind to.
func keepsValues(from, to ir.Kind) bool {
	if !from.IsInteger() || !to.IsInteger() {
		return false
	}
	if from.IsUnsigned() != to.IsUnsigned() {
		return from.IsUnsigned() && from.Bytes() < to.Bytes()
	}
	return from.Bytes() <= to.Bytes()
}

// Uniform reports whether a value is the same for all elements of some levels: outside says which values are not
// computed in them, and all that is computed from nothing else is the same, too.
func (d Defs) Uniform(a ir.Atom, outside func(ir.Atom) bool) bool {
	if outside(a) {
		return true
	}
	op := d[a]
	return op != nil && len(ir.Blocks(op)) == 0 && !slices.ContainsFunc(ir.Operands(op), func(a *ir.Atom) bool { return !d.Uniform(*a, outside) })
}
