package fuse

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// simplify folds constants, removes statements that compute what an earlier one in scope computed already, drops checks
// that always hold or were made before, and then dead code. Floating-point arithmetic is never reassociated.
func simplify(f *ir.Func) {
	s := &simplifier{sub: ir.Subst{}, scope: newScope(nil), below: map[*ir.Var]ir.Atom{}, bits: map[*ir.Var]int{}, rows: map[*ir.Var]bool{}, defs: map[*ir.Var]ir.Op{}, picks: map[*ir.Var]*ir.Select{}, known: map[ir.Atom]bool{}}
	ir.Walk(f.Body, func(st *ir.Stmt) {
		if loop, ok := st.Op.(*ir.Loop); ok { // what the first turn reads is in memory of the loop's own
			for _, a := range loop.Init {
				if v, ok := a.(*ir.Var); ok && v.T.Rank > 0 {
					s.rows[v] = true
				}
			}
		}
	})
	s.block(f.Body)
	dropDead(f.Body)
}

type scope struct {
	parent *scope
	values map[string][]*ir.Var // what an operation's text computes
	checks map[string]bool
}

func newScope(p *scope) *scope {
	return &scope{parent: p, values: map[string][]*ir.Var{}, checks: map[string]bool{}}
}

func (sc *scope) find(key string) []*ir.Var {
	for ; sc != nil; sc = sc.parent {
		if v, ok := sc.values[key]; ok {
			return v
		}
	}
	return nil
}

func (sc *scope) checked(key string) bool {
	for ; sc != nil; sc = sc.parent {
		if sc.checks[key] {
			return true
		}
	}
	return false
}

type simplifier struct {
	sub   ir.Subst
	scope *scope
	below map[*ir.Var]ir.Atom    // index variables and the length they stay below
	bits  map[*ir.Var]int        // ints of a magnitude of at most 2 to that power
	undo  []func()               // what blocks forget when they end
	rows  map[*ir.Var]bool       // sequences that a Map yields or a loop carries: each is written where it is stored, so none stands for another
	defs  map[*ir.Var]ir.Op      // what yields a scalar of floats
	picks map[*ir.Var]*ir.Select // what yields an int that a condition chooses, such as the length of a sequence
	known map[ir.Atom]bool       // conditions of the branches around
}

// memoryBits bounds lengths: a sequence that exists has at most 2^40 elements.
const memoryBits = 40

// magnitude returns m with |a| ≤ 2^m, 64 if nothing is known.
func (s *simplifier) magnitude(a ir.Atom) int {
	switch a := a.(type) {
	case ir.Const:
		if n := a.Int(); n != math.MinInt64 {
			return bits.Len64(uint64(max(n, -n)))
		}
	case *ir.Var:
		if m, ok := s.bits[a]; ok {
			return m
		}
		if n, ok := s.below[a]; ok {
			return s.magnitude(n)
		}
	}
	return 64
}

// learn notes what an operation says about the magnitude of its result, or a check about its arguments.
func (s *simplifier) learn(st *ir.Stmt) {
	m := 64
	switch op := st.Op.(type) {
	case *ir.Len:
		m = memoryBits
	case *ir.Convert:
		if k := op.X.Type().Kind; k.IsInteger() && k.Bytes() <= 4 {
			m = 32
		}
	case *ir.Binary:
		x, y := s.magnitude(op.X), s.magnitude(op.Y)
		switch op.Fn {
		case ir.Add, ir.Sub:
			m = max(x, y) + 1
		case ir.Min, ir.Max:
			m = max(x, y)
		case ir.Div:
			m = x
		}
	case *ir.Check:
		var bounded []ir.Atom
		switch op.Kind {
		case ir.CheckIndex:
			bounded = op.Args[:1]
		case ir.CheckBounds:
			bounded = op.Args[:2]
		}
		for _, a := range bounded {
			if v, ok := a.(*ir.Var); ok {
				m := s.magnitude(v)
				s.undo = append(s.undo, func() { s.bits[v] = m }) // the check says nothing outside of its block
				s.bits[v] = min(m, s.magnitude(op.Args[len(op.Args)-1]))
			}
		}
		return
	}
	if m < 64 && len(st.Dst) == 1 && st.Dst[0].T == tInt {
		s.bits[st.Dst[0]] = m
	}
}

