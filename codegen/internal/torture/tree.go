package torture

import (
	"fmt"
	"strings"
)

// Kind is an element type of Go.
type Kind string

// The element types that kernels are made of.
const (
	F64  Kind = "float64"
	F32  Kind = "float32"
	I32  Kind = "int32"
	I64  Kind = "int64"
	Int  Kind = "int"
	Bool Kind = "bool"
	U8   Kind = "uint8"
	U32  Kind = "uint32"
	I16  Kind = "int16"
	I8   Kind = "int8"
	U16  Kind = "uint16"
	U64  Kind = "uint64"
)

var kinds = []Kind{F64, F32, I32, I64, Int, Bool, U8, U32, I16, I8, U16, U64}

func (k Kind) float() bool    { return k == F64 || k == F32 }
func (k Kind) integer() bool  { return !k.float() && k != Bool }
func (k Kind) unsigned() bool { return k == U8 || k == U16 || k == U32 || k == U64 }

// Type is a scalar (Rank 0), a pair of scalars (B set) or a struct of two (Named set, too), or sequences of them.
type Type struct {
	A, B  Kind
	Rank  int
	Named bool
}

func scalarOf(k Kind) Type { return Type{A: k} }
func seqOf(k Kind) Type    { return Type{A: k, Rank: 1} }

func (t Type) elem() Type  { t.Rank--; return t }
func (t Type) array() Type { t.Rank++; return t }

// field is the selector of a pair's or a struct's component.
func (t Type) field(i int) string {
	if t.Named {
		return []string{".X", ".Y"}[i]
	}
	return []string{".First", ".Second"}[i]
}

// literal is a composite literal with a %s for each component.
func (t Type) literal() string {
	return t.String() + "{" + t.field(0)[1:] + ": %s, " + t.field(1)[1:] + ": %s}"
}

// structName is the name of a struct with such fields.
func structName(a, b Kind) string { return "rec_" + string(a) + "_" + string(b) }

// String is the type in Go.
func (t Type) String() string {
	s := strings.Repeat("[]", t.Rank)
	if t.Named {
		return s + structName(t.A, t.B)
	}
	if t.B != "" {
		return s + "ops.Pair[" + string(t.A) + ", " + string(t.B) + "]"
	}
	return s + string(t.A)
}

// attr is what is known of a number, so that results can be compared: it is at most 2^m in magnitude and, if exact, a
// multiple of 2^-g. wobbly means that variants may round it differently. Integers need none of it, and wrap alike.
type attr struct {
	g, m                 int
	exact, wobbly, nonny bool // nonny: not negative
}

// within reports whether a value with bounds a may stand where one with bounds b stood.
func (a attr) within(b attr) bool {
	return a.g <= b.g && a.m <= b.m && (a.exact || !b.exact) && (!a.wobbly || b.wobbly) && (a.nonny || !b.nonny)
}

func join(a, b attr) attr {
	return attr{max(a.g, b.g), max(a.m, b.m), a.exact && b.exact, a.wobbly || b.wobbly, a.nonny && b.nonny}
}

// Expr is an expression: a template with a %s for each argument, or a function literal.
type Expr struct {
	T     Type
	A, A2 attr     // of the element, of a pair's second component
	Len   []string // symbols of lengths, one a rank: equal symbols mean equal lengths
	IdxOf string   // the elements are valid indices of sequences with this length
	Op    string
	Args  []*Expr
	Ref   bool // Op is the name of a variable
	Const bool // a constant expression of Go
	Fn    *Fn
}

// Var is a variable in scope.
type Var struct {
	Name  string
	T     Type
	A, A2 attr
	Len   []string
	IdxOf string
	OffOf string // offsets into sequences with this length
	Tile  bool   // a positive size
}

func (v *Var) ref() *Expr {
	return &Expr{T: v.T, A: v.A, A2: v.A2, Len: v.Len, IdxOf: v.IdxOf, Op: v.Name, Ref: true}
}

// Fn is a function literal.
type Fn struct {
	Params []*Var
	Body   []*Stmt
	Ret    *Expr
}

// Stmt is a statement: a template with a %s for each expression of X and each block, declared variables by name.
type Stmt struct {
	Declares string // variable that it declares, usable behind it
	Second   string // another one
	Inner    []*Var // variables that exist in its blocks only
	Assigns  string // variable that it assigns
	Op       string // template; %s are X in order, {} are the blocks
	X        []*Expr
	Blocks   [][]*Stmt
}

