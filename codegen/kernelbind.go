package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/codegen/goroutine"
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/lower"
	"github.com/surge-ndp/surge/ops/form"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
	"github.com/surge-ndp/surge/selector"
)

// early and late are the host statements that run when inputs are bound and those that wait for computations.
func (g *kernelFile) early() []*ir.Stmt {
	late := g.k.Fused.Late()
	var out []*ir.Stmt
	for _, s := range g.k.Fused.Func.Body.Stmts {
		if !isComputation(s) && !late[s] && !isView(s) {
			out = append(out, s)
		}
	}
	return out
}

// hostFunc prints a function of host statements; it returns its name, "" if there is nothing to do.
func (g *kernelFile) hostFunc(name string, body []kir.Stmt, doc string) (string, string, error) {
	if len(body) == 0 {
		return "", "", nil
	}
	f, err := goroutine.Host(name, body)
	if err != nil {
		return "", "", g.unsupported(err)
	}
	return name, g.host.Func(f, doc), nil
}

func (g *kernelFile) bind() (string, error) {
	k := g.k
	var sb strings.Builder
	decl, args := g.params()
	b, f, opts := g.local("b"), g.local("f"), g.local("opts")
	bound := g.public("Bound")
	ctx := g.local("ctx")
	plain := g.plainRun(ctx, opts, decl, args)
	again := g.again(decl, args)
	fmt.Fprintf(&sb, "// %s is %s bound to its inputs. It may be run many times, by one goroutine at a time.\ntype %s struct {\n\tcall exec.Call\n\tframe %s\n%s%s%s}\n\n", bound, k.Source.Name, bound, g.frame(), g.inspectedField(), plain.field+again.field, g.alternativeField())
	fmt.Fprintf(&sb, "// %s checks the inputs of %s, chooses a variant of each computation and keeps both for any number of runs. The\n// inputs are not copied; they must not change their lengths, nor index and offset sequences their values, while bound:\n// what was checked is not checked again, and a run with others reads and writes outside of its arrays.\n", g.public("Bind"), k.Source.Name)
	sb.WriteString(g.unpackDoc() + g.structsDoc())
	if decl != "" {
		decl += ", "
	}
	fmt.Fprintf(&sb, "func %s(%s%s ...exec.Option) (*%s, error) {\n", g.public("Bind"), decl, opts, bound)
	sb.WriteString(g.present("nil, "))
	sb.WriteString(g.alternativeBind(args, opts) + g.regularBind(args, opts) + g.regularOnly())
	fmt.Fprintf(&sb, "%s := &%s{}\n%s.call.Init(&%sKernel, %s)\n", b, bound, b, g.base, opts)
	sb.WriteString(g.separate(b))
	opening := sb.String()
	sb.Reset()
	sb.WriteString(g.fill(f))
	var prepared string     // the function that does, if it has not been called
	var inspectors []string // those of the computations
	var helpers strings.Builder
	prepare, err := lower.Host(k.Fused, g.early())
	if err != nil {
		return "", g.unsupported(err)
	}
	inspect, inspectUntil := "(", fmt.Sprintf("Until(%s.call.Context(), ", b)
	if watched(prepare) {
		inspect = inspectUntil
	}
	name, text, err := g.hostFunc(g.base+"Prepare", prepare, fmt.Sprintf("%sPrepare computes what %s knows of its inputs before it runs.", g.base, k.Source.Name))
	if err != nil {
		return "", err
	}
	if name != "" {
		helpers.WriteString(text)
		prepared = name
	}
	// Another algorithm makes its own checks, so it is chosen before those of this one.
	first := k.Fused.Computations
	var beforeChecks string
	late := len(first) > 0 && g.lateFeatures(first[0])
	if len(first) > 0 && len(k.Alternatives) > 0 && (!late || g.whole() > 0) {
		if prepared != "" {
			fmt.Fprintf(&sb, "if err := rt.Inspect%s1, %s, %sPrepare); err != nil {\n%sreturn nil, err\n}\n", inspect, f, g.base, again.late)
			prepared = ""
		}
		beforeChecks = g.declaredFeatures(b)
		for i, c := range k.Fused.Computations {
			if !g.beforeAlgorithm(c) {
				continue
			}
			probe, err := g.probe(c, &helpers, f)
			if err != nil {
				return "", err
			}
			beforeChecks += probe + g.rowFeatures(i, c, b+".call", f)
		}
		beforeChecks += g.alternativeChoice(first[0], args, opts, b, f)
		sb.WriteString(beforeChecks)
	}
	for _, c := range k.Fused.Computations {
		if k.Fused.Nested(c) {
			continue // Run makes them where it reaches the computation
		}
		name, endless, err := g.inspector(c, &helpers, true)
		if err != nil {
			return "", err
		}
		if endless {
			inspect = inspectUntil
		}
		if name != "" {
			inspectors = append(inspectors, name)
		}
	}
	switch {
	case len(inspectors) > 0:
		if prepared == "" {
			prepared = "nil"
		}
		fmt.Fprintf(&sb, "if err := rt.Bind%s%s.call.Threads(), %s, %[2]s.call.Unchecked(), %[4]s, %[5]s); err != nil {\n%[6]sreturn nil, err\n}\n",
			inspect, b, f, prepared, strings.Join(inspectors, ", "), again.late)
	case prepared != "":
		fmt.Fprintf(&sb, "if err := rt.Inspect%s1, %s, %s); err != nil {\n%sreturn nil, err\n}\n", inspect, f, prepared, again.late)
	}
	if beforeChecks == "" {
		sb.WriteString(g.declaredFeatures(b))
	}
	var choices []string // that follow each other
	choose := func() {
		sb.WriteString(unlessFails(choices))
		choices = nil
	}
	for i, c := range k.Fused.Computations {
		if g.lateFeatures(c) {
			continue
		}
		if beforeChecks == "" || !g.beforeAlgorithm(c) {
			probe, err := g.probe(c, &helpers, f)
			if err != nil {
				return "", err
			}
			if rows := g.rowFeatures(i, c, b+".call", f); probe+rows != "" {
				choose()
				sb.WriteString(probe + rows)
			}
		}
		choices = append(choices, fmt.Sprintf("%s.call.Choose(%d%s)", b, i, g.features(c, f)))
	}
	choose()
	sb.WriteString(plain.bind + again.bind)
	filled := sb.String()
	sb.Reset()
	sb.WriteString(opening)
	used, _, err := free("func _() {\n" + filled + "}\n")
	if err != nil {
		return "", err
	}
	if used[f] { // a kernel without parameters may leave nothing to fill in
		fmt.Fprintf(&sb, "%s := &%s.frame\n", f, b)
	}
	fmt.Fprintf(&sb, "%sreturn %s, nil\n}\n\n", filled, b)
	fmt.Fprintf(&sb, "// Decisions returns the variants that were chosen, one a computation.\nfunc (b *%s) Decisions() []exec.Decision {%s%s}\n\n", bound, g.failedBefore("nil"), g.alternativeDecisions())
	sb.WriteString(helpers.String())
	estimates, err := g.estimates()
	if err != nil {
		return "", err
	}
	sb.WriteString(estimates)

	fmt.Fprintf(&sb, "// %s is %s, compiled: the same parameters and results, with a context that stops it, and options.\nfunc %s(%s context.Context, %s%s ...exec.Option) %s {\n", g.public("Run"), k.Source.Name, g.public("Run"), ctx, decl, opts, g.results())
	comma := ""
	if args != "" {
		comma = ", "
	}
	given := opts
	if inspect == inspectUntil {
		given = fmt.Sprintf("append(%s[:len(%[1]s):len(%[1]s)], exec.Until(%s))", opts, ctx)
	}
	if plain.call != "" { // which looks at the sizes of what pointers lead to
		sb.WriteString(g.present(g.zeros()) + plain.call)
	}
	sb.WriteString(g.once(ctx, args+comma, given))
	sb.WriteString(plain.function + again.function)
	return sb.String(), nil
}

