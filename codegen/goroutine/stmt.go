package goroutine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// ifStopped leaves a function whose run has ended.
const ifStopped = "if w.Stopped() {\nreturn\n}\n"

func (p *printer) stmts(body []kir.Stmt) {
	defer func(was bool) { p.inText = was }(p.inText)
	p.inText = splatted(body)
	body = p.zerosFirst(body)
	apart := splatsApart(body)
	for i := 0; i < len(body); i++ {
		if apart(i) {
			p.printf("%s", ifStopped)
		}
		s := body[i]
		if n := p.results(body[i:]); n > 0 {
			i += n - 1
			continue
		}
		if n := p.together(body[i:]); n > 1 {
			i += n - 1
			continue
		}
		if p.zeroed(s, body[i+1:]) {
			i++
			continue
		}
		if scoped, ok := s.(*kir.Scoped); ok && i == len(body)-1 {
			p.scoped(scoped) // the block ends with it
		} else {
			p.stmt(s)
		}
		if kir.Calls(s) {
			maps.Copy(p.inMemory, p.saved)
			clear(p.saved)
		}
	}
}

// stored is the call of a routine, where that scans by whichever routine stores as the variant says: codes that differ
// in that are one function.
func (p *printer) stored(r *kir.Routine, call string) string {
	switch r.Name {
	case kir.ScanAdd, kir.ScanAddInclusive, kir.ScanAddStream, kir.ScanAddInclusiveStream:
		name, args, _ := strings.Cut(call, "(")
		k := letters(r.Args[0].A.Kind)
		cached := strings.TrimSuffix(strings.TrimSuffix(name, k), "Stream")
		return fmt.Sprintf("rt.Stored(l, %s%s, %[1]sStream%[2]s)(%[3]s", cached, k, args)
	}
	return call
}

// zeroed prints an array and that its elements are zero where that follows, and reports whether it does.
func (p *printer) zeroed(s kir.Stmt, rest []kir.Stmt) bool {
	alloc, ok := s.(*kir.AllocScratch)
	if !ok || len(rest) == 0 {
		return false
	}
	a, n := zeroes(rest[0])
	if a != alloc.A || !kir.Equal(n, alloc.N) {
		return false
	}
	p.printf("%s := vec.Ptr(rt.Zeroed[%s](w, %s))\n", a.Name, a.Kind, p.expr(n))
	return true
}

// zeroes returns the array of which a statement sets the first n elements to zero, or nil.
func zeroes(s kir.Stmt) (a *kir.Array, n kir.Expr) {
	switch s := s.(type) {
	case *kir.Call:
		if s.R.Name == kir.Zero && isZero(s.R.Args[0].X) {
			return s.R.Args[0].A, s.R.Args[1].X
		}
	case *kir.For:
		if s.Keep || s.Step != 1 || s.Whole || s.Watched || !isZero(s.Lo) || len(s.Body) != 1 {
			return nil, nil
		}
		store, ok := s.Body[0].(*kir.Store)
		if !ok || store.A.Field != nil || store.X.Type().Lanes > 1 || !isZero(store.X) {
			return nil, nil
		}
		if at, ok := store.I.(*kir.Ref); ok && at.V == s.V {
			return store.A, s.Hi
		}
	}
	return nil, nil
}

// lastOf is the index of the last one of the elements that lie before one another, of which the first is at i.
func lastOf(i kir.Expr, t kir.Type) kir.Expr {
	return &kir.Bin{Fn: ir.Sub, X: i, Y: &kir.Const{C: ir.IntConst(ir.Int, int64(t.Lanes-1))}, T: kir.Int}
}

