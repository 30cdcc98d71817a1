package codegen

import (
	"bytes"
	"fmt"
	"go/format"
	"go/types"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/surge-ndp/surge/codegen/goroutine"
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/lower"
	"github.com/surge-ndp/surge/codegen/opencl"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/selector"
)

// kernelFile prints what is generated for one kernel.
type kernelFile struct {
	k     *Kernel
	units []*goroutine.Unit
	host  *goroutine.Unit
	out   strings.Builder

	base     string // SpMV → spMV: prefix of unexported names
	exported bool
}

func newKernelFile(k *Kernel) *kernelFile {
	name := k.Source.Name
	g := &kernelFile{k: k, base: unexported(name), exported: name != unexported(name)}
	for i := range k.Fused.Computations {
		g.units = append(g.units, goroutine.NewUnit(name, fmt.Sprintf("%s%d", g.base, i+1), g.frame(), fmt.Sprintf("%s%d", lower.EnvPrefix, i+1)))
	}
	g.host = goroutine.NewUnit(name, g.base+"Host", g.frame(), "")
	return g
}

// unexported lowers the first letter.
func unexported(name string) string {
	r, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToLower(r)) + name[n:]
}

func (g *kernelFile) frame() string { return g.base + "Frame" }

// upper raises the first letter of the kernel's name.
func (g *kernelFile) upper() string {
	r, n := utf8.DecodeRuneInString(g.k.Source.Name)
	return string(unicode.ToUpper(r)) + g.k.Source.Name[n:]
}

// public is Run + SpMV for an exported kernel, run + SpMV for another.
func (g *kernelFile) public(verb string) string {
	if !g.exported {
		verb = strings.ToLower(verb)
	}
	return verb + g.upper()
}

func (g *kernelFile) printf(format string, args ...any) { fmt.Fprintf(&g.out, format, args...) }

// funcName is the name of a variant's function: prefix, schedule, and the code parameters of each level, such as
// spMV1_ic_pool_lane8x2.
func (g *kernelFile) funcName(i int, v selector.Variant) string {
	var sb strings.Builder
	sb.WriteString(g.units[i].Prefix + "_")
	elements := strings.Split(v.Schedule, ">")
	for _, e := range elements {
		sb.WriteString(e[:1])
	}
	for d := range elements {
		get := func(name string) string { s, _ := v.Get(fmt.Sprintf("%s_%d", name, d+1)); return s }
		sb.WriteString("_" + strings.ReplaceAll(get("execution_resource"), "+", ""))
		sb.WriteString(get("vector_width"))
		if u := get("unroll"); u != "" && u != "1" {
			sb.WriteString("x" + u)
		}
		if t := get("tile"); t != "" && t != "1" {
			sb.WriteString("tile" + t)
			if get("tile_algo") == "routine" {
				sb.WriteString("sums")
			}
		}
		if get("gather_algo") == "row" {
			sb.WriteString("row")
		}
		if get("store_algo") == "stream" {
			sb.WriteString("stream")
		}
		for _, algo := range []string{"scan_algo", "block_reduce_algo", "block_scan_algo"} {
			if s := get(algo); s != "" {
				sb.WriteString(strings.ReplaceAll(s, "_", ""))
			}
		}
		if s := get("in_flight"); s != "" && s != "1" {
			sb.WriteString("f" + s)
		}
		if s := get("block_scan_grain_size"); s != "" && s != "1" {
			sb.WriteString(s)
		}
	}
	return sb.String()
}

// variant prints the function of one variant of computation i.
func (g *kernelFile) variant(i int, v selector.Variant) (string, error) {
	if v.Platform == opencl.Platform.Name {
		return g.openclCode(i, v)
	}
	c := g.k.Fused.Computations[i]
	name := g.funcName(i, v)
	f, err := lower.Computation(g.k.Fused, c, v, name)
	if err != nil {
		return "", err
	}
	doc := fmt.Sprintf("%s computes %s (%s:%d) under\n%s.", name, c.Name, filepath.Base(c.Stmt.Pos.File), c.Stmt.Pos.Line, v)
	text, err := format.Source([]byte(g.units[i].Func(f, doc)))
	return string(text), err
}

