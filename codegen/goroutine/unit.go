package goroutine

import (
	"cmp"
	"fmt"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/codegen/kir"
)

// Unit prints the functions of one computation: they share a struct that carries what a parallel region needs.
type Unit struct {
	*Tables
	Call   func(fn string) string // the Go function that calls a function of the program as it stands
	Prefix string                 // unexported prefix of everything printed: spMV1
	Frame  string                 // type of the frame
	Env    string                 // name of the frame's field for the region's struct: its type is Prefix+"Env"

	fields  map[string]string // Env struct: name → type
	order   []string
	carried map[string]string // of the code at hand: a value's name and type → its field
	carries bool              // a region needs the struct
	nested  bool              // a region inside a region needs a struct of its own for each worker
	quiet   bool              // checks end a function without saying which failed
	printed map[string]string // the functions that are there: what stands behind the name → name
	starts  int               // how many of them start the loops of codes
}

// NewUnit returns a unit that prints nothing yet. Its tables are its own.
func NewUnit(kernel, prefix, frame, env string) *Unit {
	return &Unit{Tables: NewTables(kernel, prefix), Prefix: prefix, Frame: frame, Env: env, fields: map[string]string{}, carried: map[string]string{}, printed: map[string]string{}}
}

// Func prints one function, which the passes have gone over, and the bodies of its parallel loops. doc is its
// comment, without slashes.
func (u *Unit) Func(f *kir.Func, doc string) string {
	clear(u.carried)
	p := &printer{unit: u, name: f.Name}
	text := p.text("frame any, w *rt.Worker, l *rt.Launch", once(f.Body), false)
	return comment(doc) + declaration(f.Name, text) + strings.Join(p.bodies, "")
}

// over is a function that starts one loop, and passes it the frame.
var over = regexp.MustCompile(`^\(frame any, w \*rt\.Worker, l \*rt\.Launch\) \{\n\tf := frame\.\(\*(\w+)\)\n` +
	`w\.For\(f\.(\w+), l\.Loops\[0\], (l\.Bodies\[0\]|\w+), f\) (//[^\n]*)\n\}\n\n$`)

// declaration declares a function of which text is what stands behind the name.
func declaration(name, text string) string {
	m := over.FindStringSubmatch(text)
	if m == nil {
		return "func " + name + text
	}
	body := ""
	if m[3] != "l.Bodies[0]" {
		body = ", " + m[3]
	}
	return fmt.Sprintf("var %s = rt.Over(func(f *%s) int { return f.%s }%s) %s\n\n", name, m[1], m[2], body, m[4])
}

// Probe is Func for a function that ends where a check fails, and leaves it to others to say which.
func (u *Unit) Probe(f *kir.Func, doc string) string {
	u.quiet = true
	defer func() { u.quiet = false }()
	return u.Func(f, doc)
}

// Code prints a code, which the passes have gone over, and the Go expression of the exec.Func that runs it. Codes that
// do the same around the bodies of their parallel loops share the function that starts these: it takes them from the
// launch. Nothing is printed twice. doc says what the code is, behind its name.
func (u *Unit) Code(f *kir.Func, doc string) (text, value string) {
	clear(u.carried)
	p := &printer{unit: u, name: f.Name, doc: doc, starts: true}
	body := once(f.Body)
	if loops(body) > 0 {
		body = inOrder(body)
	}
	p.single = loops(body) == 1
	start := p.text("frame any, w *rt.Worker, l *rt.Launch", body, false)
	bodies := strings.Join(p.bodies, "")
	if len(p.started) == 0 {
		if have, ok := u.printed[alike(start)]; ok {
			return "", "rt.Func(" + have + ")"
		}
		u.printed[alike(start)] = f.Name
		return comment(f.Name+" "+doc) + "func " + f.Name + start + bodies, "rt.Func(" + f.Name + ")"
	}
	name, have := u.printed[alike(start)]
	if !have {
		u.starts++
		name = fmt.Sprintf("%s_start%d", u.Prefix, u.starts)
		u.printed[alike(start)] = name
		bodies = comment(name+" starts the parallel loops of codes.") + declaration(name, start) + bodies
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
	if have, ok := p.unit.printed[alike(text)]; ok {
		return have
	}
	p.unit.printed[alike(text)] = name
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

// field returns the name of an Env field for a value of that name and type. It is the value's own without the number
// that tells it from others of the code, and a field that another value of the same code has is not it: so codes that
// differ in numbers alone, as lowering gave them, have the same fields.
func (u *Unit) field(name, typ string) string {
	key := name + " " + typ
	if have, ok := u.carried[key]; ok {
		return have
	}
	base, _ := numbered(name)
	field := base
	for n := 2; !u.free(field, typ); n++ {
		field = base + strconv.Itoa(n)
	}
	if _, ok := u.fields[field]; !ok {
		u.fields[field] = typ
		u.order = append(u.order, field)
	}
	u.carried[key] = field
	return field
}

// free reports whether a field may be that of another value of the code at hand, of that type.
func (u *Unit) free(field, typ string) bool {
	if field == "f" || field == "l" || !token.IsIdentifier(field) { // map, of map2
		return false
	}
	for _, taken := range u.carried {
		if taken == field {
			return false
		}
	}
	have, ok := u.fields[field]
	return !ok || have == typ
}
