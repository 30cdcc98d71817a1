package torture

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// gen writes one kernel.
type gen struct {
	*rand.Rand
	k       *Kernel
	names   map[string]bool
	number  int
	symbols int
	nan     bool
	fails   bool // unguarded reads and divisions may stand in it
}

// hostile are names that generated code might use itself.
var hostile = []string{"f", "w", "e", "l", "vec", "x_1", "env", "b", "opts", "ctx", "err", "frame", "rt", "exec", "r1", "chunk", "lo", "hi", "mark",
	"ok", "bad", "bits", "i", "j", "n", "p", "k", "s", "fmap", "Map", "string", "any", "copy", "x1", "x_", "x2_1", "surgeEnv1", "a", "selector", "context",
	"bound", "strip", "at", "v", "seed", "acc", "end", "start", "k1Kernel", "params", "xRows", "sumParts", "float_64", "unsafe", "some", "next"}

// Generate returns the kernel with that seed.
func Generate(name string, seed uint64) *Kernel {
	for sub := uint64(0); ; sub++ {
		g := &gen{Rand: rand.New(rand.NewPCG(seed, sub)), names: map[string]bool{}, nan: true}
		if k := g.kernel(name, seed); k != nil {
			return k
		}
	}
}

func (g *gen) chance(p float64) bool { return g.Float64() < p }

func (g *gen) name(base string) string {
	for {
		n := ""
		if g.chance(0.12) {
			n = hostile[g.IntN(len(hostile))]
		} else {
			g.number++
			n = fmt.Sprintf("%s%d", base, g.number)
		}
		if !g.names[n] && helpers[n] == "" {
			g.names[n] = true
			return n
		}
	}
}

func (g *gen) symbol(base string) string {
	g.symbols++
	return fmt.Sprintf("%s#%d", base, g.symbols)
}

func (g *gen) floatKind() Kind {
	if g.chance(0.3) {
		return F32
	}
	return F64
}

func (g *gen) intKind() Kind {
	switch x := g.IntN(20); {
	case x < 5:
		return Int
	case x < 9:
		return I32
	case x < 12:
		return I64
	case x < 14:
		return U8
	case x < 16:
		return U32
	}
	return []Kind{I16, I8, U16, U64}[g.IntN(4)]
}

// likelyKind is mostly one of which there is something in scope.
func (g *gen) likelyKind(sc *scope) Kind {
	if g.chance(0.6) {
		if v := g.pick(sc, func(v *Var) bool { return v.T.B == "" }); v != nil {
			return v.T.A
		}
	}
	return g.anyKind()
}

func (g *gen) anyKind() Kind {
	switch x := g.IntN(20); {
	case x < 10:
		return g.floatKind()
	case x < 18:
		return g.intKind()
	}
	return Bool
}

// leafAttr is what the elements of parameters are like.
func leafAttr(k Kind) attr {
	if k.float() {
		return attr{g: 2, m: 3, exact: true}
	}
	return attr{exact: true}
}