// print prints everything of the kernel: table, frame, Bind, Run, variants.
func (g *kernelFile) print() error {
	k := g.k
	var funcs, tables strings.Builder
	for i, c := range k.Fused.Computations {
		space := k.Space(goroutine.Platform.Name, c.Name)
		var codes []selector.Code
		if space != nil {
			codes = space.Codes()
		}
		if len(codes) == 0 {
			return fmt.Errorf("codegen: %s has no variant that can be generated", c.Name)
		}
		strided := ""
		if d := c.Sequence.Strided(); d > 0 {
			strided = fmt.Sprintf("Strided: %d, ", d)
		}
		fmt.Fprintf(&tables, "\t\t{Name: %q, Sequence: %q, %sCodes: []exec.Code{\n", c.Name, c.Sequence.String(), strided)
		for _, code := range codes {
			name := g.funcName(i, code.Variant)
			f, err := lower.Computation(k.Fused, c, code.Variant, name)
			if err != nil {
				return fmt.Errorf("codegen: %s: %w", code.Variant, err)
			}
			doc := fmt.Sprintf("%s computes %s (%s:%d) under\n%s.", name, c.Name, filepath.Base(c.Stmt.Pos.File), c.Stmt.Pos.Line, code.Variant)
			funcs.WriteString(g.units[i].Func(f, doc))
			fmt.Fprintf(&tables, "\t\t\t{Text: %q,\n\t\t\t\tLaunch: %q, VectorBits: %d, Func: rt.Func(%s)},\n", code.Variant.String(), launchText(code.Launch), goroutine.VectorBits(f), name)
		}
		tables.WriteString("\t\t}},\n")
	}
	pos := k.Source.Pos
	pos.File = filepath.Base(pos.File)
	g.printf("// %sKernel describes %s and its variants.\nvar %sKernel = exec.Kernel{Name: %q, Pos: %q, Hash: %q,\n\tComputations: []*exec.Computation{\n%s\t},\n%s%s}\n\n",
		g.base, k.Source.Name, g.base, k.Source.Name, pos.String(), k.Hash, tables.String(), g.alternativeTable(), g.featureTable())
	bind, err := g.bind()
	if err != nil {
		return err
	}
	run, err := g.run()
	if err != nil {
		return err
	}
	g.printFrame()
	g.printf("%s%s", bind, run)
	for i, u := range g.units {
		g.printf("%s\n", u.EnvType())
		g.printf("%s\n", u.Sites())
		_ = i
	}
	g.printf("%s\n%s", g.host.Sites(), funcs.String())
	return nil
}

func launchText(ls []selector.Launch) string {
	parts := make([]string, len(ls))
	for i, l := range ls {
		parts[i] = l.Name + "=" + strings.Join(l.Values, "|")
	}
	return strings.Join(parts, ";")
}

// stored calls f for every sequence that lives in the frame: parameters, then what computations produce.
func (g *kernelFile) stored(f func(v *ir.Var, result bool)) {
	results := map[ir.Atom]bool{}
	for _, a := range g.k.Fused.Func.Body.Results {
		results[a] = true
	}
	for _, p := range g.k.Fused.Func.Params {
		if p.T.Rank > 0 {
			f(p, false)
		}
	}
	for _, c := range g.k.Fused.Computations {
		for _, d := range c.Stmt.Dst {
			if d.T.Rank > 0 {
				f(d, true)
			}
		}
	}
}

func (g *kernelFile) printFrame() {
	g.printf("// %s holds the inputs of a run of %s, its results and what passes between its computations.\ntype %s struct {\n", g.frame(), g.k.Source.Name, g.frame())
	g.stored(func(v *ir.Var, _ bool) {
		g.printf("\t%s []%s\n", lower.HostName(v), v.T.Kind)
		if v.T.Rank > 1 {
			g.printf("\t%s []int\n", lower.RowOffsetsName(v))
		}
	})
	for _, p := range g.k.Fused.Func.Params {
		if p.T.IsScalar() {
			g.printf("\t%s %s\n", lower.HostName(p), p.T.Kind)
		}
	}
	for _, s := range g.k.Fused.Func.Body.Stmts {
		for _, d := range s.Dst {
			if d.T.IsScalar() {
				g.printf("\t%s %s\n", lower.HostName(d), d.T.Kind)
			}
		}
	}
	for i, u := range g.units {
		g.printf("\t%s%d %sEnv\n", lower.EnvPrefix, i+1, u.Prefix)
		if u.Nested() {
			g.printf("\t%s%ds []%sEnv\n", lower.EnvPrefix, i+1, u.Prefix)
		}
	}
	g.printf("}\n\n")
}

