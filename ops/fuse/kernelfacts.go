package fuse

import (
	"slices"
	"sync"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// Facts are what is known of the function of a kernel. Each of its codes is lowered by them, and there are hundreds:
// they are found out once, and nobody may change them.
type Facts struct {
	Defs    analysis.Defs
	Allocs  map[*ir.Var]*ir.Stmt // what made the arrays that are updated in place
	Doubled map[*ir.Var]bool     // the sequences that only a loop reads, to begin with: they get memory for a second one

	hoisted map[*ir.Check]bool // see HoistedChecks
}

// found are the facts of a kernel, once somebody has asked.
type found struct {
	lock  sync.Mutex
	facts *Facts
}

// Facts are those of the kernel's function.
func (k *Kernel) Facts() *Facts {
	k.found.lock.Lock()
	defer k.found.lock.Unlock()
	if k.found.facts == nil {
		allocs := ir.Allocs(k.Func.Body)
		k.found.facts = &Facts{Defs: analysis.Of(k.Func.Body), Allocs: allocs, Doubled: doubled(k.Func.Body, allocs), hoisted: k.hoistedChecks()}
	}
	return k.found.facts
}

// Insert enters statements into the top level of the kernel, before the one at a place.
func (k *Kernel) Insert(at int, stmts []*ir.Stmt) {
	k.Func.Body.Stmts = slices.Insert(k.Func.Body.Stmts, at, stmts...)
	k.found.lock.Lock()
	defer k.found.lock.Unlock()
	k.found.facts = nil
}