func (p *printer) stmt(s kir.Stmt) {
	switch s := s.(type) {
	case *kir.Let:
		p.let(s)
	case *kir.Set:
		p.set(s.V, s.X)
	case *kir.Store:
		p.store(s)
	case *kir.Scatter:
		suffix := ""
		if container(s.I.Type().Kind) != ir.Int32 {
			suffix = "I64"
		}
		p.printf("vec.ScatterMask%s%s(%s, %s, %s, %s)\n", memoryName(s.X.Type()), suffix, p.expr(s.X), p.base(s.A, true), p.expr(s.I), p.expr(s.Mask))
	case *kir.StoreEvery:
		t := s.X.Type()
		if s.By < 0 {
			reversed := fmt.Sprintf("vec.Reverse%s(%s)", vecName(t), p.expr(s.X))
			if narrow(t.Kind) {
				p.printf("vec.Store%s(%s, %s)\n", ownName(t), reversed, p.at(s.A, lastOf(s.I, t)))
			} else {
				p.printf("*%s = %s\n", p.addr(t, s.A, lastOf(s.I, t)), reversed)
			}
			break
		}
		p.printf("vec.StoreEvery%d%s(%s, %s, %s)\n", s.By, memoryName(t), p.lowBits(s.X), p.base(s.A, true), p.expr(s.I))
	case *kir.For:
		if a, n := zeroes(s); a != nil && (a.Space == kir.Global || a.Space == kir.Scratch) {
			p.printf("vec.Zero(%s, %s)\n", p.base(a, false), p.expr(n))
			return
		}
		if !s.Outlined || !p.outline(s) {
			p.loop(s)
		}
	case *kir.While:
		p.while(s)
	case *kir.Break:
		p.printf("%s\n", p.leave)
	case *kir.If:
		p.ifStmt(s)
	case *kir.Par:
		p.par(s)
	case *kir.Wait:
		p.printf("%s, ok := e.%s.Wait(w, %s)\nif !ok {\nreturn\n}\n", s.V.Name, p.chain(s.Chain), s.Chunk.Name)
	case *kir.Publish:
		p.printf("e.%s.Publish(%s+1, %s)\n", p.chain(s.Chain), s.Chunk.Name, p.expr(s.X))
	case *kir.AllocScratch:
		p.printf("%s := vec.Ptr(rt.Scratch[%s](w, %s))\n", s.A.Name, s.A.Kind, p.expr(s.N))
	case *kir.Grow:
		p.printf("%s = rt.Grown(%s, %s, %s)\n", s.A.Name, s.A.Name, p.expr(s.Keep), p.expr(s.N))
	case *kir.Scoped:
		p.printf("{\n")
		p.scoped(s)
		p.printf("}\n")
	case *kir.Vectors:
		p.stmts(s.Body)
	case *kir.Result:
		p.printf("f.%s = %s\n", s.Name, p.expr(s.X))
	case *kir.Call:
		p.printf("%s\n", p.stored(s.R, p.routine(s.R)))
		if s.R.Name == kir.SortIndex {
			p.printf("if w.Stopped() {\nreturn\n}\n")
		}
	case *kir.GoCall:
		p.goCall(s)
	case *kir.Check:
		p.check(s)
	case *kir.CheckAll:
		k := letters(s.A.Kind)
		n := p.expr(s.N)
		p.printf("if bad := vec.CheckIndex%s(vec.Addr(%s, %s, %s), %s, %s); bad >= 0 {\n", k, p.base(s.A, true), p.expr(s.I), n, n, p.expr(s.Limit))
		p.printf("w.Fail(%s.Index(%s+bad, int(*vec.Elem(%s, %s+bad)), %s))\nreturn\n}\n",
			p.unit.site(s.Op, s.Arg, s.Pos), p.expr(s.I), p.base(s.A, false), p.operand(s.I), p.expr(s.Limit))
	default:
		panic(fmt.Sprintf("goroutine: statement %T", s))
	}
}

// scoped prints statements behind which scratch memory is as it was before them. Those inside it with which it ends
// give back nothing of their own.
func (p *printer) scoped(s *kir.Scoped) {
	p.printf("mark := w.Mark()\n")
	body := s.Body
	for len(body) > 0 {
		last, ok := body[len(body)-1].(*kir.Scoped)
		if !ok {
			break
		}
		body = slices.Concat(body[:len(body)-1], last.Body)
	}
	p.stmts(body)
	p.printf("w.Release(mark)\n")
}