// local makes the name of a generated function's own variable different from the parameters' names.
func (g *kernelFile) local(name string) string {
	for taken := true; taken; {
		taken = false
		for i := range g.k.Source.Params {
			taken = taken || g.paramName(i) == name
		}
		taken = taken || g.isFeature(name)
		if taken {
			name += "_"
		}
	}
	return name
}

func (g *kernelFile) params() (decl, args string) {
	var ds, as []string
	for i, p := range g.k.Source.Params {
		name := g.paramName(i)
		ds = append(ds, name+" "+p.GoType)
		as = append(as, name)
	}
	return strings.Join(ds, ", "), strings.Join(as, ", ")
}

// paramName is the name of parameter i in generated functions: its own, unless it would hide something that they use.
func (g *kernelFile) paramName(i int) string {
	name := g.k.Source.Params[i].Name
	if name == "" || name == "_" {
		name = fmt.Sprintf("p%d", i+1)
	}
	taken := func(name string) bool {
		if hidden[name] || g.isFeature(name) || types.Universe.Lookup(name) != nil {
			return true
		}
		switch name { // what the functions with the kernel's parameters refer to
		case g.base + "Kernel", g.base + "Bind", g.frame(), g.public("Bind"), g.public("Bound"):
			return true
		}
		for j := range g.k.Source.Params {
			if j < i && g.paramName(j) == name || j > i && g.k.Source.Params[j].Name == name {
				return true
			}
		}
		return false
	}
	for taken(name) {
		name += "_"
	}
	return name
}

// hidden are the packages that generated functions with the kernel's parameters mention.
var hidden = map[string]bool{"exec": true, "context": true, "rt": true, "vec": true, "math": true, "bits": true, "harness": true}

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

func isComputation(s *ir.Stmt) bool {
	return ir.OperatorIndex(s.Op) != nil
}

func isView(s *ir.Stmt) bool { _, ok := s.Op.(*ir.View); return ok }

// hostFunc prints a function of host statements; it returns its name, "" if there is nothing to do.
func (g *kernelFile) hostFunc(name string, body []kir.Stmt, doc string) (string, string) {
	if len(body) == 0 {
		return "", ""
	}
	return name, g.host.Func(&kir.Func{Name: name, Body: body}, doc)
}

