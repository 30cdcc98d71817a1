package interp

import (
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// inLanes is a loop whose turns a compiler may run at once: they run in any order, no turn may use an element that
// another one writes, and no variable passes from one to the next but those that the loop says it combines into.
func (c *code) inLanes(s *kir.For) action {
	v, lo, hi := c.variable(s.V), c.integer(s.Lo), c.integer(s.Hi)
	body, passed := c.block(s.Body), c.passed(s)
	c.lanes = true
	return func(t *thread) signal {
		if passed != nil {
			t.fault(Race, "the turns of a loop in %d lanes assign to %s, which stands outside of it", s.Lanes, passed.Name)
		}
		first := lo(t)
		n := (hi(t) - first + int64(s.Step) - 1) / int64(s.Step)
		region, near, far := t.region(), t.near, t.far
		defer func() { t.near, t.far = near, far }()
		for _, turn := range t.order(int(max(n, 0))) {
			t.near, t.far = near.inside(region, turn, "turn"), far.inside(region, turn, "turn")
			t.vars[v] = ir.IntConst(ir.Int, first+int64(turn)*int64(s.Step))
			t.step()
			if sig := body.exec(t); sig != onward {
				return sig
			}
		}
		return onward
	}
}

// passed returns a variable from outside of a loop that its turns assign to and do not combine into, or nil.
func (c *code) passed(s *kir.For) (found *kir.Var) {
	own := map[*kir.Var]bool{}
	kir.Walk(s.Body, func(t kir.Stmt) {
		for _, v := range kir.Declares(t) {
			own[v] = true
		}
	}, nil)
	combined := func(v *kir.Var) bool {
		return slices.ContainsFunc(s.Combined, func(c kir.Combined) bool { return c.V == v })
	}
	kir.Walk(s.Body, func(t kir.Stmt) {
		if set, ok := t.(*kir.Set); ok && !set.V.Host && !own[set.V] && !combined(set.V) {
			found = set.V
		}
		if loop, ok := t.(*kir.For); ok && loop.Keep && !own[loop.V] {
			found = loop.V
		}
	}, nil)
	return found
}
