package meaning

import (
	"errors"
	"fmt"
	"slices"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/interp"
	"github.com/surge-ndp/surge/codegen/lower"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/eval"
)

// meaning is what a kernel does on an input, by its IR.
type meaning struct {
	k      *fuse.Kernel
	values map[*ir.Var]any    // of the top level, as far as it came
	failed []*eval.CheckError // the checks that fail; those behind the first one would not have been reached
	size   int                // elements of the largest argument
	early  map[*ir.Stmt]bool  // statements that depend on the parameters alone
}

// meaningOf evaluates the fused IR of a kernel. The error is that of a loop that takes too long.
func meaningOf(k *fuse.Kernel, args []any) (*meaning, error) {
	m := &meaning{k: k, values: map[*ir.Var]any{}, size: 1, early: map[*ir.Stmt]bool{}}
	late := k.Late()
	for _, s := range k.Func.Body.Stmts {
		m.early[s] = !late[s] && ir.OperatorIndex(s.Op) == nil
	}
	for i, p := range k.Func.Params {
		m.values[p] = args[i]
		m.size = max(m.size, count(args[i]))
	}
	_, err := eval.Run(k.Func, args, eval.Options{Steps: 2e5, Trace: func(s *ir.Stmt, results []any) {
		for i, v := range results {
			if len(m.failed) == 0 || m.early[s] {
				m.values[s.Dst[i]] = v
			}
		}
	}, Failed: func(e *eval.CheckError) bool {
		m.failed = append(m.failed, e)
		return len(m.failed) < 1000
	}})
	if len(m.failed) > 0 {
		return m, nil
	}
	return m, err
}

func count(v any) int {
	a, ok := v.([]any)
	if !ok {
		return 1
	}
	n := 0
	for _, x := range a {
		n += count(x)
	}
	return n
}

// frame is one with the parameters and what the statements before the one named compute, nil is none of them.
func (m *meaning) frame(before *ir.Stmt) *interp.Frame {
	f := &interp.Frame{Arrays: map[string]*interp.Array{}, Scalars: map[string]ir.Const{}}
	for _, p := range m.k.Func.Params {
		put(f, p, m.values[p])
	}
	if before == nil {
		return f
	}
	reached := false
	for _, s := range m.k.Func.Body.Stmts {
		if reached = reached || s == before; reached && !m.early[s] {
			continue
		}
		for _, d := range s.Dst {
			if v, ok := m.values[d]; ok {
				put(f, d, v)
			}
		}
	}
	return f
}

// put enters a value: rows lie one behind the other, and the offsets of each level beside them.
func put(f *interp.Frame, v *ir.Var, value any) {
	if c, ok := value.(ir.Const); ok {
		f.Scalars[lower.HostName(v)] = c
		return
	}
	level := value.([]any)
	for _, name := range lower.RowOffsetsNames(v) {
		offsets := &interp.Array{Kind: ir.Int, Data: []ir.Const{eval.Int(0)}}
		var next []any
		for _, row := range level {
			next = append(next, row.([]any)...)
			offsets.Data = append(offsets.Data, eval.Int(len(next)))
		}
		f.Arrays[name], level = offsets, next
	}
	a := &interp.Array{Kind: v.T.Kind, Data: []ir.Const{}}
	for _, x := range level {
		a.Data = append(a.Data, x.(ir.Const))
	}
	f.Arrays[lower.HostName(v)] = a
}

// number is the value of a scalar atom.
func (m *meaning) number(a ir.Atom) int {
	if c, ok := a.(ir.Const); ok {
		return int(c.Int())
	}
	return int(m.values[a.(*ir.Var)].(ir.Const).Int())
}

