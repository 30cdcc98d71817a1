package opencl

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

func position(pos ir.Pos) string {
	pos.File = path.Base(pos.File)
	return pos.String()
}

func (p *printer) stmts(body []kir.Stmt) {
	for _, s := range body {
		if l, ok := s.(*kir.Label); ok {
			if p.labels[l.Name] && p.waits {
				p.line("%s: ;", p.name(key{99, l.Name, 0}, l.Name))
			}
			continue
		}
		p.stmt(s)
	}
}

func (p *printer) block(body []kir.Stmt) {
	p.indent++
	p.stmts(body)
	p.indent--
}

func (p *printer) stmt(s kir.Stmt) {
	switch s := s.(type) {
	case *kir.Let:
		p.line("%s %s = %s;", p.ctype(s.V.T.Kind), p.name(s.V, s.V.Name), p.exprAs(s.X, s.V.T.Kind))
	case *kir.Set:
		p.line("%s = %s;", p.name(s.V, s.V.Name), p.exprAs(s.X, s.V.T.Kind))
	case *kir.Store:
		p.line("%s = %s;", p.element(s.A, p.exprAs(s.I, ir.Int)), p.exprAs(s.X, s.A.Kind))
	case *kir.For:
		p.loop(s)
	case *kir.Stride:
		v := p.name(s.V, s.V.Name)
		step := v + "++"
		if c, ok := s.Step.(*kir.Const); !ok || c.C.Int() != 1 {
			step = v + " += " + p.expr(s.Step)
		}
		p.line("for (long %s = %s; %s < %s; %s) {%s", v, p.exprAs(s.Lo, ir.Int), v, p.operand(s.Hi), step, remark(s.What, s.Pos))
		p.block(s.Body)
		p.line("}")
	case *kir.While:
		if len(s.Cond) == 0 {
			p.line("while (%s) {", p.expr(s.Test))
			p.block(s.Body)
			p.line("}")
			return
		}
		p.line("for (;;) {")
		p.block(s.Cond)
		p.line("\tif (!(%s))\n%s\t\tbreak;", p.expr(s.Test), strings.Repeat("\t", p.indent))
		p.block(s.Body)
		p.line("}")
	case *kir.If:
		p.ifStmt(s)
	case *kir.Scoped:
		p.line("{")
		p.block(s.Body)
		p.line("}")
	case *kir.Divergent:
		p.before = "DIVERGENT "
		p.stmts(s.Body)
	case *kir.Barrier:
		flags := "CLK_LOCAL_MEM_FENCE"
		if s.Global {
			flags += " | CLK_GLOBAL_MEM_FENCE"
		}
		p.line("barrier(%s);", flags)
	case *kir.Result:
		k := s.X.Type().Kind
		r := p.param(Arg{Kind: Result, Name: s.Name}, func(n string) string { return fmt.Sprintf("__global %s *%s", p.memory(k), n) }, s.Name)
		p.line("*%s = %s;", r, p.exprAs(s.X, k))
	case *kir.Call:
		a := s.R.Args[0]
		switch s.R.Name {
		case kir.Zero:
		case kir.Stream:
			values := make([]string, 0, len(s.R.Args))
			for _, x := range s.R.Args[1:] {
				values = append(values, p.exprAs(x.X, a.A.Kind))
			}
			vector := p.memory(a.A.Kind) + strconv.Itoa(len(values))
			p.line("surge_stream(%s, %s, (%s)(%s));", vector, p.address(a), vector, strings.Join(values, ", "))
			return
		default:
			panic("opencl: routine " + string(s.R.Name))
		}
		p.line("for (long z = 0; z < %s; z++)", p.operand(s.R.Args[1].X))
		at := "z"
		if c, ok := a.X.(*kir.Const); !ok || c.C.Int() != 0 {
			at = p.operand(a.X) + " + z"
		}
		p.line("\t%s = 0;", p.element(a.A, at))
	case *kir.Check:
		p.check(s)
	default:
		panic(fmt.Sprintf("opencl: statement %T", s))
	}
}

