package codegen

import (
	"fmt"
	pathpkg "path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/codegen/goroutine"
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/lower"
	"github.com/surge-ndp/surge/codegen/opencl"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/selector"
)

// openclFile prints what is generated for the OpenCL variants of one kernel: the description of its frame, and what
// adds the variants to the kernel's table. It stands in a file of its own, so that a program without that
// file has nothing of OpenCL.
type openclFile struct {
	*kernelFile
	fields []openclField
	index  map[string]int // of fields
}

type openclField struct {
	name   string
	kind   ir.Kind
	scalar bool
	input  bool
}

func newOpenCLFile(g *kernelFile) *openclFile {
	o := &openclFile{kernelFile: g, index: map[string]int{}}
	add := func(name string, k ir.Kind, scalar, input bool) {
		if _, ok := o.index[name]; !ok {
			o.index[name] = len(o.fields)
			o.fields = append(o.fields, openclField{name, k, scalar, input})
		}
	}
	sequence := func(v *ir.Var, input bool) {
		add(lower.HostName(v), v.T.Kind, false, input)
		if v.T.Rank > 1 {
			add(lower.RowOffsetsName(v), ir.Int, false, input)
		}
	}
	f := g.k.Fused.Func
	for _, p := range f.Params {
		if p.T.IsScalar() {
			add(lower.HostName(p), p.T.Kind, true, true)
		} else {
			sequence(p, true)
		}
	}
	for _, c := range g.k.Fused.Computations {
		for _, d := range c.Stmt.Dst {
			if !d.T.IsScalar() {
				sequence(d, false)
			}
		}
	}
	for _, s := range f.Body.Stmts {
		for _, d := range s.Dst {
			if d.T.IsScalar() {
				add(lower.HostName(d), d.T.Kind, true, false)
			}
		}
	}
	return o
}

// frameName is the variable that describes the frame.
func (o *openclFile) frameName() string { return o.base + "OpenCLFrame" }

// print prints all; prelude is the name of the constant that stands before every source.
func (o *openclFile) print(prelude func(doubles bool) string) error {
	k := o.k
	var inits, sites strings.Builder
	coded := false
	for i, c := range k.Fused.Computations {
		space := k.Space(opencl.Platform.Name, c.Name)
		if space == nil {
			continue
		}
		codes := space.Codes()
		if len(codes) == 0 {
			fmt.Fprintf(&inits, "%sKernel.Computations[%d].Lacks(%q, %q)\n", o.base, i, opencl.Platform.Name, space.WhyEmpty())
			continue
		}
		coded = true
		unit := &opencl.Unit{}
		siteName := o.units[i].Prefix + "OpenCLSites"
		var entries strings.Builder
		for _, code := range codes {
			if err := stopped(o.ctx); err != nil {
				return err
			}
			text, err := o.entry(i, unit, code, prelude, siteName)
			if err != nil {
				return err
			}
			entries.WriteString(text)
		}
		fmt.Fprintf(&inits, "%sKernel.Computations[%d].Codes = append(%[1]sKernel.Computations[%[2]d].Codes,\n%s)\n", o.base, i, entries.String())
		if len(unit.Sites) > 0 {
			fmt.Fprintf(&sites, "var %s = []exec.Check{\n", siteName)
			for _, s := range unit.Sites {
				fmt.Fprintf(&sites, "{Site: exec.Site{Kernel: %q, Pos: %q, Op: %q, Arg: %q}, Kind: exec.%s},\n", k.Source.Name, s.Pos, s.Op, s.Arg, checkKinds[s.Kind])
			}
			sites.WriteString("}\n\n")
		}
	}
	if inits.Len() == 0 {
		return nil
	}
	if coded {
		o.printFrame()
	}
	// A variable's initialiser runs before every init function, whichever order files come in.
	o.printf("%s// %sOpenCL adds the variants of %s for OpenCL devices.\nvar _ = %[2]sOpenCL()\n\nfunc %[2]sOpenCL() bool {\n%[4]sreturn true\n}\n\n", sites.String(), o.base, k.Source.Name, inits.String())
	return nil
}

