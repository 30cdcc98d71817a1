package interp

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// Frame holds the inputs of a kernel, its results, and what passes between its computations, by the names that kernel
// IR has for them. Code writes to the arrays where they lie; scalar results are set in Scalars.
type Frame struct {
	Arrays  map[string]*Array
	Scalars map[string]ir.Const
}

// Array is a sequence of numbers. An element of kind [ir.Invalid] has no value yet.
type Array struct {
	Kind ir.Kind
	Data []ir.Const
}

// NewArray returns an array of n elements without values.
func NewArray(k ir.Kind, n int) *Array { return &Array{k, make([]ir.Const, n)} }

// memory is an array as code uses it.
type memory struct {
	*Array
	name   string
	near   bool   // local memory: every barrier orders its uses
	result bool   // an array of the frame, or a result: it must get values
	shadow []cell // who used the elements; nil where nobody writes
	base   int    // bytes from where a line of the caches begins to the first element
}

func (a *Array) memory(of *kir.Array, shared bool, base int) *memory {
	m := &memory{Array: a, name: of.Name, near: of.Space == kir.Local, result: of.Space == kir.Global, base: base}
	if shared {
		m.shadow = make([]cell, len(a.Data))
	}
	return m
}

// index checks that element i exists.
func (m *memory) index(t *thread, i int64) {
	if uint64(i) >= uint64(len(m.Data)) {
		t.fault(Bounds, "%s[%d] is used, and there are %d elements", m.name, i, len(m.Data))
	}
}

// load returns element i, which may have no value.
func (m *memory) load(t *thread, i int64) ir.Const {
	m.index(t, i)
	if m.shadow != nil {
		m.shadow[i].read(t, m, i)
	}
	return m.Data[i]
}

func (m *memory) store(t *thread, i int64, x ir.Const) {
	m.index(t, i)
	if m.shadow != nil {
		m.shadow[i].write(t, m, i)
	}
	if x.Kind == ir.Invalid && m.result {
		x = t.need(x, m.Kind, "%s[%d] becomes what depends on what nothing was written to", m.name, i)
	}
	m.Data[i] = x
}
