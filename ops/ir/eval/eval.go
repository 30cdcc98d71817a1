package eval

import (
	"errors"
	"fmt"
	"math"

	"github.com/surge-ndp/surge/ops/ir"
)

// Options of [Run].
type Options struct {
	Steps int // how many statements may run and elements be made, as a loop may never end; 0: any number
	// Trace, if not nil, is given the results of each statement at the top level.
	Trace func(s *ir.Stmt, results []any)
	// Failed, if not nil, is told what fails, and says whether the run goes on nevertheless: what cannot be computed
	// is zero or empty then. So one run finds all checks that fail on an input.
	Failed func(*CheckError) bool
	// Calls are the functions that are called as they stand, by name. A call of one that is missing is an error,
	// [ErrCall].
	Calls map[string]func(args []any) []any
}

// ErrSteps is the error of a run that takes more steps than it may.
var ErrSteps = errors.New("too many steps")

// ErrCall is the error of a run that calls a function of Go which it was not given.
var ErrCall = errors.New("a function of Go is called as it stands, and is not there")

// Run returns the results of f for its arguments. The error is a *[CheckError], or [ErrSteps]. Arrays are not copied:
// results may share memory with arguments.
func Run(f *ir.Func, args []any, opt Options) (results []any, err error) {
	defer func() {
		if r := recover(); r != nil {
			fail, ok := r.(failure)
			if !ok {
				panic(r)
			}
			err = fail.err
		}
	}()
	e := &evaluator{vars: map[*ir.Var]any{}, limit: opt.Steps, failed: opt.Failed, calls: opt.Calls}
	for i, p := range f.Params {
		e.vars[p] = args[i]
	}
	for _, s := range f.Body.Stmts {
		e.stmt(s)
		if opt.Trace != nil {
			opt.Trace(s, e.results(s.Dst))
		}
	}
	return e.atoms(f.Body.Results), nil
}

type evaluator struct {
	vars         map[*ir.Var]any
	steps, limit int
	at           *ir.Stmt // the one that runs
	failed       func(*CheckError) bool
	calls        map[string]func(args []any) []any
}

type failure struct{ err error }

// fail ends the run where no check tells that it has to, unless it goes on.
func (e *evaluator) fail(format string, args ...any) {
	e.fails(&CheckError{Pos: e.at.Pos, What: fmt.Sprintf(format, args...)})
}

func (e *evaluator) fails(err *CheckError) {
	if e.failed == nil || !e.failed(err) {
		panic(failure{err})
	}
}

func (e *evaluator) block(b *ir.Block) []any {
	for _, s := range b.Stmts {
		e.stmt(s)
	}
	return e.atoms(b.Results)
}

func (e *evaluator) stmt(s *ir.Stmt) {
	e.step()
	outer := e.at
	e.at = s
	if v := e.value(s.Op); v != nil {
		e.vars[s.Dst[0]] = v
	} else {
		for i, v := range e.op(s.Op) {
			e.vars[s.Dst[i]] = v
		}
	}
	e.at = outer
}

func (e *evaluator) step() { e.take(1) }

// take counts steps. Each element that is made in one go is one.
func (e *evaluator) take(n int) {
	if e.limit > 0 && n > e.limit-e.steps {
		panic(failure{ErrSteps})
	}
	e.steps += n
}

// room is an array of n elements.
func (e *evaluator) room(n ir.Atom) []any {
	size := e.int(n)
	if size < 0 {
		e.fail("the length %d is negative", size)
		size = 0
	}
	e.take(size)
	return make([]any, size)
}

func (e *evaluator) results(vs []*ir.Var) []any {
	out := make([]any, len(vs))
	for i, v := range vs {
		out[i] = e.vars[v]
	}
	return out
}

func (e *evaluator) atoms(as []ir.Atom) []any {
	out := make([]any, len(as))
	for i, a := range as {
		out[i] = e.atom(a)
	}
	return out
}

func (e *evaluator) atom(a ir.Atom) any {
	if v, ok := a.(*ir.Var); ok {
		return e.vars[v]
	}
	return a.(ir.Const)
}

func (e *evaluator) scalar(a ir.Atom) ir.Const { return e.atom(a).(ir.Const) }
func (e *evaluator) int(a ir.Atom) int         { return int(e.scalar(a).Int()) }
func (e *evaluator) array(a ir.Atom) []any     { return e.atom(a).([]any) }
func (e *evaluator) truth(a ir.Atom) bool      { return e.scalar(a).Bits != 0 }