func (g *gen) kernel(name string, seed uint64) *Kernel {
	g.k = &Kernel{Name: name, Seed: seed}
	g.fails = g.chance(0.1)
	sc := &scope{}
	g.params(sc)
	for range 1 + g.IntN(4) {
		g.topStmt(sc)
	}
	// Results: what nothing has used first.
	used := map[string]bool{}
	g.k.walk(func(e *Expr) {
		if e.Ref {
			used[e.Op] = true
		}
	}, nil)
	var candidates []*Var
	for _, v := range sc.vars {
		if v.T.Rank <= 2 && (v.T.B == "" || v.T.Named) && g.isLocal(v) && !strings.HasPrefix(first(v.Len), "huge") {
			candidates = append(candidates, v)
		}
	}
	slices.SortStableFunc(candidates, func(a, b *Var) int {
		if used[a.Name] != used[b.Name] {
			if used[b.Name] {
				return -1
			}
			return 1
		}
		return 0
	})
	for i, v := range candidates {
		if len(g.k.Results) < 3 && (!used[v.Name] || g.chance(0.25) || i == 0) {
			g.k.Results = append(g.k.Results, v.ref())
		}
	}
	if len(g.k.Results) < 3 && g.chance(0.5) || len(g.k.Results) == 0 {
		e := g.seq(g.likelyKind(sc), sc, 3, "", need{})
		if e != nil {
			g.k.Results = append(g.k.Results, e)
		}
	}
	if len(g.k.Results) == 0 {
		return nil
	}
	if r := g.k.Results[0]; r.T.Rank > 0 && len(g.k.Results) < 3 && g.chance(0.06) { // one result twice, or its rows lined up
		if r.T.Rank == 2 && r.Ref {
			r = &Expr{T: r.T.elem(), A: r.A, Len: []string{g.flatSymbol(r)}, Op: "ops.Flatten(%s)", Args: []*Expr{r}}
		}
		g.k.Results = append(g.k.Results, cloneExpr(r))
	}
	if len(g.k.Results) < 3 && g.chance(0.15) {
		g.k.Results = append(g.k.Results, g.scalar(g.floatKind(), sc, 2, need{}))
	}
	g.k.NaN = g.nan
	g.k.clean()
	operators := 0
	g.k.walk(func(e *Expr) {
		if e.Fn != nil {
			operators++
		}
	}, nil)
	if len(g.k.Params) == 0 || operators == 0 || g.k.size() > 400 || !g.k.scoped() {
		return nil
	}
	return g.k
}

func first(s []string) string {
	if len(s) == 0 {
		return ""
	}
	return s[0]
}

func (g *gen) isLocal(v *Var) bool {
	return !slices.ContainsFunc(g.k.Params, func(p *Param) bool { return p.Name == v.Name })
}

func (g *gen) param(sc *scope, p *Param) *Param {
	p.Name = g.name("x")
	g.k.Params = append(g.k.Params, p)
	sc.add(&p.Var)
	return p
}

func (g *gen) params(sc *scope) {
	data := func(size string) {
		k := g.anyKind()
		g.param(sc, &Param{Var: Var{T: seqOf(k), A: leafAttr(k), Len: []string{size}}, Role: "data", Size: size})
	}
	for range 1 + g.IntN(3) {
		data("n")
	}
	if g.chance(0.3) {
		data("m")
	}
	idxKind := func() Kind { return []Kind{I32, I32, Int, I64}[g.IntN(4)] }
	for _, of := range []string{"n", "m", "n"} {
		if g.chance(0.25) {
			g.param(sc, &Param{Var: Var{T: seqOf(idxKind()), A: leafAttr(Int), Len: []string{"k"}, IdxOf: of}, Role: "index", Size: "k"})
		}
	}
	if g.chance(0.35) {
		g.param(sc, &Param{Var: Var{T: seqOf(idxKind()), A: leafAttr(Int), Len: []string{"r+1"}, OffOf: "n"}, Role: "offsets", Size: "r+1"})
		if g.chance(0.6) {
			g.param(sc, &Param{Var: Var{T: seqOf(idxKind()), A: leafAttr(Int), Len: []string{"n"}, IdxOf: "m"}, Role: "index", Size: "n"})
			data("m")
		}
	}
	for range g.IntN(3) {
		if g.chance(0.35) {
			k := g.anyKind()
			g.param(sc, &Param{Var: Var{T: Type{A: k, Rank: 2}, A: leafAttr(k), Len: []string{"q", "rag"}}, Role: "rows", Size: "q"})
		}
	}
	if g.chance(0.3) {
		t := g.pairType(sc)
		p := &Param{Var: Var{T: t.array(), A: leafAttr(t.A), A2: leafAttr(t.B), Len: []string{"n"}}, Role: "data", Size: "n"}
		switch g.IntN(4) {
		case 0:
			p.T, p.Len, p.Role, p.Size = p.T.array(), []string{"q", "rag"}, "rows", "q"
		case 1:
			p.T, p.Len, p.Role, p.Size = t, nil, "scalar", ""
		}
		p.T.Named = true // others are no parameters
		g.param(sc, p)
	}
	for range g.IntN(3) {
		k := g.anyKind()
		g.param(sc, &Param{Var: Var{T: scalarOf(k), A: leafAttr(k)}, Role: "scalar"})
	}
	if g.chance(0.4) {
		g.param(sc, &Param{Var: Var{T: scalarOf(Int), A: leafAttr(Int), Tile: true}, Role: "tile"})
	}
}

