package load

import (
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// Note [Room without a value]
//
// What an array has room for, behind the elements that a slice has, need not be zero: appending gives each its value
// before the slice has it. Only s = s[:n] may show elements that nothing appended, unless n is at most the length.

// growing is what was made for slices that grow, and the cuts of those.
type growing struct {
	allocs []*ir.Alloc
	cuts   [][2]ir.Atom // the new length, and that before
}

// madeRoom notes that the elements of v, which was made just now, get a value when they are appended.
func (l *lowerer) madeRoom(v value) {
	for _, a := range v.atoms {
		if x, ok := a.(*ir.Var); ok && l.made[x] != nil {
			if alloc, ok := l.made[x].Op.(*ir.Alloc); ok {
				l.growing.allocs = append(l.growing.allocs, alloc)
			}
		}
	}
}

// leaveBlank marks what was made for slices that grow, if no slice is cut to more elements than it has.
func (l *lowerer) leaveBlank(fn *ir.Func) {
	form := analysis.Form{Defs: analysis.Of(fn.Body)}
	form.Known = func(a ir.Atom) (analysis.Affine, bool) {
		_, computed := form.Defs[a].(*ir.Binary)
		_, constant := a.(ir.Const)
		return analysis.Outside(a), !computed && !constant
	}
	for _, cut := range l.growing.cuts {
		next, ok := form.Affine(cut[0])
		now, also := form.Affine(cut[1])
		less, known := next.Base.Minus(now.Base).Constant()
		zero := ir.IsInt(cut[0], 0)
		if !zero && !(ok && also && len(next.Parts)+len(now.Parts) == 0 && known && less <= 0) {
			return
		}
	}
	for _, a := range l.growing.allocs {
		a.Blank = true
	}
}
