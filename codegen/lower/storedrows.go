package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
)

// Rows of a stored nested sequence can be on lanes, a row a lane, where as many as there are lanes have one length:
// they are packed, as those that are cut from a sequence are. Stretches of the loop whose rows have one length are
// looked for while it runs; what is left is computed row by row.

// storedRows is what is known of the stored rows that the elements of a loop read: each its own.
type storedRows struct {
	packs []*storedPack
	of    map[*ir.Stmt]*storedPack // what reads a row
}

// storedPack is a nested sequence of which each lane reads a row.
type storedPack struct {
	from *array
	row  *ir.Var // stands for the rows of a vector
	n    kir.Expr
}

// storedRowsOf finds the rows of stored nested sequences in the body of a loop that are worth packing. It returns nil
// if there are none.
func (l *lowerer) storedRowsOf(r rangeLoop, e *env) *storedRows {
	rows := &storedRows{of: map[*ir.Stmt]*storedPack{}}
	packs := map[*array]*storedPack{}
	for _, s := range r.body.Stmts {
		if !fuse.PackedRow(r.body, r.i, s) {
			continue
		}
		v, ok := e.getAtom(s.Op.(*ir.Index).X)
		if !ok || v.arr == nil || v.arr.off != nil || v.arr.rows == nil || v.arr.rows.offsets == nil || v.arr.rows.inner != nil || v.arr.rows.base != nil ||
			v.arr.a.Space != kir.Global || v.arr.a.Field != nil || v.arr.a.Kind == ir.Bool {
			continue
		}
		if packs[v.arr] == nil {
			packs[v.arr] = &storedPack{from: v.arr, row: &ir.Var{Name: s.Dst[0].Name, T: s.Dst[0].T}}
			rows.packs = append(rows.packs, packs[v.arr])
		}
		rows.of[s] = packs[v.arr]
	}
	if len(rows.packs) == 0 {
		return nil
	}
	return rows
}

// length is how many elements row i has.
func (p *storedPack) length(i kir.Expr) kir.Expr {
	at := func(i kir.Expr) kir.Expr { return &kir.Load{A: p.from.rows.offsets, I: i, T: kir.Int} }
	return sub(at(add(i, intConst(1))), at(i))
}

// stretches emits the loop over stretches from i's value to hi. alike does what has one length, up to the end that it
// is given, as far as it fills vectors; single goes on to where a stretch is looked for again.
func (rows *storedRows) stretches(l *lowerer, i *kir.Var, hi kir.Expr, width int, alike, single func(end kir.Expr)) {
	at := &kir.Ref{V: i}
	outer := &kir.While{Test: &kir.Bin{Fn: ir.Lt, X: at, Y: hi, T: kir.ScalarType(ir.Bool)}}
	l.inside(&outer.Body, func() {
		end := l.fresh("alike", kir.Int)
		l.emit(&kir.Let{V: end, X: add(at, intConst(1))})
		differs, bytes := kir.Expr(nil), 0
		either := func(c kir.Expr) {
			if differs == nil {
				differs = c
				return
			}
			differs = &kir.Bin{Fn: ir.Or, X: differs, Y: c, T: kir.ScalarType(ir.Bool)}
		}
		var most kir.Expr
		for _, p := range rows.packs {
			n := l.letExpr("length", p.length(at))
			either(&kir.Bin{Fn: ir.Ne, X: p.length(&kir.Ref{V: end}), Y: n, T: kir.ScalarType(ir.Bool)})
			p.n = n
			bytes += width * p.from.a.Kind.Bytes()
			if most == nil {
				most = n
			} else {
				most = l.integer(ir.Max, most, n)
			}
		}
		same := &kir.While{Test: &kir.Bin{Fn: ir.Lt, X: &kir.Ref{V: end}, Y: hi, T: kir.ScalarType(ir.Bool)}}
		l.inside(&same.Body, func() {
			l.emit(&kir.If{Cond: differs, Then: []kir.Stmt{&kir.Break{}}})
			l.emit(&kir.Set{V: end, X: add(&kir.Ref{V: end}, intConst(1))})
		})
		l.emit(same)
		enough := &kir.Bin{Fn: ir.Le, X: add(at, intConst(width)), Y: &kir.Ref{V: end}, T: kir.ScalarType(ir.Bool)}
		short := &kir.Bin{Fn: ir.Le, X: most, Y: intConst(packBytes / bytes), T: kir.ScalarType(ir.Bool)}
		some := &kir.If{Cond: &kir.Bin{Fn: ir.And, X: enough, Y: short, T: kir.ScalarType(ir.Bool)}}
		l.inside(&some.Then, func() { alike(&kir.Ref{V: end}) })
		l.emit(some)
		rest := l.letExpr("rest", l.integer(ir.Min, hi, &kir.Bin{Fn: ir.Add, X: l.integer(ir.Max, at, sub(&kir.Ref{V: end}, intConst(width))), Y: intConst(width), T: kir.Int}))
		single(rest)
	})
	l.emit(outer)
}

// loop emits the loops over whole vectors of rows of one length, up to hi.
func (rows *storedRows) loop(l *lowerer, i *kir.Var, hi kir.Expr, lv level, r rangeLoop, e *env,
	element func(i value, copy int, e *env)) {
	l.takesScratch = true
	most := 1
	if r.several != nil {
		most = max(lv.unroll, 1)
	}
	arrays := make([]map[*storedPack]*array, most)
	for u := range arrays {
		arrays[u] = map[*storedPack]*array{}
	}
	for _, p := range rows.packs {
		size := l.letExpr("size", times(p.n, intConst(lv.width)))
		a := &kir.Array{Name: l.name(p.from.a.Name + "Packed"), Kind: p.from.a.Kind, Space: kir.Scratch}
		l.emit(&kir.AllocScratch{A: a, N: times(size, intConst(most))})
		for u := range arrays {
			arrays[u][p] = &array{a: a, n: p.n, private: true}
			if u > 0 {
				arrays[u][p].off = l.letExpr("off", times(size, intConst(u)))
			}
		}
	}
	around := l.stored
	l.stored = rows.of
	l.packedVectors(i, hi, most, lv.width, r, e, element, func(at kir.Expr, copy int, e *env) {
		for _, p := range rows.packs {
			packed := arrays[copy][p]
			l.emit(&kir.Call{R: &kir.Routine{Name: kir.PackRows, Args: []kir.Arg{
				{A: packed.a, X: orZero(packed.off)}, {A: p.from.a, X: &kir.Load{A: p.from.rows.offsets, I: at, T: kir.Int}}, {X: intConst(lv.width)}, {X: p.n}}}})
			e.m[p.row] = value{arr: packed}
		}
	})
	l.stored = around
}
