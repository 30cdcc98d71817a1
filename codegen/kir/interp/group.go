package interp

import (
	"iter"
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/eval"
)

// group is a workgroup.
type group struct {
	*run
	number, groups int
	items          []*item
	stand          *stand
}

// item is a work-item. Between two calls of resume it stands at a meeting point, or has ended.
type item struct {
	*thread
	group  *group
	number int

	resume func() (struct{}, bool)
	yield  func(struct{}) bool
	ended  bool
	stmt   kir.Stmt  // where it waits
	trade  *exchange // what it waits for, nil at a barrier
	result ir.Const
}

// exchange is what a work-item brings to an operation of its subgroup.
type exchange struct {
	at    kir.Expr
	value ir.Const
	from  int64
}

// meet waits for others: for the group at a barrier, for the subgroup otherwise.
func (it *item) meet(at kir.Stmt, x *exchange) ir.Const {
	it.stmt, it.trade = at, x
	it.yield(struct{}{})
	it.thread.stmt = at
	return it.result
}

// begin opens the regions of what the group does up to the next barrier: that of local memory, and of other memory
// where the barrier orders it too.
func (g *group) begin(far bool) {
	near, all := g.region(), g.region()
	for _, it := range g.items {
		it.near = g.stand.inside(near, it.number, "work-item")
		if far {
			it.far = g.stand.inside(all, it.number, "work-item")
		}
	}
}

// runApart runs work-items that do not wait for each other.
func (g *group) runApart(body *block) {
	g.begin(true)
	for _, i := range g.order(len(g.items)) {
		body.exec(g.items[i].thread)
	}
}

// runMeeting runs work-items from one meeting point to the next.
func (g *group) runMeeting(body *block) {
	for _, it := range g.items {
		next, stop := iter.Pull(func(yield func(struct{}) bool) {
			it.yield = yield
			body.exec(it.thread)
		})
		defer stop()
		it.resume = next
	}
	g.begin(true)
	ready := slices.Clone(g.items)
	for len(ready) > 0 {
		for _, i := range g.order(len(ready)) {
			if _, more := ready[i].resume(); !more {
				ready[i].ended = true
			}
		}
		if ready = g.traded(); len(ready) == 0 {
			ready = g.passed()
		}
	}
}

// traded lets the subgroups go on all of whose work-items have come to an operation, and returns their work-items.
func (g *group) traded() (ready []*item) {
	size := g.opt.subgroup()
	for lo := 0; lo < len(g.items); lo += size {
		sub := g.items[lo:min(lo+size, len(g.items))]
		i := slices.IndexFunc(sub, func(it *item) bool { return !it.ended && it.trade != nil })
		if i < 0 {
			continue
		}
		first := sub[i]
		for _, it := range sub {
			if it.ended || it.trade == nil || it.trade.at != first.trade.at || !slices.Equal(it.turns, first.turns) {
				first.thread.stmt = first.stmt
				first.fault(Diverging, "work-item %d does not come to %s, which work-item %d of its subgroup has come to", it.number, kir.Text(first.trade.at), first.number)
			}
		}
		for k, it := range sub {
			it.result = it.combined(sub, k)
		}
		for _, it := range sub {
			it.trade = nil
		}
		ready = append(ready, sub...)
	}
	return ready
}

// passed lets the group go on when all of its work-items have come to a barrier. It returns none when all have ended.
func (g *group) passed() []*item {
	i := slices.IndexFunc(g.items, func(it *item) bool { return !it.ended })
	if i < 0 {
		return nil
	}
	first := g.items[i]
	for _, it := range g.items {
		if it.ended || it.stmt != first.stmt || !slices.Equal(it.turns, first.turns) {
			first.thread.stmt = first.stmt
			first.fault(Diverging, "work-item %d does not come to the barrier that work-item %d of workgroup %d has come to", it.number, first.number, g.number)
		}
	}
	g.begin(first.stmt.(*kir.Barrier).Global)
	return g.items
}

// combined is the result of an operation of a subgroup for its work-item number k.
func (it *item) combined(sub []*item, k int) ir.Const {
	x, ok := it.trade.at.(*kir.Collective)
	if !ok {
		from := it.trade.from
		if from < 0 || from >= int64(len(sub)) {
			it.thread.stmt = it.stmt
			it.fault(Bounds, "work-item %d of a subgroup of %d is asked for", from, len(sub))
		}
		return sub[from].trade.value
	}
	if x.Scan {
		sub = sub[:k]
	}
	all := neutral(x.Fn, x.Type().Kind)
	for i, other := range sub {
		if i == 0 {
			all = other.trade.value
		} else {
			all = eval.Binary(x.Fn, all, other.trade.value)
		}
	}
	return all
}

// neutral is what a scan of a subgroup begins with.
func neutral(fn ir.BinaryFn, k ir.Kind) ir.Const {
	bits := uint(8 * k.Bytes())
	switch {
	case fn == ir.Add:
		return ir.Const{Kind: k}
	case fn == ir.Min && k.IsUnsigned():
		return ir.IntConst(k, -1)
	case fn == ir.Min:
		return ir.IntConst(k, 1<<(bits-1)-1)
	case k.IsUnsigned():
		return ir.Const{Kind: k}
	}
	return ir.IntConst(k, -1<<(bits-1))
}

// place is a number that says where the work-item stands.
func (it *item) place(what string) int {
	items, warp, sub := it.opt.items(), it.opt.warp(), it.opt.subgroup()
	switch what {
	case kir.GroupOf:
		return it.group.number
	case kir.Groups:
		return it.group.groups
	case kir.ItemOf:
		return it.number
	case kir.Items:
		return items
	case kir.WarpOf:
		return it.number / warp
	case kir.Warps:
		return items / warp
	case kir.LaneOf:
		return it.number % warp
	case kir.Lanes:
		return warp
	case kir.GlobalOf:
		return it.group.number*items + it.number
	case kir.Globals:
		return it.group.groups * items
	case kir.SubgroupOf:
		return it.number / sub
	case kir.Subgroups:
		return (items + sub - 1) / sub
	case kir.SubitemOf:
		return it.number % sub
	case kir.Subitems:
		return min(sub, items-it.number/sub*sub)
	case kir.MaxSubitems:
		return sub
	case kir.Blockwise:
		if it.opt.Blockwise {
			return 1
		}
		return 0
	}
	it.fault(Invalid, "there is no place %s", what)
	return 0
}
