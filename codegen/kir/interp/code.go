package interp

import (
	"fmt"
	"math/rand/v2"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// code is kernel IR as closures, with numbers for its variables and arrays.
type code struct {
	device  bool
	vars    map[*kir.Var]int
	arrays  []*kir.Array // by number
	slots   map[any]int  // numbers: of frame arrays by name, of others by themselves
	written map[int]bool // arrays that some statement stores to
	lanes   bool         // turns of loops run at once, so that what belongs to a thread has several users
}

func newCode(device bool) *code {
	return &code{device: device, vars: map[*kir.Var]int{}, slots: map[any]int{}, written: map[int]bool{}}
}

// variable returns the number of a variable.
func (c *code) variable(v *kir.Var) int {
	n, ok := c.vars[v]
	if !ok {
		n = len(c.vars)
		c.vars[v] = n
	}
	return n
}

// array returns the number of an array.
func (c *code) array(a *kir.Array) int {
	var key any = a
	if a.Space == kir.Global {
		key = a.Name
	}
	n, ok := c.slots[key]
	if !ok {
		n = len(c.arrays)
		c.arrays = append(c.arrays, a)
		c.slots[key] = n
	}
	return n
}

// target is the number of an array that is stored to.
func (c *code) target(a *kir.Array) int {
	n := c.array(a)
	c.written[n] = true
	return n
}

// run is one execution of a function or of a device's launches.
type run struct {
	frame   *Frame
	opt     Options
	code    *code
	rng     *rand.Rand
	steps   int
	regions int // numbers given out
	root    *stand
	failure *Failure
	failed  *stand // where
	results map[string]*memory
	round   int
	groups  []int // of each launch
	found   []int // by each that finds something
	chains  map[*kir.Chain][]ir.Const
	cuts    map[int]int // elements of a chunk, by level
}

func (r *run) region() int {
	r.regions++
	return r.regions
}

// thread is a work-item, or a worker that runs a chunk.
type thread struct {
	*run
	vars  []ir.Const
	vecs  [][]ir.Const
	mem   []*memory
	stmt  kir.Stmt // that runs
	leave string   // the label that a failed check goes to
	near  *stand   // in uses of local memory,
	far   *stand   // and of other memory
	item  *item    // nil on the pool
	turns []int    // of the loops around the current position in which work-items meet
}

func (t *thread) stand(m *memory) *stand {
	if m.near {
		return t.near
	}
	return t.far
}

// fault ends the run.
func (t *thread) fault(kind FaultKind, format string, args ...any) {
	panic(&halt{&Fault{Kind: kind, What: fmt.Sprintf(format, args...)}, t.stmt})
}

// halt is a fault on its way out, with the statement that it is in.
type halt struct {
	fault *Fault
	stmt  kir.Stmt
}

// memory returns an array.
func (t *thread) memory(slot int) *memory {
	m := t.mem[slot]
	if m == nil {
		a := t.code.arrays[slot]
		if a.Space == kir.Global {
			t.fault(Invalid, "the frame has no array %s", a.Name)
		}
		t.fault(Bounds, "%s is used where it has no memory", a.Name)
	}
	return m
}

// need returns a scalar that must have a value.
func (t *thread) need(x ir.Const, k ir.Kind, format string, args ...any) ir.Const {
	if x.Kind == ir.Invalid && t.failure == nil {
		t.fault(Unset, format, args...)
	}
	if x.Kind == ir.Invalid {
		return odd(k)
	}
	return x
}

// decides is the value of an expression that decides on what is used or done: it must have one.
func (t *thread) decides(x ir.Const, e kir.Expr) ir.Const {
	if x.Kind == ir.Invalid {
		return t.need(x, e.Type().Kind, "%s depends on what nothing was written to", kir.Text(e))
	}
	return x
}

// odd is what is read where nothing was written to, once a check has failed: then such values decide on what is read
// and where the code goes, as they would on a device, and must do no harm.
func odd(k ir.Kind) ir.Const {
	switch {
	case k == ir.Bool:
		return ir.BoolConst(true)
	case k.IsFloat():
		return ir.Const{Kind: k, Bits: ^uint64(0)}
	}
	return ir.IntConst(k, -1)
}

// element is element i of an array, which may have no value.
func (t *thread) element(m *memory, i int64) ir.Const {
	x := m.load(t, i)
	if x.Kind == ir.Invalid && t.failure != nil {
		return odd(m.Kind)
	}
	return x
}

// position is element i of an array of indices.
func (t *thread) position(m *memory, i int64) int64 {
	return t.need(t.element(m, i), m.Kind, "%s[%d] is used as an index, and nothing was written to it", m.name, i).Int()
}

// step counts what runs, as a loop may never end.
func (t *thread) step() {
	if t.steps++; t.steps > t.opt.steps() {
		t.fault(Endless, "more than %d steps", t.opt.steps())
	}
}

// fail notes that a check failed: the first one in the order of chunks counts, on devices the first one to come.
func (t *thread) fail(f *Failure) {
	if t.failure == nil || !t.code.device && before(t.far, t.failed) {
		t.failure, t.failed = f, t.far
	}
}

// before reports whether chunk a comes before chunk b in the order of elements.
func before(a, b *stand) bool {
	for a.depth > b.depth {
		a = a.up
	}
	for b.depth > a.depth {
		b = b.up
	}
	for a != b && a.up != b.up {
		a, b = a.up, b.up
	}
	return a.region < b.region || a.region == b.region && a.part < b.part
}
