package lower

import (
	"strconv"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// emitter is where statements go, and where names come from.
type emitter struct {
	body    []kir.Stmt  // of the function
	out     *[]kir.Stmt // the block at hand
	names   map[string]int
	globals map[string]*kir.Array
	serial  map[*kir.Var]int // order of declaration
}

// newEmitter returns one that gives no name that generated functions use themselves.
func newEmitter() *emitter {
	m := &emitter{names: map[string]int{}, globals: map[string]*kir.Array{}, serial: map[*kir.Var]int{}}
	m.out = &m.body
	for _, s := range reserved {
		m.names[s] = 1
	}
	return m
}

// emit appends a statement.
func (m *emitter) emit(s kir.Stmt) { *m.out = append(*m.out, s) }

// inside runs f with statements going to out.
func (m *emitter) inside(out *[]kir.Stmt, f func()) {
	old := m.out
	m.out = out
	f()
	m.out = old
}

func (m *emitter) fresh(base string, t kir.Type) *kir.Var {
	v := &kir.Var{Name: m.name(base), T: t}
	m.serial[v] = len(m.serial) + 1
	return v
}

func (m *emitter) name(base string) string {
	for i := range base {
		if base[i] == '.' {
			base = base[:i]
			break
		}
	}
	if n := len(base); n > 0 && base[n-1] >= '0' && base[n-1] <= '9' {
		base += "_"
	}
	if base == "r" && m.names[base] > 0 { // r1, r2, … are the printer's, for what parallel regions are given
		base = "r_"
	}
	for {
		k := m.names[base]
		m.names[base] = k + 1
		name := base
		if k > 0 {
			name = base + strconv.Itoa(k+1)
			if m.names[name] > 0 {
				continue
			}
			m.names[name] = 1
		}
		return name
	}
}

func (m *emitter) global(name string, k ir.Kind) *kir.Array {
	if a := m.globals[name]; a != nil {
		return a
	}
	a := &kir.Array{Name: name, Kind: k, Space: kir.Global}
	m.globals[name] = a
	m.names[name]++
	return a
}
