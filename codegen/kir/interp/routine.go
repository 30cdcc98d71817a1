package interp

import (
	"math"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/eval"
)

// arg is an argument of a routine: an address, or a value.
type arg struct {
	slot  int
	array *kir.Array
	at    func(*thread) int64
	value func(*thread) ir.Const
}

func (c *code) arguments(r *kir.Routine) []arg {
	args := make([]arg, len(r.Args))
	for i, a := range r.Args {
		if a.A != nil {
			args[i] = arg{slot: c.array(a.A), array: a.A, at: c.integer(a.X)}
			continue
		}
		args[i] = arg{value: c.scalar(a.X)}
		args[i].at = c.integer(a.X)
	}
	return args
}

// writes notes that a routine writes where these arguments point.
func (c *code) writes(args ...arg) {
	for _, a := range args {
		c.written[a.slot] = true
	}
}

// routine is the value of a routine's call.
func (c *code) routine(r *kir.Routine) func(*thread) ir.Const {
	args := c.arguments(r)
	switch r.Name {
	case kir.DotGather:
		return func(t *thread) ir.Const {
			sum := ir.Const{Kind: r.T.Kind}
			a, b, idx := t.memory(args[0].slot), t.memory(args[1].slot), t.memory(args[2].slot)
			i, j, p := args[0].at(t), args[1].at(t), args[2].at(t)
			for k := range args[3].at(t) {
				q := t.position(idx, p+k)
				sum = binary(ir.Add, sum, binary(ir.Mul, t.element(a, i+k), t.element(b, j+q)))
			}
			return sum
		}
	case kir.ScanAdd, kir.ScanAddStream:
		c.writes(args[0])
		return func(t *thread) ir.Const { return t.scanAdd(args, false) }
	case kir.ScanAddInclusive, kir.ScanAddInclusiveStream:
		c.writes(args[0])
		return func(t *thread) ir.Const { return t.scanAdd(args, true) }
	case kir.OrderF32, kir.OrderF64:
		return func(t *thread) ir.Const { return orderBits(args[0].value(t)) }
	case kir.ToLine:
		return func(t *thread) ir.Const {
			m := t.memory(args[0].slot)
			bytes := int64(m.base) + args[0].at(t)*int64(m.Kind.Bytes())
			return eval.Int(int((-bytes & 63) / args[1].at(t)))
		}
	}
	return func(t *thread) ir.Const {
		x := make([]int64, len(args))
		for i, a := range args {
			x[i] = a.at(t)
		}
		return eval.Int(int(t.index(r, x)))
	}
}

// index is what a function on indices yields.
func (t *thread) index(r *kir.Routine, x []int64) int64 {
	name := r.Name
	if !t.opt.Blockwise {
		switch name {
		case kir.ShareLo:
			return x[0] + x[2]
		case kir.ShareHi:
			return x[1]
		case kir.ShareStep:
			return x[0]
		case kir.ShareCount:
			return min(x[1]-x[0], x[2])
		}
	}
	run := func() int64 {
		n := x[len(x)-1]
		if n < 1 {
			t.fault(Invalid, "%s shares a range among %d", kir.Text(r), n)
		}
		return max((x[1]-x[0]+n-1)/n, 1)
	}
	switch name {
	case kir.RunLo, kir.ShareLo:
		return min(x[1], x[0]+x[2]*run())
	case kir.RunHi, kir.ShareHi:
		return min(x[1], x[0]+(x[2]+1)*run())
	case kir.RunCount, kir.ShareCount:
		return (x[1] - x[0] + run() - 1) / run()
	case kir.ShareStep:
		return 1
	case kir.TeamCount:
		return min(max(x[0]-x[1]*x[2], 0), x[2])
	case kir.TeamsOf:
		return (x[0] + x[1] - 1) / x[1]
	case kir.Common:
		return (x[0] | x[1]) & -(x[0] | x[1])
	case kir.RunNumber:
		return int64(uint32(x[0]) / uint32(x[1]))
	case kir.RunPlace:
		return x[0] & (x[1] - 1)
	}
	t.fault(Invalid, "there is no routine %s", name)
	return 0
}

// orderBits is an unsigned integer that is ordered as floats are in [ir.Sort].
func orderBits(x ir.Const) ir.Const {
	k, u, sign := ir.Uint64, x.Bits, uint64(1)<<63
	if x.Kind == ir.Float32 {
		k, u, sign = ir.Uint32, uint64(math.Float32bits(float32(x.Float()))), 1<<31
	}
	switch {
	case x.Kind == ir.Invalid:
		return x
	case x.Float() != x.Float():
		u = 0
	case u == sign:
	case u&sign != 0:
		u = ^u
	default:
		u |= sign
	}
	return ir.IntConst(k, int64(u))
}