func (g *kernelFile) bind() (string, error) {
	k := g.k
	var sb strings.Builder
	decl, args := g.params()
	b, f, opts := g.local("b"), g.local("f"), g.local("opts")
	bound := g.public("Bound")
	fmt.Fprintf(&sb, "// %s is %s bound to its inputs. It may be run many times, by one goroutine at a time.\ntype %s struct {\n\tcall exec.Call\n\tframe %s\n%s}\n\n", bound, k.Source.Name, bound, g.frame(), g.alternativeField())
	fmt.Fprintf(&sb, "// %s checks the inputs of %s, chooses a variant of each computation and keeps both for any number of runs. The\n// inputs are not copied; they must not change their lengths, nor index and offset sequences their values, while bound.\n", g.public("Bind"), k.Source.Name)
	sb.WriteString(g.unpackDoc())
	if decl != "" {
		decl += ", "
	}
	fmt.Fprintf(&sb, "func %s(%s%s ...exec.Option) (*%s, error) {\n", g.public("Bind"), decl, opts, bound)
	sb.WriteString(g.alternativeBind(args, opts))
	fmt.Fprintf(&sb, "%s := &%s{}\n%s.call.Init(&%sKernel, %s)\n", b, bound, b, g.base, opts)
	fmt.Fprintf(&sb, "%s := &%s.frame\n", f, b)
	vars := k.Fused.Func.Params
	for i, q := range k.Source.Params {
		name := g.paramName(i)
		p := vars[0]
		switch {
		case q.Fields != nil:
			sb.WriteString(g.unpack(q, vars[:len(q.Fields)], name, f))
		case p.T.Rank == 2:
			fmt.Fprintf(&sb, "%s.%s, %s.%s = exec.Pack(%s)\n", f, lower.HostName(p), f, lower.RowOffsetsName(p), name)
		default:
			fmt.Fprintf(&sb, "%s.%s = %s\n", f, lower.HostName(p), name)
		}
		vars = vars[len(q.Values()):]
	}
	var steps strings.Builder
	var helpers strings.Builder
	prepare, err := lower.Host(k.Fused, g.early())
	if err != nil {
		return "", g.unsupported(err)
	}
	if name, text := g.hostFunc(g.base+"Prepare", prepare, fmt.Sprintf("%sPrepare computes what %s knows of its inputs before it runs.", g.base, k.Source.Name)); name != "" {
		helpers.WriteString(text)
		fmt.Fprintf(&steps, "%s(&b.frame, w, l)\nif w.Stopped() {\nreturn\n}\n", name)
	}
	var inspectors strings.Builder
	for i, c := range k.Fused.Computations {
		name := g.units[i].Prefix + "_inspect"
		fn, err := lower.Inspector(k.Fused, c, name)
		if err != nil {
			return "", g.unsupported(err)
		}
		if fn == nil {
			continue
		}
		helpers.WriteString(g.units[i].Func(fn, fmt.Sprintf("%s makes the checks of %s that depend on its inputs alone.", name, c.Name)))
		fmt.Fprintf(&inspectors, "%s(&b.frame, w, l)\nif w.Stopped() {\nreturn\n}\n", name)
	}
	if inspectors.Len() > 0 {
		fmt.Fprintf(&steps, "if b.call.Unchecked() {\nreturn\n}\n%s", inspectors.String())
	}
	if steps.Len() > 0 {
		fmt.Fprintf(&sb, "if err := rt.Inspect(%s.call.Threads(), %s, %sBind); err != nil {\nreturn nil, err\n}\n", b, b, g.base)
	}
	sb.WriteString(g.declaredFeatures(b))
	for i, c := range k.Fused.Computations {
		if g.lateFeatures(c) {
			continue
		}
		sb.WriteString(g.rowFeatures(i, c, b+".call", f))
		if i == 0 {
			sb.WriteString(g.alternativeChoice(c, args, opts, b, f))
		}
		fmt.Fprintf(&sb, "if err := %s.call.Choose(%d%s); err != nil {\nreturn nil, err\n}\n", b, i, g.features(c, f))
	}
	fmt.Fprintf(&sb, "return %s, nil\n}\n\n", b)
	if steps.Len() > 0 {
		fmt.Fprintf(&sb, "func %sBind(bound any, w *rt.Worker, l *rt.Launch) {\nb := bound.(*%s)\n%s}\n\n", g.base, bound, steps.String())
	}
	fmt.Fprintf(&sb, "// Decisions returns the variants that were chosen, one a computation.\nfunc (b *%s) Decisions() []exec.Decision {%s}\n\n", bound, g.alternativeDecisions())
	sb.WriteString(helpers.String())

	ctx := g.local("ctx")
	fmt.Fprintf(&sb, "// %s is %s, compiled: the same parameters and results, with a context that stops it, and options.\nfunc %s(%s context.Context, %s%s ...exec.Option) %s {\n", g.public("Run"), k.Source.Name, g.public("Run"), ctx, decl, opts, g.results("err"))
	comma := ""
	if args != "" {
		comma = ", "
	}
	e := g.local("err")
	fmt.Fprintf(&sb, "%s, %s := %s(%s%s%s...)\nif %s != nil {\nreturn %s%s\n}\nreturn %s.Run(%s)\n}\n\n", b, e, g.public("Bind"), args, comma, opts, e, g.zeros(), e, b, ctx)
	return sb.String(), nil
}

func (g *kernelFile) unsupported(err error) error {
	return &fuse.Unsupported{Pos: g.k.Source.Pos, Code: "unsupported", What: err.Error(), Why: "the sequential part of the kernel cannot be generated", Fix: "simplify the kernel"}
}