var checkKinds = map[ir.CheckKind]string{ir.CheckIndex: "CheckIndex", ir.CheckLength: "CheckLength", ir.CheckBounds: "CheckBounds", ir.CheckSize: "CheckSize",
	ir.CheckNonzero: "CheckNonzero", ir.CheckNonneg: "CheckNonneg", ir.CheckCount: "CheckCount", ir.CheckFinite: "CheckFinite", ir.CheckPanic: "CheckPanic", ir.CheckUnique: "CheckUnique"}

func (o *openclFile) printFrame() {
	var names, gets, sets []string
	inputs := 0
	for i, f := range o.fields {
		names = append(names, strconv.Quote(f.name))
		if f.input {
			inputs++
		}
		fn := "Array"
		if f.scalar {
			fn = "Scalar"
			sets = append(sets, fmt.Sprintf("case %d:\nf.%s = exec.Bits[%s](bits)\n", i, f.name, f.kind))
		}
		gets = append(gets, fmt.Sprintf("case %d:\nreturn exec.%s(f.%s)\n", i, fn, f.name))
	}
	last := len(gets) - 1
	o.printf("// %s is how the OpenCL run time reaches the fields of a %s.\nvar %[1]s = &exec.Frame{\nNames: []string{%[3]s},\nInputs: %[4]d,\n", o.frameName(), o.frame(), strings.Join(names, ", "), inputs)
	if outputs := o.indices(o.outputs()); len(outputs) > 0 {
		o.printf("Outputs: %s,\n", intList(outputs))
	}
	if fixed := o.indices(o.fixed()); len(fixed) > 0 {
		o.printf("Fixed: %s,\n", intList(fixed))
	}
	o.printf("Get: func(frame any, i int) exec.Value {\nf := frame.(*%s)\nswitch i {\n%s}\n%s},\n", o.frame(), strings.Join(gets[:last], ""), strings.SplitN(gets[last], "\n", 2)[1])
	if len(sets) > 0 {
		o.printf("Set: func(frame any, i int, bits uint64) {\nf := frame.(*%s)\nswitch i {\n%s}\n},\n", o.frame(), strings.Join(sets, ""))
	}
	o.printf("}\n\n")
}

func intList(is []int) string {
	parts := make([]string, len(is))
	for i, x := range is {
		parts[i] = strconv.Itoa(x)
	}
	return "[]int{" + strings.Join(parts, ", ") + "}"
}

// indices returns the fields of the names that are fields, in order, once each.
func (o *openclFile) indices(names []string) []int {
	var is []int
	for _, n := range names {
		if i, ok := o.index[n]; ok {
			is = append(is, i)
		}
	}
	slices.Sort(is)
	return slices.Compact(is)
}

// outputs are the computed sequences that the kernel returns.
func (o *openclFile) outputs() []string {
	var names []string
	for _, a := range o.k.Fused.Func.Body.Results {
		if v := o.storedAs(a); v != nil && v.T.Rank > 0 && !o.isInput(v) {
			names = append(names, lower.HostName(v))
		}
	}
	return names
}

func (o *openclFile) isInput(v *ir.Var) bool { return slices.Contains(o.k.Fused.Func.Params, v) }

// fixed are the inputs that are checked when they are bound.
func (o *openclFile) fixed() []string {
	var names []string
	for _, p := range o.k.Fused.Func.Params {
		if p.T.Rank > 1 {
			names = append(names, lower.RowOffsetsName(p))
		}
	}
	for _, c := range o.k.Fused.Computations {
		if fn, err := lower.Inspector(o.k.Fused, c, "f"); err == nil && fn != nil {
			names = append(names, arraysOf(fn.Body)...)
		}
	}
	return slices.DeleteFunc(names, func(n string) bool { i, ok := o.index[n]; return !ok || !o.fields[i].input })
}

