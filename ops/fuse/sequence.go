package fuse

import (
	"strings"

	"github.com/surge-ndp/surge/ops/ir"
)

// Level is one level of an expression sequence: the data-parallel operators that stand at one nesting depth of a
// computation after fusion, in source order and without repetition ("map", "reduce", "scan").
type Level struct {
	Ops []string
	// Kinds are the element kinds (Go names) that the level's values have; a vector of this level holds elements of
	// the widest of them.
	Kinds []string
	// Traits name patterns of the level that platforms have special code for, such as [TraitDotGather].
	Traits []string
}

// String returns the operators joined by "+".
func (l Level) String() string { return strings.Join(l.Ops, "+") }

// Has reports whether op stands at this level.
func (l Level) Has(op string) bool {
	for _, o := range l.Ops {
		if o == op {
			return true
		}
	}
	return false
}

// HasTrait reports whether the level has the trait.
func (l Level) HasTrait(name string) bool {
	for _, t := range l.Traits {
		if t == name {
			return true
		}
	}
	return false
}

// Strided returns the deepest level, counted from 1, that has [TraitStrided], 0 for none. Loops over rows count as the
// level inside.
func (s Sequence) Strided() int {
	if len(s) == 1 && s[0].HasTrait(TraitColumns) {
		return 2
	}
	for d := len(s); d > 0; d-- {
		if s[d-1].HasTrait(TraitStrided) {
			return d
		}
	}
	return 0
}

// Sequence is an expression sequence (Surge section 2): the levels of a computation from the outside in. Operators
// that were fused into their consumers, such as SpMV's gather and inner map, are not part of it.
type Sequence []Level

// String returns the levels joined by "▷", as the paper writes it: map ▷ reduce.
func (s Sequence) String() string {
	parts := make([]string, len(s))
	for i, l := range s {
		parts[i] = l.String()
	}
	return strings.Join(parts, " ▷ ")
}

// sequence builds the expression sequence of a computation: the operators at each nesting depth.
func sequence(top *ir.Stmt) Sequence {
	var seq Sequence
	defs := map[ir.Atom]ir.Op{}
	var indices []*ir.Var      // of the operators around the position
	made := map[ir.Atom]bool{} // sequences that are computed inside
	var short []bool           // of each level: all of its operators are strips
	var visit func(s *ir.Stmt, depth int)
	visit = func(s *ir.Stmt, depth int) {
		inner := depth
		for _, d := range s.Dst {
			made[d] = d.T.Rank > 0
		}
		if len(s.Dst) == 1 && s.Dst[0].T.IsScalar() {
			defs[s.Dst[0]] = s.Op
		}
		if name := ir.OperatorName(s.Op); name != "" {
			for len(seq) <= depth {
				seq, short = append(seq, Level{}), append(short, true)
			}
			short[depth] = short[depth] && isStrip(s.Op, defs)
			if !seq[depth].Has(name) {
				seq[depth].Ops = append(seq[depth].Ops, name)
			}
			if depth == 0 && ir.IsInt(lengthOf(s.Op), 1) {
				seq[depth].Traits = append(seq[depth].Traits, TraitOnce)
			}
			if m, ok := s.Op.(*ir.Map); ok && m.By != nil {
				seq[depth].Traits = append(seq[depth].Traits, TraitByElements)
			}
			if h, ok := s.Op.(*ir.Hist); ok && h.Row() == nil && !seq[depth].HasTrait(TraitBins) {
				seq[depth].Traits = append(seq[depth].Traits, TraitBins)
			}
			if r, ok := s.Op.(*ir.Reduce); ok {
				if _, ok := MatchDotGather(r); ok && !seq[depth].HasTrait(TraitDotGather) {
					seq[depth].Traits = append(seq[depth].Traits, TraitDotGather)
				}
				if depth > 0 && !seq[depth].HasTrait(TraitShared) && shared(r.Body, r.I, indices[:depth], defs, made) {
					seq[depth].Traits = append(seq[depth].Traits, TraitShared)
				}
				if _, _, ok := MatchProducts(r); ok && !seq[depth].HasTrait(TraitProducts) {
					seq[depth].Traits = append(seq[depth].Traits, TraitProducts)
				}
			}
			i := ir.OperatorIndex(s.Op)
			if depth > 0 && i != nil && indices[depth-1] != nil && !seq[depth].HasTrait(TraitStrided) && strided(ir.Blocks(s.Op)[0], i, indices[depth-1], defs) {
				seq[depth].Traits = append(seq[depth].Traits, TraitStrided)
				if _, ok := s.Op.(*ir.Reduce); ok && depth == 1 && seq[0].String() == "map" {
					seq[depth-1].Traits = append(seq[depth-1].Traits, TraitColumns)
				}
			}
			if m, ok := s.Op.(*ir.Map); ok && depth > 0 && indices[depth-1] != nil && sameTurns(m.Body, i, indices[depth-1], defs, made) {
				seq[depth].Traits = append(seq[depth].Traits, TraitTurns)
			}
			indices = append(indices[:depth], i)
			inner++
		}
		for _, b := range ir.Blocks(s.Op) {
			for _, t := range b.Stmts {
				visit(t, inner)
				for _, k := range stmtKinds(t) {
					if inner > 0 && inner <= len(seq) {
						seq[inner-1].addKind(k)
					}
				}
			}
			if inner > 0 && inner <= len(seq) {
				for _, r := range b.Results {
					if r.Type().IsScalar() {
						seq[inner-1].addKind(r.Type().Kind)
					}
				}
			}
		}
	}
	visit(top, 0)
	if last := len(seq) - 1; last > 0 && short[last] {
		seq[last].Traits = append(seq[last].Traits, TraitStrip)
	}
	if m, ok := top.Op.(*ir.Map); ok && len(seq) == 1 && loopsOverRows(m, defs) {
		seq[0].Traits = append(seq[0].Traits, TraitColumns)
	}
	return seq
}

func (l *Level) addKind(k ir.Kind) {
	for _, have := range l.Kinds {
		if have == k.String() {
			return
		}
	}
	l.Kinds = append(l.Kinds, k.String())
}

// stmtKinds are the kinds of values that a vectorised statement would hold in lanes. Arithmetic on int is left out: it
// is index arithmetic nearly always, and stays scalar.
func stmtKinds(s *ir.Stmt) []ir.Kind {
	var ks []ir.Kind
	for _, d := range s.Dst {
		_, load := s.Op.(*ir.Index)
		if d.T.IsScalar() && (d.T.Kind != ir.Int || load) && d.T.Kind != ir.Bool {
			ks = append(ks, d.T.Kind)
		}
	}
	return ks
}
