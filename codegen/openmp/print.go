package openmp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// Field is a field of a kernel's frame: a sequence or a scalar.
type Field struct {
	Name   string // in Go
	Kind   ir.Kind
	Scalar bool
}

// Site is the place of a check: what the number that C reports stands for.
type Site struct {
	Kind         ir.CheckKind
	Op, Arg, Pos string
}

// Unit prints the functions of one computation, which share a struct for the frame.
type Unit struct {
	Sites []Site

	name   string // of the frame's struct
	fields []Field
	names  *names // of the fields, by their names in Go
}

// NewUnit returns a unit for a frame with these fields. name is the C name of its struct.
func NewUnit(name string, fields []Field) *Unit {
	u := &Unit{name: name, names: newNames()}
	for _, f := range fields {
		u.add(f)
	}
	return u
}

// add adds a field to the frame, unless it has it.
func (u *Unit) add(f Field) {
	if u.names.of[f.Name] != "" {
		return
	}
	u.fields = append(u.fields, f)
	n := u.names.name(f.Name, f.Name)
	if !f.Scalar {
		u.names.taken[lengthOf(n)] = true
	}
}

// lengthOf is the member of the frame's struct that holds the length of a sequence.
func lengthOf(name string) string { return "len_" + name }

// Frame prints the struct of the frame. Each member takes eight bytes: for a sequence its address, then its length.
func (u *Unit) Frame() string {
	var sb strings.Builder
	fmt.Fprintf(&sb, "typedef struct {\n")
	for _, f := range u.fields {
		n := u.names.of[f.Name]
		if f.Scalar {
			fmt.Fprintf(&sb, "\t_Alignas(8) %s %s;\n", ctypes[f.Kind], n)
			continue
		}
		fmt.Fprintf(&sb, "\t%s *%s;\n\tint64_t %s;\n", ctypes[f.Kind], n, lengthOf(n))
	}
	if len(u.fields) == 0 { // C wants a member
		sb.WriteString("\tchar surge_none;\n")
	}
	fmt.Fprintf(&sb, "} %s;\n", u.name)
	return sb.String()
}

// Func is a printed variant.
type Func struct {
	Source  string   // C that [Unit.Frame] and the prelude stand before
	Results []string // scalars of the frame that it computes
}

// Print prints a variant: one function that is seen from outside, and those of its loops over chunks. doc is its
// comment, without slashes.
func (u *Unit) Print(f *kir.Func, doc string) Func {
	p := &printer{unit: u, fn: identifier(f.Name), out: &strings.Builder{}}
	needs := needsArena(f.Body)
	sig := fmt.Sprintf("void %s(surge_run *run, %s *f)", p.fn, u.name)
	if needs { // what leaves the function early leaves the inner one
		p.print(fmt.Sprintf("static void %s_inside(const surge_at *at, surge_arena *arena, %s *f)", p.fn, u.name), "", f.Body, nil)
		fmt.Fprintf(p.out, "%s%s\n{\n\tconst surge_at here = {run};\n\tsurge_arena *arena = surge_take();\n\tif (!arena) {\n\t\tsurge_memory(&here);\n\t\treturn;\n\t}\n"+
			"\t%s_inside(&here, arena, f);\n\tsurge_give(arena);\n}\n", comment(doc), sig, p.fn)
	} else {
		p.print(comment(doc)+sig, "\tconst surge_at here = {run}, *at = &here;\n", f.Body, nil)
	}
	slices.Sort(p.results)
	return Func{Source: p.out.String(), Results: slices.Compact(p.results)}
}

// needsArena reports whether a function takes memory of the thread, or starts loops over chunks, which do.
func needsArena(body []kir.Stmt) bool {
	found := false
	kir.Walk(body, func(s kir.Stmt) {
		switch s := s.(type) {
		case *kir.AllocScratch, *kir.Par:
			found = true
		case *kir.Call:
			found = found || s.R.Name == kir.SortIndex
		}
	}, nil)
	return found
}

func comment(doc string) string {
	if doc == "" {
		return ""
	}
	var sb strings.Builder
	for _, line := range strings.Split(doc, "\n") {
		sb.WriteString(strings.TrimRight("// "+line, " ") + "\n")
	}
	return sb.String()
}