// scanAdd (A, B, n, seed) puts running sums of B into A, and returns the total.
func (t *thread) scanAdd(args []arg, inclusive bool) ir.Const {
	a, b := t.memory(args[0].slot), t.memory(args[1].slot)
	i, j, sum := args[0].at(t), args[1].at(t), args[3].value(t)
	for k := range args[2].at(t) {
		next := binary(ir.Add, sum, t.element(b, j+k))
		if inclusive {
			a.store(t, i+k, next)
		} else {
			a.store(t, i+k, sum)
		}
		sum = next
	}
	return sum
}

// call runs a routine for its effect.
func (c *code) call(r *kir.Routine) action {
	args := c.arguments(r)
	if len(args) > 0 {
		c.writes(args[0])
	}
	if r.Name == kir.SortIndex {
		c.writes(args[1])
	}
	done := func(f func(t *thread)) action {
		return func(t *thread) signal {
			f(t)
			return onward
		}
	}
	to := func(t *thread) (*memory, int64) { return t.memory(args[0].slot), args[0].at(t) }
	switch r.Name {
	case kir.Clear:
		return done(func(*thread) {})
	case kir.Zero:
		return done(func(t *thread) {
			a, i := to(t)
			for k := range args[1].at(t) {
				a.store(t, i+k, ir.Const{Kind: a.Kind})
			}
		})
	case kir.Stream:
		return done(func(t *thread) {
			a, i := to(t)
			for k, x := range args[1:] {
				a.store(t, i+int64(k), x.value(t))
			}
		})
	case kir.TakeFields, kir.PutFields, kir.Move:
		return done(func(t *thread) {
			a, i := to(t)
			b, j := t.memory(args[1].slot), args[1].at(t)
			for k := range args[2].at(t) {
				a.store(t, i+k, t.element(b, j+k))
			}
		})
	case kir.GatherStrip:
		return done(func(t *thread) {
			a, i := to(t)
			b, j, idx, p := t.memory(args[1].slot), args[1].at(t), t.memory(args[2].slot), args[2].at(t)
			for k := range args[3].at(t) {
				a.store(t, i+k, t.element(b, j+t.position(idx, p+k)))
			}
		})
	case kir.PackRows:
		return done(func(t *thread) {
			a, i := to(t)
			b, j := t.memory(args[1].slot), args[1].at(t)
			rows, n := args[2].at(t), args[3].at(t)
			for row := range rows {
				for k := range n {
					a.store(t, i+k*rows+row, t.element(b, j+row*n+k))
				}
			}
		})
	case kir.UnpackRows:
		return done(func(t *thread) {
			a, i := to(t)
			b, j := t.memory(args[1].slot), args[1].at(t)
			rows, n := args[2].at(t), args[3].at(t)
			for row := range rows {
				for k := range n {
					a.store(t, i+row*n+k, t.element(b, j+k*rows+row))
				}
			}
		})
	case kir.SumTile:
		return done(func(t *thread) { t.sumTile(args, r.T.Lanes) })
	case kir.SortIndex:
		return done(func(t *thread) { t.sortIndex(args) })
	case kir.ScanAdd, kir.ScanAddInclusive, kir.ScanAddStream, kir.ScanAddInclusiveStream, kir.DotGather:
		value := c.routine(r)
		return done(func(t *thread) { value(t) })
	}
	return done(func(t *thread) { t.fault(Invalid, "there is no routine %s", r.Name) })
}

// sumTile (S, A, O, a, B, b, next, n, rows, vectors) sets S[(r·vectors+v)·lanes+j] to Σ A[O[r]+k·a] · B[k·b+v·next+j]
// for k < n.
func (t *thread) sumTile(args []arg, lanes int) {
	s, at := t.memory(args[0].slot), args[0].at(t)
	a, i := t.memory(args[1].slot), args[1].at(t)
	o, p := t.memory(args[2].slot), args[2].at(t)
	aStep := args[3].at(t)
	b, j := t.memory(args[4].slot), args[4].at(t)
	bStep, next, n, rows, vectors := args[5].at(t), args[6].at(t), args[7].at(t), args[8].at(t), args[9].at(t)
	for row := range rows {
		begin := i + t.position(o, p+row)
		for v := range vectors {
			for lane := range int64(lanes) {
				sum := ir.Const{Kind: s.Kind}
				for k := range n {
					sum = fma(t.element(a, begin+k*aStep), t.element(b, j+k*bStep+v*next+lane), sum)
				}
				s.store(t, at+(row*vectors+v)*int64(lanes)+lane, sum)
			}
		}
	}
}

// sortIndex (K, P, n, level) makes P the order of n keys. The runtime may use the keys' memory.
func (t *thread) sortIndex(args []arg) {
	keys, i := t.memory(args[0].slot), args[0].at(t)
	to, j := t.memory(args[1].slot), args[1].at(t)
	n := args[2].at(t)
	all := make([]ir.Const, n)
	for k := range all {
		all[k] = t.need(t.element(keys, i+int64(k)), keys.Kind, "%s[%d], by which is sorted, is read, and nothing was written to it", keys.name, i+int64(k))
	}
	for k, at := range eval.Order(all) {
		to.store(t, j+int64(k), ir.IntConst(to.Kind, int64(at)))
	}
}