// room gives the sequences that a computation stores memory in the frame.
func (m *meaning) room(c *fuse.Computation, f *interp.Frame, opt interp.Options) error {
	for i, d := range c.Stmt.Dst {
		if d.T.IsScalar() {
			continue
		}
		n := m.number(ir.ResultLength(c.Stmt.Op))
		levels, err := lower.RowsOf(m.k, c, i)
		if err != nil {
			return err
		}
		for level, rows := range levels {
			if rows.Length != nil {
				n *= m.number(rows.Length)
				if rows.Total != nil {
					n = max(0, min(n, m.number(rows.Total)))
				}
				continue
			}
			offsets := interp.NewArray(ir.Int, n+1)
			offsets.Data[0] = eval.Int(0)
			f.Arrays[lower.RowOffsetsNames(d)[level]] = offsets
			if err := interp.Func(&kir.Func{Name: "rows", Body: rows.Offsets}, f, opt); err != nil {
				return err
			}
			n = int(offsets.Data[n].Int())
		}
		f.Arrays[lower.HostName(d)] = interp.NewArray(d.T.Kind, n)
	}
	return nil
}

// host runs statements of the top level that are no computations.
func (m *meaning) host(stmts []*ir.Stmt, f *interp.Frame, opt interp.Options) error {
	body, err := lower.Host(m.k, stmts)
	if err != nil {
		return err
	}
	fn := &kir.Func{Name: "host", Body: body}
	if err := kir.Verify(fn); err != nil {
		return err
	}
	return interp.Func(fn, f, opt)
}

// expected returns nil if a run may end with err: with nil, or with a *interp.Failure like a check that fails in the
// IR. Where several fail, a run need not report the first one: checks of the inputs alone are made before all others.
func (m *meaning) expected(err error) error {
	var failure *interp.Failure
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &failure):
		return err
	case len(m.failed) == 0:
		return fmt.Errorf("%w [%s at %s]: no check of the IR fails", failure, failure.Check.Kind, failure.Check.Pos)
	}
	c := failure.Check
	for _, f := range m.failed {
		if want := f.Check; want == nil || c.Kind == want.Kind && c.Op == want.Op && c.Arg == want.Arg && c.Pos == f.Pos {
			return nil
		}
	}
	return fmt.Errorf("%w [%s at %s], and in the IR only %w", failure, c.Kind, c.Pos, errors.Join(errorsOf(m.failed)...))
}

func errorsOf(es []*eval.CheckError) (all []error) {
	for _, e := range es {
		all = append(all, e)
	}
	return all
}

// stored checks what a computation has stored in a frame.
func (m *meaning) stored(c *fuse.Computation, f *interp.Frame) error {
	want := &interp.Frame{Arrays: map[string]*interp.Array{}, Scalars: map[string]ir.Const{}}
	for _, d := range c.Stmt.Dst {
		put(want, d, m.values[d])
	}
	for name, x := range want.Scalars {
		got, ok := f.Scalars[name]
		if !ok {
			return fmt.Errorf("the result %s is not set", name)
		}
		if err := same(name, []ir.Const{got}, []ir.Const{x}, m.size); err != nil {
			return err
		}
	}
	for name, a := range want.Arrays {
		if f.Arrays[name] == nil { // offsets of rows of one length
			continue
		}
		if err := same(name, f.Arrays[name].Data, a.Data, m.size); err != nil {
			return err
		}
	}
	return nil
}

// computation is a computation of a kernel with what is around it.
type computation struct {
	k *codegen.Kernel
	*fuse.Computation
	before []*ir.Stmt // late statements between the computation before and this one
}

// computations splits the top level of a kernel. rest is what comes behind the last one, early what depends on the
// parameters alone.
func computations(k *codegen.Kernel) (cs []computation, early, rest []*ir.Stmt) {
	late := k.Fused.Late()
	for _, s := range k.Fused.Func.Body.Stmts {
		if i := slices.IndexFunc(k.Fused.Computations, func(c *fuse.Computation) bool { return c.Stmt == s }); i >= 0 {
			cs = append(cs, computation{k, k.Fused.Computations[i], rest})
			rest = nil
			continue
		}
		if _, view := s.Op.(*ir.View); view {
			continue
		}
		if late[s] {
			rest = append(rest, s)
		} else {
			early = append(early, s)
		}
	}
	return cs, early, rest
}