// inside checks that an array has element i.
func (e *evaluator) inside(s []any, i int) bool {
	if i >= 0 && i < len(s) {
		return true
	}
	e.fail("the index %d is outside of [0, %d)", i, len(s))
	return false
}

// element is element i of an array of values of type t.
func (e *evaluator) element(s []any, i int, t ir.Type) any {
	switch {
	case e.inside(s, i):
		return s[i]
	case t.Rank > 0:
		return []any{}
	}
	return ir.Const{Kind: t.Kind}
}

// value is what an operation yields that has one result and no blocks, nil for others.
func (e *evaluator) value(op ir.Op) any {
	switch op := op.(type) {
	case *ir.Unary:
		return Unary(op.Fn, e.scalar(op.X))
	case *ir.Binary:
		x, y := e.scalar(op.X), e.scalar(op.Y)
		if (op.Fn == ir.Div || op.Fn == ir.Rem) && x.Kind.IsInteger() && y.Bits == 0 {
			e.fail("division by zero")
			return ir.Const{Kind: x.Kind}
		}
		return Binary(op.Fn, x, y)
	case *ir.FMA:
		return ir.FloatConst(ir.Float64, math.FMA(e.scalar(op.X).Float(), e.scalar(op.Y).Float(), e.scalar(op.Z).Float()))
	case *ir.Convert:
		return Convert(op.To, e.scalar(op.X))
	case *ir.Select:
		if e.truth(op.Cond) {
			return e.atom(op.X)
		}
		return e.atom(op.Y)
	case *ir.Len:
		return Int(len(e.array(op.X)))
	case *ir.Index:
		return e.element(e.array(op.X), e.int(op.I), op.X.Type().Elem())
	case *ir.View:
		return e.view(op)
	case *ir.Alloc:
		out, first := e.room(op.N), ir.Const{Kind: op.Kind}
		if op.Blank {
			first = Unset(op.Kind)
		}
		for i := range out {
			out[i] = first
		}
		return out
	case *ir.Update: // in place: a version that is read after its update shows
		x := e.array(op.X)
		if i := e.int(op.I); e.inside(x, i) {
			x[i] = e.atom(op.Value)
		}
		return x
	case *ir.Grow:
		x, keep, n := e.array(op.X), e.int(op.Keep), e.room(op.N)
		if keep < 0 || keep > len(x) || keep > len(n) {
			e.fail("%d elements of %d are kept of %d", keep, len(n), len(x))
			return x
		}
		copy(n, x[:keep])
		for i := keep; i < len(n); i++ {
			n[i] = ir.Const{Kind: op.X.Type().Kind}
		}
		return n
	}
	return nil
}

// op runs an operation that has no [evaluator.value].
func (e *evaluator) op(op ir.Op) []any {
	switch op := op.(type) {
	case *ir.If:
		if e.truth(op.Cond) {
			return e.block(op.Then)
		}
		return e.block(op.Else)
	case *ir.Loop:
		return e.loop(op)
	case *ir.Check:
		args := make([]ir.Const, len(op.Args))
		for i, a := range op.Args {
			args[i] = e.scalar(a)
		}
		if !Holds(op.Kind, args) {
			e.fails(&CheckError{Check: op, Pos: e.at.Pos, Args: args})
		}
		return nil
	case *ir.Call:
		f := e.calls[op.Fn]
		if f == nil {
			panic(failure{fmt.Errorf("%w: %s", ErrCall, op.Fn)})
		}
		return f(e.atoms(op.Args))
	}
	return e.operator(op)
}

func (e *evaluator) loop(op *ir.Loop) []any {
	vals := e.atoms(op.Init)
	i, hi := 0, 0
	if op.I != nil {
		i, hi = e.int(op.Lo), e.int(op.Hi)
	}
	for {
		e.step()
		if op.I != nil {
			if i >= hi {
				return vals
			}
			e.vars[op.I] = Int(i)
			i++
		}
		for k, p := range op.Params {
			e.vars[p] = vals[k]
		}
		if op.Cond != nil && e.block(op.Cond)[0].(ir.Const).Bits == 0 {
			return vals
		}
		vals = e.block(op.Body)
	}
}
