package interp

import (
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// Func runs code of the worker pool: a variant of a computation, an inspector, or what runs between computations. See
// the package comment for its errors.
func Func(fn *kir.Func, f *Frame, opt Options) (err error) {
	c := newCode(false)
	body := c.block(fn.Body)
	r := newRun(f, opt, c)
	r.chains = map[*kir.Chain][]ir.Const{}
	defer r.recover(fn.Text, &err)
	t := r.thread()
	copy(t.mem, r.globals())
	t.buffers()
	body.exec(t)
	if r.failure != nil {
		return r.failure
	}
	return nil
}

// buffers gives a function its buffers.
func (t *thread) buffers() {
	for i, a := range t.code.arrays {
		if a.Space == kir.Strip || a.Space == kir.Lines {
			t.mem[i] = NewArray(a.Kind, a.Size).memory(a, t.code.lanes, 0)
		}
	}
}

// cut is the number of elements of a chunk of loops of a level: the same for all of them, as for launch parameters.
func (r *run) cut(level int, n int64) int64 {
	if r.cuts[level] == 0 {
		most := r.opt.Chunk
		if most == 0 {
			most = 4
		}
		r.cuts[level] = 1 + r.rng.IntN(most)
	}
	return min(int64(r.cuts[level]), max(n, 1))
}

func (c *code) par(s *kir.Par) action {
	n := c.integer(s.N)
	width := func(*thread) int64 { return 1 }
	if s.PartialWidth != nil {
		width = c.integer(s.PartialWidth)
	}
	var seed func(*thread) ir.Const
	if s.Chain != nil {
		seed = c.scalar(s.Chain.Seed)
	}
	slots := make([]int, len(s.Partials))
	for i, a := range s.Partials {
		slots[i] = c.target(a)
	}
	lo, hi, number := c.variable(s.Lo), c.variable(s.Hi), c.variable(s.Chunk)
	body := c.block(s.Body)
	var combine *block
	k := 0
	if s.CombinePartial != nil {
		combine, k = c.block(s.CombinePartial.Body), c.variable(s.CombinePartial.K)
	}
	count := -1
	if s.Count != nil {
		count = c.variable(s.Count)
	}
	var long *block
	row := 0
	if s.Long != nil {
		long, row = c.block(s.Long.Body), c.variable(s.Long.I)
	}
	return func(t *thread) signal {
		total := n(t)
		bounds, left := t.chunks(s, total)
		chunks := len(bounds)
		for i, a := range s.Partials {
			t.mem[slots[i]] = NewArray(a.Kind, chunks*int(width(t))).memory(a, true, 0)
		}
		order := t.order(chunks)
		if s.Chain != nil { // a chunk waits for the one before it
			t.chains[s.Chain] = make([]ir.Const, chunks+1)
			t.chains[s.Chain][0] = seed(t)
			slices.Sort(order)
		}
		region := t.region()
		for _, i := range order {
			if t.failure != nil && s.Chain != nil {
				break
			}
			w := &thread{run: t.run, vars: slices.Clone(t.vars), vecs: slices.Clone(t.vecs), mem: slices.Clone(t.mem), stmt: t.stmt}
			w.far = t.far.inside(region, i, "chunk")
			w.near = w.far
			w.buffers()
			w.vars[number] = ir.IntConst(ir.Int, int64(i))
			w.vars[lo], w.vars[hi] = ir.IntConst(ir.Int, bounds[i][0]), ir.IntConst(ir.Int, bounds[i][1])
			body.exec(w)
		}
		if t.failure != nil {
			return stopped
		}
		if count >= 0 {
			t.vars[count] = ir.IntConst(ir.Int, int64(chunks))
		}
		if combine != nil {
			for i := range chunks {
				t.vars[k] = ir.IntConst(ir.Int, int64(i))
				if sig := combine.exec(t); sig != onward {
					return sig
				}
			}
		}
		for _, i := range left {
			t.vars[row] = ir.IntConst(ir.Int, i)
			if sig := long.exec(t); sig != onward {
				return sig
			}
		}
		return onward
	}
}

// chunks returns the bounds of a loop's chunks. Where rows may be left out, about every fourth is, as how long they are
// must make no difference.
func (t *thread) chunks(s *kir.Par, total int64) (bounds [][2]int64, left []int64) {
	size := t.cut(s.Level, total)
	lo := int64(0)
	for i := int64(0); i < total; i++ {
		if s.Long != nil && t.rng.IntN(4) == 0 {
			if left = append(left, i); lo < i {
				bounds = append(bounds, [2]int64{lo, i})
			}
			lo = i + 1
		} else if i+1-lo == size || i+1 == total {
			bounds = append(bounds, [2]int64{lo, i + 1})
			lo = i + 1
		}
	}
	return bounds, left
}

func (c *code) wait(s *kir.Wait) action {
	v, at := c.variable(s.V), c.variable(s.Chunk)
	return func(t *thread) signal {
		x := t.chains[s.Chain][t.vars[at].Int()]
		if x.Kind == ir.Invalid {
			t.fault(Diverging, "chunk %d waits for %s, which the chunk before it does not hand on", t.vars[at].Int(), s.Chain.Name)
		}
		t.vars[v] = x
		return onward
	}
}

func (c *code) publish(s *kir.Publish) action {
	at, value := c.variable(s.Chunk), c.scalar(s.X)
	return func(t *thread) signal {
		t.chains[s.Chain][t.vars[at].Int()+1] = value(t)
		return onward
	}
}