// watchedTurns is after how many turns a loop that may never end looks whether the run was stopped: after microseconds.
const watchedTurns = 1 << 16

// while prints a loop with a condition. A watched one is two loops inside each other: a turn of the inner one, which
// counts, takes hardly longer than one of a loop without a counter, and less than one that looks at the counter in
// every turn.
func (p *printer) while(s *kir.While) {
	outer := p.leave
	defer func() { p.leave = outer }()
	end := "break"
	if s.Watched {
		p.labels++
		label := fmt.Sprintf("watched%d", p.labels)
		end += " " + label
		p.printf("%s:\nfor {\nfor turnsLeft := %d; turnsLeft > 0; turnsLeft-- {\n", label, watchedTurns)
	} else if len(s.Cond) == 0 {
		p.printf("for %s {\n", p.expr(s.Test))
	} else {
		p.printf("for {\n")
	}
	p.leave = end
	p.stmts(s.Cond)
	if c, ok := s.Test.(*kir.Const); (!ok || c.C.Bits == 0) && (s.Watched || len(s.Cond) > 0) {
		p.printf("if !(%s) {\n%s\n}\n", p.expr(s.Test), end)
	}
	p.stmts(s.Body)
	p.printf("}\n")
	if s.Watched {
		p.printf("%s}\n", ifStopped)
	}
}

func (p *printer) let(s *kir.Let) {
	if _, ok := s.X.(*kir.ZeroOf); ok {
		p.printf("var %s %s\n", s.V.Name, goType(s.V.T))
		return
	}
	if sel, ok := s.X.(*kir.Select); ok && s.V.T.Lanes == 1 && !isChoice(sel) {
		p.printf("%s := %s\nif %s {\n%s = %s\n}\n", s.V.Name, p.expr(sel.Y), p.expr(sel.C), s.V.Name, p.expr(sel.X))
		return
	}
	if a := s.V.Memory; a != nil {
		if constantVector(s.X) {
			p.inMemory[s.V] = p.expr(s.X)
			return
		}
		at := "*" + p.addr(s.V.T, a, &kir.Const{C: ir.IntConst(ir.Int, int64(s.V.At))})
		if s.V.Saved {
			p.printf("%s := %s\n%s = %s\n", s.V.Name, p.expr(s.X), at, s.V.Name)
			p.saved[s.V] = at
			return
		}
		p.inMemory[s.V] = at
		p.printf("%s = %s // %s\n", at, p.expr(s.X), s.V.Name)
		return
	}
	p.printf("%s := %s\n", s.V.Name, p.assigned(s.V, s.X))
	p.pointers(s.V)
}

// keeps reports whether what is chosen for a float is something else or the float itself: processors jump over that.
func keeps(v *kir.Var, x *kir.Select) bool {
	y, ok := x.Y.(*kir.Ref)
	return ok && y.V == v && v.T.Kind.IsFloat()
}

func (p *printer) set(v *kir.Var, x kir.Expr) {
	if sel, ok := x.(*kir.Select); ok && v.T.Lanes == 1 && (!isChoice(sel) || keeps(v, sel)) {
		p.printf("if %s {\n%s = %s\n}", p.expr(sel.C), v.Name, p.expr(sel.X))
		if !keeps(v, sel) {
			p.printf(" else {\n%s = %s\n}", v.Name, p.expr(sel.Y))
		}
		p.printf("\n")
		return
	}
	if r, ok := x.(*kir.Ref); ok && r.V == v {
		return
	}
	if p.onlyStored[v] {
		p.printf("%s = %s\n", v.Name, p.lowBits(x))
		return
	}
	p.assign(v.Name, x)
}

// combines reports whether x is what is in place, an operator and an operand.
func (p *printer) combines(place string, x kir.Expr) bool {
	b, ok := x.(*kir.Bin)
	return ok && b.T.Lanes == 1 && b.T.Kind != ir.Bool && b.Fn.GoOperator() != "" && !b.Fn.IsComparison() && p.expr(b.X) == place
}