// unlessFails prints calls that return errors, of which the first ends the function around them.
func unlessFails(calls []string) string {
	switch len(calls) {
	case 0:
		return ""
	case 1:
		return "if err := " + calls[0] + "; err != nil {\nreturn nil, err\n}\n"
	}
	return "if err := exec.First(" + strings.Join(calls, ",\n") + "); err != nil {\nreturn nil, err\n}\n"
}

// fill prints how a frame gets the arguments.
func (g *kernelFile) fill(f string) string {
	var sb strings.Builder
	var plain goroutine.Pairs // consecutive parameters that are taken as they are
	vars := g.k.Fused.Func.Params
	take := func(q load.Param, name string) {
		n := q.Part.Count()
		text := g.take(q, vars[:n], name, f)
		vars = vars[n:]
		if text == fmt.Sprintf("%s.%s = %[2]s\n", f, name) {
			plain.Add(f+"."+name, name)
			return
		}
		sb.WriteString(plain.Text("=") + text)
		plain = goroutine.Pairs{}
	}
	for i, q := range g.k.Source.Params {
		take(q, g.paramName(i))
	}
	for _, q := range g.k.Source.Hidden {
		take(q, q.Expr)
	}
	return sb.String() + plain.Text("=")
}

// separate prints the check that no result goes where an argument is, or another result, which also is told how much
// memory arguments take; "" if there are neither.
func (g *kernelFile) separate(b string) string {
	var args []string
	for i, q := range g.k.Source.Params {
		args = append(args, g.memory(q.Part, g.paramName(i), g.paramName(i))...)
	}
	for _, q := range g.k.Source.Hidden {
		args = append(args, g.memory(q.Part, q.Name, q.Expr)...)
	}
	if len(args) == 0 && !slices.ContainsFunc(g.k.Source.Results, func(q load.Param) bool { return q.Part.Kind == load.PartSlice }) {
		return ""
	}
	return fmt.Sprintf("if err := %s.call.Separate(%s); err != nil {\nreturn nil, err\n}\n", b, strings.Join(args, ", "))
}

