package interp

import (
	"fmt"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// signal says how a statement ended.
type signal uint8

const (
	onward  signal = iota
	broken         // by a Break
	leaving        // by a failed check that goes to a label
	stopped        // the thread has ended
)

type action func(t *thread) signal

// block is a list of statements, with the places of the labels in it.
type block struct {
	stmts  []kir.Stmt
	run    []action
	labels map[string]int
	gives  []int // scratch arrays that the list takes
}

func (b *block) exec(t *thread) signal {
	for i := 0; i < len(b.run); i++ {
		t.stmt = b.stmts[i]
		t.step()
		s := b.run[i](t)
		if s == leaving {
			if at, ok := b.labels[t.leave]; ok && at > i {
				i = at
				continue
			}
		}
		if s != onward {
			return s
		}
	}
	return onward
}

func (c *code) block(body []kir.Stmt) *block {
	b := &block{stmts: body, labels: map[string]int{}}
	for i, s := range body {
		b.run = append(b.run, c.stmt(s))
		switch s := s.(type) {
		case *kir.Label:
			b.labels[s.Name] = i
		case *kir.AllocScratch:
			b.gives = append(b.gives, c.array(s.A))
		}
	}
	return b
}

func (c *code) stmt(s kir.Stmt) action {
	switch s := s.(type) {
	case *kir.Let:
		return c.assign(s.V, s.X)
	case *kir.Set:
		if s.V.Host { // it is what it was
			return func(*thread) signal { return onward }
		}
		return c.assign(s.V, s.X)
	case *kir.Store:
		return c.store(s)
	case *kir.Scatter:
		return c.scatter(s)
	case *kir.StoreEvery:
		return c.storeEvery(s)
	case *kir.For:
		return c.loop(s)
	case *kir.Stride:
		return c.stride(s)
	case *kir.While:
		return c.while(s)
	case *kir.Break:
		return func(*thread) signal { return broken }
	case *kir.If:
		return c.choice(s)
	case *kir.Scoped:
		body := c.block(s.Body)
		return func(t *thread) signal {
			end := body.exec(t)
			for _, a := range body.gives {
				t.mem[a] = nil
			}
			return end
		}
	case *kir.Divergent:
		return c.block(s.Body).exec
	case *kir.Vectors:
		return c.block(s.Body).exec
	case *kir.Result:
		return c.result(s)
	case *kir.Call:
		return c.call(s.R)
	case *kir.GoCall:
		return func(t *thread) signal {
			t.fault(Invalid, "%s is a function of Go, which is not there", s.Fn)
			return onward
		}
	case *kir.Check:
		return c.check(s)
	case *kir.CheckAll:
		return c.checkAll(s)
	case *kir.Label:
		return func(*thread) signal { return onward }
	case *kir.Barrier:
		return func(t *thread) signal {
			t.item.meet(s, nil)
			return onward
		}
	case *kir.Par:
		return c.par(s)
	case *kir.Wait:
		return c.wait(s)
	case *kir.Publish:
		return c.publish(s)
	case *kir.AllocScratch:
		slot, n := c.target(s.A), c.integer(s.N)
		return func(t *thread) signal {
			size := n(t)
			if size < 0 {
				t.fault(Invalid, "%s is given %d elements", s.A.Name, size)
			}
			t.mem[slot] = NewArray(s.A.Kind, int(size)).memory(s.A, true, 0)
			return onward
		}
	case *kir.Grow:
		return c.grow(s)
	}
	panic(fmt.Sprintf("interp: no statement %T", s))
}

// grow moves what an array keeps to more memory.
func (c *code) grow(s *kir.Grow) action {
	slot, keep, n := c.target(s.A), c.integer(s.Keep), c.integer(s.N)
	return func(t *thread) signal {
		old, kept, size := t.mem[slot], keep(t), n(t)
		if kept < 0 || kept > int64(len(old.Data)) || kept > size {
			t.fault(Invalid, "%s keeps %d elements of %d, and grows to %d", s.A.Name, kept, len(old.Data), size)
		}
		more := NewArray(s.A.Kind, int(size)).memory(s.A, true, 0)
		copy(more.Data, old.Data[:kept])
		copy(more.shadow, old.shadow[:kept])
		t.mem[slot] = more
		return onward
	}
}

// choice is a condition. One without a value says nothing about what the statement assigns, and must not decide on
// more.
func (c *code) choice(s *kir.If) action {
	cond, then, els := c.scalar(s.Cond), c.block(s.Then), c.block(s.Else)
	assigned, acts := c.assigned(s)
	return func(t *thread) signal {
		switch set := cond(t); {
		case set.Kind == ir.Invalid && !acts:
			for _, v := range assigned {
				t.vars[v] = ir.Const{}
				if t.vecs[v] != nil {
					t.vecs[v] = make([]ir.Const, len(t.vecs[v]))
				}
			}
			return onward
		case t.decides(set, s.Cond).Bits != 0:
			return then.exec(t)
		}
		return els.exec(t)
	}
}

// assigned returns the variables that statements inside s assign to, and whether they do anything else.
func (c *code) assigned(s *kir.If) (vars []int, acts bool) {
	kir.Walk([]kir.Stmt{s}, func(s kir.Stmt) {
		switch s := s.(type) {
		case *kir.Set:
			vars = append(vars, c.variable(s.V))
		case *kir.For:
			vars = append(vars, c.variable(s.V))
		case *kir.Let, *kir.If, *kir.Stride, *kir.While, *kir.Break, *kir.Scoped, *kir.Vectors, *kir.Divergent:
		default:
			acts = true
		}
	}, nil)
	return vars, acts || meets([]kir.Stmt{s})
}

// assign declares a variable, or assigns to it. A vector that stays in memory is written there.
func (c *code) assign(v *kir.Var, x kir.Expr) action {
	n := c.variable(v)
	if v.T.Lanes == 1 {
		value := c.scalar(x)
		return func(t *thread) signal {
			t.vars[n] = value(t)
			return onward
		}
	}
	value := c.vector(x)
	if v.Memory != nil && !constantVector(x) {
		slot := c.target(v.Memory)
		return func(t *thread) signal {
			m := t.memory(slot)
			for k, x := range value(t) {
				m.store(t, int64(v.At+k), x)
			}
			return onward
		}
	}
	return func(t *thread) signal {
		t.vecs[n] = value(t)
		return onward
	}
}

// constantVector reports whether a vector repeats a constant: such ones do not lie in the memory that their variable
// names.
func constantVector(x kir.Expr) bool {
	s, ok := x.(*kir.Splat)
	if ok {
		_, ok = s.X.(*kir.Const)
	}
	return ok
}

func (c *code) store(s *kir.Store) action {
	slot, at := c.target(s.A), c.integer(s.I)
	if s.X.Type().Lanes > 1 {
		value, mask := c.vector(s.X), c.mask(s.Mask, s.X.Type().Lanes)
		return func(t *thread) signal {
			m, i, set := t.memory(slot), at(t), mask(t)
			for k, x := range value(t) {
				if set[k] {
					m.store(t, i+int64(k), x)
				}
			}
			return onward
		}
	}
	value := c.scalar(s.X)
	return func(t *thread) signal {
		i := at(t)
		x := value(t)
		t.memory(slot).store(t, i, x)
		return onward
	}
}

func (c *code) scatter(s *kir.Scatter) action {
	slot, at, value := c.target(s.A), c.vector(s.I), c.vector(s.X)
	mask := c.mask(s.Mask, s.X.Type().Lanes)
	return func(t *thread) signal {
		m, set := t.memory(slot), mask(t)
		x := value(t)
		for k, i := range at(t) {
			if set[k] {
				m.store(t, t.need(i, ir.Int, "an index of %s depends on what nothing was written to", s.A.Name).Int(), x[k])
			}
		}
		return onward
	}
}

func (c *code) storeEvery(s *kir.StoreEvery) action {
	slot, at, value := c.target(s.A), c.integer(s.I), c.vector(s.X)
	return func(t *thread) signal {
		m, i := t.memory(slot), at(t)
		for k, x := range value(t) {
			m.store(t, i+int64(k*s.By), x)
		}
		return onward
	}
}

func (c *code) result(s *kir.Result) action {
	value := c.scalar(s.X)
	k := s.X.Type().Kind
	return func(t *thread) signal {
		x := value(t)
		m := t.results[s.Name]
		if m == nil {
			m = NewArray(k, 1).memory(&kir.Array{Name: "the result " + s.Name, Kind: k}, true, 0)
			t.results[s.Name] = m
		}
		m.store(t, 0, x)
		t.frame.Scalars[s.Name] = x
		return onward
	}
}