// topStmt adds a computation, or a scalar between computations.
func (g *gen) topStmt(sc *scope) {
	d := 2 + g.IntN(3)
	if g.chance(0.15) {
		d++
	}
	var e *Expr
	switch x := g.IntN(40); {
	case x >= 35: // operators in a loop or a condition
		control := []func(*scope, int) []*Stmt{g.counted, g.choice, g.conditional, g.chooser, g.carries, g.chosen, g.carries, g.chosen}[g.IntN(8)]
		g.k.Body = append(g.k.Body, control(sc, d)...)
		return
	case x >= 28:
		if e = g.nest(g.likelyKind(sc), sc, 2+g.IntN(3)); e != nil && e.T.Rank == 1 && g.chance(0.3) {
			e = g.digest(e.T.A, sc, e)
		}
	case x >= 20 && x < 23:
		if out := g.keyedStmt(sc, d); out != nil {
			g.k.Body = append(g.k.Body, out...)
			return
		}
	case x == 23:
		if out := g.helped(sc, d); out != nil {
			g.k.Body = append(g.k.Body, out...)
			return
		}
	case x == 24:
		if out := g.accumulate(sc, d); out != nil && g.chance(0.4) {
			g.k.Body = append(g.k.Body, out...)
			return
		}
		if out := g.tallies(sc, d); out != nil && g.chance(0.4) {
			g.k.Body = append(g.k.Body, out...)
			return
		}
		if out := g.localSlice(sc, d, true); out != nil {
			g.k.Body = append(g.k.Body, out...)
			return
		}
	case x == 25:
		if out := g.matrix(sc, d); out != nil && g.chance(0.6) {
			g.k.Body = append(g.k.Body, out...)
			return
		}
		e = g.rowReduction(sc, d-1)
	case x == 26:
		e = g.transposed(sc, d-1)
	case x == 27:
		e = g.pairs(sc, d)
	case x < 2:
		e = g.apart(g.likelyKind(sc), sc, d)
	case x < 9:
		e = g.seq(g.likelyKind(sc), sc, d, "", need{})
	case x < 14:
		e = g.reduction(g.likelyKind(sc), sc, d, need{})
	case x < 17:
		e = g.nested(g.likelyKind(sc), sc, d)
	case x < 18:
		e = g.pairReduction(sc, d)
	case x < 19:
		if e = g.pairs(sc, d); g.chance(0.4) {
			e = g.deep(g.likelyKind(sc), sc, d)
		}
	default:
		e = g.scalar(g.likelyKind(sc), sc, d, need{})
	}
	if e == nil {
		e = g.seq(g.likelyKind(sc), sc, d, "", need{})
	}
	if e == nil {
		return
	}
	g.k.Body = append(g.k.Body, g.let(sc, e))
}

// let declares a variable for e.
func (g *gen) let(sc *scope, e *Expr) *Stmt {
	v := &Var{Name: g.name("y"), T: e.T, A: e.A, A2: e.A2, Len: e.Len, IdxOf: e.IdxOf}
	sc.add(v)
	sc.local = append(sc.local, v)
	op := v.Name + " := %s"
	if e.Const {
		op = "var " + v.Name + " " + e.T.String() + " = %s"
	}
	return &Stmt{Declares: v.Name, Op: op, X: []*Expr{e}}
}

// body writes the statements of a function and the scope behind them.
func (g *gen) body(sc *scope, d int) []*Stmt {
	var out []*Stmt
	if d <= 0 {
		return out
	}
	for range []int{0, 0, 0, 1, 1, 2, 3}[g.IntN(7)] {
		out = append(out, g.stmt(sc, d)...)
	}
	return out
}

