package interp

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/eval"
)

// ends is how a thread goes on behind a failed check.
func (t *thread) ends(label string) signal {
	if label == "" {
		return stopped
	}
	t.leave = label
	return leaving
}

func (c *code) check(s *kir.Check) action {
	args := make([]func(*thread) ir.Const, len(s.Args))
	for i, x := range s.Args {
		args[i] = c.scalar(x)
	}
	position := func(*thread) int64 { return -1 }
	if s.Position != nil {
		position = c.integer(s.Position)
	}
	return func(t *thread) signal {
		values := make([]ir.Const, len(args))
		for i, x := range args {
			values[i] = t.decides(x(t), s.Args[i])
		}
		if !s.Failed && eval.Holds(s.Kind, values) {
			return onward
		}
		t.fail(&Failure{s, int(position(t)), values})
		return t.ends(s.Leave)
	}
}

func (c *code) checkAll(s *kir.CheckAll) action {
	slot, from, n, limit := c.array(s.A), c.integer(s.I), c.integer(s.N), c.integer(s.Limit)
	as := &kir.Check{Kind: ir.CheckIndex, Op: s.Op, Arg: s.Arg, Pos: s.Pos}
	return func(t *thread) signal {
		m := t.memory(slot)
		for i, end := from(t), from(t)+n(t); i < end; i++ {
			args := []ir.Const{eval.Int(int(t.position(m, i))), eval.Int(int(limit(t)))}
			if !eval.Holds(ir.CheckIndex, args) {
				t.fail(&Failure{as, int(i), args})
				return stopped
			}
		}
		return onward
	}
}
