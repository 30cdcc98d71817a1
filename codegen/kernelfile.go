package codegen

import (
	"fmt"
	"go/format"
	"path/filepath"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/codegen/goroutine"
	"github.com/surge-ndp/surge/codegen/lower"
	"github.com/surge-ndp/surge/codegen/target"
	"github.com/surge-ndp/surge/ops/form"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
)

// kernelFile prints what is generated for one kernel.
type kernelFile struct {
	k     *Kernel
	p     *Program // that k belongs to
	units []*goroutine.Unit
	host  *goroutine.Unit
	// tables are those of all units.
	tables *goroutine.Tables
	out    strings.Builder
	// allocated are the sequences of structs of the frame that have memory where the text of Run ends.
	allocated map[string]bool
	launches  []string // the launch parameters that codes have
	checked   []string // what inspectors check that run whenever inputs are bound
	// alike says that no code that print has seen uses vectors or routines, but to copy elements, nor one of another
	// algorithm for the kernel.
	alike bool

	packs  bool // Bind copies rows of numbers
	spread bool // what is printed calls the kernel with parallel loops

	paramNames []string // of the parameters so far, see paramName

	base     string // SpMV → spMV: prefix of unexported names
	exported bool
}

func newKernelFile(p *Program, k *Kernel) *kernelFile {
	name := k.Source.Name
	g := &kernelFile{k: k, p: p, base: unexported(name), exported: name != unexported(name), allocated: map[string]bool{}}
	for i := range k.Fused.Computations {
		g.units = append(g.units, goroutine.NewUnit(k.called(), k.prefix(i), g.frame(), fmt.Sprintf("%s%d", lower.EnvPrefix, i+1)))
	}
	g.host = goroutine.NewUnit(k.called(), g.base+"Host", g.frame(), "")
	g.tables = goroutine.NewTables(k.called(), g.base)
	for _, u := range append(g.units, g.host) {
		u.Call, u.Tables = g.callName, g.tables
	}
	return g
}

func (g *kernelFile) printf(format string, args ...any) { fmt.Fprintf(&g.out, format, args...) }

// variant prints the function of one variant.
func (g *kernelFile) variant(v selector.Variant) (string, error) {
	i, f, err := g.k.form(v)
	if err != nil {
		return "", err
	}
	if x, ok := Target(v.Platform).(target.Extension); ok {
		code, err := g.k.code(v)
		if err != nil {
			return "", err
		}
		return x.Source(code, variantDoc(f.Computation, v)), nil
	}
	of := g.k.provider(g.k.Codes(selector.Host, v.Computation), v)
	code, err := g.function(of)
	if err != nil {
		return "", err
	}
	source := ""
	for _, b := range code.Builds() {
		more, _ := g.units[i].Code(b.Func, buildDoc(of, b, code))
		source += more
	}
	text, err := format.Source([]byte(source))
	if err != nil {
		return "", notGo(err, source)
	}
	return string(text), nil
}

// function is the code of a variant for the host.
func (g *kernelFile) function(v selector.Variant) (goroutine.Code, error) {
	code, err := g.k.code(v)
	if err != nil {
		return goroutine.Code{}, err
	}
	return code.(goroutine.Code), nil
}

// variantDoc is the comment on top of the code of a variant that is not Go.
func variantDoc(c *fuse.Computation, v selector.Variant) string {
	return fmt.Sprintf("%s (%s:%d) under\n%s", c.Name, filepath.Base(c.Stmt.Pos.File), c.Stmt.Pos.Line, v)
}

// buildDoc is the comment of a function of a variant, behind its name.
func buildDoc(v selector.Variant, b goroutine.Build, of goroutine.Code) string {
	if b.Func == of.Halved {
		return fmt.Sprintf("is %s for machines whose vectors have %d bits.", v, b.Bits)
	}
	return fmt.Sprintf("is %s.", v)
}

