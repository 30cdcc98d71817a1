package kir

import (
	"errors"
	"fmt"

	"github.com/surge-ndp/surge/ops/ir"
)

// Verify checks the invariants of a function, and reports all that it breaks: each variable is declared once, before
// it is used and where it is visible; operands have the types that the node table of the package asks for; routines
// get the arguments that they take; nothing of a device occurs.
func Verify(f *Func) error {
	v := newVerifier(false)
	v.block(f.Body)
	return v.result(f.Name)
}

// VerifyDevice does so for the launches of a device, in which nothing of the worker pool occurs; labels that checks
// leave to are there, and a launch refers only to launches before it.
func VerifyDevice(d *Device) error {
	var errs []error
	for i, l := range d.Launches {
		v := newVerifier(true)
		v.launch = i
		Walk(l.Body, func(s Stmt) {
			if label, ok := s.(*Label); ok {
				v.labels[label.Name] = true
			}
		}, nil)
		if l.Count != nil {
			v.want(l.Count, Int, "the count of launch "+l.Name)
		}
		v.block(l.Body)
		errs = append(errs, v.result(l.Name))
	}
	for _, t := range d.Temps {
		if t.Step < 0 || t.Step >= len(d.Launches) {
			errs = append(errs, fmt.Errorf("kir: %s: temporary %s belongs to launch %d of %d", d.Name, t.A.Name, t.Step, len(d.Launches)))
		}
	}
	if d.Rounds > 0 && d.Round >= len(d.Launches) {
		errs = append(errs, fmt.Errorf("kir: %s: launch %d of %d is where rounds begin", d.Name, d.Round, len(d.Launches)))
	}
	return errors.Join(errs...)
}

// verifier walks through statements with the variables that are visible where it is.
type verifier struct {
	device            bool
	launch            int
	declared, visible map[*Var]bool
	names             map[string]*Var
	assignable        map[*Var]bool
	chains            map[*Chain]bool
	labels            map[string]bool
	errs              []error
}

func newVerifier(device bool) *verifier {
	return &verifier{device: device, declared: map[*Var]bool{}, visible: map[*Var]bool{}, names: map[string]*Var{},
		assignable: map[*Var]bool{}, chains: map[*Chain]bool{}, labels: map[string]bool{}}
}

func (v *verifier) failf(format string, args ...any) {
	v.errs = append(v.errs, fmt.Errorf(format, args...))
}

func (v *verifier) result(name string) error {
	if err := errors.Join(v.errs...); err != nil {
		return fmt.Errorf("kir: %s: %w", name, err)
	}
	return nil
}

func (v *verifier) block(body []Stmt) {
	for _, x := range v.list(body) {
		delete(v.visible, x)
	}
}

// list checks statements, and returns the variables that they declare.
func (v *verifier) list(body []Stmt) (here []*Var) {
	for _, s := range body {
		if marked, ok := s.(*Vectors); ok { // a mark, no scope
			v.stmt(s)
			here = append(here, v.list(marked.Body)...)
			continue
		}
		if loop, ok := s.(*While); ok { // what the condition declares is visible in the body
			v.block(append(append([]Stmt{}, loop.Cond...), &If{Cond: loop.Test, Then: loop.Body}))
			continue
		}
		v.stmt(s)
		for _, x := range Declares(s) {
			v.declare(x)
			here = append(here, x)
		}
		switch s := s.(type) {
		case *Let:
			v.assignable[s.V] = true
		case *Wait:
			v.assignable[s.V] = true
		}
		par, _ := s.(*Par)
		if par != nil && par.Chain != nil {
			v.chains[par.Chain] = true
		}
		for _, b := range blocks(s) {
			v.block(*b)
		}
		if par != nil && par.Chain != nil {
			delete(v.chains, par.Chain)
		}
	}
	return here
}

