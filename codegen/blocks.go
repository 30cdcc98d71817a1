package codegen

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/ops/cut"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
)

const clusterPath = modulePath + "/codegen/cluster"

// Cut is a kernel that runs block by block: the plan of its stages, and each of their steps as a kernel of its own.
type Cut struct {
	Kernel *Kernel
	Plan   *cut.Plan
	steps  []*Kernel // of all stages, in order: what runs once, the blocks, what combines
}

// CutKernel cuts a kernel of the program. The error is a *[cut.Refused] if it has no level that can be cut.
func (p *Program) CutKernel(k *Kernel) (*Cut, error) {
	plan, err := p.plan(k)
	if err != nil {
		return nil, err
	}
	c := &Cut{Kernel: k, Plan: plan}
	for i, s := range plan.Stages {
		for _, f := range s.Functions() {
			own, err := p.step(k, f)
			if err != nil {
				return nil, fmt.Errorf("stage %d of %s: %w", i+1, k.Source.Name, err)
			}
			c.steps = append(c.steps, own)
		}
	}
	return c, nil
}

// plan says how a kernel is cut.
func (p *Program) plan(k *Kernel) (*cut.Plan, error) {
	if k.Source.Error() >= 0 {
		return nil, &cut.Refused{Pos: k.Source.Pos, Why: "a kernel that returns an error of its own is not cut into blocks"}
	}
	if k.Source.Exits {
		return nil, &cut.Refused{Pos: k.Source.Pos, Why: "a kernel that returns out of a loop is not cut into blocks"}
	}
	if len(k.Source.Whole) > 0 {
		return nil, &cut.Refused{Pos: k.Source.Pos, Why: "it runs as it stands: " + k.Source.WhyWhole()}
	}
	if len(k.Source.Calls) > 0 {
		return nil, &cut.Refused{Pos: k.Source.Pos, Why: k.Source.Calls[0].Name + " is called as it is: a kernel that calls functions of Go is not cut into blocks"}
	}
	plan, err := cut.Divide(fuse.Prefixes(k.Fused.Func))
	if refused := (*cut.Refused)(nil); errors.As(err, &refused) {
		for _, o := range k.Fused.InOrder {
			if o.Pos == refused.Pos {
				refused.Why = "the loop runs in order: " + o.Why
			}
		}
	}
	return plan, err
}

// step compiles a function of a stage as a kernel that no source has.
func (p *Program) step(of *Kernel, f *ir.Func) (*Kernel, error) {
	f = f.Clone()
	f.Name = unexported(f.Name)
	src := &load.Kernel{Name: f.Name, Pos: of.Source.Pos, Constraint: of.Source.Constraint, Func: f}
	for i, v := range f.Params {
		src.Params = append(src.Params, stepParam(fmt.Sprintf("p%d", i+1), v.T))
	}
	for i, t := range f.Results() {
		src.Results = append(src.Results, stepParam(fmt.Sprintf("r%d", i+1), t))
	}
	ks, err := p.ways(src)
	if err != nil {
		return nil, err
	}
	ks[0].WayOf, ks[0].Of = of.Source.Name, of // what users know it as
	if p.opt.Step != nil {
		p.opt.Step(ks[0])
	}
	return ks[0], nil
}

// like returns the computation of the kernel that a step is of which its own computation c is a part of: at the same
// place of the source, of the same operators; "" if there is none.
func (k *Kernel) like(c *fuse.Computation) string {
	for _, other := range k.Of.Fused.Computations {
		if other.Stmt.Pos == c.Stmt.Pos && other.Sequence.String() == c.Sequence.String() {
			return other.Name
		}
	}
	return ""
}

// stepParam is a parameter or a result that is a plain value of the IR.
func stepParam(name string, t ir.Type) load.Param {
	part := &load.Part{Kind: load.PartNumber, GoType: t.Kind.String(), Number: t.Kind, Plain: true}
	for range t.Rank {
		part = &load.Part{Kind: load.PartSlice, GoType: "[]" + part.GoType, Elem: part}
	}
	return load.Param{Name: name, GoType: part.GoType, Part: part}
}