func (g *gen) stmt(sc *scope, d int) []*Stmt {
	switch g.IntN(21) {
	case 19:
		return g.carries(sc, d)
	case 20:
		return g.chosen(sc, d)
	case 16, 17:
		return g.chooser(sc, d)
	case 18:
		return g.records(sc, d)
	case 9, 10:
		return g.localSlice(sc, d, sc.work < 1)
	case 11:
		return g.record(sc, d)
	case 12:
		return g.helped(sc, d)
	case 13, 14:
		return g.keyedStmt(sc, d)
	case 15:
		if g.fails && g.chance(0.5) {
			return g.failing(sc, d)
		}
	case 0: // a value that is used more than once
		return []*Stmt{g.let(sc, g.scalar(g.likelyKind(sc), sc, d, need{}))}
	case 1: // a sequence of its own
		if sc.work < 2 {
			if e := g.seq(g.likelyKind(sc), sc, d-1, "", need{}); e != nil {
				return []*Stmt{g.let(sc, e)}
			}
		}
	case 2, 3:
		return g.choice(sc, d)
	case 4, 5:
		return g.counted(sc, d)
	case 6:
		return g.conditional(sc, d)
	case 7:
		return g.overRow(sc, d)
	case 8:
		return g.guarded(sc, d)
	}
	return nil
}

// choice assigns a variable in the branches of an if.
func (g *gen) choice(sc *scope, d int) []*Stmt {
	k := g.likelyKind(sc)
	s := need{stable: true}
	first, cond, then := g.scalar(k, sc, d-1, s), g.scalar(Bool, sc, d-1, need{}), g.scalar(k, sc, d-1, s)
	v := &Var{Name: g.name("c"), T: scalarOf(k), A: join(first.A, then.A)}
	decl := &Stmt{Declares: v.Name, Op: "var " + v.Name + " " + string(k) + " = %s", X: []*Expr{first}}
	branch := &Stmt{Op: "if %s {}", X: []*Expr{cond}, Blocks: [][]*Stmt{{assign(v, then)}}}
	if g.chance(0.6) {
		els := g.scalar(k, sc, d-1, s)
		v.A = join(v.A, els.A)
		branch.Op = "if %s {} else {}"
		branch.Blocks = append(branch.Blocks, []*Stmt{assign(v, els)})
		if g.chance(0.3) {
			third := g.scalar(k, sc, d-1, s)
			v.A = join(v.A, third.A)
			branch.Op = "if %s {} else if %s {} else {}"
			branch.X = append(branch.X, g.scalar(Bool, sc, d-1, need{}))
			branch.Blocks = append(branch.Blocks, []*Stmt{assign(v, third)})
		}
	}
	sc.add(v)
	return []*Stmt{decl, branch}
}

func assign(v *Var, x *Expr) *Stmt {
	return &Stmt{Assigns: v.Name, Op: v.Name + " = %s", X: []*Expr{x}}
}