func (g *kernelFile) results(string) string {
	parts := make([]string, 0, len(g.k.Source.Results)+1)
	for _, r := range g.k.Source.Results {
		parts = append(parts, r.GoType)
	}
	return "(" + strings.Join(append(parts, "error"), ", ") + ")"
}

// zeros are zero values for all results, each with a comma behind it.
func (g *kernelFile) zeros() string {
	var sb strings.Builder
	for _, r := range g.k.Source.Results {
		switch {
		case r.Type.Rank > 0:
			sb.WriteString("nil, ")
		case r.Fields != nil:
			sb.WriteString(r.GoType + "{}, ")
		case r.Type.Kind == ir.Bool:
			sb.WriteString("false, ")
		default:
			sb.WriteString("0, ")
		}
	}
	return sb.String()
}

// lateFeatures reports whether a computation's features depend on the results of an earlier one.
func (g *kernelFile) lateFeatures(c *fuse.Computation) bool {
	for _, f := range c.Features {
		if g.late(f.Length) || f.Row != nil && g.late(f.Row) || f.Offsets != nil && g.late(f.Offsets) {
			return true
		}
	}
	return false
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
	return false
}

func (g *kernelFile) features(c *fuse.Computation, f string) string {
	var sb strings.Builder
	for _, ft := range c.Features {
		var value string
		n := g.host1(ft.Length, f)
		switch {
		case ft.Offsets != nil:
			value = fmt.Sprintf("exec.AverageRow(%s.%s)", f, offsetsName(ft.Offsets))
		case ft.Row != nil:
			value = fmt.Sprintf("exec.Ratio(%s, %s)", n, g.host1(ft.Row, f))
		default:
			value = "float64(" + n + ")"
		}
		fmt.Fprintf(&sb, ", exec.Feature(%q, %q, %s)", ft.Name, ft.Unit, value)
	}
	return sb.String()
}

// host1 prints an atom of the top-level block.
func (g *kernelFile) host1(a ir.Atom, f string) string {
	if v, ok := a.(*ir.Var); ok {
		return f + "." + lower.HostName(v)
	}
	return goroutine.Constant(a.(ir.Const))
}

func (g *kernelFile) run() (string, error) {
	k := g.k
	var sb, helpers strings.Builder
	bound := g.public("Bound")
	zeros := g.zeros()
	fmt.Fprintf(&sb, "// Run computes %s. It stops early when ctx is done, and then returns its error.\nfunc (b *%s) Run(ctx context.Context) %s {\n", k.Source.Name, bound, g.results("err"))
	sb.WriteString(g.alternativeCall("Run(ctx)"))
	var body strings.Builder
	late := k.Fused.Late()
	var pending []*ir.Stmt
	lates := 0
	flush := func() error {
		if len(pending) == 0 {
			return nil
		}
		lates++
		stmts, err := lower.Host(k.Fused, pending)
		pending = nil
		if err != nil {
			return g.unsupported(err)
		}
		name, text := g.hostFunc(fmt.Sprintf("%sBetween%d", g.base, lates), stmts, "")
		if name == "" {
			return nil
		}
		helpers.WriteString(text)
		fmt.Fprintf(&body, "if err := rt.Host(f, %s); err != nil {\nreturn %serr\n}\n", name, zeros)
		return nil
	}
	number := 0
	for _, s := range k.Fused.Func.Body.Stmts {
		if !isComputation(s) {
			if late[s] && !isView(s) {
				pending = append(pending, s)
			}
			continue
		}
		if err := flush(); err != nil {
			return "", err
		}
		if err := g.allocate(&body, &helpers, s, number, zeros); err != nil {
			return "", err
		}
		if c := k.Fused.Computations[number]; g.lateFeatures(c) {
			body.WriteString(g.rowFeatures(number, c, "b.call", "f"))
			fmt.Fprintf(&body, "if err := b.call.Choose(%d%s); err != nil {\nreturn %serr\n}\n", number, g.features(c, "f"), zeros)
		}
		fmt.Fprintf(&body, "if err := b.call.Run(ctx, %d, f); err != nil {\nreturn %serr\n}\n", number, zeros)
		number++
	}
	if err := flush(); err != nil {
		return "", err
	}
	var rs []string
	atoms := k.Fused.Func.Body.Results
	for i, q := range k.Source.Results {
		n := len(q.Values())
		name := fmt.Sprintf("r%d", i+1)
		switch v := g.storedAs(atoms[0]); {
		case q.Fields != nil:
			body.WriteString(g.pack(q, atoms[:n], name, i, zeros))
			rs = append(rs, name)
		case q.Type.Rank > 0 && g.resultIndex(v) != i: // another result already: results share no memory
			fmt.Fprintf(&body, "%s, err := exec.Result[%s](&b.call, %d, len(f.%s))\nif err != nil {\nreturn %serr\n}\ncopy(%s, f.%s)\n",
				name, v.T.Kind, i, lower.HostName(v), zeros, name, lower.HostName(v))
			rs = append(rs, g.result(atoms[0], name))
		default:
			rs = append(rs, g.result(atoms[0], ""))
		}
		atoms = atoms[n:]
	}
	if number == 0 {
		body.WriteString("if err := ctx.Err(); err != nil {\nreturn " + zeros + "err\n}\n")
	}
	if strings.Contains(body.String(), "f.") || strings.Contains(body.String(), " f)") || strings.Contains(strings.Join(rs, " "), "f.") || strings.Contains(body.String(), "(f,") {
		sb.WriteString("f := &b.frame\n")
	}
	if strings.Contains(body.String(), ", err = ") {
		sb.WriteString("var err error\n")
	}
	sb.WriteString(body.String())
	fmt.Fprintf(&sb, "return %s, nil\n}\n\n", strings.Join(rs, ", "))
	sb.WriteString(helpers.String())
	return sb.String(), nil
}

