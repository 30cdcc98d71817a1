package target

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/lower"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
)

// Frame describes the generated struct that holds the inputs of a kernel, its results and what passes between its
// computations: which fields there are, in the order in which code that is not Go counts them.
type Frame struct {
	Kernel *fuse.Kernel
	Source string // the kernel's name in the source
	Base   string // the prefix of unexported names of the kernel: spMV for SpMV
	Type   string // the struct's name in Go
	Name   string // of the variable of type *exec.Frame that describes it, see [Frame.Declaration]
	Fields []Field
	// Columns are the parameters that are of one shape as they come from one slice: what a language without structs of
	// slices has to check.
	Columns []Columns

	index map[string]int // of fields
}

// Field is an array or a scalar of a frame.
type Field struct {
	Name   string
	Kind   ir.Kind
	Scalar bool
	Input  bool // it is a parameter of the kernel, or a part of one
}

// Columns are sequences among the parameters that are parts of the elements of one slice: as many elements each. If
// Level is not negative, the slice is itself an element, a row of that level, and rows with the same number have one
// length.
type Columns struct {
	Vars  []*ir.Var
	Level int
}

// NewFrame describes the frame of k, which the source calls name. Generated code refers to the description by
// base + platform + "Frame".
func NewFrame(k *fuse.Kernel, name, base, structName, platform string) *Frame {
	f := &Frame{Kernel: k, Source: name, Base: base, Type: structName, Name: base + platform + "Frame", index: map[string]int{}}
	add := func(name string, k ir.Kind, scalar, input bool) {
		if _, ok := f.index[name]; !ok {
			f.index[name] = len(f.Fields)
			f.Fields = append(f.Fields, Field{name, k, scalar, input})
		}
	}
	sequence := func(v *ir.Var, input bool) {
		add(lower.HostName(v), v.T.Kind, false, input)
		for _, offsets := range lower.RowOffsetsNames(v) {
			add(offsets, ir.Int, false, input)
		}
	}
	for _, p := range k.Func.Params {
		if p.T.IsScalar() {
			add(lower.HostName(p), p.T.Kind, true, true)
		} else {
			sequence(p, true)
		}
	}
	for _, c := range k.Computations {
		for _, d := range c.Stmt.Dst {
			if !d.T.IsScalar() {
				sequence(d, false)
			}
		}
	}
	for _, v := range k.Turning() {
		if v.T.IsScalar() {
			add(lower.HostName(v), v.T.Kind, true, false)
		} else {
			sequence(v, false)
		}
	}
	for _, s := range k.Steps() {
		for _, d := range s.Dst {
			if d.T.IsScalar() {
				add(lower.HostName(d), d.T.Kind, true, false)
			}
		}
	}
	return f
}

// Index returns the number of a field.
func (f *Frame) Index(name string) (int, bool) {
	i, ok := f.index[name]
	return i, ok
}

// Indices returns the numbers of the names that are fields, in order, once each.
func (f *Frame) Indices(names []string) []int {
	var is []int
	for _, n := range names {
		if i, ok := f.index[n]; ok {
			is = append(is, i)
		}
	}
	slices.Sort(is)
	return slices.Compact(is)
}

// Inputs is the number of fields, the first ones, that are the kernel's parameters.
func (f *Frame) Inputs() int {
	n := 0
	for _, field := range f.Fields {
		if field.Input {
			n++
		}
	}
	return n
}

// Declaration is the Go code of the variable that describes the frame, for a run time that is called so in comments.
func (f *Frame) Declaration(runtime string) string {
	var sb strings.Builder
	var names, gets, sets []string
	for i, field := range f.Fields {
		names = append(names, strconv.Quote(field.Name))
		fn := "Array"
		if field.Scalar {
			fn = "Scalar"
			sets = append(sets, fmt.Sprintf("case %d:\nf.%s = exec.Bits[%s](bits)\n", i, field.Name, field.Kind))
		}
		gets = append(gets, fmt.Sprintf("case %d:\nreturn exec.%s(f.%s)\n", i, fn, field.Name))
	}
	last := len(gets) - 1
	fmt.Fprintf(&sb, "// %s is how the %s run time reaches the fields of a %s.\nvar %[1]s = &exec.Frame{\nNames: []string{%[4]s},\nInputs: %[5]d,\n",
		f.Name, runtime, f.Type, strings.Join(names, ", "), f.Inputs())
	if outputs := f.Indices(f.outputs()); len(outputs) > 0 {
		fmt.Fprintf(&sb, "Outputs: %s,\n", IntList(outputs))
	}
	if fixed := f.Indices(f.fixed()); len(fixed) > 0 {
		fmt.Fprintf(&sb, "Fixed: %s,\n", IntList(fixed))
	}
	fmt.Fprintf(&sb, "Get: func(frame any, i int) exec.Value {\nf := frame.(*%s)\nswitch i {\n%s}\n%s},\n", f.Type, strings.Join(gets[:last], ""), strings.SplitN(gets[last], "\n", 2)[1])
	if len(sets) > 0 {
		fmt.Fprintf(&sb, "Set: func(frame any, i int, bits uint64) {\nf := frame.(*%s)\nswitch i {\n%s}\n},\n", f.Type, strings.Join(sets, ""))
	}
	sb.WriteString("}\n\n")
	return sb.String()
}

// IntList prints a slice of ints in Go.
func IntList(is []int) string {
	parts := make([]string, len(is))
	for i, x := range is {
		parts[i] = strconv.Itoa(x)
	}
	return "[]int{" + strings.Join(parts, ", ") + "}"
}