func (s *simplifier) block(b *ir.Block) {
	s.scope = newScope(s.scope)
	known := len(s.undo)
	stmts := b.Stmts
	b.Stmts = nil
	for i := 0; i < len(stmts); i++ {
		st := stmts[i]
		for _, a := range ir.Operands(st.Op) {
			*a = s.under(s.sub.Atom(*a), s.known)
		}
		if taken := s.taken(st.Op); taken != nil {
			for j, d := range st.Dst {
				s.sub[d] = taken.Results[j]
			}
			stmts, i = slices.Concat(taken.Stmts, stmts[i+1:]), -1
			continue
		}
		if s.stmt(st) {
			b.Stmts = append(b.Stmts, st)
		}
	}
	for i := range b.Results {
		b.Results[i] = s.under(s.sub.Atom(b.Results[i]), s.known)
	}
	s.scope = s.scope.parent
	for len(s.undo) > known {
		s.undo[len(s.undo)-1]()
		s.undo = s.undo[:len(s.undo)-1]
	}
}

// taken returns the branch that a condition takes which is known, nil if op is none.
func (s *simplifier) taken(op ir.Op) *ir.Block {
	branch, ok := op.(*ir.If)
	if !ok {
		return nil
	}
	holds, ok := s.known[branch.Cond]
	if c, isConst := branch.Cond.(ir.Const); isConst {
		holds, ok = c.Bits != 0, true
	}
	switch {
	case !ok:
		return nil
	case holds:
		return branch.Then
	}
	return branch.Else
}

// stmt simplifies one statement and reports whether it is still needed.
func (s *simplifier) stmt(st *ir.Stmt) bool {
	s.learn(st)
	if i := ir.OperatorIndex(st.Op); i != nil {
		s.below[i] = ir.OperatorLength(st.Op)
	}
	switch op := st.Op.(type) {
	case *ir.Map:
		for _, a := range op.Body.Results {
			if v, ok := a.(*ir.Var); ok && v.T.Rank > 0 {
				s.rows[v] = true
			}
		}
	case *ir.Loop:
		for _, a := range op.Body.Results { // stored in other memory than what this turn began with, as rows are
			if v, ok := a.(*ir.Var); ok && v.T.Rank > 0 {
				s.rows[v] = true
			}
		}
		for i, p := range op.Params { // a number that no turn changes
			if p.T.Rank == 0 && op.Body.Results[i] == ir.Atom(p) {
				s.sub[p], s.sub[st.Dst[i]] = op.Init[i], op.Init[i]
			}
		}
		if op.I != nil && ir.IsInt(op.Lo, 0) {
			s.below[op.I] = op.Hi
		}
	case *ir.Check:
		key := opKey(op)
		if s.holds(op) || s.scope.checked(key) {
			return false
		}
		s.scope.checks[key] = true
		return true
	}
	if c, ok := st.Op.(*ir.Convert); ok {
		if op := s.narrow(c); op != nil {
			st.Op = op
		}
	}
	if pick, ok := st.Op.(*ir.Select); ok {
		if _, known := s.known[pick.Cond]; !known {
			pick.X, pick.Y = s.where(pick.Cond, true, pick.X, s.known), s.where(pick.Cond, false, pick.Y, s.known)
		}
		if st.Dst[0].T == tInt {
			s.picks[st.Dst[0]] = pick
		}
	}
	if a := fold(st.Op); a != nil {
		s.sub[st.Dst[0]] = a
		return false
	}
	s.blocks(st.Op)
	if key := opKey(st.Op); key != "" {
		if vs := s.scope.find(key); vs != nil && len(vs) == len(st.Dst) && !s.anyRow(st.Dst) {
			for i, d := range st.Dst {
				s.sub[d] = vs[i]
			}
			return false
		}
		s.scope.values[key] = st.Dst
	}
	if len(st.Dst) == 1 && st.Dst[0].T == ir.Scalar(ir.Float64) {
		s.defs[st.Dst[0]] = st.Op
	}
	return true
}

// under is a, or what a is where the conditions hold that are known: those of the branches around, and those in known.
func (s *simplifier) under(a ir.Atom, known map[ir.Atom]bool) ir.Atom {
	v, _ := a.(*ir.Var)
	pick := s.picks[v]
	if pick == nil {
		return a
	}
	if holds, ok := known[pick.Cond]; ok {
		if holds {
			return s.under(pick.X, known)
		}
		return s.under(pick.Y, known)
	}
	if x := s.where(pick.Cond, true, pick.X, known); x == s.where(pick.Cond, false, pick.Y, known) {
		return x
	}
	return a
}

// where is under with one more condition that is known.
func (s *simplifier) where(cond ir.Atom, holds bool, a ir.Atom, known map[ir.Atom]bool) ir.Atom {
	known[cond] = holds
	defer delete(known, cond)
	return s.under(a, known)
}