// arraysOf returns the sequences of the frame that statements read.
func arraysOf(body []kir.Stmt) []string {
	var names []string
	add := func(a *kir.Array) {
		if a != nil && a.Space == kir.Global {
			names = append(names, a.Name)
		}
	}
	kir.Walk(body, func(s kir.Stmt) {
		if _, store := s.(*kir.Store); !store {
			add(kir.ArrayOf(s))
		}
	}, func(x kir.Expr) {
		if _, length := x.(*kir.Length); !length {
			add(kir.ArrayOf(x))
		}
	})
	return names
}

// reads are the computed sequences that host code reads after computation i and before the next.
func (o *openclFile) reads(i int) ([]int, error) {
	var names []string
	comps := o.k.Fused.Computations
	stmts := o.k.Fused.Func.Body.Stmts
	from := slices.Index(stmts, comps[i].Stmt) + 1
	to := len(stmts)
	if i+1 < len(comps) {
		to = slices.Index(stmts, comps[i+1].Stmt)
		for r := range comps[i+1].Stmt.Dst {
			offsets, err := lower.RowOffsets(o.k.Fused, comps[i+1], r)
			if err != nil {
				return nil, err
			}
			names = append(names, arraysOf(offsets)...)
		}
	}
	var pending []*ir.Stmt
	late := o.k.Fused.Late()
	for _, s := range stmts[from:to] {
		if late[s] && !isView(s) && !isComputation(s) {
			pending = append(pending, s)
		}
	}
	if len(pending) > 0 {
		body, err := lower.Host(o.k.Fused, pending)
		if err != nil {
			return nil, err
		}
		names = append(names, arraysOf(body)...)
	}
	names = slices.DeleteFunc(names, func(n string) bool {
		i, ok := o.index[n]
		return !ok || o.fields[i].input || strings.HasSuffix(n, "Rows")
	})
	return o.indices(names), nil
}

// variantDoc is the comment on top of a source.
func (o *openclFile) variantDoc(c *fuse.Computation, v selector.Variant) string {
	return fmt.Sprintf("%s (%s:%d) under\n%s", c.Name, filepath.Base(c.Stmt.Pos.File), c.Stmt.Pos.Line, v)
}