func remark(what string, pos ir.Pos) string {
	if what == "" {
		return ""
	}
	if pos.IsValid() {
		return " // " + what + ", " + position(pos)
	}
	return " // " + what
}

func (p *printer) loop(s *kir.For) {
	v := p.name(s.V, s.V.Name)
	head := fmt.Sprintf("long %s = ", v)
	if s.Keep {
		head = ""
	} else {
		head += p.exprAs(s.Lo, ir.Int)
	}
	step := v + "++"
	if s.Step != 1 {
		step = fmt.Sprintf("%s += %d", v, s.Step)
	}
	cond := fmt.Sprintf("%s < %s", v, p.operand(s.Hi))
	if s.Whole {
		cond = fmt.Sprintf("%s + %d <= %s", v, s.Step, p.operand(s.Hi))
	}
	what := ""
	if !s.Keep {
		what = remark(s.What, s.Pos)
	}
	p.line("for (%s; %s; %s) {%s", head, cond, step, what)
	p.block(s.Body)
	p.line("}")
}

func (p *printer) ifStmt(s *kir.If) {
	then, els, cond := s.Then, s.Else, p.expr(s.Cond)
	if len(then) == 0 {
		then, els = els, nil
		cond = "!(" + cond + ")"
	}
	p.line("if (%s) {", cond)
	p.block(then)
	if len(els) > 0 {
		p.line("} else {")
		p.block(els)
	}
	p.line("}")
}

func (p *printer) check(s *kir.Check) {
	site := Site{Kind: s.Kind, Op: s.Op, Arg: s.Arg}
	if s.Pos.IsValid() {
		site.Pos = position(s.Pos)
	}
	n := slices.Index(p.unit.Sites, site)
	if n < 0 {
		n = len(p.unit.Sites)
		p.unit.Sites = append(p.unit.Sites, site)
	}
	pos := "-1"
	if s.Position != nil {
		pos = p.expr(s.Position)
	}
	a := func(i int) string { return p.operand(s.Args[i]) }
	var cond string
	args := []string{"0", "0", "0", "0"}
	for i, x := range s.Args {
		args[i] = p.expr(x)
	}
	switch s.Kind {
	case ir.CheckIndex:
		cond = fmt.Sprintf("(ulong)%s >= (ulong)%s", a(0), a(1))
		args = []string{pos, args[0], args[1], "0"}
	case ir.CheckLength:
		cond = fmt.Sprintf("%s != %s", a(0), a(1))
	case ir.CheckBounds:
		cond = fmt.Sprintf("%s < 0 || %s < %s || %s > %s", a(0), a(1), a(0), a(1), a(2))
		args = []string{pos, args[0], args[1], args[2]}
	case ir.CheckSize:
		cond = a(0) + " <= 0"
	case ir.CheckNonneg:
		cond = a(0) + " < 0"
	case ir.CheckCount:
		cond = fmt.Sprintf("(ulong)%s > (ulong)%s", a(0), a(1))
	case ir.CheckUnique:
		cond = fmt.Sprintf("%s != %s", a(0), a(1))
	case ir.CheckFinite:
		cond = fmt.Sprintf("%s - %s != 0", a(0), a(0))
		args[0] = fmt.Sprintf("as_long((double)%s)", a(0))
		p.prog.Doubles = true
	case ir.CheckPanic:
		cond = "!" + a(0)
		args[0] = "0"
	case ir.CheckNonzero:
		cond = a(0) + " == 0"
		args[0] = "0"
	}
	p.line("if (%s) { // %s", cond, s.Kind)
	p.line("\tsurge_fail(%s, %d, %s);", p.status(), n, strings.Join(args, ", "))
	if p.waits {
		p.line("\tgoto %s;", p.name(key{99, s.Leave, 0}, s.Leave))
	} else {
		p.line("\treturn;")
	}
	p.line("}")
}
