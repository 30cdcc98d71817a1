package fuse

import "strings"

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

// Strided returns the deepest level, counted from 1, that has [TraitStrided], 0 for none.
func (s Sequence) Strided() int {
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
