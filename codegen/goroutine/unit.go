package goroutine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// Unit prints the functions of one computation: they share a struct that carries what a parallel region needs.
type Unit struct {
	Kernel string                 // kernel name, for messages
	Call   func(fn string) string // the Go function that calls a function of the program as it stands
	Prefix string                 // unexported prefix of everything printed: spMV1
	Frame  string                 // type of the frame
	Env    string                 // name of the frame's field for the region's struct: its type is Prefix+"Env"

	sites   []string
	vectors []string          // declarations of constant vectors, in the order of their first use
	fields  map[string]string // Env struct: name → type
	order   []string
	carries bool              // a region needs the struct
	nested  bool              // a region inside a region needs a struct of its own for each worker
	printed map[string]string // the functions that are there: what stands behind the name → name
	starts  int               // how many of them start the loops of codes
}

// NewUnit returns a unit that prints nothing yet.
func NewUnit(kernel, prefix, frame, env string) *Unit {
	return &Unit{Kernel: kernel, Prefix: prefix, Frame: frame, Env: env, fields: map[string]string{}, printed: map[string]string{}}
}

// Func prints one function, which the passes have gone over, and the bodies of its parallel loops. doc is its
// comment, without slashes.
func (u *Unit) Func(f *kir.Func, doc string) string {
	p := &printer{unit: u, name: f.Name}
	text := p.text("frame any, w *rt.Worker, l *rt.Launch", once(f.Body), false)
	return comment(doc) + "func " + f.Name + text + strings.Join(p.bodies, "")
}

// Code prints a code, which the passes have gone over, and the Go expression of the exec.Func that runs it. Codes that
// do the same around the bodies of their parallel loops share the function that starts these: it takes them from the
// launch. Nothing is printed twice. doc says what the code is, behind its name.
func (u *Unit) Code(f *kir.Func, doc string) (text, value string) {
	p := &printer{unit: u, name: f.Name, doc: doc, starts: true}
	body := once(f.Body)
	if loops(body) > 0 {
		body = inOrder(body)
	}
	p.single = loops(body) == 1
	start := p.text("frame any, w *rt.Worker, l *rt.Launch", body, false)
	bodies := strings.Join(p.bodies, "")
	if len(p.started) == 0 {
		if have, ok := u.printed[start]; ok {
			return "", "rt.Func(" + have + ")"
		}
		u.printed[start] = f.Name
		return comment(f.Name+" "+doc) + "func " + f.Name + start + bodies, "rt.Func(" + f.Name + ")"
	}
	name, have := u.printed[start]
	if !have {
		u.starts++
		name = fmt.Sprintf("%s_start%d", u.Prefix, u.starts)
		u.printed[start] = name
		bodies = comment(name+" starts the parallel loops of codes.") + "func " + name + start + bodies
	}
	return bodies, fmt.Sprintf("rt.Loops(%s, %s)", name, strings.Join(p.started, ", "))
}

// loops returns how many parallel loops there are in body.
func loops(body []kir.Stmt) (n int) {
	kir.Walk(body, func(s kir.Stmt) {
		if _, ok := s.(*kir.Par); ok {
			n++
		}
	}, nil)
	return n
}

// define returns the name of a function of which text is what stands behind the name: one that is there, or the given
// name, and then prints it.
func (p *printer) define(doc, name, text string) string {
	if have, ok := p.unit.printed[text]; ok {
		return have
	}
	p.unit.printed[text] = name
	p.bodies = append(p.bodies, doc+"func "+name+text)
	return name
}

// Nested reports whether a printed function starts regions inside regions: the frame then has a slice of structs, one a
// worker, in the field Env+"s".
func (u *Unit) Nested() bool { return u.nested }

// Carries reports whether a printed function starts a region that needs the struct, in the frame's field Env.
func (u *Unit) Carries() bool { return u.carries }

// EnvType prints the struct of the unit's regions, if any needs it.
func (u *Unit) EnvType() string {
	if !u.carries {
		return ""
	}
	var sb strings.Builder
	fmt.Fprintf(&sb, "// %sEnv carries values into the parallel regions of %s.\ntype %sEnv struct {\n\tf *%s\n\tl *rt.Launch\n", u.Prefix, u.Prefix, u.Prefix, u.Frame)
	names := slices.Clone(u.order)
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(u.fields[a], u.fields[b]), cmp.Compare(a, b)) })
	var declared Fields
	for _, n := range names {
		declared.Add(n, u.fields[n])
	}
	sb.WriteString(declared.Text("\t") + "}\n")
	return sb.String()
}

// constantVector prints a vector all of whose elements are c. It lies in memory: made from a number it would pass
// through a scalar register, and where those run out between vectors it is spilled and reloaded by instructions that
// stall while the upper halves of the vector registers are in use. (A zero vector is made where the function begins,
// and is in use from there on.)
func (u *Unit) constantVector(t kir.Type, c ir.Const) string {
	c = contained(c)
	text, _, _ := strings.Cut(c.String(), ":")
	name := u.Prefix + vecName(t) + "_" + strings.NewReplacer(".", "p", "-", "m", "+", "").Replace(text)
	elements := strings.TrimSuffix(strings.Repeat(constant(c, false)+", ", t.Lanes), ", ")
	declaration := fmt.Sprintf("var %s = [%d]%s{%s}\n", name, t.Lanes, c.Kind, elements)
	if !slices.Contains(u.vectors, declaration) {
		u.vectors = append(u.vectors, declaration)
	}
	return fmt.Sprintf("*vec.Addr%s(&%s[0], 0)", vecName(t), name)
}

// Sites prints the table of the places that checks report and the constant vectors, or "".
func (u *Unit) Sites() string {
	vectors := strings.Join(u.vectors, "")
	if len(u.sites) == 0 {
		return vectors
	}
	return vectors + fmt.Sprintf("var %sSites = exec.Sites(%q, [][3]string{\n%s})\n", u.Prefix, u.Kernel, Filled(u.sites, ", ", ",\n"))
}

// field returns the name of an Env field for a value of that name and type.
func (u *Unit) field(name, typ string) string {
	for {
		have, ok := u.fields[name]
		if !ok {
			u.fields[name] = typ
			u.order = append(u.order, name)
			return name
		}
		if have == typ {
			return name
		}
		name += "_"
	}
}

func (u *Unit) site(op, arg string, pos ir.Pos) string {
	at := ""
	if pos.IsValid() {
		at = pos.String()
	}
	text := fmt.Sprintf("{%q, %q, %q}", at, op, arg)
	for i, s := range u.sites {
		if s == text {
			return fmt.Sprintf("%sSites[%d]", u.Prefix, i)
		}
	}
	u.sites = append(u.sites, text)
	return fmt.Sprintf("%sSites[%d]", u.Prefix, len(u.sites)-1)
}
