package goroutine

import (
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/pass"
	"github.com/surge-ndp/surge/ops/ir"
)

// invariants moves out of loops what is the same in each of their turns: arithmetic of indices, and numbers in memory
// that fill vectors, such as the taps of a convolution. The Go compiler leaves both where they stand, and lowering does
// where a condition is around them, be it one that the turns do not change either.
var invariants = pass.Pass[*kir.Func]{
	Name: "invariants", Doc: "arithmetic of indices, and vectors of one number, that the turns of a loop do not change stand before it",
	Behind: []string{"prune"},
	Run: func(f *kir.Func) error {
		f.Body = withoutInvariants(f.Body)
		return pass.Prune.Run(f)
	},
}

// withoutInvariants takes out of the loops in body what their turns do not change, innermost first.
func withoutInvariants(body []kir.Stmt) []kir.Stmt {
	var out []kir.Stmt
	for _, s := range body {
		kir.Rewrite(s, withoutInvariants)
		if loop, ok := s.(*kir.For); ok && !loop.Outlined {
			m := &mover{changed: map[*kir.Var]bool{loop.V: true}, near: map[*kir.Var]kir.Expr{}, calls: loop.Watched, room: roomBeside(loop.Body)}
			kir.Walk(loop.Body, m.note, m.noteRoutine)
			loop.Body = m.block(loop.Body, atLeastOnce(loop))
			out = append(append(append(out, m.indices...), m.declared...), m.fills...)
		}
		out = append(out, s)
	}
	return out
}

// mover takes out of a loop what does not change in it.
type mover struct {
	changed map[*kir.Var]bool // what its turns assign to, or declare
	written []*kir.Array      // what they write
	calls   bool              // they call what keeps no registers
	room    int               // how many more vectors may be kept in registers
	// near are indices at a constant distance from others, which instructions add: they stay where they are, and what
	// moves has them in place of the variables.
	near map[*kir.Var]kir.Expr
	// indices, declared and fills stand before the loop: arithmetic, vectors, and what these are.
	indices, declared, fills []kir.Stmt
}

// note notes what a statement of the loop changes.
func (m *mover) note(s kir.Stmt) {
	for _, v := range kir.Declares(s) {
		m.changed[v] = true
	}
	switch s := s.(type) {
	case *kir.Set:
		m.changed[s.V] = true
	case *kir.For:
		m.changed[s.V] = true
	case *kir.Store, *kir.StoreEvery, *kir.Scatter, *kir.Grow:
		m.written = append(m.written, kir.ArrayOf(s))
	case *kir.Call, *kir.GoCall, *kir.AllocScratch:
		m.calls = true
	}
	m.calls = m.calls || kir.Calls(s)
}

// noteRoutine notes the routines, which may write.
func (m *mover) noteRoutine(x kir.Expr) {
	if _, ok := x.(*kir.Routine); ok || calls(x) {
		m.calls = true
	}
}

// atLeastOnce is the condition under which a loop has a turn.
func atLeastOnce(loop *kir.For) kir.Expr {
	first, yes := loop.Lo, kir.ScalarType(ir.Bool)
	if loop.Keep {
		first = &kir.Ref{V: loop.V}
	}
	if loop.Whole {
		end := &kir.Bin{Fn: ir.Add, X: first, Y: &kir.Const{C: ir.IntConst(ir.Int, int64(loop.Step))}, T: kir.Int}
		return &kir.Bin{Fn: ir.Le, X: end, Y: loop.Hi, T: yes}
	}
	return &kir.Bin{Fn: ir.Lt, X: first, Y: loop.Hi, T: yes}
}

// block moves what it can out of a block that each turn runs under a condition, which is nil if that may not be known
// before the loop.
func (m *mover) block(body []kir.Stmt, when kir.Expr) []kir.Stmt {
	var out []kir.Stmt
	for _, s := range body {
		switch s := s.(type) {
		case *kir.Let:
			if m.move(s, when) {
				continue
			}
		case *kir.If:
			s.Then = m.block(s.Then, m.and(when, s.Cond))
			if len(s.Else) > 0 {
				s.Else = m.block(s.Else, m.and(when, &kir.Un{Fn: ir.Not, X: s.Cond, T: kir.ScalarType(ir.Bool)}))
			}
		case *kir.Vectors:
			s.Body = m.block(s.Body, when)
		}
		out = append(out, s)
	}
	return out
}

