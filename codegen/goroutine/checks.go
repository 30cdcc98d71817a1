package goroutine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// variable prints an expression that is no constant expression of Go: one that does not fit where it is used would not
// compile.
func (p *printer) variable(x kir.Expr) string {
	if _, ok := x.(*kir.Const); ok {
		return "vec.Value(" + p.expr(x) + ")"
	}
	return p.expr(x)
}

// checks prints consecutive checks, if the body begins with several, and returns how many statements that are: their
// conditions stand together, behind the numbers that the later ones need, and which of them fails is found out when one
// does.
func (p *printer) checks(body []kir.Stmt) int {
	var checks []*kir.Check
	var before, between []kir.Stmt
	n := 0
collect:
	for i, s := range body {
		switch s := s.(type) {
		case *kir.Check:
			if s.Failed || !joins(s.Kind) {
				break collect
			}
			checks, before, between, n = append(checks, s), append(before, between...), nil, i+1
		case *kir.Let:
			if len(checks) == 0 || s.V.Memory != nil || s.V.T.Lanes > 1 || has(s.X, mayFail) {
				break collect
			}
			between = append(between, s)
		default:
			break collect
		}
	}
	if len(checks) < 2 {
		return 0
	}
	p.stmts(before)
	var calls, conditions []string
	for _, c := range checks {
		condition, _ := p.checkText(c)
		for _, part := range strings.Split(condition, " || ") {
			if !slices.Contains(conditions, part) {
				conditions = append(conditions, part)
			}
		}
	}
	for _, c := range checks {
		if _, call := p.checkText(c); !p.unit.quiet {
			calls = append(calls, p.unit.site(c.Op, c.Arg, c.Pos)+".In"+call)
		}
	}
	all := strings.TrimSuffix(Filled(conditions, " || ", " ||\n"), " ||\n")
	list := strings.TrimSuffix(Filled(calls, ", ", ",\n"), ",\n")
	p.unless(all, func() string { return "exec.First(" + list + ")" })
	return n
}

// joins reports whether a check may stand beside others: whether exec has a method that makes it again.
func joins(k ir.CheckKind) bool {
	return k == ir.CheckIndex || k == ir.CheckLength || k == ir.CheckBounds || k == ir.CheckNonneg
}

// mayFail reports whether an expression itself is one that a check before it may have to come first for, or that costs
// more than a check.
func mayFail(x kir.Expr) bool { return involved(x) || slow(x) }

func (p *printer) check(s *kir.Check) {
	cond, call := p.checkText(s)
	failure := func() string { return p.unit.site(s.Op, s.Arg, s.Pos) + "." + call }
	if s.Failed {
		p.printf("w.Fail(%s)\nreturn\n", failure())
		return
	}
	p.unless(cond, failure)
}

// unless prints that the function ends where cond holds, with a failure, unless nobody asks which.
func (p *printer) unless(cond string, failure func() string) {
	if p.unit.quiet {
		p.printf("if %s {\nreturn\n}\n", cond)
		return
	}
	p.printf("if %s {\nw.Fail(%s)\nreturn\n}\n", cond, failure())
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
		limit := p.expr(s.Args[1])
		if _, constant := s.Args[1].(*kir.Const); !constant {
			limit = "uint64(" + limit + ")"
		}
		cond, call = fmt.Sprintf("uint64(%s) > %s", p.variable(s.Args[0]), limit), fmt.Sprintf("Count(%s, %s)", p.expr(s.Args[0]), p.expr(s.Args[1]))
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
