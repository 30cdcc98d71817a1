package lower

import (
	"fmt"
	"maps"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/selector"
)

// Computation lowers computation c of k as variant v says; v's launch parameters are ignored. The error says in a
// few words why the choice of parameters cannot be realised.
func Computation(k *fuse.Kernel, c *fuse.Computation, v selector.Variant, name string) (f *kir.Func, err error) {
	levels, err := plan(c.Sequence, v)
	if err != nil {
		return nil, err
	}
	for i, l := range levels {
		if l.par {
			return nil, fmt.Errorf("level %d is spread over work-items, and a processor has none", i+1)
		}
	}
	l := newLowerer(k, levels)
	l.leaves = true
	if f, err = l.computation(c, name); err != nil && l.leafLanes {
		return newLowerer(k, levels).computation(c, name)
	}
	return f, err
}

// computation lowers computation c, or says why that cannot be.
func (l *lowerer) computation(c *fuse.Computation, name string) (f *kir.Func, err error) {
	defer refused(&err)
	l.hoisted = l.k.HoistedChecks()
	for _, b := range ir.Blocks(c.Stmt.Op) {
		for s := range deadIn(b, nil, l.hoisted) {
			l.skip[s] = true
		}
		maps.Copy(l.checked, checkedIndices(b, l.hoisted))
	}
	l.atTop = once(c.Stmt)
	l.withRooms(func() { l.top(c.Stmt) })
	l.someUse()
	return &kir.Func{Name: name, Body: l.body}, nil
}

// once reports whether a computation has one element: it is code of the kernel's top level.
func once(s *ir.Stmt) bool {
	m, ok := s.Op.(*ir.Map)
	if !ok {
		return false
	}
	n, isConst := m.N.(ir.Const)
	return isConst && n.Int() == 1
}

// Inspector lowers the checks of computation c that depend on the kernel's inputs alone: a parallel loop that fails the
// run at the first offence, where the extremes of indices do not say that there is none. It returns nil if there are
// no checks.
func Inspector(k *fuse.Kernel, c *fuse.Computation, name string) (f *kir.Func, err error) {
	in := k.Inspection(c)
	if in == nil {
		return nil, nil
	}
	defer refused(&err)
	levels := make([]level, len(c.Sequence)+1)
	for i := range levels {
		levels[i] = level{pool: i == 0, width: 1, unroll: 1}
	}
	l := newLowerer(k, levels)
	l.atTop = once(c.Stmt)
	if in.Bounded == nil {
		l.top(in.All)
		return &kir.Func{Name: name, Body: kir.Prune(l.body)}, nil
	}
	bounded := l.block(in.Bounded, l.env, 0)[0]
	node := &kir.If{Cond: bounded.x}
	if in.Rest != nil {
		l.inside(&node.Then, func() { l.top(in.Rest) })
	}
	l.inside(&node.Else, func() { l.top(in.All) })
	l.emit(node)
	return &kir.Func{Name: name, Body: kir.Prune(l.body)}, nil
}

// Host lowers top-level statements that are not computations: lengths, checks, scalars between computations.
func Host(k *fuse.Kernel, stmts []*ir.Stmt) (body []kir.Stmt, err error) {
	defer refused(&err)
	l := newLowerer(k, nil)
	l.atTop = true
	for _, s := range stmts {
		l.stmt(s, l.env, 0)
		for _, d := range s.Dst {
			if d.T.IsScalar() {
				v, _ := l.env.get(d)
				l.emit(&kir.Result{Name: HostName(d), X: v.x})
			}
		}
	}
	return kir.Prune(l.body), nil
}