// and is a condition within another one, nil if it is not known before the loop.
func (m *mover) and(when, cond kir.Expr) kir.Expr {
	if when == nil || m.changes(cond) || has(cond, reads) || has(cond, slow) || hasCall(cond) {
		return nil
	}
	return &kir.Bin{Fn: ir.And, X: when, Y: replaced(cond, m.near), T: kir.ScalarType(ir.Bool)}
}

// move moves the declaration of a variable before the loop, if that may be done.
func (m *mover) move(let *kir.Let, when kir.Expr) bool {
	v := let.V
	if v.Memory != nil || v.Host || v.Saved || m.changes(let.X) {
		return false
	}
	switch x := let.X.(type) {
	case *kir.Bin:
		if v.T != kir.Int || !isSum(x) {
			return false
		}
		if _, ok := x.Y.(*kir.Const); ok && x.Fn != ir.Mul {
			m.near[v] = near(replaced(x, m.near).(*kir.Bin))
			delete(m.changed, v)
			return false
		}
		m.indices = append(m.indices, &kir.Let{V: v, X: replaced(x, m.near)})
	case *kir.Splat:
		load, ok := x.X.(*kir.Load)
		if !ok || load.Mask != nil || when == nil || m.calls || m.room == 0 || !isSum(load.I) || m.writes(load.A) {
			return false
		}
		m.room--
		m.fill(&kir.Set{V: v, X: replaced(x, m.near)}, when)
	default:
		return false
	}
	delete(m.changed, v)
	return true
}

// near is a sum with a constant, with that of the index it is added to.
func near(x *kir.Bin) kir.Expr {
	inner, ok := x.X.(*kir.Bin)
	if !ok || x.Fn != ir.Add || inner.Fn != ir.Add {
		return x
	}
	c, ok := inner.Y.(*kir.Const)
	if !ok {
		return x
	}
	sum := ir.IntConst(ir.Int, c.C.Int()+x.Y.(*kir.Const).C.Int())
	return &kir.Bin{Fn: ir.Add, X: inner.X, Y: &kir.Const{C: sum}, T: x.T}
}

// fill declares a vector before the loop, and sets it there under a condition.
func (m *mover) fill(set *kir.Set, when kir.Expr) {
	m.declared = append(m.declared, &kir.Let{V: set.V, X: &kir.ZeroOf{T: set.V.T}})
	for _, s := range m.fills {
		if c := s.(*kir.If); kir.Equal(c.Cond, when) {
			c.Then = append(c.Then, set)
			return
		}
	}
	m.fills = append(m.fills, &kir.If{Cond: when, Then: []kir.Stmt{set}})
}

// changes reports whether the turns change what an expression reads other than in memory.
func (m *mover) changes(x kir.Expr) bool { return names(x, m.changed) }

// writes reports whether the turns may write elements of an array.
func (m *mover) writes(a *kir.Array) bool {
	return slices.ContainsFunc(m.written, func(w *kir.Array) bool { return same(a, w) })
}

// roomBeside is how many registers a loop leaves for vectors.
func roomBeside(body []kir.Stmt) int {
	spans := measure(body)
	outer := map[*kir.Var]bool{}
	kir.Walk(body, nil, func(x kir.Expr) {
		if r, ok := x.(*kir.Ref); ok && r.V.T.Lanes > 1 && spans[r.V] == nil {
			outer[r.V] = true
		}
	})
	most := 0
	for _, s := range spans {
		alive := 0
		for _, o := range spans {
			if o.first <= s.first && s.first < o.last {
				alive++
			}
		}
		most = max(most, alive)
	}
	return max(operandRegisters-len(outer)-most, 0)
}
