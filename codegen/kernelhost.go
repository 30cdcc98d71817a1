package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/codegen/goroutine"
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/lower"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
)

// hostPrinter prints the host program of a kernel, that part of Run which starts the computations: loops and conditions
// of Go around them, and functions for the scalar code between them.
type hostPrinter struct {
	g        *kernelFile
	out      strings.Builder
	helpers  *strings.Builder
	late     map[*ir.Stmt]bool
	zeros    string     // of the results, for the return of an error
	pending  []*ir.Stmt // scalar code that is not printed yet
	betweens int        // functions of scalar code
}

func (h *hostPrinter) printf(format string, args ...any) { fmt.Fprintf(&h.out, format, args...) }

// try prints a call that may fail.
func (h *hostPrinter) try(call string, args ...any) {
	h.printf("if err := %s; err != nil {\nreturn %serr\n}\n", fmt.Sprintf(call, args...), h.zeros)
}

// program prints all of it.
func (h *hostPrinter) program() error {
	k := h.g.k.Fused
	if k.IsTree() {
		h.try("b.call.Start(f)")
	}
	if err := h.block(k.Func.Body, 0); err != nil {
		return err
	}
	if k.IsTree() {
		h.try("b.call.Finish(f)")
	}
	return nil
}

func (h *hostPrinter) block(b *ir.Block, depth int) error {
	for _, s := range b.Stmts {
		var err error
		switch {
		case fuse.Controls(s):
			if err = h.flush(); err == nil {
				err = h.control(s, depth)
			}
		case isComputation(s):
			if err = h.flush(); err == nil {
				err = h.computation(s, depth)
			}
		case h.late[s] && !isView(s):
			h.pending = append(h.pending, s)
		}
		if err != nil {
			return err
		}
	}
	return h.flush()
}

// flush prints the call of a function for the scalar code before the next computation, loop or condition.
func (h *hostPrinter) flush() error {
	if len(h.pending) == 0 {
		return nil
	}
	h.betweens++
	stmts, err := lower.Host(h.g.k.Fused, h.withRows(h.pending))
	h.pending = nil
	if err != nil {
		return h.g.unsupported(err)
	}
	name, text, err := h.g.hostFunc(fmt.Sprintf("%sBetween%d", h.g.base, h.betweens), stmts, "")
	if err != nil || name == "" {
		return err
	}
	h.helpers.WriteString(text)
	if watched(stmts) {
		h.try("rt.HostUntil(ctx, f, %s)", name)
	} else {
		h.try("rt.Host(f, %s)", name)
	}
	return nil
}

// withRows are statements, and before each one those that pick the rows which it reads, where that did not have to
// wait: a row is no value that a frame could keep.
func (h *hostPrinter) withRows(stmts []*ir.Stmt) (all []*ir.Stmt) {
	rows := map[*ir.Var]*ir.Stmt{}
	fuse.Host(h.g.k.Fused.Func.Body, func(s *ir.Stmt, _ int) {
		if _, ok := s.Op.(*ir.Index); ok && !s.Dst[0].T.IsScalar() && !slices.Contains(stmts, s) {
			rows[s.Dst[0]] = s
		}
	})
	var add func(s *ir.Stmt)
	read := func(s *ir.Stmt) {
		for _, a := range ir.Operands(s.Op) {
			if v, ok := (*a).(*ir.Var); ok && rows[v] != nil {
				row := rows[v]
				delete(rows, v)
				add(row)
			}
		}
	}
	add = func(s *ir.Stmt) {
		read(s)
		for _, b := range ir.Blocks(s.Op) {
			ir.Walk(b, read)
		}
		all = append(all, s)
	}
	for _, s := range stmts {
		add(s)
	}
	return all
}

// computation prints how a computation runs.
func (h *hostPrinter) computation(s *ir.Stmt, depth int) error {
	g, all := h.g, h.g.k.Fused.Computations
	i := slices.IndexFunc(all, func(c *fuse.Computation) bool { return c.Stmt == s })
	c := all[i]
	if depth > 0 { // whether it is reached is not known before
		name, _, err := g.inspector(c, h.helpers, false)
		if err != nil {
			return err
		}
		if name != "" {
			h.printf("if !b.inspected[%d] && !b.call.Unchecked() {\n", i)
			h.try("rt.InspectUntil(ctx, b.call.Threads(), f, %s)", name)
			h.printf("b.inspected[%d] = true\n}\n", i)
		}
	}
	if err := g.allocate(&h.out, h.helpers, i, h.zeros); err != nil {
		return err
	}
	if g.lateFeatures(c) {
		probe, err := g.probe(c, h.helpers, "f")
		if err != nil {
			return err
		}
		choose := "Choose"
		if depth > 0 {
			choose = "ChooseAgain"
		}
		h.printf("%s%s", probe, g.rowFeatures(i, c, "b.call", "f"))
		h.try("b.call.%s(%d%s)", choose, i, g.features(c, "f"))
	}
	switch {
	case i+1 < len(all) && all[i+1].Follows: // runs with it
	case c.Follows:
		h.try("b.call.RunPair(ctx, %d, f)", i-1)
	default:
		h.try("b.call.Run(ctx, %d, f)", i)
	}
	return nil
}

