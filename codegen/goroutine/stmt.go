package goroutine

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// ifStopped leaves a function whose run has ended.
const ifStopped = "if w.Stopped() {\nreturn\n}\n"

func (p *printer) stmts(body []kir.Stmt) {
	for i := 0; i < len(body); i++ {
		s := body[i]
		if n := p.result(body[i:]); n > 0 {
			i += n - 1
			continue
		}
		if n := p.together(body[i:]); n > 1 {
			i += n - 1
			continue
		}
		p.stmt(s)
		if kir.Calls(s) {
			maps.Copy(p.inMemory, p.saved)
			clear(p.saved)
		}
	}
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
		if s.I.Type().Kind != ir.Int32 {
			suffix = "I64"
		}
		p.printf("vec.ScatterMask%s%s(%s, %s, %s, %s)\n", vecName(s.X.Type()), suffix, p.expr(s.X), p.base(s.A, true), p.expr(s.I), p.expr(s.Mask))
	case *kir.For:
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
	case *kir.Scoped:
		p.printf("{\nmark := w.Mark()\n")
		p.stmts(s.Body)
		p.printf("w.Release(mark)\n}\n")
	case *kir.Vectors:
		p.stmts(s.Body)
	case *kir.Result:
		p.printf("f.%s = %s\n", s.Name, p.expr(s.X))
	case *kir.Call:
		p.printf("%s\n", p.routine(s.R))
		if s.R.Name == kir.SortIndex {
			p.printf("if w.Stopped() {\nreturn\n}\n")
		}
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
	if sel, ok := s.X.(*kir.Select); ok && s.V.T.Lanes == 1 {
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
	p.printf("%s := %s\n", s.V.Name, p.expr(s.X))
	p.rowStart(s.V)
}

func (p *printer) set(v *kir.Var, x kir.Expr) {
	if sel, ok := x.(*kir.Select); ok && v.T.Lanes == 1 {
		p.printf("if %s {\n%s = %s\n} else {\n%s = %s\n}\n", p.expr(sel.C), v.Name, p.expr(sel.X), v.Name, p.expr(sel.Y))
		return
	}
	if r, ok := x.(*kir.Ref); ok && r.V == v {
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
		if t.Kind == ir.Bool {
			p.printf("vec.StoreBool%s(%s, %s, %s)\n", vecName(t), p.expr(s.X), p.base(s.A, true), p.expr(s.I))
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

func (p *printer) partial(a *kir.Array) string { return p.unit.field(a.Name, "[]"+a.Kind.String()) }

// partialRef is where a partial array is reached from: in the function that starts its loop through the region's struct
// just filled, in the loop's body through the struct that it got.
func (p *printer) partialRef(a *kir.Array) string {
	if r := p.launched[a]; r != "" {
		return r + "." + p.partial(a)
	}
	return "e." + p.partial(a)
}

func (p *printer) chain(c *kir.Chain) string {
	return p.unit.field(c.Name, "rt.Chain["+c.Kind.String()+"]")
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
	p.stmts(s.Body)
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

// par prints the start of a parallel region, what follows it, and its body as a function of its own.
func (p *printer) par(s *kir.Par) {
	p.calls++
	fn := fmt.Sprintf("%s_region%d", p.name, p.calls)
	r := fmt.Sprintf("r%d", p.calls)
	if !p.inBody {
		p.printf("%s := &f.%s\n", r, p.unit.Env)
	} else {
		p.nested = true
		p.printf("%s := &f.%ss[w.ID()]\n", r, p.unit.Env)
	}
	carried := Pairs{[]string{r + ".f", r + ".l"}, []string{"f", "l"}}
	vars, scratch := regionFree(s)
	for _, v := range vars {
		carried.Add(r+"."+p.unit.field(v.Name, goType(v.T)), v.Name)
	}
	for _, a := range scratch {
		carried.Add(r+"."+p.unit.field(a.Name, "*"+a.Kind.String()), a.Name)
	}
	p.printf("%s", carried.Text("="))
	loop := fmt.Sprintf("l.Loops[%d]", s.Level-1)
	n := p.expr(s.N)
	width, elements := "", "1"
	if s.PartialWidth != nil {
		elements = p.operand(s.PartialWidth)
		width = "*" + elements
	}
	if s.Even {
		loop = fmt.Sprintf("rt.Even(%s, %s, %s)", n, elements, loop)
	}
	for _, a := range s.Partials {
		f := p.partial(a)
		p.launched[a] = r
		p.printf("%s.%s = rt.Grow(%s.%s, rt.Chunks(%s, %s)%s)\n", r, f, r, f, n, loop, width)
	}
	if s.Chain != nil {
		p.printf("%s.%s.Reset(rt.Chunks(%s, %s), %s)\n", r, p.chain(s.Chain), n, loop, p.expr(s.Chain.Seed))
	}
	p.printf("w.For(%s, %s, %s, %s) // %s", n, loop, fn, r, s.What)
	if s.Pos.IsValid() {
		p.printf(", %s:%d:%d", base(s.Pos.File), s.Pos.Line, s.Pos.Col)
	}
	p.printf("\n%s", ifStopped)
	if c := s.CombinePartial; c != nil {
		p.printf("for %s := range rt.Chunks(%s, %s) {\n", c.K.Name, n, loop)
		p.stmts(c.Body)
		p.printf("}\n")
	}
	body := &printer{unit: p.unit, name: p.name, calls: p.calls, params: map[*kir.Var]bool{s.Lo: true, s.Hi: true, s.Chunk: true}}
	params := fmt.Sprintf("env any, w *rt.Worker, %s, %s, %s int", s.Chunk.Name, s.Lo.Name, s.Hi.Name)
	body.function(fn, params, "", s.Body, true)
	p.calls = body.calls
	p.nested = p.nested || body.nested
	p.bodies = append(p.bodies, body.out.String())
	p.bodies = append(p.bodies, body.bodies...)
}

// variable prints an expression that is no constant expression of Go: one that does not fit where it is used would not
// compile.
func (p *printer) variable(x kir.Expr) string {
	if _, ok := x.(*kir.Const); ok {
		return "vec.Value(" + p.expr(x) + ")"
	}
	return p.expr(x)
}

// result prints a value that is computed for the frame, and is read there from then on, if the body begins with one
// and has no loops, which would read it in every turn. It returns how many statements that are, 0 if it does not.
func (p *printer) result(body []kir.Stmt) int {
	if p.loops || len(body) < 2 {
		return 0
	}
	let, ok := body[0].(*kir.Let)
	result, is := body[1].(*kir.Result)
	if !ok || !is || let.V.Memory != nil || let.V.T.Lanes > 1 || p.reset[let.V] {
		return 0
	}
	if r, ok := result.X.(*kir.Ref); !ok || r.V != let.V {
		return 0
	}
	switch let.X.(type) {
	case *kir.ZeroOf, *kir.Select:
		return 0
	}
	p.printf("f.%s = %s\n", result.Name, p.expr(let.X))
	p.inMemory[let.V] = "f." + result.Name
	return 2
}

// together prints the first statements of a body, as many as may stand in one line, and returns how many; 0 or 1 if
// they are to be printed one by one.
func (p *printer) together(body []kir.Stmt) int {
	if n := p.checks(body); n > 0 {
		return n
	}
	if n := p.stores(body); n > 1 {
		return n
	}
	var line Pairs
	operator, width := "", 4
	assigned := map[*kir.Var]bool{} // in the line
	for _, s := range body {
		v, x, op := p.simple(s)
		if v == nil || operator != "" && op != operator || has(x, func(x kir.Expr) bool { r, ok := x.(*kir.Ref); return ok && assigned[r.V] }) {
			break
		}
		value := p.expr(x)
		if width += len(v.Name) + len(value) + 4; width > lineWidth {
			break
		}
		operator, assigned[v] = op, true
		line.Add(v.Name, value)
	}
	if len(line.names) > 1 {
		p.printf("%s", line.Text(operator))
	}
	return len(line.names)
}

// stores prints consecutive stores of scalars that read nothing, if the body begins with several that fit in a line,
// and returns how many.
func (p *printer) stores(body []kir.Stmt) int {
	var line Pairs
	width := 4
	for _, s := range body {
		store, ok := s.(*kir.Store)
		if !ok || store.A.Space == kir.Partial || store.A.Field != nil || store.X.Type().Lanes > 1 || has(store.X, involved) || has(store.I, involved) {
			break
		}
		at, value := p.elem(store.A, store.I), p.expr(store.X)
		if width += len(at) + len(value) + 4; width > lineWidth || p.combines(at, store.X) {
			break
		}
		line.Add(at, value)
	}
	if len(line.names) > 1 {
		p.printf("%s", line.Text("="))
	}
	return len(line.names)
}

// involved reports whether an expression itself reads memory, or is printed as more than an expression.
func involved(x kir.Expr) bool {
	switch x.(type) {
	case *kir.Load, *kir.Gather, *kir.Routine, *kir.Horizontal, *kir.Select:
		return true
	}
	return calls(x)
}

// simple returns what a statement assigns, and the operator, if it is printed as a name and a value that nothing
// depends on but them; else nil.
func (p *printer) simple(s kir.Stmt) (v *kir.Var, x kir.Expr, operator string) {
	switch s := s.(type) {
	case *kir.Let:
		v, x, operator = s.V, s.X, ":="
		if v.Memory != nil || p.starts[v] != nil {
			return nil, nil, ""
		}
	case *kir.Set:
		v, x, operator = s.V, s.X, "="
		if r, ok := x.(*kir.Ref); ok && r.V == v || p.combines(v.Name, x) {
			return nil, nil, ""
		}
	default:
		return nil, nil, ""
	}
	switch x.(type) {
	case *kir.ZeroOf:
		return nil, nil, ""
	case *kir.Select:
		if v.T.Lanes == 1 {
			return nil, nil, ""
		}
	}
	if kir.Calls(s) || has(x, func(x kir.Expr) bool { _, routine := x.(*kir.Routine); return routine || calls(x) }) {
		return nil, nil, ""
	}
	return v, x, operator
}

// checks prints consecutive checks of indices, if the body begins with several, and returns how many: their
// conditions stand in one line, and which of them fails is found out when one does.
func (p *printer) checks(body []kir.Stmt) int {
	var checks []*kir.Check
	var conditions []string
	width := 0
	for _, s := range body {
		c, ok := s.(*kir.Check)
		if !ok || c.Kind != ir.CheckIndex {
			break
		}
		condition, _ := p.checkText(c)
		if width += len(condition) + 4; width > lineWidth+12 && len(conditions) > 0 {
			break
		}
		checks, conditions = append(checks, c), append(conditions, condition)
	}
	if len(checks) < 2 {
		return 0
	}
	var calls []string
	for _, c := range checks {
		_, call := p.checkText(c)
		calls = append(calls, p.unit.site(c.Op, c.Arg, c.Pos)+".In"+call)
	}
	list := strings.TrimSuffix(Filled(calls, ", ", ",\n"), ",\n")
	p.printf("if %s {\nw.Fail(exec.First(%s))\nreturn\n}\n", strings.Join(conditions, " || "), list)
	return len(checks)
}

func (p *printer) check(s *kir.Check) {
	site := p.unit.site(s.Op, s.Arg, s.Pos)
	cond, call := p.checkText(s)
	p.printf("if %s {\nw.Fail(%s.%s)\nreturn\n}\n", cond, site, call)
}

// checkText prints when a check fails, and the call that makes its error.
func (p *printer) checkText(s *kir.Check) (cond, call string) {
	pos := "-1"
	if s.Position != nil {
		pos = p.expr(s.Position)
	}
	arg := func(i int) string { return p.operand(s.Args[i]) }
	switch s.Kind {
	case ir.CheckIndex:
		cond = fmt.Sprintf("uint(%s) >= uint(%s)", p.variable(s.Args[0]), p.expr(s.Args[1]))
		call = fmt.Sprintf("Index(%s, %s, %s)", pos, p.expr(s.Args[0]), p.expr(s.Args[1]))
	case ir.CheckLength:
		cond = fmt.Sprintf("%s != %s", arg(0), arg(1))
		call = fmt.Sprintf("Length(%s, %s)", p.expr(s.Args[0]), p.expr(s.Args[1]))
	case ir.CheckBounds:
		cond = outside(arg(0), arg(1), arg(2))
		call = fmt.Sprintf("Bounds(%s, %s, %s, %s)", pos, p.expr(s.Args[0]), p.expr(s.Args[1]), p.expr(s.Args[2]))
	case ir.CheckSize:
		cond, call = arg(0)+" <= 0", "Size("+p.expr(s.Args[0])+")"
	case ir.CheckNonneg:
		cond, call = arg(0)+" < 0", "Nonneg(int("+p.expr(s.Args[0])+"))"
	case ir.CheckCount:
		cond, call = fmt.Sprintf("uint64(%s) > %s", p.variable(s.Args[0]), p.expr(s.Args[1])), fmt.Sprintf("Count(%s, %s)", p.expr(s.Args[0]), p.expr(s.Args[1]))
	case ir.CheckUnique:
		cond, call = fmt.Sprintf("%s != %s", arg(0), arg(1)), fmt.Sprintf("Unique(%s, %s, %s)", p.expr(s.Args[0]), p.expr(s.Args[1]), p.expr(s.Args[2]))
	case ir.CheckFinite:
		cond, call = fmt.Sprintf("%s-%s != 0", arg(0), arg(0)), fmt.Sprintf("Finite(float64(%s))", p.expr(s.Args[0]))
	case ir.CheckPanic:
		cond, call = "!"+arg(0), "Panic()"
	case ir.CheckNonzero:
		cond, call = arg(0)+" == 0", "Nonzero()"
	}
	return cond, call
}

// outside prints that 0 <= lo <= hi <= n does not hold, without comparisons of constants that hold.
func outside(lo, hi, n string) string {
	var conditions []string
	for _, p := range [][3]string{{lo, " < ", "0"}, {hi, " < ", lo}, {hi, " > ", n}} {
		x, errX := strconv.ParseInt(p[0], 0, 64)
		y, errY := strconv.ParseInt(p[2], 0, 64)
		if holds := p[1] == " < " && x >= y || p[1] == " > " && x <= y; errX != nil || errY != nil || !holds {
			conditions = append(conditions, p[0]+p[1]+p[2])
		}
	}
	if len(conditions) == 0 {
		return "false"
	}
	return strings.Join(conditions, " || ")
}