// blocks simplifies the blocks of op; those of a condition know how it ended.
func (s *simplifier) blocks(op ir.Op) {
	branch, ok := op.(*ir.If)
	if ok {
		_, known := s.known[branch.Cond]
		ok = !known
	}
	if !ok {
		for _, c := range ir.Blocks(op) {
			s.block(c)
		}
		return
	}
	s.known[branch.Cond] = true
	s.block(branch.Then)
	s.known[branch.Cond] = false
	s.block(branch.Else)
	delete(s.known, branch.Cond)
}

func (s *simplifier) anyRow(vs []*ir.Var) bool {
	return slices.ContainsFunc(vs, func(v *ir.Var) bool { return s.rows[v] })
}

// holds reports whether a check always succeeds.
func (s *simplifier) holds(c *ir.Check) bool {
	switch c.Kind {
	case ir.CheckLength:
		return c.Args[0] == c.Args[1]
	case ir.CheckIndex:
		if v, ok := c.Args[0].(*ir.Var); ok {
			if n, ok := s.below[v]; ok && n == c.Args[1] {
				return true
			}
		}
	case ir.CheckCount:
		return s.magnitude(c.Args[0]) < s.magnitude(c.Args[1])-1
	case ir.CheckFinite:
		k, ok := c.Args[0].(ir.Const)
		return ok && !math.IsNaN(k.Float()) && !math.IsInf(k.Float(), 0)
	case ir.CheckSize:
		k, ok := c.Args[0].(ir.Const)
		return ok && k.Int() > 0
	case ir.CheckPanic:
		k, ok := c.Args[0].(ir.Const)
		return ok && k.Bits != 0
	case ir.CheckNonneg:
		k, ok := c.Args[0].(ir.Const)
		return ok && k.Int() >= 0
	case ir.CheckNonzero:
		k, ok := c.Args[0].(ir.Const)
		return ok && (k.Kind.IsFloat() && k.Float() != 0 || !k.Kind.IsFloat() && k.Int() != 0)
	}
	return false
}

// opKey is equal for operations that yield the same values; "" for those that are not compared. Names are unique, so
// the text of a blockless operation identifies it.
func opKey(op ir.Op) string {
	switch op := op.(type) {
	case *ir.Unary, *ir.Binary, *ir.Select, *ir.Len, *ir.Index, *ir.View:
		return (&ir.Stmt{Op: op}).String()
	case *ir.Check: // the message may differ, the condition does not
		return fmt.Sprint(op.Kind, op.Args)
	case *ir.Convert:
		return "convert " + op.To.String() + " " + op.X.String()
	case *ir.Reduce, *ir.Map, *ir.Scan, *ir.Scatter, *ir.Hist, *ir.Sort:
		return structuralKey(op)
	case *ir.Loop:
		if (&hoister{}).movable(op) {
			return structuralKey(op)
		}
	}
	return ""
}

// structuralKey prints an operator with its bound variables numbered, so that two copies compare equal.
func structuralKey(op ir.Op) string {
	s := &ir.Stmt{Op: op}
	c := s.Clone(ir.Subst{}, ir.NewNamer(nil))
	stripPos(c)
	var rename func(st *ir.Stmt)
	n := 0
	set := func(v *ir.Var) { v.Name = fmt.Sprintf("%%%d", n); n++ }
	rename = func(st *ir.Stmt) {
		for _, v := range ir.Bound(st.Op) {
			set(v)
		}
		for _, b := range ir.Blocks(st.Op) {
			for _, t := range b.Stmts {
				rename(t)
				for _, d := range t.Dst {
					set(d)
				}
			}
		}
	}
	rename(c)
	return c.String()
}

func stripPos(s *ir.Stmt) {
	s.Pos = ir.Pos{}
	for _, b := range ir.Blocks(s.Op) {
		for _, t := range b.Stmts {
			stripPos(t)
		}
	}
}

// fold returns the atom that op always yields, or nil.
func fold(op ir.Op) ir.Atom {
	switch op := op.(type) {
	case *ir.Binary:
		return foldBinary(op.Fn, op.X, op.Y)
	case *ir.Select:
		if c, ok := op.Cond.(ir.Const); ok {
			if c.Bits != 0 {
				return op.X
			}
			return op.Y
		}
		if op.X == op.Y {
			return op.X
		}
	case *ir.Unary:
		if c, ok := op.X.(ir.Const); ok && op.Fn == ir.Not {
			return ir.BoolConst(c.Bits == 0)
		}
	case *ir.Convert:
		if op.X.Type().Kind == op.To {
			return op.X
		}
		if c, ok := op.X.(ir.Const); ok && c.Kind != ir.Bool {
			return foldConvert(op.To, c)
		}
	}
	return nil
}

