package interp

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// meets reports whether work-items wait for each other in body.
func meets(body []kir.Stmt) bool {
	found := kir.HasBarrier(body)
	kir.Walk(body, nil, func(x kir.Expr) {
		switch x.(type) {
		case *kir.Shuffle, *kir.Collective:
			found = true
		}
	})
	return found
}

// turning counts the turns of a loop in which work-items meet.
func turning(meets bool, body action) (begin func(*thread), turn action, end func(*thread)) {
	if !meets {
		none := func(*thread) {}
		return none, body, none
	}
	begin = func(t *thread) { t.turns = append(t.turns, 0) }
	turn = func(t *thread) signal {
		t.turns[len(t.turns)-1]++
		return body(t)
	}
	return begin, turn, func(t *thread) { t.turns = t.turns[:len(t.turns)-1] }
}

func (c *code) loop(s *kir.For) action {
	if s.Lanes > 0 {
		return c.inLanes(s)
	}
	v, hi := c.variable(s.V), c.integer(s.Hi)
	lo := func(*thread) int64 { return 0 }
	if s.Lo != nil {
		lo = c.integer(s.Lo)
	}
	begin, turn, end := turning(meets(s.Body), c.block(s.Body).exec)
	return func(t *thread) signal {
		if !s.Keep {
			t.vars[v] = ir.IntConst(ir.Int, lo(t))
		}
		begin(t)
		defer end(t)
		for {
			at := t.vars[v].Int()
			if s.Whole && at+int64(s.Step) > hi(t) || !s.Whole && at >= hi(t) {
				return onward
			}
			if sig := turn(t); sig != onward {
				return sig
			}
			t.step()
			t.vars[v] = ir.IntConst(ir.Int, t.vars[v].Int()+int64(s.Step))
		}
	}
}

func (c *code) stride(s *kir.Stride) action {
	v, lo, hi, step := c.variable(s.V), c.integer(s.Lo), c.integer(s.Hi), c.integer(s.Step)
	begin, turn, end := turning(meets(s.Body), c.block(s.Body).exec)
	return func(t *thread) signal {
		begin(t)
		defer end(t)
		for i := lo(t); i < hi(t); {
			t.vars[v] = ir.IntConst(ir.Int, i)
			if sig := turn(t); sig != onward {
				return sig
			}
			t.step()
			by := step(t)
			if by < 1 {
				t.fault(Invalid, "a loop goes on by %d", by)
			}
			i += by
		}
		return onward
	}
}

func (c *code) while(s *kir.While) action {
	cond, test, body := c.block(s.Cond), c.scalar(s.Test), c.block(s.Body)
	begin, turn, end := turning(meets(s.Cond) || meets(s.Body), func(t *thread) signal {
		if sig := cond.exec(t); sig != onward {
			return sig
		}
		if t.decides(test(t), s.Test).Bits == 0 {
			return broken
		}
		return body.exec(t)
	})
	return func(t *thread) signal {
		begin(t)
		defer end(t)
		for {
			t.stmt = s
			switch sig := turn(t); sig {
			case onward:
				t.step()
			case broken:
				return onward
			default:
				return sig
			}
		}
	}
}