// counted is a for loop with an accumulator: acc = acc/2 + e stays bounded.
func (g *gen) counted(sc *scope, d int) []*Stmt {
	k := g.likelyKind(sc)
	if k == Bool {
		k = Int
	}
	s := need{stable: true}
	init := g.scalar(k, sc, d-1, s)
	acc := &Var{Name: g.name("acc"), T: scalarOf(k), A: init.A}
	i := &Var{Name: g.name("i"), T: scalarOf(Int)}
	in := sc.inner(acc, i)
	in.nested--
	if k.float() {
		acc.A = attr{m: magnitude(k)} // nothing is known inside
	}
	e := g.scalar(k, in, d-1, s)
	if e.A.m > 30 && k.float() { // it grew from the accumulator
		e = g.leaf(k, sc, s)
	}
	var step *Expr
	if k.float() {
		step = call(acc.T, "(%s*0.5 + %s)", acc.ref(), e)
		acc.A = attr{m: max(init.A.m, e.A.m) + 2}
	} else {
		step = call(acc.T, "(%s ^ %s)", acc.ref(), e)
		if g.chance(0.5) {
			step.Op = "(%s*3 + %s)"
		}
	}
	bound := fmt.Sprint(1 + g.IntN(4))
	op := "for " + i.Name + " := 0; " + i.Name + " < " + bound + "; " + i.Name + "++ {}"
	var xs []*Expr
	if g.chance(0.4) {
		x := g.scalar(Int, sc, d-1, need{})
		if !x.Const {
			op, xs = "for "+i.Name+" := 0; "+i.Name+" < (%s & 3); "+i.Name+"++ {}", []*Expr{x}
		}
	} else if g.chance(0.2) {
		op = "for " + i.Name + " := range " + bound + " {}"
	}
	body := []*Stmt{assign(acc, step)}
	if d > 1 && g.chance(0.25) { // code that comes to nothing but for what it computes, inside the loop
		inner := in.inner()
		inner.nested--
		body = append(g.stmt(inner, d-2), body...)
	}
	if g.chance(0.3) {
		cond := g.scalar(Bool, in, d-1, need{})
		jump := []string{"break", "continue"}[g.IntN(2)]
		at := &Stmt{Op: "if %s {}", X: []*Expr{cond}, Blocks: [][]*Stmt{{{Op: jump}}}}
		if g.chance(0.5) {
			body = []*Stmt{at, body[0]}
		} else {
			body = append(body, at)
		}
	}
	loop := &Stmt{Op: op, X: xs, Inner: []*Var{i}, Blocks: [][]*Stmt{body}}
	if strings.Contains(op, " range ") {
		if usesName(body, i.Name) { // what does may be dropped later
			loop.Blocks[0] = append([]*Stmt{{Op: "_ = %s", X: []*Expr{i.ref()}}}, body...)
		} else {
			loop.Op = "for range " + bound + " {}"
		}
	}
	sc.add(acc)
	return []*Stmt{{Declares: acc.Name, Op: "var " + acc.Name + " " + string(k) + " = %s", X: []*Expr{init}}, loop}
}

func usesName(body []*Stmt, name string) bool {
	used := false
	walkStmts(body, func(e *Expr) { used = used || e.Ref && e.Op == name }, nil)
	return used
}

// conditional is a loop that runs while a condition holds.
func (g *gen) conditional(sc *scope, d int) []*Stmt {
	steps := &Var{Name: g.name("steps"), T: scalarOf(Int)}
	if g.chance(0.5) { // halving
		k := g.floatKind()
		x := g.abs(g.scalar(k, sc, d-1, need{stable: true}))
		if x.A.m > 30 || x.Const {
			return nil
		}
		v := &Var{Name: g.name("h"), T: scalarOf(k), A: attr{m: x.A.m, nonny: true}}
		sc.add(v)
		sc.add(steps)
		return []*Stmt{{Declares: v.Name, Op: v.Name + " := %s", X: []*Expr{x}},
			{Declares: steps.Name, Op: steps.Name + " := 0"},
			{Op: "for " + v.Name + " > 0.75 && " + steps.Name + " < 40 {}", X: nil, Inner: nil, Blocks: [][]*Stmt{{
				{Assigns: v.Name, Op: v.Name + " = %s * 0.5", X: []*Expr{v.ref()}},
				{Assigns: steps.Name, Op: steps.Name + " = %s + 1", X: []*Expr{steps.ref()}}}}},
			{Op: "_ = %s", X: []*Expr{v.ref()}}, {Op: "_ = %s", X: []*Expr{steps.ref()}}}
	}
	x := g.scalar(Int, sc, d-1, need{})
	if x.Const {
		return nil
	}
	v := &Var{Name: g.name("h"), T: scalarOf(Int)}
	sc.add(v)
	sc.add(steps)
	return []*Stmt{{Declares: v.Name, Op: v.Name + " := %s & 255", X: []*Expr{x}},
		{Declares: steps.Name, Op: steps.Name + " := 0"},
		{Op: "for " + v.Name + " > 1 {}", Blocks: [][]*Stmt{{
			{Op: "if " + v.Name + "%2 == 0 {} else {}", Blocks: [][]*Stmt{
				{{Assigns: v.Name, Op: v.Name + " = %s / 2", X: []*Expr{v.ref()}}},
				{{Assigns: v.Name, Op: v.Name + " = %s - 1", X: []*Expr{v.ref()}}}}},
			{Assigns: steps.Name, Op: steps.Name + " = %s + 1", X: []*Expr{steps.ref()}}}}},
		{Op: "_ = %s", X: []*Expr{v.ref()}}, {Op: "_ = %s", X: []*Expr{steps.ref()}}}
}