// Blocks returns, by base name, a file for each source file with kernels, with what package cluster has to know of
// them, and functions that cut their arguments. Kernels that cannot be cut are named in it, with the reason; the error
// is that of the kernel only if it cannot.
func (p *Program) Blocks(only string) (map[string][]byte, error) {
	files := map[string][]byte{}
	var order []string
	bySource, steps := map[string]string{}, map[string][]*Kernel{}
	for _, k := range p.Kernels {
		if k.Source.VariantOf != "" || only != "" && k.Source.Name != only {
			continue
		}
		file := filepath.Base(k.Source.Pos.File)
		c, err := p.CutKernel(k)
		text := ""
		if refused := (*cut.Refused)(nil); errors.As(err, &refused) && only == "" {
			text, err = fmt.Sprintf("// %s is not cut into blocks: %s\n// (%s).\n\n", k.Source.Name, refused.Why, refused.Pos), nil
		} else if err == nil {
			text, err = p.blocks(c)
			steps[file] = append(steps[file], c.steps...)
		}
		if err != nil {
			return nil, err
		}
		if _, ok := bySource[file]; !ok {
			order = append(order, file)
		}
		bySource[file] += text
	}
	for _, file := range order {
		imports := map[string]string{"context": "", "math": "", "math/bits": "", modulePath + "/codegen/exec": "",
			modulePath + "/codegen/goroutine/rt": "", vecPath: "", clusterPath: ""}
		constraint := ""
		for _, k := range p.Kernels {
			if filepath.Base(k.Source.Pos.File) == file {
				constraint = k.Source.Constraint
				for path, name := range k.Source.Imports {
					imports[path] = name
				}
			}
		}
		src, err := p.assemble(file, constraint, imports, bySource[file])
		if err != nil {
			return nil, fmt.Errorf("codegen: generated code for the blocks of %s: %w", file, err)
		}
		base := strings.TrimSuffix(file, ".go")
		files[base+"_surge_blocks.go"] = src
		for _, x := range extensions(p.opt.Code) {
			more := map[string][]byte{}
			if err := p.extend(x, more, base+"_blocks.go", steps[file]); err != nil {
				return nil, err
			}
			maps.DeleteFunc(more, func(name string, _ []byte) bool { return filepath.Ext(name) != ".go" }) // no library of steps
			maps.Copy(files, more)
		}
	}
	return files, nil
}

// blocks prints everything of one kernel.
func (p *Program) blocks(c *Cut) (string, error) {
	k := c.Kernel
	g := newKernelFile(p, k)
	var sb strings.Builder
	fmt.Fprintf(&sb, "// %s describes %s block by block.\nvar %[1]s = &cluster.Kernel{Name: %q, Pos: %q,\nParams: []cluster.Param{\n", g.clusterName(), k.Source.Name, sourcePos(k.Source.Pos))
	for _, q := range c.Plan.Params {
		fmt.Fprintf(&sb, "{Name: %q, Kind: %q, Rank: %d%s%s},\n", q.Var.Name, q.Var.T.Kind, q.Var.T.Rank, truth("Cut", q.Cut), truth("Offsets", q.Offsets))
	}
	sb.WriteString("},\nCuts: []cluster.Cut{\n")
	for _, x := range c.Plan.Cuts {
		fmt.Fprintf(&sb, "{Param: %d, By: %d, From: %d, To: %d, Times: %s, Lo: %s, Hi: %s},\n", x.Param, x.By, x.From, x.To, termText(x.Times), termText(x.Lo), termText(x.Hi))
	}
	fmt.Fprintf(&sb, "},\nLength: %d, Wholes: %d, Parts: %d,\nStages: []cluster.Stage{\n", c.Plan.Length, c.Plan.Wholes, c.Plan.Parts)
	steps := c.steps
	take := func() (own *Kernel) { own, steps = steps[0], steps[1:]; return own }
	for _, s := range c.Plan.Stages {
		sb.WriteString("{\n")
		if s.Whole != nil {
			fmt.Fprintf(&sb, "Whole: %s,\n", stepText(s.Whole, take(), false))
		}
		if s.Block != nil {
			fmt.Fprintf(&sb, "Block: %s,\n", stepText(s.Block, take(), true))
		}
		if len(s.Partials) > 0 {
			sb.WriteString("Partials: []cluster.Partial{")
			for _, q := range s.Partials {
				fmt.Fprintf(&sb, "{Whole: %d%s}, ", q.Whole, truth("Listed", q.Listed))
			}
			sb.WriteString("},\n")
		}
		if s.Combine != nil {
			own := take()
			half := len(own.Source.Params) / 2
			var args []string
			for i, q := range own.Source.Params {
				side, at := "earlier", i
				if i >= half {
					side, at = "later", i-half
				}
				args = append(args, unpacked(fmt.Sprintf("%s[%d]", side, at), q))
			}
			fmt.Fprintf(&sb, "Combine: func(ctx context.Context, earlier, later []cluster.Value) ([]cluster.Value, error) {\n%s},\n", callText(own, args))
		}
		if t := s.Sort; t != nil {
			how := fmt.Sprintf("Splitters: [2]int{%d, %d}", t.Splitters[0], t.Splitters[1])
			if t.Placed {
				how = fmt.Sprintf("Placed: true, Width: %d%s", t.Width, truth("Sparse", t.Sparse))
			}
			fmt.Fprintf(&sb, "Sort: &cluster.Sort{Keys: %d, From: %d, %s%s%s},\n", t.Keys, t.From, intsText("Moved", t.Moved), intsText("Out", t.Out), how)
		}
		sb.WriteString("},\n")
	}
	sb.WriteString("},\nResults: []cluster.Result{\n")
	for i, r := range c.Plan.Results {
		fmt.Fprintf(&sb, "{Name: %q, Kind: %q, Rank: %d%s, Slot: %d},\n", k.ResultName(i), r.Type.Kind, r.Type.Rank, truth("Block", r.Block), r.Slot)
	}
	sb.WriteString("},\nSteps: []*exec.Kernel{")
	for _, own := range c.steps {
		fmt.Fprintf(&sb, "&%sKernel, ", newKernelFile(p, own).base)
	}
	sb.WriteString("},\n")
	decl, args := g.params()
	values := "cluster.Columns(" + args + ")"
	if len(k.Source.Hidden) > 0 {
		var hidden []string
		for _, q := range k.Source.Hidden {
			hidden = append(hidden, q.Expr)
		}
		fmt.Fprintf(&sb, "Hidden: func() cluster.Slices { return cluster.Columns(%s) },\n", strings.Join(hidden, ", "))
		values = fmt.Sprintf("append(%s, %s.Hidden()...)", values, g.clusterName())
	}
	sb.WriteString("}\n\n")
	fmt.Fprintf(&sb, "// %s returns the arguments of %s as what its blocks are cut from. They are not copied where they are flat slices\n// of numbers.\nfunc %s(%s) cluster.Slices {\nreturn %s\n}\n\n",
		g.public("Blocks"), k.Source.Name, g.public("Blocks"), decl, values)
	for _, own := range c.steps {
		f := newKernelFile(p, own)
		if err := f.print(); err != nil {
			return "", err
		}
		sb.WriteString(f.out.String())
	}
	return sb.String(), nil
}

