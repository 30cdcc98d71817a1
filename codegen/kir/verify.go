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
		v.launch, v.finding = i, d.finding(i)
		if l.Finds != nil {
			v.finds(d, l.Finds)
		}
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
			continue
		}
		v := newVerifier(true)
		v.launch, v.finding = t.Step, d.finding(t.Step)
		v.expr(t.N)
		v.want(t.N, Int, "the size of "+t.A.Name)
		errs = append(errs, v.result(d.Name))
	}
	if d.Rounds > 0 && d.Round >= len(d.Launches) {
		errs = append(errs, fmt.Errorf("kir: %s: launch %d of %d is where rounds begin", d.Name, d.Round, len(d.Launches)))
	}
	return errors.Join(errs...)
}

// finding is how many launches before one find something.
func (d *Device) finding(before int) int {
	n := 0
	for n < before && d.Launches[n].Finds != nil {
		n++
	}
	return n
}

// finds checks that the launch at hand, which finds something, does so before all others, and in the first buffer of
// its own, of one number a work-item.
func (v *verifier) finds(d *Device, a *Array) {
	if v.finding < v.launch {
		v.failf("what finds something runs before all that does not")
	}
	for _, t := range d.Temps {
		if t.Step == v.launch {
			if t.A != a || t.Per != Item || a.Kind != ir.Int {
				v.failf("%s is not the first buffer of its launch, of one int a work-item", a.Name)
			}
			return
		}
	}
	v.failf("%s is no buffer of its launch", a.Name)
}

// verifier walks through statements with the variables that are visible where it is.
type verifier struct {
	device            bool
	launch            int
	finding           int // how many launches before it find something
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
		eachBlock(s, func(b *[]Stmt) { v.block(*b) })
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
	eachExpr(s, v.expr)
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
		if s.X.Type().Lanes == 1 || !distances(s.By) {
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

func (v *verifier) chain(c *Chain, chunk *Var) {
	v.use(chunk)
	if !v.chains[c] {
		v.failf("the chain %s is used outside of its loop", c.Name)
	}
}