// allocate prints how a computation's sequences get memory: results from the caller or new, others from the last run.
func (g *kernelFile) allocate(body, helpers *strings.Builder, s *ir.Stmt, number int, zeros string) error {
	k := g.k
	c := k.Fused.Computations[number]
	for i, d := range s.Dst {
		if d.T.IsScalar() {
			continue
		}
		name := lower.HostName(d)
		count := g.host1(ir.ResultLength(s.Op), "f")
		if d.T.Rank == 2 {
			offsets, err := lower.RowOffsets(k.Fused, c, i)
			if err != nil {
				return g.unsupported(err)
			}
			if offsets == nil {
				row, err := lower.RegularRow(c, i)
				if err != nil {
					return g.unsupported(err)
				}
				count = fmt.Sprintf("%s * %s", count, g.host1(row, "f"))
			} else {
				off := lower.RowOffsetsName(d)
				fn := fmt.Sprintf("%s_rows%d", g.units[number].Prefix, i+1)
				helpers.WriteString(g.units[number].Func(&kir.Func{Name: fn, Body: offsets}, fmt.Sprintf("%s computes where the rows of %s begin.", fn, name)))
				fmt.Fprintf(body, "f.%s = rt.Grow(f.%s, %s+1)\nf.%s[0] = 0\nif err := rt.Host(f, %s); err != nil {\nreturn %serr\n}\n", off, off, count, off, fn, zeros)
				count = fmt.Sprintf("f.%s[%s]", off, count)
			}
		}
		if r := g.resultIndex(d); r >= 0 {
			from := "Result"
			if g.late(ir.ResultLength(s.Op)) { // the caller cannot know the length
				from = "Prefix"
			}
			fmt.Fprintf(body, "f.%s, err = exec.%s[%s](&b.call, %d, %s)\nif err != nil {\nreturn %serr\n}\n", name, from, d.T.Kind, r, count, zeros)
		} else {
			fmt.Fprintf(body, "f.%s = rt.Grow(f.%s, %s)\n", name, name, count)
		}
	}
	return nil
}

// resultIndex returns which result of the kernel a stored sequence is, itself or flattened; -1 if none, or only a field
// of a result.
func (g *kernelFile) resultIndex(v *ir.Var) int {
	atoms := g.k.Fused.Func.Body.Results
	for i, q := range g.k.Source.Results {
		if q.Fields == nil && g.storedAs(atoms[0]) == v {
			return i
		}
		atoms = atoms[len(q.Values()):]
	}
	return -1
}