func (v *verifier) declare(x *Var) {
	if v.declared[x] {
		v.failf("%s is declared twice", x.Name)
	}
	if x.Host {
		v.failf("%s, a variable of the frame, is declared", x.Name)
	}
	if other := v.names[x.Name]; other != nil && other != x && v.visible[other] {
		v.failf("two variables are called %s", x.Name)
	}
	v.names[x.Name] = x
	v.declared[x], v.visible[x] = true, true
}

func (v *verifier) use(x *Var) {
	if !x.Host && !v.visible[x] {
		v.failf("%s is not declared where it is used", x.Name)
	}
}

// stmt checks what a statement evaluates itself.
func (v *verifier) stmt(s Stmt) {
	for _, x := range exprs(s) {
		v.expr(x)
	}
	switch s := s.(type) {
	case *Stride, *Barrier, *Label, *Divergent:
		if !v.device {
			v.failf("%T is a statement of devices", s)
		}
	case *Par, *Wait, *Publish, *AllocScratch, *Grow, *Vectors, *Break, *GoCall:
		if v.device {
			v.failf("%T is a statement of the worker pool", s)
		}
	}
	switch s := s.(type) {
	case *Let:
		v.want(s.X, s.V.T, s.V.Name)
		if a := s.V.Memory; a != nil && !isConstant(s.X) && (a.Kind != s.V.T.Kind || s.V.At+s.V.T.Lanes > a.Size) {
			v.failf("%s does not fit into %s", s.V.Name, a.Name)
		}
	case *Set:
		v.use(s.V)
		if !v.assignable[s.V] && !(s.V.Host && !v.device) { // one of the frame is read again, after a spill
			v.failf("%s is assigned, and was not declared as a variable", s.V.Name)
		}
		v.want(s.X, s.V.T, s.V.Name)
	case *Store:
		v.want(s.I, Int, "an index of "+s.A.Name)
		v.element(s.A, s.X)
		v.mask(s.Mask, s.X.Type().Lanes)
	case *Scatter:
		if t := s.I.Type(); !t.Kind.IsInteger() || t.Lanes != s.X.Type().Lanes {
			v.failf("%s is scattered to by indices of type %s", s.A.Name, t.full())
		}
		v.element(s.A, s.X)
		v.mask(s.Mask, s.X.Type().Lanes)
	case *StoreEvery:
		v.want(s.I, Int, "an index of "+s.A.Name)
		v.element(s.A, s.X)
		if s.X.Type().Lanes == 1 || s.By < 2 {
			v.failf("%s is written to every element at a distance of %d of %s", s.X.Type().full(), s.By, s.A.Name)
		}
	case *For:
		if s.Step < 1 {
			v.failf("the loop over %s has the step %d", s.V.Name, s.Step)
		}
		if s.Keep {
			v.use(s.V)
		} else {
			v.want(s.Lo, Int, "a bound of "+s.V.Name)
		}
		v.want(s.Hi, Int, "a bound of "+s.V.Name)
		if s.Lanes < 0 || s.Lanes == 0 && len(s.Combined) > 0 {
			v.failf("the loop over %s combines in %d lanes", s.V.Name, s.Lanes)
		}
		for _, c := range s.Combined {
			v.use(c.V)
		}
	case *Stride:
		for _, x := range []Expr{s.Lo, s.Hi, s.Step} {
			v.want(x, Int, "a bound of "+s.V.Name)
		}
	case *If:
		v.want(s.Cond, ScalarType(ir.Bool), "a condition")
	case *Par:
		v.want(s.N, Int, "the count of a parallel loop")
		for _, a := range s.Partials {
			if a.Space != Partial {
				v.failf("%s, an array of %s, holds partial results", a.Name, a.Space)
			}
		}
		if s.Chain != nil {
			v.want(s.Chain.Seed, ScalarType(s.Chain.Kind), "the seed of "+s.Chain.Name)
		}
		switch {
		case s.By != nil && (s.By.Space != Global || !s.By.Kind.IsInteger()):
			v.failf("%s, an array of %s, holds the offsets of rows", s.By.Name, s.By.Space)
		case s.By == nil && s.Long != nil:
			v.failf("rows are left out of a loop over as many turns a chunk")
		case s.By != nil && (s.Partials != nil || s.Chain != nil || s.Even):
			v.failf("chunks by %s have results of their own", s.By.Name)
		}
	case *Wait:
		v.chain(s.Chain, s.Chunk)
	case *Publish:
		v.chain(s.Chain, s.Chunk)
		v.want(s.X, ScalarType(s.Chain.Kind), "what is handed on by "+s.Chain.Name)
	case *AllocScratch:
		if s.A.Space != Scratch {
			v.failf("%s, an array of %s, is given scratch memory", s.A.Name, s.A.Space)
		}
		v.want(s.N, Int, "the length of "+s.A.Name)
	case *Grow:
		if s.A.Space != Scratch {
			v.failf("%s, an array of %s, grows", s.A.Name, s.A.Space)
		}
		v.want(s.N, Int, "the length of "+s.A.Name)
		v.want(s.Keep, Int, "what stays of "+s.A.Name)
	case *GoCall:
		if s.R.Name != GoFunc || s.Fn == "" || len(s.Dst) == 0 {
			v.failf("%s is no call of a function", Text(s.R))
		}
	case *CheckAll:
		for _, x := range []Expr{s.I, s.N, s.Limit} {
			v.want(x, Int, "a bound of a check of "+s.A.Name)
		}
	case *Check:
		if s.Leave != "" && !v.labels[s.Leave] {
			v.failf("a check leaves to %s, which is no label", s.Leave)
		}
	}
}