// clusterName is the variable that describes the kernel block by block.
func (g *kernelFile) clusterName() string { return g.base + "Cluster" }

// ResultName names a result of the fused function: a column of one of the kernel's results.
func (k *Kernel) ResultName(i int) string {
	var names []string
	for _, q := range k.Source.Results {
		names = append(names, partNames(q.Name, q.Part)...)
	}
	if i < len(names) {
		return names[i]
	}
	return fmt.Sprintf("result%d", i+1)
}

func sourcePos(pos ir.Pos) string {
	pos.File = filepath.Base(pos.File)
	return pos.String()
}

func truth(name string, set bool) string {
	if set {
		return ", " + name + ": true"
	}
	return ""
}

func termText(t cut.Term) string {
	return fmt.Sprintf("cluster.Term{Slot: %d, Const: %d}", t.Slot, t.Const)
}

// intsText prints a field with numbers, nothing if there are none.
func intsText(name string, is []int) string {
	if len(is) == 0 {
		return ""
	}
	texts := make([]string, len(is))
	for i, x := range is {
		texts[i] = strconv.Itoa(x)
	}
	return name + ": []int{" + strings.Join(texts, ", ") + "}, "
}

// stepText prints a step.
func stepText(s *cut.Step, own *Kernel, block bool) string {
	var args []string
	params := own.Source.Params
	if block {
		args = []string{"at.First", "at.Count", "at.Block"}
		params = params[3:]
	}
	for i, q := range params {
		from := fmt.Sprintf("wholes[%d]", i)
		if n := len(s.Wholes); i >= n {
			from = fmt.Sprintf("parts[%d]", i-n)
		}
		args = append(args, unpacked(from, q))
	}
	return fmt.Sprintf("&cluster.Step{%s%s%sRun: func(ctx context.Context, at cluster.Place, wholes, parts []cluster.Value) ([]cluster.Value, error) {\n%s}}",
		intsText("Wholes", s.Wholes), intsText("Parts", s.Parts), intsText("Out", s.Out), callText(own, args))
}

// unpacked takes a value for a parameter.
func unpacked(value string, q load.Param) string {
	if rank(q.Part) > 1 {
		return fmt.Sprintf("cluster.Unpack[%s](%s)", q.GoType[2:], value)
	}
	return value + ".(" + q.GoType + ")"
}

// rank is how many slices are around a number.
func rank(p *load.Part) int {
	if p.Kind == load.PartSlice {
		return 1 + rank(p.Elem)
	}
	return 0
}

// callText prints the call of a step's compiled function.
func callText(own *Kernel, args []string) string {
	var rs, values []string
	for i, q := range own.Source.Results {
		r := fmt.Sprintf("r%d", i+1)
		rs = append(rs, r)
		if rank(q.Part) > 1 {
			r = "cluster.Pack(" + r + ")"
		}
		values = append(values, r)
	}
	name := newKernelFile(&Program{}, own).public("Run")
	all := slices.Concat([]string{"ctx"}, args, []string{"cluster.Options(ctx)..."})
	return fmt.Sprintf("%s, err := %s(%s)\nif err != nil {\nreturn nil, err\n}\nreturn []cluster.Value{%s}, nil\n", strings.Join(rs, ", "), name, strings.Join(all, ", "), strings.Join(values, ", "))
}