// storedAs returns the stored sequence behind a result: the result itself, or what it flattens.
func (g *kernelFile) storedAs(a ir.Atom) *ir.Var {
	v, ok := a.(*ir.Var)
	if !ok {
		return nil
	}
	for _, s := range g.k.Fused.Func.Body.Stmts {
		if view, ok := s.Op.(*ir.View); ok && view.Fn == ir.Flatten && s.Dst[0] == v {
			return view.Args[0].(*ir.Var)
		}
	}
	return v
}

// result prints a result of the kernel. data is what holds its elements, "" for where they were computed.
func (g *kernelFile) result(a ir.Atom, data string) string {
	if c, ok := a.(ir.Const); ok {
		return goroutine.Constant(c)
	}
	v := g.storedAs(a)
	name := "f." + lower.HostName(v)
	if data != "" {
		name = data
	}
	if a.Type().Rank < 2 {
		return name
	}
	for _, c := range g.k.Fused.Computations {
		for j, d := range c.Stmt.Dst {
			if d != v {
				continue
			}
			if row, err := lower.RegularRow(c, j); err == nil && row != nil {
				return fmt.Sprintf("exec.RegularRows(%s, %s, %s)", name, g.host1(ir.ResultLength(c.Stmt.Op), "f"), g.host1(row, "f"))
			}
		}
	}
	return fmt.Sprintf("exec.Rows(%s, f.%s)", name, lower.RowOffsetsName(v))
}

// Generated returns the generated files by base name: for every source file with kernels, NAME_surge.go, and, if
// [Options.Code] has the OpenCL platform, NAME_surge_opencl.go, which adds the variants of that one.
func (p *Program) Generated() (map[string][]byte, error) {
	bySource := map[string][]*Kernel{}
	var order []string
	for _, k := range p.Kernels {
		file := filepath.Base(k.Source.Pos.File)
		if bySource[file] == nil {
			order = append(order, file)
		}
		bySource[file] = append(bySource[file], k)
	}
	files := map[string][]byte{}
	for _, file := range order {
		var body strings.Builder
		imports := map[string]bool{"context": true, modulePath + "/codegen/exec": true}
		for _, k := range bySource[file] {
			g := newKernelFile(k)
			if err := g.print(); err != nil {
				return nil, err
			}
			text := g.out.String()
			body.WriteString(text)
			for path, used := range map[string]string{"math": "math.", "math/bits": "bits.OnesCount", modulePath + "/codegen/goroutine/vec": "vec."} {
				if strings.Contains(text, used) {
					imports[path] = true
				}
			}
			if runtimeName.MatchString(text) { // a kernel that only returns what it is given needs none
				imports[modulePath+"/codegen/goroutine/rt"] = true
			}
		}
		src, err := assemble(p.Package.Name, file, imports, body.String())
		if err != nil {
			return nil, fmt.Errorf("codegen: generated code for %s: %w", file, err)
		}
		files[strings.TrimSuffix(file, ".go")+"_surge.go"] = src
	}
	if wanted(p.code, opencl.Platform.Name) {
		return files, p.generatedOpenCL(files, order, bySource)
	}
	return files, nil
}

// runtimeName finds names of package rt in generated code.
var runtimeName = regexp.MustCompile(`(^|[^\w.])rt\.[A-Z]`)

const modulePath = "github.com/surge-ndp/surge"

func assemble(pkg, source string, imports map[string]bool, body string) ([]byte, error) {
	var buf bytes.Buffer
	fmt.Fprintf(&buf, "// Code generated by surge generate from %s; DO NOT EDIT.\n\npackage %s\n\nimport (\n", source, pkg)
	var std, own []string
	for path := range imports {
		if strings.Contains(path, ".") {
			own = append(own, path)
		} else {
			std = append(std, path)
		}
	}
	for _, group := range [][]string{sortStrings(std), {""}, sortStrings(own)} {
		for _, path := range group {
			if path == "" {
				buf.WriteString("\n")
			} else {
				fmt.Fprintf(&buf, "\t%q\n", path)
			}
		}
	}
	buf.WriteString(")\n\n" + body)
	out, err := format.Source(buf.Bytes())
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, buf.String())
	}
	return out, nil
}