// print prints everything of the kernel: table, frame, Bind, Run, variants.
func (g *kernelFile) print() error {
	k := g.k
	if len(k.Source.Whole) > 0 {
		g.printWhole()
		return nil
	}
	var funcs, tables strings.Builder
	values := map[string]string{} // how functions are called in the table
	plainExact := fuse.PlainCost(k.Source.Func).Exact
	g.alike = true
	for i, c := range k.Fused.Computations {
		codes, omitted, err := g.p.Codes(k, selector.Host, c)
		if err != nil {
			return err
		}
		if len(codes) == 0 {
			return fmt.Errorf("codegen: %s has no variant that can be generated", c.Name)
		}
		left := ""
		if omitted > 0 {
			left = fmt.Sprintf("Omitted: %d, ", omitted)
		}
		if k.Of != nil && k.like(c) != "" {
			left += fmt.Sprintf("Like: %q, ", k.like(c))
		}
		if !plainExact && k.Fused.Exact(c) {
			left += "Exact: true, "
		}
		fmt.Fprintf(&tables, "\t\t{Name: %q, Sequence: %q, %s%s%s, %sCodes: []exec.Code{\n", c.Name, c.Sequence.String(), strided(c), left, costText(c), formsText(k.Forms[i]))
		for _, code := range codes {
			if err := stopped(g.p.opt.Context); err != nil {
				return err
			}
			of := k.provider(codes, code.Variant)
			built, err := g.function(of)
			if err != nil {
				return fmt.Errorf("codegen: %s: %w", code.Variant, err)
			}
			for _, b := range built.Builds() {
				value, ok := values[b.Name]
				if !ok {
					var text string
					text, value = g.units[i].Code(b.Func, buildDoc(of, b, built))
					funcs.WriteString(text)
					values[b.Name] = value
				}
				fmt.Fprintf(&tables, "\t\t\t{Text: %q%s, Func: %s},\n", code.Variant.String(), g.codeFields(code, b.Bits), value)
			}
		}
		m, ok := c.Stmt.Op.(*ir.Map)
		g.alike = g.alike && (ok && onlyCopies(m) || !usesLanes(codes))
		tables.WriteString("\t\t}},\n")
	}
	if err := g.alikeAlternatives(); err != nil {
		return err
	}
	pos := k.Source.Pos
	pos.File = filepath.Base(pos.File)
	like := ""
	if k.Of != nil {
		like = fmt.Sprintf(" Like: exec.Likeness{Kernel: %q, Hash: %q},", k.Of.Source.Name, k.Of.Hash)
	}
	g.printf("%s// %sKernel describes %s and its variants.\nvar %sKernel = exec.Kernel{Name: %q, Pos: %q, Hash: %q,%s%s%s\n\tComputations: []*exec.Computation{\n%s\t},\n%s%s%s}\n\n",
		g.launchTexts(), g.base, k.Source.Name, g.base, k.Source.Name, pos.String(), k.Hash, like, g.exitsText(), g.treeText(), tables.String(), g.alternativeTable(), g.featureTable(), g.plainTable())
	g.printf("%s%s", g.failures(), g.calls())
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
	for _, u := range g.units {
		g.printf("%s\n", u.EnvType())
	}
	g.printf("%s\n%s", g.tables.Text(), funcs.String())
	return nil
}

// codeFields prints what a code takes of the launch and of the machine, each behind a comma.
func (g *kernelFile) codeFields(code selector.Code, bits int) string {
	fields := ""
	if text := param.LaunchText(code.Launch); text != "" {
		if !slices.Contains(g.launches, text) {
			g.launches = append(g.launches, text)
		}
		fields = fmt.Sprintf(", Launch: %sLaunch%d", g.base, slices.Index(g.launches, text)+1)
	}
	if bits > 0 {
		fields += fmt.Sprintf(", VectorBits: %d", bits)
	}
	return fields
}

// launchTexts declares the launch parameters that codes have.
func (g *kernelFile) launchTexts() string {
	if len(g.launches) == 0 {
		return ""
	}
	text := fmt.Sprintf("// Launch parameters that codes of %s have, and their values.\nconst (\n", g.k.Source.Name)
	for i, l := range g.launches {
		text += fmt.Sprintf("\t%sLaunch%d = %q\n", g.base, i+1, l)
	}
	return text + ")\n\n"
}

// usesLanes reports whether code does more than one element at a time: by vectors, or by a routine.
func usesLanes(codes []selector.Code) bool {
	return slices.ContainsFunc(codes, func(c selector.Code) bool {
		return slices.ContainsFunc(c.Policy, func(s selector.Setting) bool {
			return param.VectorWidth.Is(s) || param.GatherAlgo.Is(s) || param.TileAlgo.Is(s) && param.TileAlgo.Value(s) == param.Routine
		})
	})
}

