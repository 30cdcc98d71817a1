package opencl

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// ArgKind says what a kernel's parameter is.
type ArgKind uint8

// Kinds of parameters.
const (
	Field     ArgKind = iota // a sequence or a scalar of the frame, by name
	Length                   // the number of elements of a sequence of the frame, by name
	Result                   // where a scalar of the frame, by name, goes
	Temporary                // a buffer, by its number
	Status                   // where checks report
	Groups                   // the number of workgroups of a launch, by its number
	Found                    // what a launch has found, by its number
	Round                    // how many times the launches that are repeated have run before
)

// Arg is a parameter of a kernel.
type Arg struct {
	Kind   ArgKind
	Name   string
	Number int
}

// Kernel is one printed kernel.
type Kernel struct {
	Name   string
	Launch *kir.Launch
	Args   []Arg
}

// Site is the place of a check: what surge_fail's number stands for.
type Site struct {
	Kind         ir.CheckKind
	Op, Arg, Pos string
}

// Unit prints the variants of one computation.
type Unit struct{ Sites []Site }

// Program is one printed variant.
type Program struct {
	Source    string // OpenCL C without [Prelude]
	Kernels   []Kernel
	Doubles   bool
	Subgroups bool     // subgroup operations (cl_khr_subgroups),
	Shuffles  bool     // and among them shuffles (cl_khr_subgroup_shuffle)
	Results   []string // scalars of the frame that it computes
	Writes    []string // sequences of the frame that it computes
	Checks    bool

	functions map[string]string // definitions of what the kernels call beside the prelude, by name
}

// function has a function defined before the kernels.
func (p *Program) function(name, definition string) {
	if p.functions == nil {
		p.functions = map[string]string{}
	}
	p.functions[name] = definition
}

// Print prints the kernels of one variant. doc is the comment on top, without slashes.
func (u *Unit) Print(d *kir.Device, doc string) *Program {
	prog := &Program{}
	var sb strings.Builder
	for i, k := range d.Launches {
		p := &printer{unit: u, prog: prog, dev: d, names: map[any]string{}, taken: map[string]bool{}}
		text := p.kernel(k)
		if i > 0 {
			sb.WriteString("\n")
		}
		sb.WriteString(text)
		prog.Kernels = append(prog.Kernels, Kernel{Name: k.Name, Launch: k, Args: p.args})
	}
	prog.Source = comment(doc)
	for _, name := range slices.Sorted(maps.Keys(prog.functions)) {
		prog.Source += prog.functions[name] + "\n"
	}
	prog.Source += sb.String()
	slices.Sort(prog.Writes)
	prog.Writes = slices.Compact(prog.Writes)
	return prog
}

func comment(doc string) string {
	var sb strings.Builder
	for _, line := range strings.Split(doc, "\n") {
		sb.WriteString(strings.TrimRight("// "+line, " ") + "\n")
	}
	return sb.String()
}

type printer struct {
	unit      *Unit
	prog      *Program
	dev       *kir.Device
	out       strings.Builder
	indent    int
	args      []Arg
	params    []string
	names     map[any]string // *kir.Var, *kir.Array, and keys of parameters
	taken     map[string]bool
	temps     map[*kir.Array]int
	waits     bool   // the kernel has barriers
	before    string // what the next line begins with
	labels    map[string]bool
	subgroups bool // the kernel has subgroup operations
}

func (p *printer) line(format string, args ...any) {
	p.out.WriteString(strings.Repeat("\t", p.indent) + p.before)
	p.before = ""
	fmt.Fprintf(&p.out, format, args...)
	p.out.WriteByte('\n')
}

// name returns a C identifier of its own for a thing.
func (p *printer) name(key any, goName string) string {
	if n, ok := p.names[key]; ok {
		return n
	}
	var sb strings.Builder
	for _, r := range goName {
		if r < 0x80 {
			sb.WriteRune(r)
		} else {
			fmt.Fprintf(&sb, "u%x", r)
		}
	}
	n := sb.String()
	for _, prefix := range reservedPrefixes {
		if strings.HasPrefix(n, prefix) {
			n = "v_" + n
			break
		}
	}
	for p.taken[n] || isReserved(n) {
		n += "_"
	}
	p.taken[n] = true
	p.names[key] = n
	return n
}

// key identifies a parameter.
type key struct {
	kind ArgKind
	name string
	n    int
}

func (p *printer) param(a Arg, decl func(name string) string, goName string) string {
	k := key{a.Kind, a.Name, a.Number}
	if n, ok := p.names[k]; ok {
		return n
	}
	n := p.name(k, goName)
	p.args = append(p.args, a)
	p.params = append(p.params, decl(n))
	return n
}

// memory is the C type of an element in memory.
func (p *printer) memory(k ir.Kind) string {
	if k == ir.Bool {
		return "uchar"
	}
	return p.ctype(k)
}

