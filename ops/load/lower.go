package load

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/surge-ndp/surge/ops/ir"
)

// maxStmts bounds the IR of one kernel. Functions are inlined, so that a chain of helpers of which each calls the next
// twice grows exponentially.
const maxStmts = 200_000

// lowerer turns one kernel into IR. Variables are renamed at every assignment; control flow follows control.go.
type lowerer struct {
	shape
	prog       *program
	unit       *unit // of the function at hand
	blk        *ir.Block
	env        *env
	frame      *frame
	label      string  // of the statement at hand, until the loop or switch takes it
	panicked   *slot   // flag: a panic is certain
	flags      []*slot // the jumps that may be under way in the function at hand: its return, and its loops' break and continue
	stack      []*funcValue
	early      map[ast.Expr][]value // see Note [Order of evaluation]
	fn         *ir.Func
	kernel     *Kernel
	globals    map[*types.Var]value // package-level variables that the kernel has read so far
	pointees   map[any]value        // what those of pointer type point to
	errors     map[any]int          // the entries of the kernel's list of errors, by variable or call
	sites      []errorSite          // of these entries
	made       map[*ir.Var]*ir.Stmt // what makes each variable
	carrying   map[*ir.Var]*ir.Loop // the loops whose parameters variables are
	pos        token.Pos            // of the construct at hand
	lost       token.Pos            // where something first was given a value that could not be compiled, for whatever reason
	outside    token.Pos            // of the call, in the user's code, of the function of the standard library at hand
	outsideArg string               // the first argument of that call
	count      int
	loops      int              // loops around the construct at hand
	active     []*loop          // these loops
	arms       int              // and branches
	ops        int              // operators around the construct at hand
	auto       map[*ir.Var]bool // variables that still have a made-up name
	views      map[*ir.Var]*ir.View

	growing  growing
	memory   map[*types.Var]bool // of arrays: those that lie in memory
	literals []*literal          // the constant strings

	places   bool // the call at hand may give a place: see Note [Parts with a name]
	placesAt int  // how many functions are under way when such a call returns
}

// tooLarge unwinds the lowerer after it reported CodeTooLarge.
type tooLarge struct{}

// lower lowers the kernel f. It returns nil if it reported problems. Where the checks have refused something, it only
// looks for what else is wrong.
func (p *program) lower(f *function, k *Kernel) *ir.Func {
	before := len(p.rep.list)
	for s := shape(0); ; {
		out, more := p.lowerIn(s, f, k)
		if more <= s {
			return out
		}
		s, p.rep.list, k.Errors, k.Hidden, k.Calls = more, p.rep.list[:before], nil, nil, nil
		for _, r := range k.Results {
			if r.Part != nil && r.Part.Kind == PartError {
				r.Part.Words = int(s)
			}
		}
	}
}

// lowerIn lowers f with errors of shape s; where these must carry more numbers, it says how many.
func (p *program) lowerIn(s shape, f *function, k *Kernel) (out *ir.Func, more shape) {
	l := &lowerer{shape: s, prog: p, unit: f.unit, blk: &ir.Block{}, auto: map[*ir.Var]bool{}, views: map[*ir.Var]*ir.View{}, memory: map[*types.Var]bool{}}
	l.env = newEnv(&l.ops)
	l.kernel, l.globals, l.pointees, l.errors = k, map[*types.Var]value{}, map[any]value{}, map[any]int{}
	l.early, l.made, l.carrying = map[ast.Expr][]value{}, map[*ir.Var]*ir.Stmt{}, map[*ir.Var]*ir.Loop{}
	l.panicked = &slot{name: "panicked", typ: types.Typ[types.Bool]}
	l.env.set(l.panicked, boolValue(false))
	before := len(p.rep.list)
	defer func() {
		if r := recover(); r != nil {
			words, isWords := r.(moreWords)
			more = shape(words)
			if _, ok := r.(tooLarge); !ok && !isWords && !p.rep.follows { // what the checks refused may be anything
				panic(r)
			}
			out = nil
		}
	}()
	fn := &ir.Func{Name: k.Name, Pos: k.Pos, Body: l.blk, Reassociate: l.prog.reassociate[f]}
	l.fn = fn
	var args []value
	variables := inputs(f.obj.Signature())
	refused := len(k.Params) != len(variables)
	for i, par := range k.Params {
		refused = refused || par.Part == nil
		arg := l.parameter(fn, par, variables[i].Type())
		if p, ok := variables[i].Type().Underlying().(*types.Pointer); ok {
			arg = l.pointedInput(par.Name, arg, p.Elem())
		}
		args = append(args, arg)
	}
	if refused {
		for i := range args {
			args[i] = value{bad: true}
		}
	}
	results := l.inline(&funcValue{unit: f.unit, decl: f}, args, f.decl.Pos())
	if p.rep.follows {
		return nil, 0
	}
	for i, r := range results {
		r = l.settled(l.use(r, f.decl.Name.Pos()), f.decl.Name.Pos())
		fields := k.Results[i].Values()
		fits := !r.bad && len(r.atoms) == len(fields)
		for j := 0; fits && j < len(fields); j++ {
			fits = r.atoms[j].Type() == fields[j].Type
		}
		if !fits {
			if len(p.rep.list) == before {
				p.rep.at(f.decl.Name.Pos(), problem{CodeElement, fmt.Sprintf("the result %s cannot be compiled", k.Results[i].Name), "", ""})
			}
			return nil, 0
		}
		l.named(r, k.Results[i].Name)
		fn.Body.Results = append(fn.Body.Results, r.atoms...)
	}
	if len(p.rep.list) == before && l.lost.IsValid() { // nobody said why
		p.rep.at(l.lost, problem{CodeElement, "a value that is assigned here cannot be compiled",
			"it is computed in a way that the compiler does not know", "compute it in other words; and please report the function, as a message of its own is missing"})
	}
	if len(p.rep.list) > before {
		return nil, 0
	}
	if lost := ir.LostUpdates(fn); len(lost) > 0 { // rather than compute something else
		p.rep.at(f.decl.Name.Pos(), problem{CodeUnique, "what a loop or an operator updates at " + lost[0].Pos.String() + " is lost",
			"this is a mistake of the compiler's", "please report the function"})
		return nil, 0
	}
	l.leaveBlank()
	steady(fn)
	prune(fn)
	l.passLiterals(fn)
	rename(fn)
	return fn, 0
}