// strided prints which level's elements lie at a distance, if one's do.
func strided(c *fuse.Computation) string {
	if d := c.Sequence.Strided(); d > 0 {
		return fmt.Sprintf("Strided: %d, ", d)
	}
	return ""
}

// formsText prints the forms of a computation besides the nest.
func formsText(forms *form.Forms) string {
	var sb strings.Builder
	for _, f := range forms.All[1:] {
		if asNest(f) {
			fmt.Fprintf(&sb, "{Name: %q, AsNest: true},\n", f.Name)
			continue
		}
		fmt.Fprintf(&sb, "{Name: %q, %s%s},\n", f.Name, strided(f.Computation), costText(f.Computation))
	}
	if sb.Len() == 0 {
		return ""
	}
	return "Forms: []exec.Form{\n" + sb.String() + "}, "
}

// costText prints what the levels of a computation cost.
func costText(c *fuse.Computation) string {
	var levels []string
	list := func(of []float64) string {
		texts := make([]string, len(of))
		for i, a := range of {
			texts[i] = fmt.Sprintf("%.3g", a)
		}
		return "[]float64{" + strings.Join(texts, ", ") + "}"
	}
	for _, l := range c.Costs() {
		more := ""
		if l.Stepped != nil && slices.Max(l.Stepped) > 0 {
			more = ", Stepped: " + list(l.Stepped)
		}
		if slices.Max(l.Masked) > 0 {
			more += ", Masked: " + list(l.Masked)
		}
		if l.Guessed > 0 {
			more += fmt.Sprintf(", Guessed: %.3g", l.Guessed)
		}
		levels = append(levels, fmt.Sprintf("{Operations: %.3g, Runs: %.3g, Scalarised: %s%s}", l.Operations, l.Runs, list(l.Scalarised), more))
	}
	return "Costs: []exec.LevelCost{" + strings.Join(levels, ", ") + "}"
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
	g.printf("%s", g.structFields())
	var fields goroutine.Fields
	g.stored(func(v *ir.Var, _ bool) {
		if g.k.Fused.InPlace[v] == nil {
			fields.Add(lower.HostName(v), "[]"+v.T.Kind.String())
		}
		for _, offsets := range lower.RowOffsetsNames(v) {
			fields.Add(offsets, "[]int")
		}
	})
	for _, p := range g.k.Fused.Func.Params {
		if p.T.IsScalar() {
			fields.Add(lower.HostName(p), p.T.Kind.String())
		}
	}
	for _, v := range g.k.Fused.Turning() {
		typ := v.T.Kind.String()
		if v.T.Rank > 0 {
			typ = "[]" + typ
		}
		fields.Add(lower.HostName(v), typ)
	}
	for _, s := range g.k.Fused.Steps() {
		for _, d := range s.Dst {
			if d.T.IsScalar() {
				fields.Add(lower.HostName(d), d.T.Kind.String())
			}
		}
	}
	for _, c := range g.k.Fused.Computations {
		for _, d := range c.Stmt.Dst {
			if g.turns(c, d) {
				fields.Add(spareName(d), "[][]"+d.T.Kind.String())
			}
		}
	}
	for i, c := range g.k.Fused.Computations {
		if c.Probe != nil {
			for k := range c.Probe.Body.Results {
				fields.Add(lower.ProbeName(i+1, k), "int")
			}
		}
	}
	for i, u := range g.units {
		if u.Carries() {
			fields.Add(fmt.Sprintf("%s%d", lower.EnvPrefix, i+1), u.Prefix+"Env")
		}
		if u.Nested() {
			fields.Add(fmt.Sprintf("%s%ds", lower.EnvPrefix, i+1), "[]"+u.Prefix+"Env")
		}
	}
	g.printf("%s", fields.Text("\t"))
	g.printf("}\n\n")
}

func isComputation(s *ir.Stmt) bool {
	return ir.OperatorIndex(s.Op) != nil
}

func isView(s *ir.Stmt) bool { _, ok := s.Op.(*ir.View); return ok }

// host1 prints an atom of the top-level block.
func (g *kernelFile) host1(a ir.Atom, f string) string {
	if v, ok := a.(*ir.Var); ok {
		return f + "." + lower.HostName(v)
	}
	return goroutine.Constant(a.(ir.Const))
}