// outputs are the computed sequences that the kernel returns.
func (f *Frame) outputs() []string {
	var names []string
	for _, a := range f.Kernel.Func.Body.Results {
		if v := f.Kernel.Stored(a); v != nil && v.T.Rank > 0 && !slices.Contains(f.Kernel.Func.Params, v) {
			names = append(names, lower.HostName(v))
		}
	}
	return names
}

// fixed are the inputs that are checked when they are bound. Floats are none, though a condition around an index may
// ask about them: where the host is the device, a run sees what they are now.
func (f *Frame) fixed() []string {
	var names []string
	for _, p := range f.Kernel.Func.Params {
		names = append(names, lower.RowOffsetsNames(p)...)
	}
	for _, c := range f.Kernel.Computations {
		if fn, err := lower.Inspector(f.Kernel, c, "f"); err == nil && fn != nil {
			names = append(names, arraysOf(fn.Body)...)
		}
	}
	return slices.DeleteFunc(names, func(n string) bool {
		i, ok := f.index[n]
		return !ok || !f.Fields[i].Input || f.Fields[i].Kind.IsFloat()
	})
}

// Reads returns the computed sequences that host code reads after computation i and before the next one. Where the host
// program has loops it is all that computation i computes and host code reads at any time.
func (f *Frame) Reads(i int) ([]int, error) {
	var names []string
	k := f.Kernel
	comps, stmts := k.Computations, k.Steps()
	from, to := slices.Index(stmts, comps[i].Stmt)+1, len(stmts)
	if k.IsTree() {
		from = 0
	} else if i+1 < len(comps) {
		to = slices.Index(stmts, comps[i+1].Stmt)
	}
	var pending []*ir.Stmt
	late := k.Late()
	for _, s := range stmts[from:to] {
		_, view := s.Op.(*ir.View)
		if late[s] && !view && ir.OperatorIndex(s.Op) == nil {
			pending = append(pending, s)
		}
	}
	if len(pending) > 0 {
		body, err := lower.Host(k, pending)
		if err != nil {
			return nil, err
		}
		names = append(names, arraysOf(body)...)
	}
	for n, c := range comps {
		if n != i+1 && !k.IsTree() {
			continue
		}
		for r := range c.Stmt.Dst {
			levels, err := lower.RowsOf(k, c, r)
			if err != nil {
				return nil, err
			}
			for _, level := range levels {
				names = append(names, arraysOf(level.Offsets)...)
			}
		}
	}
	if k.IsTree() {
		names = f.computedBy(comps[i], names)
	}
	names = slices.DeleteFunc(names, func(n string) bool {
		i, ok := f.index[n]
		return !ok || f.Fields[i].Input || lower.IsRowOffsets(n)
	})
	return f.Indices(names), nil
}

// computedBy returns the sequences of a computation that are among those named, or that loops carry as one of them.
func (f *Frame) computedBy(c *fuse.Computation, names []string) (own []string) {
	carried := f.Kernel.Carried()
	read := map[*ir.Var]bool{}
	for v, as := range carried {
		read[as] = read[as] || slices.Contains(names, lower.HostName(v))
	}
	for _, d := range c.Stmt.Dst {
		if d.T.Rank > 0 && (read[carried[d]] || slices.Contains(names, lower.HostName(d))) {
			own = append(own, lower.HostName(d))
		}
	}
	return own
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

// HostFunc prints a Go function func(frame any, more…) int whose value is that of an expression over the frame; wrap
// makes the result of the expression's text.
func (f *Frame) HostFunc(params string, x kir.Expr, wrap func(text string) string) string {
	text, reads := hostExpr(x)
	use := ""
	if reads {
		use = fmt.Sprintf("f := frame.(*%s)\n", f.Type)
	}
	return fmt.Sprintf("func(frame any%s) int {\n%sreturn %s\n}", params, use, wrap(text))
}

// hostExpr prints an expression over the frame, which is called f, as a Go int. reads says whether it mentions the
// frame.
func hostExpr(x kir.Expr) (text string, reads bool) {
	switch x := x.(type) {
	case *kir.Const:
		return strconv.FormatInt(x.C.Int(), 10), false
	case *kir.Length:
		return "len(f." + x.A.Name + ")", true
	case *kir.Ref:
		if x.V.T.Kind == ir.Int {
			return "f." + x.V.Name, true
		}
		return "int(f." + x.V.Name + ")", true
	case *kir.Found:
		return fmt.Sprintf("g.Found[%d]", x.Step), false
	case *kir.Convert:
		text, reads = hostExpr(x.X)
		return "int(" + x.T.Kind.String() + "(" + text + "))", reads
	case *kir.Bin:
		a, first := hostExpr(x.X)
		b, second := hostExpr(x.Y)
		switch x.Fn {
		case ir.Min, ir.Max:
			return fmt.Sprintf("%s(%s, %s)", x.Fn, a, b), first || second
		case ir.Mul: // in more memory than there is
			return fmt.Sprintf("exec.Times(%s, %s)", a, b), first || second
		}
		return fmt.Sprintf("(%s %s %s)", a, x.Fn.GoOperator(), b), first || second
	}
	panic(fmt.Sprintf("target: %T is not known to the host", x))
}

// CheckKind is the name of the exec.CheckKind of a check.
func CheckKind(k ir.CheckKind) string { return checkKinds[k] }

var checkKinds = map[ir.CheckKind]string{ir.CheckIndex: "CheckIndex", ir.CheckLength: "CheckLength", ir.CheckBounds: "CheckBounds", ir.CheckSize: "CheckSize",
	ir.CheckNonzero: "CheckNonzero", ir.CheckNonneg: "CheckNonneg", ir.CheckCount: "CheckCount", ir.CheckFinite: "CheckFinite", ir.CheckPanic: "CheckPanic", ir.CheckUnique: "CheckUnique"}