func (o *openclFile) entry(i int, unit *opencl.Unit, code selector.Code, prelude func(bool) string, sites string) (string, error) {
	c := o.k.Fused.Computations[i]
	d, err := lower.Device(o.k.Fused, c, code.Variant, o.funcName(i, code.Variant))
	if err != nil {
		return "", fmt.Errorf("codegen: %s: %w", code.Variant, err)
	}
	p := unit.Print(d, o.variantDoc(c, code.Variant))
	var sb strings.Builder
	fmt.Fprintf(&sb, "exec.Code{Text: %q,\nLaunch: %q, Func: &clrt.Code{\nFrame: %s,\n", code.Variant.String(), launchText(code.Launch), o.frameName())
	fmt.Fprintf(&sb, "Source: %s + `\n%s`,\n", prelude(p.Doubles), p.Source)
	if p.Doubles {
		sb.WriteString("Doubles: true,\n")
	}
	if p.Subgroups {
		sb.WriteString("Subgroups: true,\n")
	}
	if p.Shuffles {
		sb.WriteString("Shuffles: true,\n")
	}
	if len(d.Temps) > 0 {
		sb.WriteString("Temps: []clrt.Temp{\n")
		for _, t := range d.Temps {
			fmt.Fprintf(&sb, "{Elem: %d, Step: %d, Count: func(frame any, g clrt.Geometry) int {\n%sreturn %s\n}},\n", t.A.Kind.Bytes(), t.Step, o.frameUse(t.N), o.size(t))
		}
		sb.WriteString("},\n")
	}
	sb.WriteString("Steps: []clrt.Step{\n")
	for _, k := range p.Kernels {
		fmt.Fprintf(&sb, "{Kernel: %q, Args: []clrt.Arg{%s},\n", k.Name, o.args(k.Args))
		if k.Launch.Count != nil {
			fmt.Fprintf(&sb, "Count: func(frame any) int {\n%sreturn %s\n},\n", o.frameUse(k.Launch.Count), o.hostExpr(k.Launch.Count))
		}
		sb.WriteString("Per: clrt." + map[kir.Resource]string{kir.Item: "PerItem", kir.Warp: "PerWarp", kir.Group: "PerGroup", kir.OneGroup: "OneGroup"}[k.Launch.Per])
		if k.Launch.Grain > 0 {
			if _, ok := grained(code, k.Launch.Grain); ok {
				fmt.Fprintf(&sb, ", Grain: %d", k.Launch.Grain)
			}
		}
		if k.Launch.MaxGroups > 0 {
			fmt.Fprintf(&sb, ", MaxGroups: %d", k.Launch.MaxGroups)
		}
		if k.Launch.Always {
			sb.WriteString(", Always: true")
		}
		sb.WriteString("},\n")
	}
	sb.WriteString("},\n")
	if d.Rounds > 0 {
		fmt.Fprintf(&sb, "Round: %d, Rounds: %d,\n", d.Round, d.Rounds)
	}
	if results := o.indices(append(p.Writes, p.Results...)); len(results) > 0 {
		fmt.Fprintf(&sb, "Results: %s,\n", intList(results))
	}
	reads, err := o.reads(i)
	if err != nil {
		return "", err
	}
	if len(reads) > 0 {
		fmt.Fprintf(&sb, "Reads: %s,\n", intList(reads))
	}
	if p.Checks {
		fmt.Fprintf(&sb, "Sites: %s,\n", sites)
	}
	sb.WriteString("}},\n")
	return sb.String(), nil
}

// grained reports whether the code has a grain size at a level.
func grained(code selector.Code, level int) (selector.Launch, bool) {
	for _, l := range code.Launch {
		if l.Name == fmt.Sprintf("grain_size_%d", level) {
			return l, true
		}
	}
	return selector.Launch{}, false
}

func (o *openclFile) args(as []opencl.Arg) string {
	parts := make([]string, len(as))
	for i, a := range as {
		switch a.Kind {
		case opencl.Field:
			parts[i] = fmt.Sprintf("{Kind: clrt.Field, Index: %d}", o.index[a.Name])
		case opencl.Length:
			parts[i] = fmt.Sprintf("{Kind: clrt.Length, Index: %d}", o.index[a.Name])
		case opencl.Result:
			parts[i] = fmt.Sprintf("{Kind: clrt.Result, Index: %d}", o.index[a.Name])
		case opencl.Temporary:
			parts[i] = fmt.Sprintf("{Kind: clrt.Temporary, Index: %d}", a.Number)
		case opencl.Status:
			parts[i] = "{Kind: clrt.Status}"
		case opencl.Round:
			parts[i] = "{Kind: clrt.Round}"
		case opencl.Groups:
			parts[i] = fmt.Sprintf("{Kind: clrt.Groups, Index: %d}", a.Number)
		}
	}
	return strings.Join(parts, ", ")
}

// frameUse declares the frame where an expression reads it.
func (o *openclFile) frameUse(x kir.Expr) string {
	if goroutine.Mentions(o.hostExpr(x), "f") {
		return fmt.Sprintf("f := frame.(*%s)\n", o.frame())
	}
	return ""
}