// assign prints that place becomes x, shorter where x is place, an operator and an operand.
func (p *printer) assign(place string, x kir.Expr) {
	if !p.combines(place, x) {
		p.printf("%s = %s\n", place, p.expr(x))
		return
	}
	b := x.(*kir.Bin)
	y := p.expr(b.Y)
	if c, ok := b.Y.(*kir.Const); ok {
		y = right(b.Fn, c.C, false)
		if b.Fn == ir.Add && c.C.Kind.IsInteger() && c.C.Int() == 1 {
			p.printf("%s++\n", place)
			return
		}
	}
	p.printf("%s %s= %s\n", place, b.Fn.GoOperator(), y)
}

func (p *printer) store(s *kir.Store) {
	if s.A.Space == kir.Partial {
		p.printf("%s[%s] = %s\n", p.partialRef(s.A), p.expr(s.I), p.expr(s.X))
		return
	}
	if h, ok := s.X.(*kir.Horizontal); ok && h.Fn == ir.Add && h.X.Type().Kind.IsFloat() {
		p.printf("vec.SumTo%s(%s, %s, %s)\n", vecName(h.X.Type()), p.expr(h.X), p.base(s.A, true), p.expr(s.I))
		return
	}
	if t := s.X.Type(); t.Lanes > 1 {
		if f := s.A.Field; f != nil {
			p.printf("vec.StoreEvery%d%s(%s, %s, 0)\n", f.Apart, memoryName(t), p.expr(s.X), p.fieldAddress(s.A, s.I))
			return
		}
		if s.Mask != nil {
			p.printf("vec.StoreMask%s(%s, %s, %s, %s)\n", vecName(t), p.expr(s.X), p.base(s.A, true), p.expr(s.I), p.expr(s.Mask))
			return
		}
		if t.Kind == ir.Bool {
			p.printf("vec.StoreBool%s(%s, %s)\n", vecName(t), p.expr(s.X), p.at(s.A, s.I))
			return
		}
		if narrow(t.Kind) {
			p.printf("vec.Store%s(%s, %s)\n", ownName(t), p.lowBits(s.X), p.at(s.A, s.I))
			return
		}
		p.printf("*%s = %s\n", p.addr(t, s.A, s.I), p.expr(s.X))
		return
	}
	if f := s.A.Field; f != nil && f.GoType != s.A.Kind.String() {
		p.printf("%s = %s(%s)\n", p.elem(s.A, s.I), f.GoType, p.expr(s.X))
		return
	}
	p.assign(p.elem(s.A, s.I), s.X)
}

func (p *printer) loop(s *kir.For) {
	v, hi := s.V.Name, p.operand(s.Hi)
	head := v + " := " + p.exprOr(s.Lo)
	if s.Keep {
		head = ""
	}
	step := v + "++"
	if s.Step != 1 {
		step = fmt.Sprintf("%s += %d", v, s.Step)
	}
	cond := fmt.Sprintf("%s < %s", v, hi)
	if s.Whole {
		cond = fmt.Sprintf("%s+%d <= %s", v, s.Step, hi)
	}
	p.printf("for %s; %s; %s {", head, cond, step)
	if s.Pos.IsValid() && !s.Keep {
		pos := s.Pos
		pos.File = base(pos.File)
		p.printf(" // %s, %s", s.What, pos)
	}
	p.printf("\n")
	if s.Watched {
		p.printf("if %s&0xff == 0 && w.Stopped() {\nreturn\n}\n", v)
	}
	p.stmts(readsFirst(s.Body))
	p.printf("}\n")
}

func base(file string) string { return file[strings.LastIndexByte(file, '/')+1:] }

func (p *printer) exprOr(x kir.Expr) string {
	if x == nil {
		return "0"
	}
	return p.expr(x)
}

func (p *printer) ifStmt(s *kir.If) {
	then, els, cond := s.Then, s.Else, p.expr(s.Cond)
	if len(then) == 0 {
		then, els = els, nil
		cond = "!(" + cond + ")"
	}
	p.printf("if %s {\n", cond)
	p.stmts(then)
	if len(els) > 0 {
		p.printf("} else {\n")
		p.stmts(els)
	}
	p.printf("}\n")
}