// printer prints the functions of a variant.
type printer struct {
	unit    *Unit
	fn      string // name of the variant's function
	out     *strings.Builder
	results []string
	regions int
}

// print prints one function: head is its head, in which a region's chunk and its bounds are still to be named,
// opening what its body begins with. region is the loop whose body it is.
func (p *printer) print(head, opening string, body []kir.Stmt, region *region) {
	q := &function{printer: p, names: newNames(), indent: 1, written: written(body)}
	if region != nil {
		head = fmt.Sprintf(head, q.names.name(region.par.Chunk, "chunk"), q.names.name(region.par.Lo, "lo"), q.names.name(region.par.Hi, "hi"))
	}
	loads := q.loads(body, region)
	q.stmts(body)
	text := loads + q.out.String()
	if !mentions(text, "at") {
		opening = strings.Replace(opening, "\tconst surge_at here = {run}, *at = &here;\n", "", 1)
	}
	fmt.Fprintf(p.out, "%s\n{\n%s%s}\n\n", head, opening, text)
}

// mentions reports whether text has the identifier.
func mentions(text, id string) bool {
	for at := 0; ; {
		k := strings.Index(text[at:], id)
		if k < 0 {
			return false
		}
		k += at
		before, after := k == 0 || !inName(text[k-1]), k+len(id) == len(text) || !inName(text[k+len(id)])
		if before && after {
			return true
		}
		at = k + 1
	}
}

