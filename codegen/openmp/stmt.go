package openmp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

func (q *function) stmts(body []kir.Stmt) {
	for _, s := range body {
		q.stmt(s)
	}
}

func (q *function) block(body []kir.Stmt) {
	q.indent++
	q.stmts(body)
	q.indent--
}

// leave prints a condition on which the function ends.
func (q *function) leave(cond string, before ...string) {
	if len(before) == 0 {
		q.line("if (%s)", cond)
		q.line("\treturn;")
		return
	}
	q.line("if (%s) {", cond)
	for _, b := range before {
		q.line("\t%s", b)
	}
	q.line("\treturn;")
	q.line("}")
}

func (q *function) stmt(s kir.Stmt) {
	switch s := s.(type) {
	case *kir.Let:
		q.line("%s %s = %s;", ctypes[s.V.T.Kind], q.names.name(s.V, s.V.Name), q.expr(s.X))
	case *kir.Set:
		if r, ok := s.X.(*kir.Ref); s.V.Host || ok && r.V == s.V {
			return
		}
		q.line("%s = %s;", q.variable(s.V), q.expr(s.X))
	case *kir.Store:
		q.line("%s[%s] = %s;", q.array(s.A), q.expr(s.I), q.expr(s.X))
	case *kir.For:
		q.loop(s)
	case *kir.While:
		q.while(s)
	case *kir.Break:
		q.line("break;")
	case *kir.If:
		q.ifStmt(s)
	case *kir.Par:
		q.par(s)
	case *kir.Wait:
		v := q.names.name(s.V, s.V.Name)
		q.line("%s %s;", ctypes[s.V.T.Kind], v)
		q.leave(fmt.Sprintf("!surge_await(at, e->surge_links, %s, &%s, sizeof %s)", q.variable(s.Chunk), v, v))
	case *kir.Publish:
		q.line("{")
		q.line("\tconst %s next = %s;", ctypes[s.Chain.Kind], q.expr(s.X))
		q.line("\tsurge_publish(e->surge_links, %s + 1, &next, sizeof next);", q.variable(s.Chunk))
		q.line("}")
	case *kir.AllocScratch:
		n := q.names.name(s.A, s.A.Name)
		q.line("%s *restrict %s = surge_scratch(arena, %s, sizeof(%s));", ctypes[s.A.Kind], n, q.expr(s.N), ctypes[s.A.Kind])
		q.leave("!"+n, "surge_memory(at);")
		if s.Grows {
			q.line("surge_piece *%s = NULL;", q.piece(s.A))
		}
	case *kir.Grow:
		n := q.names.name(s.A, s.A.Name)
		q.line("%s = surge_grow(arena, &%s, %s, %s, %s, sizeof(%s));", n, q.piece(s.A), n, q.expr(s.Keep), q.expr(s.N), ctypes[s.A.Kind])
		q.leave("!"+n, "surge_memory(at);")
	case *kir.Scoped:
		q.line("{")
		q.line("\tconst surge_mark mark = surge_marked(arena);")
		q.block(s.Body)
		for _, t := range s.Body {
			if a, ok := t.(*kir.AllocScratch); ok && a.Grows {
				q.line("\tsurge_drop(%s);", q.piece(a.A))
			}
		}
		q.line("\tsurge_release(arena, mark);")
		q.line("}")
	case *kir.Vectors:
		q.stmts(s.Body)
	case *kir.Result:
		q.results = append(q.results, s.Name)
		q.line("f->%s = %s;", q.field(s.Name), q.expr(s.X))
	case *kir.Call:
		q.call(s.R)
	case *kir.Check:
		q.check(s)
	case *kir.CheckAll:
		q.line("{")
		q.indent++
		i, n, limit := q.operand(s.I), q.expr(s.N), q.expr(s.Limit)
		q.line("const int64_t bad = surge_check_all_%s(%s + %s, %s, %s);", typed(s.A.Kind), q.array(s.A), i, n, limit)
		q.leave("bad >= 0", fmt.Sprintf("surge_fail(at, %d, %s + bad, %s[%s + bad], %s, 0);", q.site(ir.CheckIndex, s.Op, s.Arg, s.Pos), i, q.array(s.A), i, limit))
		q.indent--
		q.line("}")
	default:
		panic(fmt.Sprintf("openmp: statement %T", s))
	}
}

// watchedTurns is after how many turns a loop that may never end looks whether the run was stopped: after microseconds.
const watchedTurns = 1 << 16

func (q *function) while(s *kir.While) {
	if s.Watched {
		q.line("for (uint32_t turns = 1;; turns++) {")
		q.indent++
		q.leave(fmt.Sprintf("turns %% %d == 0 && surge_stopped(at)", watchedTurns))
		q.indent--
	} else {
		q.line("for (;;) {")
	}
	q.scalar(slices.Concat(s.Cond, s.Body))
	q.block(s.Cond)
	if c, ok := s.Test.(*kir.Const); !ok || c.C.Bits == 0 {
		q.line("\tif (!(%s))", q.expr(s.Test))
		q.line("\t\tbreak;")
	}
	q.block(s.Body)
	q.line("}")
}

// reduction is OpenMP's identifier of a function that turns of a loop combine values by: for floats it is the prelude's
// where C's would treat NaN or the sign of zero in another way.
func reduction(fn ir.BinaryFn, k ir.Kind) string {
	switch fn {
	case ir.Add:
		return "+"
	case ir.Mul:
		return "*"
	case ir.And:
		return "&"
	case ir.Or:
		return "|"
	case ir.Xor:
		return "^"
	}
	if k.IsFloat() {
		return fmt.Sprintf("surge_%s_%s", fn, typed(k))
	}
	return string(fn)
}