// Kernel is one random kernel.
type Kernel struct {
	Name    string
	Seed    uint64
	Params  []*Param
	Body    []*Stmt
	Results []*Expr
	// Text says that statements name variables in their text: which ones are used is not known.
	Text bool
	// NaN says that results are defined for inputs with NaN and infinities, whatever the order.
	NaN bool
	// Same says that variants fail with the very errors of plain Go.
	Same bool
	// Fails says that plain Go may panic for any input.
	Fails bool
	// Carries says that a loop carries sequences: where bad input changes their length, variants refuse what plain Go
	// does.
	Carries bool
	// Exact says that variants give the very floats of plain Go, or such that are a few units in the last place away.
	Exact bool
	ULPs  int
}

// Param is a parameter with the description of its values: see drive.Param.
type Param struct {
	Var
	Role string
	Size string // symbol of the outermost length
}

// helpers are functions that kernels call, by name.
var helpers = map[string]string{}

func helper(name, src string) string { helpers[name] = src; return name }

func (e *Expr) print(sb *strings.Builder, indent string) {
	if e.Fn != nil {
		e.Fn.print(sb, indent)
		return
	}
	parts := strings.Split(e.Op, "%s")
	for i, p := range parts {
		sb.WriteString(p)
		if i < len(e.Args) {
			e.Args[i].print(sb, indent)
		}
	}
}

func (f *Fn) print(sb *strings.Builder, indent string) {
	sb.WriteString("func(")
	for i, p := range f.Params {
		if i > 0 {
			sb.WriteString(", ")
		}
		sb.WriteString(p.Name + " " + p.T.String())
	}
	sb.WriteString(") " + f.Ret.T.String() + " {\n")
	printStmts(sb, f.Body, indent+"\t")
	sb.WriteString(indent + "\treturn ")
	f.Ret.print(sb, indent+"\t")
	sb.WriteString("\n" + indent + "}")
}

func printStmts(sb *strings.Builder, body []*Stmt, indent string) {
	for _, s := range body {
		sb.WriteString(indent)
		rest, x, b := strings.ReplaceAll(s.Op, "\n", "\n"+indent), 0, 0
		for {
			i := strings.IndexAny(rest, "%{")
			for i >= 0 && !strings.HasPrefix(rest[i:], "%s") && !strings.HasPrefix(rest[i:], "{}") {
				j := strings.IndexAny(rest[i+1:], "%{")
				if j < 0 {
					i = -1
					break
				}
				i += 1 + j
			}
			if i < 0 {
				break
			}
			sb.WriteString(rest[:i])
			if rest[i] == '%' {
				s.X[x].print(sb, indent)
				x++
			} else {
				sb.WriteString("{\n")
				printStmts(sb, s.Blocks[b], indent+"\t")
				sb.WriteString(indent + "}")
				b++
			}
			rest = rest[i+2:]
		}
		sb.WriteString(rest + "\n")
	}
}

// Source is a Go file of package pkg with the kernel alone, and the helper functions that it calls if withHelpers.
func (k *Kernel) Source(pkg string, withHelpers bool) string {
	var sb strings.Builder
	fmt.Fprintf(&sb, "//surge:kernel\nfunc %s(", k.Name)
	for i, p := range k.Params {
		if i > 0 {
			sb.WriteString(", ")
		}
		sb.WriteString(p.Name + " " + p.T.String())
	}
	sb.WriteString(") (")
	for i, r := range k.Results {
		if i > 0 {
			sb.WriteString(", ")
		}
		sb.WriteString(r.T.String())
	}
	sb.WriteString(") {\n")
	printStmts(&sb, k.Body, "\t")
	sb.WriteString("\treturn ")
	for i, r := range k.Results {
		if i > 0 {
			sb.WriteString(", ")
		}
		r.print(&sb, "\t")
	}
	sb.WriteString("\n}\n")
	body := sb.String()
	if withHelpers {
		body += helperSource(body)
	}
	return header(pkg, body) + body
}

func header(pkg, body string) string {
	head := "package " + pkg + "\n\n"
	if strings.Contains(body, "math.") {
		head += "import \"math\"\n\n"
	}
	if strings.Contains(body, "ops.") {
		head += "import \"github.com/surge-ndp/surge/ops\"\n\n"
	}
	return head
}

// helperSource is the source of the helpers that body mentions ("" for all).
func helperSource(body string) string {
	var sb strings.Builder
	for _, name := range sortedKeys(helpers) {
		if body == "" || strings.Contains(body, name+"(") || strings.Contains(body, name+",") {
			sb.WriteString("\n" + helpers[name] + "\n")
		}
	}
	for _, a := range kinds {
		for _, b := range kinds {
			if name := structName(a, b); body == "" || strings.Contains(body, name) {
				fmt.Fprintf(&sb, "\ntype %s struct {\n\tX %s\n\tY %s\n}\n", name, a, b)
			}
		}
	}
	return sb.String()
}
