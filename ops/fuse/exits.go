package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Exits]
//
// Where a check fails that is an exit, a return statement of the source, the kernel itself says what comes of it, and
// the same is so for every other check of such a kernel: an exit may have come before it. So it makes no difference
// which check fails first, but each exit is to be made, and nothing before a run may fail that an exit comes before.

// HasExits reports whether a check inside of a statement is an exit, or it is one itself.
func HasExits(s *ir.Stmt) bool {
	if c, ok := s.Op.(*ir.Check); ok {
		return c.Exits()
	}
	return slices.ContainsFunc(ir.Blocks(s.Op), func(b *ir.Block) bool { return slices.ContainsFunc(b.Stmts, HasExits) })
}

// ExitsInParallel reports whether turns that may end in an exit run side by side.
func (k *Kernel) ExitsInParallel() bool {
	found := false
	ir.Walk(k.Func.Body, func(s *ir.Stmt) {
		loop, isLoop := s.Op.(*ir.Loop)
		parallel := indexOf(s.Op) != nil && !ir.IsInt(lengthOf(s.Op), 1) || isLoop && loop.Independent
		found = found || parallel && HasExits(s)
	})
	return found
}

// behindExits are the statements of the host program that make checks behind an exit, or make one.
func (k *Kernel) behindExits() map[*ir.Stmt]bool {
	behind, found := map[*ir.Stmt]bool{}, false
	Host(k.Func.Body, func(s *ir.Stmt, _ int) {
		found = found || HasExits(s)
		behind[s] = found && mayFail(s)
	})
	return behind
}

// ChecksTurns reports whether runs of the kernel fail where a sequence that a loop carries has another length after a
// turn.
func (k *Kernel) ChecksTurns() bool { return k.checks(ir.CheckLength, "for") }

// ChecksRows reports whether runs of the kernel fail where rows are made of two sizes that are negative.
func (k *Kernel) ChecksRows() bool { return k.checks(ir.CheckSize, "make") }

func (k *Kernel) checks(kind ir.CheckKind, op string) bool {
	found := false
	ir.Walk(k.Func.Body, func(s *ir.Stmt) {
		c, ok := s.Op.(*ir.Check)
		found = found || ok && c.Kind == kind && c.Op == op
	})
	return found
}

// OnlyExits reports whether runs of the kernel fail by nothing but exits, so that nothing else may come before one.
func (k *Kernel) OnlyExits() bool {
	only, late, hoisted := true, k.Late(), k.HoistedChecks()
	Host(k.Func.Body, func(s *ir.Stmt, _ int) {
		if Controls(s) || indexOf(s.Op) == nil && !late[s] {
			return
		}
		ir.Walk(&ir.Block{Stmts: []*ir.Stmt{s}}, func(t *ir.Stmt) {
			c, check := t.Op.(*ir.Check)
			_, call := t.Op.(*ir.Call)
			only = only && !call && !(check && !c.Exits() && !hoisted[c])
		})
	})
	return only
}