func foldConvert(to ir.Kind, c ir.Const) ir.Atom {
	switch {
	case c.Kind.IsInteger() && to.IsInteger():
		return ir.IntConst(to, c.Int())
	case c.Kind.IsInteger() && to.IsFloat():
		if c.Kind.IsUnsigned() {
			return ir.FloatConst(to, float64(uint64(c.Int())))
		}
		if to == ir.Float32 {
			return ir.FloatConst(to, float64(float32(c.Int())))
		}
		return ir.FloatConst(to, float64(c.Int()))
	case c.Kind.IsFloat() && to.IsFloat():
		return ir.FloatConst(to, c.Float())
	}
	return nil // float to integer: what Go does out of range depends on the platform
}

func foldBinary(fn ir.BinaryFn, x, y ir.Atom) ir.Atom {
	cx, okx := x.(ir.Const)
	cy, oky := y.(ir.Const)
	k := x.Type().Kind
	if okx && oky {
		switch {
		case k == ir.Bool && fn == ir.And:
			return ir.BoolConst(cx.Bits != 0 && cy.Bits != 0)
		case k == ir.Bool && fn == ir.Or:
			return ir.BoolConst(cx.Bits != 0 || cy.Bits != 0)
		case k.IsFloat():
			if a := foldFloats(fn, k, cx.Float(), cy.Float()); a != nil {
				return a
			}
		case k.IsUnsigned():
			if a := foldUnsigned(fn, k, cx.Bits, cy.Bits); a != nil {
				return a
			}
		case k.IsInteger():
			if a := foldInts(fn, k, cx.Int(), cy.Int()); a != nil {
				return a
			}
		}
	}
	if k.IsInteger() {
		switch {
		case fn == ir.Add && ir.IsInt(x, 0), fn == ir.Mul && ir.IsInt(x, 1):
			return y
		case fn == ir.Add && ir.IsInt(y, 0), fn == ir.Sub && ir.IsInt(y, 0), fn == ir.Mul && ir.IsInt(y, 1), fn == ir.Div && ir.IsInt(y, 1):
			return x
		case fn == ir.Mul && (ir.IsInt(x, 0) || ir.IsInt(y, 0)):
			return ir.IntConst(k, 0)
		case fn == ir.Min && x == y, fn == ir.Max && x == y:
			return x
		case x == y && (fn == ir.Eq || fn == ir.Le || fn == ir.Ge): // as the comparisons of package cmp have it, where they look for NaN
			return ir.BoolConst(true)
		case x == y && (fn == ir.Ne || fn == ir.Lt || fn == ir.Gt):
			return ir.BoolConst(false)
		}
	}
	if x == y && (fn == ir.And || fn == ir.Or) {
		return x
	}
	if k == ir.Bool && okx != oky {
		if oky {
			cx, x, y = cy, y, x
		}
		switch { // x is the constant
		case fn == ir.And && cx.Bits != 0, fn == ir.Or && cx.Bits == 0:
			return y
		case fn == ir.And, fn == ir.Or:
			return x
		}
	}
	return nil
}

func foldInts(fn ir.BinaryFn, k ir.Kind, x, y int64) ir.Atom {
	switch fn {
	case ir.Add:
		return ir.IntConst(k, x+y)
	case ir.Sub:
		return ir.IntConst(k, x-y)
	case ir.Mul:
		return ir.IntConst(k, x*y)
	case ir.Div:
		if y != 0 && !(x == math.MinInt64 && y == -1) {
			return ir.IntConst(k, x/y)
		}
	case ir.Rem:
		if y != 0 && y != -1 {
			return ir.IntConst(k, x%y)
		}
	case ir.And:
		return ir.IntConst(k, x&y)
	case ir.Or:
		return ir.IntConst(k, x|y)
	case ir.Xor:
		return ir.IntConst(k, x^y)
	case ir.AndNot:
		return ir.IntConst(k, x&^y)
	case ir.Min:
		return ir.IntConst(k, min(x, y))
	case ir.Max:
		return ir.IntConst(k, max(x, y))
	}
	return foldOrder(fn, x, y)
}