// control prints a loop or a condition around computations.
func (h *hostPrinter) control(s *ir.Stmt, depth int) error {
	if branch, ok := s.Op.(*ir.If); ok {
		h.printf("if %s {\n", h.g.host1(branch.Cond, "f"))
		for i, b := range []*ir.Block{branch.Then, branch.Else} {
			if i == 1 {
				h.printf("} else {\n")
			}
			if err := h.block(b, depth+1); err != nil {
				return err
			}
			h.assign(s.Dst, b.Results)
		}
		h.printf("}\n")
		return nil
	}
	loop := s.Op.(*ir.Loop)
	h.forget(s.Dst)
	h.assign(loop.Params, loop.Init)
	if loop.I != nil {
		i := h.g.host1(loop.I, "f")
		h.printf("for %s = %s; %[1]s < %[3]s; %[1]s++ {\n", i, h.g.host1(loop.Lo, "f"), h.g.host1(loop.Hi, "f"))
	} else {
		h.printf("for {\n")
	}
	h.try("b.call.Turn(ctx)")
	if loop.Cond != nil {
		if err := h.block(loop.Cond, depth+1); err != nil {
			return err
		}
		h.printf("if !%s {\nbreak\n}\n", h.g.host1(loop.Cond.Results[0], "f"))
	}
	if err := h.block(loop.Body, depth+1); err != nil {
		return err
	}
	h.assign(loop.Params, loop.Body.Results)
	h.printf("}\n")
	last := make([]ir.Atom, len(loop.Params))
	for i, p := range loop.Params {
		last[i] = p
	}
	h.assign(s.Dst, last)
	h.forget(loop.Params)
	return nil
}

// assign prints the assignment of values to variables, all at once. A sequence is its memory.
func (h *hostPrinter) assign(to []*ir.Var, from []ir.Atom) {
	var left, right []string
	for i, v := range to {
		x := h.g.host1(from[i], "f")
		if v.T.Rank > 0 {
			x = "f." + lower.HostName(h.g.k.Fused.Stored(from[i]))
		}
		if y := h.g.host1(v, "f"); x != y {
			left, right = append(left, y), append(right, x)
		}
	}
	if len(left) > 0 {
		h.printf("%s = %s\n", strings.Join(left, ", "), strings.Join(right, ", "))
	}
}

// forget prints that sequences have no memory, so that it is free for others.
func (h *hostPrinter) forget(vars []*ir.Var) {
	for _, v := range vars {
		if v.T.Rank > 0 {
			h.printf("%s = nil\n", h.g.host1(v, "f"))
		}
	}
}

// inspector prints the function that makes the checks of a computation which depend on the inputs alone; it returns its
// name, "" if there are none, and whether it may take for ever. always says that it runs whenever inputs are bound, one
// behind the other: what it checks need not be checked by another one.
func (g *kernelFile) inspector(c *fuse.Computation, helpers *strings.Builder, always bool) (name string, endless bool, err error) {
	u := g.units[g.number(c)-1]
	name = u.Prefix + "_inspect"
	fn, err := goroutine.Inspector(g.k.Fused, c, name)
	if err != nil {
		return "", false, g.unsupported(err)
	}
	if fn == nil {
		return "", false, nil
	}
	if always {
		of, err := goroutine.Inspector(g.k.Fused, c, "")
		if err != nil {
			return "", false, g.unsupported(err)
		}
		checks := whatIsChecked(of)
		if slices.Contains(g.checked, checks) {
			return "", false, nil
		}
		g.checked = append(g.checked, checks)
	}
	helpers.WriteString(u.Func(fn, fmt.Sprintf("%s makes the checks of %s that depend on its inputs alone.", name, c.Name)))
	return name, watched(fn.Body), nil
}

// whatIsChecked is the text of an inspector without the places that its checks name.
func whatIsChecked(f *kir.Func) string {
	kir.Walk(f.Body, func(s kir.Stmt) {
		switch s := s.(type) {
		case *kir.Check:
			s.Op, s.Arg, s.Pos = "", "", ir.Pos{}
		case *kir.CheckAll:
			s.Op, s.Arg, s.Pos = "", "", ir.Pos{}
		case *kir.For:
			s.Pos = ir.Pos{}
		case *kir.Par:
			s.Pos = ir.Pos{}
		}
	}, nil)
	return f.String()
}

// treeText says in the table of a kernel that loops or conditions hold computations.
func (g *kernelFile) treeText() string {
	if !g.k.Fused.IsTree() {
		return ""
	}
	return " Tree: true,"
}

// inspectedField is the field of a bound kernel that says which computations in loops and under conditions have had
// their inputs checked.
func (g *kernelFile) inspectedField() string {
	if !g.k.Fused.IsTree() {
		return ""
	}
	return fmt.Sprintf("\tinspected [%d]bool // the computations in loops and under conditions whose inputs were checked\n", len(g.k.Fused.Computations))
}

// grow prints how a sequence that is no result of the kernel gets memory: that of the last time, or, where a loop
// carries it, some that none has which may still be read.
func (g *kernelFile) grow(c *fuse.Computation, d *ir.Var, count string) string {
	name := lower.HostName(d)
	if !g.turns(c, d) {
		return fmt.Sprintf("f.%s = exec.Grow(&b.call, f.%[1]s, %s)\n", name, count)
	}
	carried := g.k.Fused.Carried()
	live := ""
	for _, v := range g.k.Fused.Turning() {
		if v.T.Rank > 0 && carried[v] == carried[d] {
			live += ", f." + lower.HostName(v)
		}
	}
	return fmt.Sprintf("f.%s = exec.Spare(&b.call, &f.%s, %s%s)\n", name, spareName(d), count, live)
}

// turns reports whether a loop around computation c carries what it computes.
func (g *kernelFile) turns(c *fuse.Computation, d *ir.Var) bool {
	return g.k.Fused.Nested(c) && g.k.Fused.Carried()[d] != nil
}

// spareName is the field of the frame for the memory of a sequence that a loop carries.
func spareName(v *ir.Var) string { return lower.EnvPrefix + "Spare_" + lower.HostName(v) }