var ctypes = map[ir.Kind]string{
	ir.Bool: "bool", ir.Int: "long", ir.Int8: "char", ir.Int16: "short", ir.Int32: "int", ir.Int64: "long",
	ir.Uint: "ulong", ir.Uint8: "uchar", ir.Uint16: "ushort", ir.Uint32: "uint", ir.Uint64: "ulong", ir.Float32: "float", ir.Float64: "double",
}

func (p *printer) ctype(k ir.Kind) string {
	if k == ir.Float64 {
		p.prog.Doubles = true
	}
	return ctypes[k]
}

// array returns the name of an array; what is not the kernel's own becomes a parameter.
func (p *printer) array(a *kir.Array) string {
	switch a.Space {
	case kir.Global:
		return p.param(Arg{Kind: Field, Name: a.Name}, func(n string) string {
			constant := "const "
			if p.writes(a) {
				constant = ""
			}
			return fmt.Sprintf("__global %s%s *restrict %s", constant, p.memory(a.Kind), n)
		}, a.Name)
	case kir.Temporary, kir.Own:
		return p.param(Arg{Kind: Temporary, Number: p.temps[a]}, func(n string) string {
			return fmt.Sprintf("__global %s *restrict %s", p.memory(a.Kind), n)
		}, a.Name)
	}
	return p.name(a, a.Name)
}

// element prints element i of an array. What work-items have for themselves lies as the prelude says.
func (p *printer) element(a *kir.Array, i string) string {
	if a.Space == kir.Own {
		i = fmt.Sprintf("OWN(%s, %s)", i, p.exprAs(p.dev.Temps[p.temps[a]].N, ir.Int))
	}
	return fmt.Sprintf("%s[%s]", p.array(a), i)
}

// address is where an element is.
func (p *printer) address(a kir.Arg) string { return "&" + p.element(a.A, p.exprAs(a.X, ir.Int)) }

func (p *printer) writes(a *kir.Array) bool {
	found := false
	kir.Walk(p.body(), func(s kir.Stmt) {
		switch s := s.(type) {
		case *kir.Store:
			found = found || s.A == a
		case *kir.Call:
			found = found || len(s.R.Args) > 0 && s.R.Args[0].A == a
		}
	}, nil)
	return found
}

func (p *printer) body() []kir.Stmt { return p.dev.Launches[p.current()].Body }

func (p *printer) current() int { return len(p.prog.Kernels) }

func (p *printer) status() string {
	p.prog.Checks = true
	return p.param(Arg{Kind: Status}, func(n string) string { return "__global int *" + n }, "status")
}

func (p *printer) kernel(k *kir.Launch) string {
	p.temps = map[*kir.Array]int{}
	for i, t := range p.dev.Temps {
		p.temps[t.A] = i
	}
	p.waits = kir.HasBarrier(k.Body)
	p.labels = map[string]bool{}
	var decls []string
	seen := map[*kir.Array]bool{}
	own := func(a *kir.Array) {
		if a == nil || seen[a] {
			return
		}
		seen[a] = true
		switch a.Space {
		case kir.Local:
			size := "GROUP_SIZE"
			if a.Size > 1 {
				size += fmt.Sprintf(" * %d", a.Size)
			}
			decls = append(decls, fmt.Sprintf("__local %s %s[%s];", p.memory(a.Kind), p.array(a), size))
		case kir.Private:
			decls = append(decls, fmt.Sprintf("%s %s[%d];", p.memory(a.Kind), p.array(a), a.Size))
		}
	}
	kir.Walk(k.Body, func(s kir.Stmt) {
		own(kir.ArrayOf(s))
		switch s := s.(type) {
		case *kir.Call:
			for _, a := range s.R.Args {
				own(a.A)
			}
			if a := s.R.Args[0].A; a.Space == kir.Global { // all routines that devices have write their first argument
				p.prog.Writes = append(p.prog.Writes, a.Name)
			}
		case *kir.Check:
			p.labels[s.Leave] = true
		case *kir.Store:
			if s.A.Space == kir.Global {
				p.prog.Writes = append(p.prog.Writes, s.A.Name)
			}
		case *kir.Result:
			p.prog.Results = append(p.prog.Results, s.Name)
		}
	}, func(x kir.Expr) { own(kir.ArrayOf(x)) })
	p.indent = 1
	for _, d := range decls {
		p.line("%s", d)
	}
	p.stmts(k.Body)
	var sb strings.Builder
	fmt.Fprintf(&sb, "// %s", k.What)
	if k.Pos.IsValid() {
		fmt.Fprintf(&sb, ", %s", position(k.Pos))
	}
	size := ""
	if p.subgroups {
		size = "SUBGROUPS_OF_SIZE "
	}
	fmt.Fprintf(&sb, "\n__kernel %s__attribute__((reqd_work_group_size(BLOCK_SIZE_X, BLOCK_SIZE_Y, 1)))\nvoid %s(%s)\n{\n%s}\n", size, k.Name, strings.Join(p.params, ",\n\t"), p.out.String())
	return sb.String()
}