// isConstant reports whether a vector repeats a constant: such ones lie in tables of the program.
func isConstant(x Expr) bool {
	s, ok := x.(*Splat)
	if ok {
		_, ok = s.X.(*Const)
	}
	return ok
}

func (v *verifier) chain(c *Chain, chunk *Var) {
	v.use(chunk)
	if !v.chains[c] {
		v.failf("the chain %s is used outside of its loop", c.Name)
	}
}

// want checks the type of an expression; masks of all widths are masks.
func (v *verifier) want(x Expr, t Type, what string) {
	if got := x.Type(); !sameType(got, t) {
		v.failf("%s is %s of type %s, and not %s", what, Text(x), got.full(), t.full())
	}
}

func sameType(a, b Type) bool { return a.Kind == b.Kind && a.Lanes == b.Lanes }

func (v *verifier) element(a *Array, x Expr) {
	if x.Type().Kind != a.Kind {
		v.failf("an element of type %s is stored into %s of %s", x.Type().full(), a.Name, a.Kind)
	}
}

func (v *verifier) mask(m Expr, lanes int) {
	if m != nil && !sameType(m.Type(), Type{Kind: ir.Bool, Lanes: lanes}) {
		v.failf("%s of type %s is no mask of %d lanes", Text(m), m.Type().full(), lanes)
	}
}