func (g *kernelFile) unsupported(err error) error {
	return &fuse.Unsupported{Pos: g.k.Source.Pos, Code: "unsupported", What: err.Error(), Why: "the sequential part of the kernel cannot be generated", Fix: "simplify the kernel"}
}

// lateFeatures reports whether a computation's features depend on the results of an earlier one.
func (g *kernelFile) lateFeatures(c *fuse.Computation) bool {
	for _, f := range g.k.Features(c) {
		for _, a := range []ir.Atom{f.Length, f.Row, f.Total, f.Inner} {
			if a != nil && g.late(a) {
				return true
			}
		}
		if f.Offsets != nil && g.late(f.Offsets) {
			return true
		}
	}
	return c.Probe != nil && slices.ContainsFunc(ir.Free(c.Probe.Body), func(v *ir.Var) bool { return g.late(v) })
}

// beforeAlgorithm reports whether the features of a computation are known before the algorithm is chosen: those of the
// first one are, and where a turn of the loops may be too short for computations of its own, those that say how long it
// is.
func (g *kernelFile) beforeAlgorithm(c *fuse.Computation) bool {
	return !g.lateFeatures(c) && (g.number(c) == 1 || c.Probe != nil && g.k.Fused.Nested(c) && g.whole() > 0)
}

// Features returns the features of a computation in all its forms, those of the nest first. What a form would have to
// probe, it does without.
func (k *Kernel) Features(c *fuse.Computation) (all []fuse.Feature) {
	for _, f := range k.Forms[slices.Index(k.Fused.Computations, c)].All {
		if asNest(f) {
			continue
		}
		for _, ft := range f.Computation.Features {
			if ft.Name = selector.FormFeature(f.Name, ft.Name); f.Name == selector.Nest || ft.Probed == 0 {
				all = append(all, ft)
			}
		}
	}
	return all
}