// hostExpr prints an expression over the frame as a Go int.
func (o *openclFile) hostExpr(x kir.Expr) string {
	switch x := x.(type) {
	case *kir.Const:
		return strconv.FormatInt(x.C.Int(), 10)
	case *kir.Length:
		return "len(f." + x.A.Name + ")"
	case *kir.Ref:
		if x.V.T.Kind == ir.Int {
			return "f." + x.V.Name
		}
		return "int(f." + x.V.Name + ")"
	case *kir.Convert:
		return "int(" + x.T.Kind.String() + "(" + o.hostExpr(x.X) + "))"
	case *kir.Bin:
		a, b := o.hostExpr(x.X), o.hostExpr(x.Y)
		switch x.Fn {
		case ir.Min, ir.Max:
			return fmt.Sprintf("%s(%s, %s)", x.Fn, a, b)
		}
		return fmt.Sprintf("(%s %s %s)", a, x.Fn.GoOperator(), b)
	}
	panic(fmt.Sprintf("codegen: %T is not known to the host", x))
}

func (o *openclFile) size(t *kir.Temp) string {
	n := o.hostExpr(t.N)
	if n == "1" {
		n = ""
	} else {
		n = " * max(" + n + ", 1)"
	}
	switch t.Per {
	case kir.OneGroup:
		return "max(" + o.hostExpr(t.N) + ", 1)"
	case kir.Group:
		return "g.Groups" + n
	case kir.Warp:
		return "g.Groups * (g.Block() / g.Warp)" + n
	}
	return "g.Groups * g.Block()" + n
}

// openclCode returns the OpenCL C of one variant.
func (g *kernelFile) openclCode(i int, v selector.Variant) (string, error) {
	c := g.k.Fused.Computations[i]
	d, err := lower.Device(g.k.Fused, c, v, g.funcName(i, v))
	if err != nil {
		return "", err
	}
	o := newOpenCLFile(g)
	return (&opencl.Unit{}).Print(d, o.variantDoc(c, v)).Source, nil
}

// generatedOpenCL adds the files with OpenCL variants.
func (p *Program) generatedOpenCL(files map[string][]byte, order []string, bySource map[string][]*Kernel) error {
	for _, file := range order {
		var body strings.Builder
		base := strings.TrimSuffix(file, ".go")
		name := func(doubles bool) string {
			n := unexported(identifierOf(base)) + "OpenCLPrelude"
			if doubles {
				return n + "Doubles"
			}
			return n
		}
		for _, k := range bySource[file] {
			o := newOpenCLFile(newKernelFile(k))
			o.ctx = p.ctx
			if err := o.print(name); err != nil {
				return err
			}
			body.WriteString(o.out.String())
		}
		if body.Len() == 0 {
			continue
		}
		text := body.String()
		for _, doubles := range []bool{false, true} {
			if strings.Contains(text, name(doubles)+" +") {
				text += fmt.Sprintf("// %s stands before the OpenCL C of every variant%s.\nconst %[1]s = `%[3]s`\n\n", name(doubles), map[bool]string{false: " without doubles", true: " with doubles"}[doubles], opencl.Prelude(doubles))
			}
		}
		imports := map[string]string{}
		for _, path := range []string{modulePath + "/codegen/exec", modulePath + "/codegen/opencl/clrt"} {
			if goroutine.Mentions(text, pathpkg.Base(path)) {
				imports[path] = ""
			}
		}
		src, err := assemble(p.Package, file, bySource[file][0].Source.Constraint, imports, text)
		if err != nil {
			return fmt.Errorf("codegen: generated OpenCL code for %s: %w", file, err)
		}
		files[base+"_surge_opencl.go"] = src
	}
	return nil
}

// identifierOf makes the name of a file a part of a Go identifier.
func identifierOf(name string) string {
	var sb strings.Builder
	up := false
	for _, r := range name {
		switch {
		case r == '_' || r == '-' || r == '.':
			up = true
			continue
		case r >= '0' && r <= '9', r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
		default:
			r = 'x'
		}
		if up {
			r = []rune(strings.ToUpper(string(r)))[0]
			up = false
		}
		if sb.Len() == 0 && r >= '0' && r <= '9' {
			sb.WriteRune('x')
		}
		sb.WriteRune(r)
	}
	return sb.String()
}
