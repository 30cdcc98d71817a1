package ir

import (
	"errors"
	"fmt"
)

// Verify checks the invariants of f: every variable is bound exactly once and before its uses, names are unique,
// operand and result types fit each node, and arrays that are updated in place have one valid version at any time
// (see [Alloc]). It returns all violations joined.
func Verify(f *Func) error { return errors.Join(verified(f).errs...) }

// LostUpdates are the statements that update an array in an operator, or in a loop, which does not carry it: what one
// turn writes is not there in the next one.
func LostUpdates(f *Func) []*Stmt { return verified(f).lost }

func verified(f *Func) *verifier {
	v := &verifier{f: f, scope: map[*Var]bool{}, names: map[string]bool{}, linear: newLinear()}
	for _, p := range f.Params {
		v.bind(nil, p)
	}
	v.block(f.Body)
	if len(f.Body.Results) == 0 {
		v.errorf(nil, "function yields nothing")
	}
	return v
}

type verifier struct {
	f     *Func
	scope map[*Var]bool
	names map[string]bool
	errs  []error
	lost  []*Stmt // see [LostUpdates]
	*linear
}

func (v *verifier) errorf(s *Stmt, format string, args ...any) {
	at := v.f.Name
	if s != nil && s.Pos.IsValid() {
		at += " at " + s.Pos.String()
	}
	v.errs = append(v.errs, fmt.Errorf("ir: %s: %s", at, fmt.Sprintf(format, args...)))
}

func (v *verifier) bind(s *Stmt, x *Var) {
	if x == nil {
		v.errorf(s, "nil variable")
		return
	}
	if v.names[x.Name] {
		v.errorf(s, "%s is bound twice", x.Name)
	}
	if x.T.Kind == Invalid || x.T.Rank < 0 {
		v.errorf(s, "%s has no type", x.Name)
	}
	v.names[x.Name], v.scope[x] = true, true
}

func (v *verifier) atom(s *Stmt, a Atom) bool {
	switch a := a.(type) {
	case nil:
		v.errorf(s, "missing operand")
		return false
	case *Var:
		if a == nil || !v.scope[a] {
			v.errorf(s, "%v is used outside its scope", a)
			return false
		}
		if by := v.usable(a); by != "" {
			v.errorf(s, "%s is used after %s", a.Name, by)
			return false
		}
	}
	return true
}

// block checks b in a scope of its own; bound are variables that exist only inside.
func (v *verifier) block(b *Block, bound ...*Var) {
	if b == nil {
		v.errorf(nil, "missing block")
		return
	}
	local := append([]*Var(nil), bound...)
	for _, s := range b.Stmts {
		v.stmt(s)
		for _, d := range s.Dst {
			v.bind(s, d)
			local = append(local, d)
		}
	}
	for _, r := range b.Results {
		v.atom(nil, r)
	}
	for _, l := range local {
		delete(v.scope, l)
	}
}

func (v *verifier) stmt(s *Stmt) {
	for _, a := range Operands(s.Op) {
		if !v.atom(s, *a) {
			return
		}
	}
	v.reads(s)
	results := v.op(s)
	if results == nil {
		return // already reported
	}
	if len(results) != len(s.Dst) {
		v.errorf(s, "%d results bound to %d variables", len(results), len(s.Dst))
		return
	}
	for i, t := range results {
		if s.Dst[i].T != t {
			v.errorf(s, "%s has type %s, its operation yields %s", s.Dst[i].Name, s.Dst[i].T, t)
		}
	}
	v.owns(s)
}

func blockTypes(b *Block) []Type { return atomTypes(b.Results) }

func atomTypes(as []Atom) []Type {
	ts := make([]Type, len(as))
	for i, a := range as {
		ts[i] = a.Type()
	}
	return ts
}

func varTypes(vs []*Var) []Type {
	ts := make([]Type, len(vs))
	for i, v := range vs {
		ts[i] = v.T
	}
	return ts
}

func sameTypes(a, b []Type) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