func foldUnsigned(fn ir.BinaryFn, k ir.Kind, x, y uint64) ir.Atom {
	switch fn {
	case ir.Div:
		if y != 0 {
			return ir.IntConst(k, int64(x/y))
		}
		return nil
	case ir.Rem:
		if y != 0 {
			return ir.IntConst(k, int64(x%y))
		}
		return nil
	case ir.Min:
		return ir.IntConst(k, int64(min(x, y)))
	case ir.Max:
		return ir.IntConst(k, int64(max(x, y)))
	case ir.Eq, ir.Ne, ir.Lt, ir.Le, ir.Gt, ir.Ge:
		return foldOrder(fn, x, y)
	}
	return foldInts(fn, k, int64(x), int64(y)) // the same bits for signed and unsigned
}

// foldFloats rounds once, in the kind itself, as the operation at run time does.
func foldFloats(fn ir.BinaryFn, k ir.Kind, x, y float64) ir.Atom {
	round := func(f float64) ir.Atom { return ir.FloatConst(k, f) }
	switch fn {
	case ir.Add:
		return round(x + y)
	case ir.Sub:
		return round(x - y)
	case ir.Mul:
		return round(x * y)
	case ir.Div:
		return round(x / y)
	case ir.Min:
		return round(min(x, y))
	case ir.Max:
		return round(max(x, y))
	}
	return foldOrder(fn, x, y)
}

func foldOrder[T int64 | uint64 | float64](fn ir.BinaryFn, x, y T) ir.Atom {
	switch fn {
	case ir.Eq:
		return ir.BoolConst(x == y)
	case ir.Ne:
		return ir.BoolConst(x != y)
	case ir.Lt:
		return ir.BoolConst(x < y)
	case ir.Le:
		return ir.BoolConst(x <= y)
	case ir.Gt:
		return ir.BoolConst(x > y)
	case ir.Ge:
		return ir.BoolConst(x >= y)
	}
	return nil
}

// dropDead removes statements of a block whose results nothing uses. A check is kept, and a call, which may panic; an
// operator with checks inside goes when its results are unused: compiled code checks what it reads.
func dropDead(b *ir.Block) {
	used := map[*ir.Var]bool{}
	var block func(b *ir.Block)
	block = func(b *ir.Block) {
		for _, a := range b.Results {
			mark(used, a)
		}
		var kept []*ir.Stmt
		for i := len(b.Stmts) - 1; i >= 0; i-- {
			s := b.Stmts[i]
			_, check := s.Op.(*ir.Check)
			live := check || indexOf(s.Op) == nil && ir.HasCalls(s.Op)
			for _, d := range s.Dst {
				live = live || used[d]
			}
			if len(s.Dst) == 0 && !check { // If or Loop without results: kept for the checks inside
				live = !ir.Pure(s)
			}
			if !live {
				continue
			}
			dropColumns(s, used)
			for _, c := range ir.Blocks(s.Op) {
				block(c)
			}
			for _, a := range ir.Operands(s.Op) {
				mark(used, *a)
			}
			kept = append(kept, s)
		}
		for i, j := 0, len(kept)-1; i < j; i, j = i+1, j-1 {
			kept[i], kept[j] = kept[j], kept[i]
		}
		b.Stmts = kept
	}
	block(b)
}

// dropColumns removes the results of a statement that nothing uses, such as the fields of structs that only a condition
// reads: arrays of a Map or a Scatter, and what a loop carries without looking at it.
func dropColumns(s *ir.Stmt, used map[*ir.Var]bool) {
	keep := func(i int) bool { return used[s.Dst[i]] }
	switch op := s.Op.(type) {
	case *ir.Map:
		op.Body.Results = only(op.Body.Results, keep)
	case *ir.Scatter:
		op.Body.Results = append(op.Body.Results[:1:1], only(op.Body.Results[1:], keep)...)
	case *ir.Loop:
		read := map[*ir.Var]bool{}
		for _, b := range ir.Blocks(op) {
			for _, v := range ir.Free(b) {
				read[v] = true
			}
		}
		params := op.Params
		keep = func(i int) bool { return used[s.Dst[i]] || read[params[i]] }
		if len(only(params, keep)) == 0 { // only its checks are left
			return
		}
		op.Params, op.Init, op.Body.Results = only(params, keep), only(op.Init, keep), only(op.Body.Results, keep)
	default:
		return
	}
	s.Dst = only(s.Dst, keep)
}

// only returns the elements of xs at the positions that are to be kept.
func only[T any](xs []T, keep func(i int) bool) []T {
	var ys []T
	for i, x := range xs {
		if keep(i) {
			ys = append(ys, x)
		}
	}
	return ys
}

func mark(used map[*ir.Var]bool, a ir.Atom) {
	if v, ok := a.(*ir.Var); ok {
		used[v] = true
	}
}