// parameter adds a parameter to fn and returns its value.
func (l *lowerer) parameter(fn *ir.Func, par Param, t types.Type) value {
	arg := value{typ: t}
	for _, field := range par.Values() {
		v := &ir.Var{Name: field.Name, T: field.Type}
		fn.Params = append(fn.Params, v)
		arg.atoms = append(arg.atoms, v)
	}
	return arg
}

// emit appends a statement with one result.
func (l *lowerer) emit(name string, t ir.Type, op ir.Op) *ir.Var {
	v := &ir.Var{Name: name, T: t}
	l.auto[v] = true
	l.append(&ir.Stmt{Dst: []*ir.Var{v}, Op: op})
	return v
}

func (l *lowerer) append(s *ir.Stmt) {
	l.tick()
	s.Pos = l.prog.irPos(l.pos)
	if l.unit.standard {
		s.Pos = l.prog.irPos(l.outside)
	}
	if v, ok := s.Op.(*ir.View); ok {
		l.views[s.Dst[0]] = v
	}
	for _, v := range s.Dst {
		l.made[v] = s
	}
	l.blk.Stmts = append(l.blk.Stmts, s)
}

// tick counts one operation or one inlined call, and gives up when there are too many.
func (l *lowerer) tick() {
	if l.count++; l.count > maxStmts {
		l.prog.rep.at(l.stack[0].decl.decl.Name.Pos(), problem{CodeTooLarge,
			fmt.Sprintf("the kernel has more than %d operations and calls after all calls are inlined", maxStmts),
			"functions are inlined at every call", "call the large functions in fewer places, for instance inside a loop"})
		panic(tooLarge{})
	}
}

func (l *lowerer) check(kind ir.CheckKind, op, arg string, args ...ir.Atom) {
	l.append(&ir.Stmt{Op: &ir.Check{Kind: kind, Op: op, Arg: arg, Args: args}})
}

// problem reports p at pos and returns the value that stands for the failed expression.
func (l *lowerer) problem(pos token.Pos, p problem) value {
	l.prog.rep.at(pos, p)
	return value{bad: true}
}

// use returns v for reading: an error that waited for the value to be used is reported now, and an unset variable gets
// its zero value.
func (l *lowerer) use(v value, pos token.Pos) value {
	if v.late != nil {
		at := v.at
		if !at.IsValid() {
			at = pos
		}
		l.prog.rep.at(at, *v.late)
		v.late = nil
	}
	if v.unset && !v.bad {
		return l.zero(v.typ, pos)
	}
	return v
}

// zero returns the zero value of t; that of a slice is the empty sequence.
func (l *lowerer) zero(t types.Type, pos token.Pos) value {
	if isPointer(t) {
		return nilPointer(t, pos)
	}
	ts, err := l.layout(t)
	if err != nil {
		p, _ := typeProblem(t)
		return l.problem(pos, p)
	}
	if isLarge(t) {
		return l.allocArray(t, pos)
	}
	if hasTables(t) {
		return l.zeroTables(t)
	}
	v := value{typ: t}
	for _, t := range ts {
		var a ir.Atom = zeroConst(t.Kind)
		for r := range t.Rank {
			a = l.emit("empty", ir.Type{Kind: t.Kind, Rank: r + 1}, &ir.View{Fn: ir.Replicate, Args: []ir.Atom{a, ir.IntConst(ir.Int, 0)}})
		}
		v.atoms = append(v.atoms, a)
	}
	return v
}

// bind gives a variable its value, and the value the variable's name if it has none of its own.
func (l *lowerer) bind(key any, v value) {
	if v := globalOf(key); v != nil {
		l.prog.rep.at(l.pos, globalWrite(v))
		return
	}
	if s, ok := key.(*slot); ok && s.input {
		l.prog.rep.at(l.pos, pointedWrite(s.name))
		return
	}
	if l.env.captured(key) {
		l.prog.rep.at(l.pos, capturedWrite(keyName(key)))
	}
	old := l.env.vals[key]
	if old.bad || !inMemory(old) {
		old = value{}
	}
	obj, isVar := key.(*types.Var)
	if !v.bad && v.fn == nil && v.ptr == nil && (old.own != nil || isVar && l.liesInMemory(obj)) {
		v = l.toMemory(v, old, l.pos)
	}
	if kept := l.env.vals[key].held; l.isTabled(v) && (kept != nil || isVar && l.holdsTables(obj)) {
		v = l.holdTables(l.use(v, l.pos), kept)
	}
	name := keyName(key)
	for i, a := range v.atoms {
		if x, ok := a.(*ir.Var); ok && l.auto[x] {
			delete(l.auto, x)
			x.Name = name
			x.Name = l.atomName(v, name, i)
		}
	}
	l.loses(v)
	l.env.set(key, v)
}

// loses notes that v, which something is given, could not be compiled.
func (l *lowerer) loses(v value) {
	if v.bad && v.late == nil && !l.lost.IsValid() {
		l.lost = l.pos
	}
}