func (q *function) loop(s *kir.For) {
	v := q.names.name(s.V, s.V.Name)
	if s.Lanes > 0 {
		pragma := fmt.Sprintf("#pragma omp simd simdlen(%d)", s.Lanes)
		for _, c := range s.Combined {
			pragma += fmt.Sprintf(" reduction(%s : %s)", reduction(c.Fn, c.V.T.Kind), q.variable(c.V))
		}
		fmt.Fprintf(&q.out, "%s\n", pragma)
	}
	head := "int64_t " + v + " = "
	if s.Keep {
		head = ""
	} else if s.Lo == nil {
		head += "0"
	} else {
		head += q.expr(s.Lo)
	}
	step := v + "++"
	if s.Step != 1 {
		step = fmt.Sprintf("%s += %d", v, s.Step)
	}
	cond := fmt.Sprintf("%s < %s", v, q.operand(s.Hi))
	if s.Whole {
		cond = fmt.Sprintf("%s + %d <= %s", v, s.Step, q.operand(s.Hi))
	}
	what := ""
	if !s.Keep {
		what = remark(s.What, s.Pos)
	}
	q.line("for (%s; %s; %s) {%s", head, cond, step, what)
	if s.Lanes == 0 {
		q.scalar(s.Body)
	}
	if s.Watched {
		q.indent++
		q.leave(fmt.Sprintf("(%s & 0xff) == 0 && surge_stopped(at)", v))
		q.indent--
	}
	q.block(s.Body)
	q.line("}")
}

// remark is what a loop implements and where that stands in the source, as a comment.
func remark(what string, pos ir.Pos) string {
	switch {
	case what == "":
		return ""
	case pos.IsValid():
		return " // " + what + ", " + position(pos)
	}
	return " // " + what
}

// position is a place in the source without the folders of the file.
func position(pos ir.Pos) string {
	pos.File = pos.File[strings.LastIndexByte(pos.File, '/')+1:]
	return pos.String()
}

func (q *function) ifStmt(s *kir.If) {
	then, els, cond := s.Then, s.Else, q.expr(s.Cond)
	if len(then) == 0 {
		then, els, cond = els, nil, "!("+cond+")"
	}
	q.line("if (%s) {", cond)
	q.block(then)
	if len(els) > 0 {
		q.line("} else {")
		q.block(els)
	}
	q.line("}")
}

func (q *function) call(r *kir.Routine) {
	switch r.Name {
	case kir.Clear:
	case kir.Zero:
		a := r.Args[0]
		q.line("memset(%s, 0, (size_t)%s * sizeof(%s));", q.address(a), q.operand(r.Args[1].X), ctypes[a.A.Kind])
	case kir.SortIndex:
		keys, perm := r.Args[0], r.Args[1]
		q.leave(fmt.Sprintf("!surge_sort(at, arena, %s, %s, surge_keys_%s, %s, %s)", q.expr(r.Args[3].X), q.address(keys), typed(keys.A.Kind), q.address(perm), q.expr(r.Args[2].X)),
			"surge_memory(at);")
		q.leave("surge_stopped(at)")
	default:
		panic("openmp: routine " + string(r.Name))
	}
}

// site returns the number of a place that a check reports.
func (p *printer) site(kind ir.CheckKind, op, arg string, pos ir.Pos) int {
	site := Site{Kind: kind, Op: op, Arg: arg}
	if pos.IsValid() {
		site.Pos = position(pos)
	}
	n := slices.Index(p.unit.Sites, site)
	if n < 0 {
		n = len(p.unit.Sites)
		p.unit.Sites = append(p.unit.Sites, site)
	}
	return n
}

func (q *function) check(s *kir.Check) {
	pos := "-1"
	if s.Position != nil {
		pos = q.expr(s.Position)
	}
	a := func(i int) string { return q.operand(s.Args[i]) }
	args := []string{"0", "0", "0", "0"}
	for i, x := range s.Args {
		args[i] = q.expr(x)
	}
	var cond string
	switch s.Kind {
	case ir.CheckIndex:
		cond = fmt.Sprintf("(uint64_t)%s >= (uint64_t)%s", a(0), a(1))
		args = []string{pos, args[0], args[1], "0"}
	case ir.CheckLength, ir.CheckUnique:
		cond = fmt.Sprintf("%s != %s", a(0), a(1))
	case ir.CheckBounds:
		cond = fmt.Sprintf("%s < 0 || %s < %s || %s > %s", a(0), a(1), a(0), a(1), a(2))
		args = []string{pos, args[0], args[1], args[2]}
	case ir.CheckSize:
		cond = a(0) + " <= 0"
	case ir.CheckNonneg:
		cond = a(0) + " < 0"
	case ir.CheckCount:
		cond = fmt.Sprintf("(uint64_t)%s > (uint64_t)%s", a(0), a(1))
	case ir.CheckFinite:
		cond = fmt.Sprintf("%s - %s != 0", a(0), a(0))
		args[0] = fmt.Sprintf("(int64_t)surge_bits_f64(%s)", args[0])
	case ir.CheckPanic:
		cond, args[0] = "!"+a(0), "0"
	case ir.CheckNonzero:
		cond, args[0] = a(0)+" == 0", "0"
	default:
		panic("openmp: check " + string(s.Kind))
	}
	q.leave("__builtin_expect("+cond+", 0)", fmt.Sprintf("surge_fail(at, %d, %s);", q.site(s.Kind, s.Op, s.Arg, s.Pos), strings.Join(args, ", ")))
}
