package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// Where there are millions of bins, a table of them for each thread takes longer to set up and to combine than all
// elements do, and each element waits for memory. So elements are sorted by ranges of neighbouring bins, buckets, which
// stay in a cache while their elements are combined: each chunk counts how many it has for each bucket, and puts them
// there, behind those of the chunks before it; then the buckets are shared by all workers. The elements of a bin are
// combined in their order, as one thread does it.

// bucketBits is how many bins a bucket has, as a power of two: those of a value or two stay in the second-level cache.
const bucketBits = 15

// sortedHist lowers a Hist whose elements are sorted by buckets.
func (l *lowerer) sortedHist(h histogram, n, w kir.Expr, dests []*array, init []value, lv level, e *env) {
	sc := &kir.Scoped{}
	l.inside(&sc.Body, func() {
		so := &binSort{lowerer: l, h: h, n: n, lv: lv, e: e}
		so.buckets = l.letExpr("buckets", add(inBucket(ir.Shr, w), intConst(1)))
		so.starts = l.ownBins("starts", ir.Int, add(so.buckets, intConst(1))).a
		so.counts = l.partial("counts", ir.Int)
		so.keys = l.ownBins("keys", ir.Int32, n).a
		so.count()
		elems := so.place(dests)
		l.par(so.buckets, h.depth, h.pos, "bins of buckets", func(p *kir.Par) {
			e := e.child()
			l.between("bucket", &kir.Ref{V: p.Lo}, &kir.Ref{V: p.Hi}, func(bucket kir.Expr) {
				first := l.letExpr("first", inBucket(ir.Shl, bucket))
				l.between("b", first, minOf(add(first, intConst(1<<bucketBits)), w), func(b kir.Expr) { l.setBin(dests, b, init) })
				l.between("x", so.load(so.starts, bucket), so.load(so.starts, add(bucket, intConst(1))), func(x kir.Expr) {
					b := l.letExpr("b", add(first, &kir.Convert{X: so.load(so.keys, x), T: kir.Int}))
					l.intoBin(h, dests, b, elems(x), e)
				})
			})
		})
	})
	l.emit(sc)
}

// inBucket multiplies by the number of bins in a bucket, or divides by it.
func inBucket(fn ir.BinaryFn, x kir.Expr) kir.Expr {
	return &kir.Bin{Fn: fn, X: x, Y: intConst(bucketBits), T: kir.Int}
}

// binSort sorts the elements of a Hist by buckets.
type binSort struct {
	*lowerer
	h       histogram
	n       kir.Expr
	lv      level
	e       *env
	buckets kir.Expr   // how many there are
	starts  *kir.Array // where the elements of each bucket begin, and the last ones end
	counts  *kir.Array // how many elements the chunks before have for each bucket
	keys    *kir.Array // the bins of sorted elements, counted from the first one of their bucket
}

func (so *binSort) load(a *kir.Array, i kir.Expr) kir.Expr {
	return &kir.Load{A: a, I: i, T: kir.ScalarType(a.Kind)}
}

func (so *binSort) store(a *kir.Array, i, x kir.Expr) { so.emit(&kir.Store{A: a, I: i, X: x}) }

// chunks computes so many results of the elements of each chunk. All passes have the same chunks.
func (so *binSort) chunks(what string, results int, begin func(*kir.Par), element func(bucket, bin kir.Expr, elems []value), end func(*kir.Par)) *kir.Par {
	p := so.par(so.n, so.h.depth, so.h.pos, what, func(p *kir.Par) {
		begin(p)
		so.inOrder(so.h, what, results, &kir.Ref{V: p.Lo}, &kir.Ref{V: p.Hi}, so.lv, so.e.child(), func(bin kir.Expr, elems []value) {
			element(so.letExpr("bucket", inBucket(ir.Shr, bin)), bin, elems)
		})
		end(p)
	})
	p.Even, p.PartialWidth = true, so.buckets
	return p
}