func inName(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// function prints the statements of one function.
type function struct {
	*printer
	names   *names
	out     strings.Builder
	indent  int
	written map[*kir.Array]bool
	loops   int
}

func (q *function) line(format string, args ...any) {
	q.out.WriteString(strings.Repeat("\t", q.indent))
	fmt.Fprintf(&q.out, format, args...)
	q.out.WriteByte('\n')
}

var ctypes = map[ir.Kind]string{
	ir.Bool: "bool", ir.Int: "int64_t", ir.Int8: "int8_t", ir.Int16: "int16_t", ir.Int32: "int32_t", ir.Int64: "int64_t",
	ir.Uint: "uint64_t", ir.Uint8: "uint8_t", ir.Uint16: "uint16_t", ir.Uint32: "uint32_t", ir.Uint64: "uint64_t",
	ir.Float32: "float", ir.Float64: "double",
}

// written returns the arrays that statements write.
func written(body []kir.Stmt) map[*kir.Array]bool {
	m := map[*kir.Array]bool{}
	kir.Walk(body, func(s kir.Stmt) {
		switch s := s.(type) {
		case *kir.Store:
			m[s.A] = true
		case *kir.Call:
			for k, a := range s.R.Args {
				if a.A != nil && (k == 0 && s.R.Name != kir.SortIndex || k == 1 && s.R.Name == kir.SortIndex) {
					m[a.A] = true
				}
			}
		}
	}, nil)
	return m
}

// region is a loop over chunks whose body is a function of its own, and what that takes from around it.
type region struct {
	par    *kir.Par
	vars   []*kir.Var
	arrays []*kir.Array // scratch memory and partial results
	chain  *kir.Chain
}

// loads declares what a function takes from the frame and from the struct of its region, and its buffers.
func (q *function) loads(body []kir.Stmt, r *region) string {
	var sb strings.Builder
	if r != nil {
		for _, v := range r.vars {
			n := q.names.name(v, v.Name)
			fmt.Fprintf(&sb, "\t%s %s = e->%s;\n", ctypes[v.T.Kind], n, n)
		}
		for _, a := range r.arrays {
			n := q.names.name(a, a.Name)
			fmt.Fprintf(&sb, "\t%s *restrict %s = e->%s;\n", ctypes[a.Kind], n, n)
		}
	}
	q.direct(body, nil, func(x kir.Expr) {
		switch x := x.(type) {
		case *kir.Ref:
			if key := (host{x.V.Name}); x.V.Host && q.names.of[key] == "" {
				fmt.Fprintf(&sb, "\tconst %s %s = f->%s;\n", ctypes[x.V.T.Kind], q.names.name(key, x.V.Name), q.field(x.V.Name))
			}
		case *kir.Length:
			if key := (length{x.A.Name}); q.names.of[key] == "" {
				fmt.Fprintf(&sb, "\tconst int64_t %s = f->%s;\n", q.names.name(key, lengthOf(x.A.Name)), lengthOf(q.field(x.A.Name)))
			}
		}
	})
	q.visit(body, func(a *kir.Array) {
		if _, done := q.names.of[a]; done {
			return
		}
		switch a.Space {
		case kir.Global:
			n := q.names.name(a, a.Name)
			qualifiers := "const %s *"
			if q.written[a] { // results share no memory with arguments or other results
				qualifiers = "%s *restrict "
			}
			fmt.Fprintf(&sb, "\t"+qualifiers+"%s = f->%s;\n", ctypes[a.Kind], n, q.field(a.Name))
		case kir.Strip, kir.Lines:
			fmt.Fprintf(&sb, "\t%s %s[%d];\n", ctypes[a.Kind], q.names.name(a, a.Name), a.Size)
		}
	})
	return sb.String()
}

// field is the member of the frame's struct for a field.
func (p *printer) field(name string) string {
	n, ok := p.unit.names.of[name]
	if !ok {
		panic("openmp: the frame has no field " + name)
	}
	return n
}

// host and length are keys of the names of scalars of the frame, and of the lengths of its sequences.
type (
	host   struct{ name string }
	length struct{ name string }
)

// visit calls f for the arrays that statements use outside of the loops over chunks inside them, but for their lengths.
func (q *function) visit(body []kir.Stmt, f func(*kir.Array)) {
	use := func(a *kir.Array) {
		if a != nil {
			f(a)
		}
	}
	q.direct(body, func(s kir.Stmt) { use(kir.ArrayOf(s)) }, func(x kir.Expr) {
		if _, length := x.(*kir.Length); !length {
			use(kir.ArrayOf(x))
		}
		if r, ok := x.(*kir.Routine); ok {
			for _, a := range r.Args {
				use(a.A)
			}
		}
	})
}

// direct walks statements, but not the bodies of the loops over chunks among them.
func (q *function) direct(body []kir.Stmt, stmt func(kir.Stmt), expr func(kir.Expr)) {
	for _, s := range body {
		blocks := kir.Blocks(s)
		if p, ok := s.(*kir.Par); ok {
			blocks = nil
			if p.CombinePartial != nil {
				blocks = append(blocks, p.CombinePartial.Body)
			}
			if p.Long != nil {
				blocks = append(blocks, p.Long.Body)
			}
		}
		kir.Walk([]kir.Stmt{kir.Shallow(s)}, stmt, expr)
		for _, b := range blocks {
			q.direct(b, stmt, expr)
		}
	}
}

// regionOf finds what a loop's body takes from around it.
func regionOf(p *kir.Par) *region {
	r := &region{par: p, chain: p.Chain}
	own, seen := map[any]bool{p.Lo: true, p.Hi: true, p.Chunk: true}, map[any]bool{}
	kir.Walk(p.Body, func(s kir.Stmt) {
		for _, v := range kir.Declares(s) {
			own[v] = true
		}
		switch s := s.(type) {
		case *kir.AllocScratch:
			own[s.A] = true
		case *kir.Par:
			for _, a := range s.Partials {
				own[a] = true
			}
		}
	}, nil)
	variable := func(v *kir.Var) {
		if !own[v] && !seen[v] && !v.Host {
			seen[v] = true
			r.vars = append(r.vars, v)
		}
	}
	array := func(a *kir.Array) {
		if a != nil && (a.Space == kir.Scratch || a.Space == kir.Partial) && !own[a] && !seen[a] {
			seen[a] = true
			r.arrays = append(r.arrays, a)
		}
	}
	kir.Walk(p.Body, func(s kir.Stmt) {
		array(kir.ArrayOf(s))
		if set, ok := s.(*kir.Set); ok {
			variable(set.V)
		}
	}, func(x kir.Expr) {
		switch x := x.(type) {
		case *kir.Ref:
			variable(x.V)
		case *kir.Routine:
			for _, a := range x.Args {
				array(a.A)
			}
		}
		array(kir.ArrayOf(x))
	})
	return r
}