// asNest reports whether a form besides the nest has its features, costs and traits: only who computes what differs.
func asNest(f *form.Form) bool {
	return f.From != nil && f.From.From == nil && f.Computation.Sequence[0].HasTrait(fuse.TraitByElements)
}

// number is that of a computation, from 1.
func (g *kernelFile) number(c *fuse.Computation) int {
	return slices.Index(g.k.Fused.Computations, c) + 1
}

// probe prints the call of the probe that features of a computation come from, and adds its function to helpers; "" if
// there is none. What a probe finds wrong with the inputs is left to the checks that report it.
func (g *kernelFile) probe(c *fuse.Computation, helpers *strings.Builder, f string) (string, error) {
	if c.Probe == nil {
		return "", nil
	}
	u := g.units[g.number(c)-1]
	name := u.Prefix + "_probe"
	probe, err := lower.Probe(g.k.Fused, c, g.number(c))
	if err != nil {
		return "", g.unsupported(err)
	}
	fn, err := goroutine.Host(name, probe)
	if err != nil {
		return "", g.unsupported(err)
	}
	helpers.WriteString(u.Probe(fn, fmt.Sprintf("%s counts the elements of some rows of %s.", name, c.Name)))
	return fmt.Sprintf("_ = rt.Host(%s, %s)\n", f, name), nil
}

// late reports whether a is known only after a computation has run.
func (g *kernelFile) late(a ir.Atom) bool {
	for s := range g.k.Fused.Late() {
		for _, d := range s.Dst {
			if ir.Atom(d) == a {
				return true
			}
		}
	}
	for _, c := range g.k.Fused.Computations {
		for _, d := range c.Stmt.Dst {
			if ir.Atom(d) == a {
				return true
			}
		}
	}
	v, isVar := a.(*ir.Var)
	return isVar && slices.Contains(g.k.Fused.Turning(), v)
}

func (g *kernelFile) features(c *fuse.Computation, f string) string {
	var sb strings.Builder
	for _, ft := range g.k.Features(c) {
		var value string
		n := g.host1(ft.Length, f)
		switch {
		case strings.HasSuffix(ft.Name, selector.LoadImbalance):
			value = fmt.Sprintf("exec.Imbalance(%s.%s)", f, g.offsetsName(ft.Offsets))
		case strings.HasSuffix(ft.Name, selector.ElementRowLength):
			value = fmt.Sprintf("exec.ElementRow(%s.%s)", f, g.offsetsName(ft.Offsets))
		case strings.HasSuffix(ft.Name, selector.EqualRows):
			value = fmt.Sprintf("exec.EqualRows(%s.%s)", f, g.offsetsName(ft.Offsets))
		case ft.Offsets != nil:
			value = fmt.Sprintf("exec.AverageRow(%s.%s)", f, g.offsetsName(ft.Offsets))
		case ft.Probed > 0:
			at := func(i int) string { return f + "." + lower.ProbeName(g.number(c), 2*(ft.Probed-2)+i) }
			value = fmt.Sprintf("exec.Average(%s, %s)", at(0), at(1))
		case ft.Inner != nil:
			value = "float64(" + g.host1(ft.Inner, f) + ")"
		case ft.Total != nil:
			value = fmt.Sprintf("exec.TileRatio(%s, %s)", n, g.host1(ft.Total, f))
		case ft.Row != nil:
			value = fmt.Sprintf("exec.Ratio(%s, %s)", n, g.host1(ft.Row, f))
		default:
			value = "float64(" + n + ")"
		}
		fmt.Fprintf(&sb, ", exec.Feature(%q, %q, %s)", ft.Name, ft.Unit, value)
	}
	return sb.String()
}