// overRow is a sequential loop over a sequence.
func (g *gen) overRow(sc *scope, d int) []*Stmt {
	x := g.pick(sc, func(v *Var) bool {
		return v.T.Rank == 1 && v.T.B == "" && v.T.A != Bool && !v.A.wobbly && v.A.m < 20 && sc.affordable(v.Len[0])
	})
	if x == nil {
		return nil
	}
	k := x.T.A
	acc := &Var{Name: g.name("acc"), T: scalarOf(k), A: attr{m: x.A.m + 10}}
	e := &Var{Name: g.name("e"), T: scalarOf(k), A: x.A, IdxOf: x.IdxOf}
	sc.add(acc)
	decl := &Stmt{Declares: acc.Name, Op: "var " + acc.Name + " " + string(k)}
	body := []*Stmt{{Assigns: acc.Name, Op: acc.Name + " = %s + %s", X: []*Expr{acc.ref(), e.ref()}}}
	if g.chance(0.4) {
		cond := g.scalar(Bool, sc.inner(e), 1, need{})
		body = []*Stmt{{Op: "if %s {}", X: []*Expr{cond}, Blocks: [][]*Stmt{{{Op: []string{"continue", "break"}[g.IntN(2)]}}}}, body[0]}
	}
	return []*Stmt{decl, {Op: "for _, " + e.Name + " := range %s {}", X: []*Expr{x.ref()}, Inner: []*Var{e}, Blocks: [][]*Stmt{body}}}
}

// guarded reads a neighbour, or divides, under a condition.
func (g *gen) guarded(sc *scope, d int) []*Stmt {
	i := g.pick(sc, func(v *Var) bool { return v.T == scalarOf(Int) && v.IdxOf != "" })
	if i != nil && g.chance(0.7) {
		x := g.pick(sc, func(v *Var) bool { return v.T.Rank == 1 && v.T.B == "" && v.Len[0] == i.IdxOf })
		if x != nil {
			v := &Var{Name: g.name("near"), T: x.T.elem(), A: x.A}
			sc.add(v)
			off := 1 + g.IntN(2)
			read := call(v.T, fmt.Sprintf("%%s[%%s-%d]", off), x.ref(), i.ref())
			cond := call(scalarOf(Bool), fmt.Sprintf("%%s >= %d", off), i.ref())
			if g.chance(0.5) {
				read.Op = fmt.Sprintf("%%s[%%s+%d]", off)
				cond = call(scalarOf(Bool), fmt.Sprintf("%%s+%d < len(%%s)", off), i.ref(), x.ref())
			}
			init := g.scalar(x.T.A, sc, 1, need{stable: true})
			v.A = join(v.A, init.A)
			return []*Stmt{{Declares: v.Name, Op: "var " + v.Name + " " + string(x.T.A) + " = %s", X: []*Expr{init}},
				{Op: "if %s {}", X: []*Expr{cond}, Blocks: [][]*Stmt{{assign(v, read)}}}}
		}
	}
	k := []Kind{Int, I32, I64}[g.IntN(3)]
	v := &Var{Name: g.name("q"), T: scalarOf(k)}
	x, y := g.scalar(k, sc, d-1, need{}), g.leaf(k, sc, need{})
	if !y.Ref {
		return nil
	}
	out := []*Stmt{{Declares: v.Name, Op: "var " + v.Name + " " + string(k)},
		{Op: "if %s != 0 {}", X: []*Expr{y}, Blocks: [][]*Stmt{{assign(v, call(v.T, []string{"%s / %s", "%s % %s"}[g.IntN(2)], x, cloneExpr(y)))}}}}
	sc.add(v)
	return out
}