// expr checks an expression and everything inside it.
func (v *verifier) expr(x Expr) {
	for _, o := range Operands(x) {
		v.expr(o)
	}
	switch x.(type) {
	case *Place, *GroupsOf, *RoundOf, *Shuffle, *Collective:
		if !v.device {
			v.failf("%s is an expression of devices", Text(x))
		}
	}
	same := func(operands ...Expr) {
		for _, o := range operands {
			if !sameType(o.Type(), operands[0].Type()) {
				v.failf("%s has operands of the types %s and %s", Text(x), operands[0].Type().full(), o.Type().full())
			}
		}
	}
	lanes := func() {
		for _, o := range Operands(x) {
			if o.Type().Lanes != x.Type().Lanes {
				v.failf("%s of type %s has an operand of type %s", Text(x), x.Type().full(), o.Type().full())
			}
		}
	}
	switch x := x.(type) {
	case *Ref:
		v.use(x.V)
	case *Bin:
		if n := x.Y.Type().Lanes; (x.Fn == ir.Shl || x.Fn == ir.Shr) && n == 1 {
			if x.X.Type().Lanes != x.T.Lanes { // one count may be that of all lanes
				v.failf("%s of type %s has an operand of type %s", Text(x), x.T.full(), x.X.Type().full())
			}
		} else {
			lanes()
		}
		if x.Fn != ir.Shl && x.Fn != ir.Shr && x.Fn != ir.RotateLeft { // whose counts may be of other kinds
			same(x.X, x.Y)
		}
		if !sameType(x.T, plainType(x)) {
			v.failf("%s has the type %s", Text(x), x.T.full())
		}
	case *Un:
		lanes()
	case *FMA:
		lanes()
		same(x.X, x.Y, x.Z)
	case *Convert:
		lanes()
	case *Select:
		lanes()
		same(x.X, x.Y)
		if x.C.Type().Kind != ir.Bool {
			v.failf("%s is chosen by a value of type %s", Text(x), x.C.Type().full())
		}
	case *Load:
		v.want(x.I, Int, "an index of "+x.A.Name)
		if x.T.Kind != x.A.Kind {
			v.failf("%s of %s is read as %s", x.A.Name, x.A.Kind, x.T.full())
		}
		v.mask(x.Mask, x.T.Lanes)
	case *Gather:
		if t := x.I.Type(); !t.Kind.IsInteger() || t.Lanes != x.T.Lanes || x.T.Kind != x.A.Kind {
			v.failf("%s of %s is read as %s by indices of type %s", x.A.Name, x.A.Kind, x.T.full(), t.full())
		}
		v.mask(x.Mask, x.T.Lanes)
	case *Every:
		v.want(x.I, Int, "an index of "+x.A.Name)
		if x.T.Kind != x.A.Kind || x.T.Lanes == 1 || x.By < 2 {
			v.failf("every element at a distance of %d of %s of %s is read as %s", x.By, x.A.Name, x.A.Kind, x.T.full())
		}
	case *Splat:
		if t := x.X.Type(); t.Lanes != 1 || t.Kind != x.T.Kind {
			v.failf("%s of type %s repeats a value of type %s", Text(x), x.T.full(), t.full())
		}
	case *Iota:
		if x.Start.Type().Lanes != 1 {
			v.failf("%s starts at a vector", Text(x))
		}
	case *IotaBy:
		same(x.Start, x.D)
	case *FirstLanes:
		same(x.Start, x.Bound)
	case *Lane:
		if x.K < 0 || x.K >= x.X.Type().Lanes {
			v.failf("%s has %d lanes", Text(x.X), x.X.Type().Lanes)
		}
	case *LaneWhere:
		v.mask(x.Mask, x.X.Type().Lanes)
	case *Compress:
		v.mask(x.Mask, x.X.Type().Lanes)
	case *GroupsOf:
		if x.Step < 0 || x.Step >= v.launch {
			v.failf("launch %d asks for the groups of launch %d", v.launch, x.Step)
		}
	case *Routine:
		v.routine(x)
	}
}

func (v *verifier) routine(r *Routine) {
	if r.Name == GoFunc {
		for i, a := range r.Args {
			if a.A == nil {
				continue
			}
			v.want(a.X, Int, "an index of "+a.A.Name)
			if i+1 == len(r.Args) || r.Args[i+1].A != nil {
				v.failf("%s has no number of elements of %s", Text(r), a.A.Name)
			}
		}
		return
	}
	args, known := routineArgs[r.Name]
	if !known {
		v.failf("no routine is called %s", r.Name)
		return
	}
	fixed, many := args, false
	if n := len(args); n > 0 && args[n-1] == '*' {
		fixed, many = args[:n-1], true
	}
	if len(r.Args) < len(fixed) || len(r.Args) > len(fixed) && !many {
		v.failf("%s takes the arguments %q", Text(r), args)
		return
	}
	for i, a := range r.Args {
		kind := byte('x')
		if i < len(fixed) {
			kind = fixed[i]
		}
		if (a.A != nil) != (kind == 'A') {
			v.failf("argument %d of %s: the routine takes %q", i+1, Text(r), args)
		}
		if a.A != nil {
			v.want(a.X, Int, "an index of "+a.A.Name)
		}
	}
}
