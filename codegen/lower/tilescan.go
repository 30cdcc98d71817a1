package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// tileScan is a scan of one tile by a members: each of the first valid work-items has put what it found into local
// memory, in order. The others, at the ragged end of the last tile, have found nothing, and nothing of theirs is
// combined: only associativity is asked of a combining function, neither that it commutes nor that it has a neutral
// element.
type tileScan struct {
	stream
	members
	bs    []*kir.Array
	carry []*kir.Var // what stands before the tile, and then what stands before the next one
	valid kir.Expr
}

// hillisSteele scans a tile in log₂ n steps, in each of which every work-item combines with the one s before it, for
// s = 1, 2, 4, … (Hillis and Steele, Data parallel algorithms, CACM 1986): n·log₂ n combinations. It returns what
// stands before each work-item. accs is what each has found.
func (dv *device) hillisSteele(t tileScan, accs []*kir.Var, e *env) []value {
	at := place(kir.ItemOf)
	dv.doubling(t.items, func(s kir.Expr) {
		read := &kir.If{Cond: and(compare(ir.Le, s, t.item), compare(ir.Lt, t.item, t.valid))}
		dv.step(&read.Then, func() {
			left := dv.named(dv.loadAll(t.bs, sub(at, s)), repeat("left", len(t.bs)))
			for i, x := range dv.named(dv.combine(left, refs(accs), t.comb, e), t.names) {
				dv.emit(&kir.Set{V: accs[i], X: x.x})
			}
		})
		dv.emit(read)
		dv.emit(&kir.Barrier{})
		dv.storeAll(t.bs, at, accs)
		dv.emit(&kir.Barrier{})
	})
	before := dv.accumulators(repeat("seed", len(t.carry)), refs(t.carry))
	node := &kir.If{Cond: and(compare(ir.Gt, t.item, intConst(0)), compare(ir.Lt, t.item, t.valid))}
	dv.step(&node.Then, func() { dv.combineInto(before, dv.loadAll(t.bs, sub(at, intConst(1))), t.comb, e) })
	dv.emit(node)
	last := dv.loadAll(t.bs, add(dv.firstItem(), sub(t.valid, intConst(1))))
	dv.alone(func() { dv.combineInto(t.carry, last, t.comb, e) })
	return refs(before)
}

// blelloch scans a tile with 2·(n-1) combinations in 2·log₂ n steps (Blelloch, Prefix sums and their applications,
// 1990): up a tree of sums, and down it again with what stands before each node. It returns what stands before each
// work-item.
//
// A node of the tree has its sum where its last element is. One at the ragged end has it at the last element of all,
// and if nothing is left of its right part, that of the left part is there already. So any number of elements is a
// tree, and the root's place is the last one. What goes down from there is what stands before the tile, in place of
// the paper's neutral element, and is always on the left of what it is combined with.
//
// A float goes through log₂ n additions on the way up and as many on the way down, where hillisSteele has log₂ n and
// a plain loop n: the errors are within the same bound. Places are 2s apart in a step, so GPUs of 32 banks read them
// one after the other in some steps. Padding against that would cost local memory and arithmetic on every access, on
// processors for nothing.
func (dv *device) blelloch(t tileScan, e *env) []value {
	s := dv.fresh("s", kir.Int)
	dv.emit(&kir.Let{V: s, X: intConst(1)})
	root := add(dv.firstItem(), sub(t.valid, intConst(1)))
	// pairs emits a step in which each work-item has a node of the tree with two parts: their places are left and right.
	pairs := func(step func(left, right kir.Expr)) {
		left := dv.letExpr("left", add(dv.firstItem(), sub(mul(add(mul(t.item, intConst(2)), intConst(1)), &kir.Ref{V: s}), intConst(1))))
		right := dv.letExpr("right", minOf(add(left, &kir.Ref{V: s}), root))
		node := &kir.If{Cond: compare(ir.Lt, left, right)}
		dv.step(&node.Then, func() { step(left, right) })
		dv.emit(node)
		dv.emit(&kir.Barrier{})
	}
	up := &kir.While{Test: compare(ir.Lt, &kir.Ref{V: s}, t.items)}
	dv.inside(&up.Body, func() {
		pairs(func(left, right kir.Expr) {
			sum := dv.combine(dv.named(dv.loadAll(t.bs, left), t.names), dv.named(dv.loadAll(t.bs, right), t.names), t.comb, e)
			dv.storeAll(t.bs, right, dv.accumulators(t.names, sum))
		})
		dv.emit(&kir.Set{V: s, X: mul(&kir.Ref{V: s}, intConst(2))})
	})
	dv.emit(up)
	// Only the first work-item keeps what stands before a tile. It also has the only node of the first step down, so
	// that there is nothing to wait for.
	first := &kir.If{Cond: compare(ir.Eq, t.item, intConst(0))}
	dv.step(&first.Then, func() {
		total := dv.named(dv.loadAll(t.bs, root), repeat("total", len(t.bs)))
		dv.storeAll(t.bs, root, t.carry)
		dv.combineInto(t.carry, total, t.comb, e)
	})
	dv.emit(first)
	down := &kir.While{Test: compare(ir.Gt, &kir.Ref{V: s}, intConst(1))}
	dv.inside(&down.Body, func() {
		dv.emit(&kir.Set{V: s, X: &kir.Bin{Fn: ir.Div, X: &kir.Ref{V: s}, Y: intConst(2), T: kir.Int}})
		pairs(func(left, right kir.Expr) {
			sum := dv.named(dv.loadAll(t.bs, left), t.names)
			before := dv.accumulators(repeat("before", len(t.bs)), dv.loadAll(t.bs, right))
			dv.storeAll(t.bs, left, before)
			dv.storeAll(t.bs, right, dv.accumulators(t.names, dv.combine(refs(before), sum, t.comb, e)))
		})
	})
	dv.emit(down)
	return dv.named(dv.loadAll(t.bs, place(kir.ItemOf)), repeat("seed", len(t.bs)))
}