// count counts the elements of each bucket, and finds out where those of each chunk go.
func (so *binSort) count() {
	so.each("bucket", add(so.buckets, intConst(1)), func(bucket kir.Expr) { so.store(so.starts, bucket, intConst(0)) })
	var own *kir.Array
	begin := func(*kir.Par) {
		own = so.ownBins("own", ir.Int, so.buckets).a
		so.each("bucket", so.buckets, func(bucket kir.Expr) { so.store(own, bucket, intConst(0)) })
	}
	element := func(bucket, _ kir.Expr, _ []value) { so.store(own, bucket, add(so.load(own, bucket), intConst(1))) }
	p := so.chunks("elements of buckets", 1, begin, element, func(p *kir.Par) {
		first := so.letExpr("first", mul(&kir.Ref{V: p.Chunk}, so.buckets))
		so.each("bucket", so.buckets, func(bucket kir.Expr) { so.store(so.counts, add(first, bucket), so.load(own, bucket)) })
	})
	p.Partials = []*kir.Array{so.counts}
	p.CombinePartial = &kir.CombinePartials{K: so.fresh("k", kir.Int)}
	so.inside(&p.CombinePartial.Body, func() {
		first := so.letExpr("first", mul(&kir.Ref{V: p.CombinePartial.K}, so.buckets))
		so.each("bucket", so.buckets, func(bucket kir.Expr) {
			x := so.letExpr("x", so.load(so.counts, add(first, bucket)))
			so.store(so.counts, add(first, bucket), so.load(so.starts, bucket))
			so.store(so.starts, bucket, add(so.load(so.starts, bucket), x))
		})
	})
	sum := so.fresh("sum", kir.Int)
	so.emit(&kir.Let{V: sum, X: intConst(0)})
	so.each("bucket", add(so.buckets, intConst(1)), func(bucket kir.Expr) {
		x := so.letExpr("x", so.load(so.starts, bucket))
		so.store(so.starts, bucket, &kir.Ref{V: sum})
		so.emit(&kir.Set{V: sum, X: add(&kir.Ref{V: sum}, x)})
	})
}

// place puts elements into their buckets. It returns the values of a sorted element.
func (so *binSort) place(dests []*array) func(x kir.Expr) []value {
	same := make([]kir.Expr, len(dests)) // values that are the same for all elements
	sorted := make([]*kir.Array, len(dests))
	for k, d := range dests {
		if c, ok := so.h.op.Body.Results[k+1].(ir.Const); ok {
			same[k] = &kir.Const{C: c}
			continue
		}
		sorted[k] = so.ownBins("sorted", d.a.Kind, so.n).a
	}
	var next *kir.Array
	begin := func(p *kir.Par) {
		next = so.ownBins("next", ir.Int, so.buckets).a
		first := so.letExpr("first", mul(&kir.Ref{V: p.Chunk}, so.buckets))
		so.each("bucket", so.buckets, func(bucket kir.Expr) {
			so.store(next, bucket, add(so.load(so.starts, bucket), so.load(so.counts, add(first, bucket))))
		})
	}
	element := func(bucket, bin kir.Expr, elems []value) {
		at := so.letExpr("at", so.load(next, bucket))
		so.store(next, bucket, add(at, intConst(1)))
		inside := &kir.Bin{Fn: ir.And, X: bin, Y: intConst(1<<bucketBits - 1), T: kir.Int}
		so.store(so.keys, at, &kir.Convert{X: inside, T: kir.ScalarType(ir.Int32)})
		for k, a := range sorted {
			if a != nil {
				so.store(a, at, elems[k].x)
			}
		}
	}
	so.chunks("elements into buckets", 1+len(dests), begin, element, func(*kir.Par) {})
	return func(x kir.Expr) []value {
		elems := make([]value, len(sorted))
		for k, a := range sorted {
			elems[k].x = same[k]
			if a != nil {
				elems[k] = scalar(so.letExpr("element", so.load(a, x)))
			}
		}
		return elems
	}
}
