package goroutine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// Tables are what functions read of package variables: the places that checks report, and constant vectors. All units
// of a kernel may have the same ones.
type Tables struct {
	Kernel string // kernel name, for messages

	prefix  string // of the variables
	sites   []string
	vectors []constants // in the order of their first use
}

// constants is a table of equal elements: shorter vectors are loaded from that of longer ones.
type constants struct {
	name, kind, element string
	lanes               int
}

// NewTables returns tables that are empty. Their variables have names that begin with prefix.
func NewTables(kernel, prefix string) *Tables { return &Tables{Kernel: kernel, prefix: prefix} }

// constantVector prints a vector all of whose elements are c. It lies in memory: made from a number it would pass
// through a scalar register, and where those run out between vectors it is spilled and reloaded by instructions that
// stall while the upper halves of the vector registers are in use. (A zero vector is made where the function begins,
// and is in use from there on.)
func (t *Tables) constantVector(of kir.Type, c ir.Const) string {
	c = contained(c)
	if c.Bits == 0 {
		return "*vec.Zero" + vecName(of) + "()"
	}
	vector := vecName(of)
	kind, _, _ := strings.Cut(vector, "x")
	name := t.prefix + kind + "_" + strings.TrimPrefix(numberName(c), "n")
	at := slices.IndexFunc(t.vectors, func(v constants) bool { return v.name == name })
	if at < 0 {
		at = len(t.vectors)
		t.vectors = append(t.vectors, constants{name: name, kind: c.Kind.String(), element: constant(c, false)})
	}
	t.vectors[at].lanes = max(t.vectors[at].lanes, of.Lanes)
	return fmt.Sprintf("*vec.Addr%s(&%s[0], 0)", vector, name)
}

// site is the place of a check, as it is reported.
func (t *Tables) site(op, arg string, pos ir.Pos) string {
	at := ""
	if pos.IsValid() {
		at = pos.String()
	}
	text := fmt.Sprintf("{%q, %q, %q}", at, op, arg)
	i := slices.Index(t.sites, text)
	if i < 0 {
		i, t.sites = len(t.sites), append(t.sites, text)
	}
	return fmt.Sprintf("%sSites[%d]", t.prefix, i)
}

// Text prints the tables.
func (t *Tables) Text() string {
	var sb strings.Builder
	for _, v := range t.vectors {
		elements := strings.TrimSuffix(strings.Repeat(v.element+", ", v.lanes), ", ")
		fmt.Fprintf(&sb, "var %s = [%d]%s{%s}\n", v.name, v.lanes, v.kind, elements)
	}
	if len(t.sites) > 0 {
		fmt.Fprintf(&sb, "var %sSites = exec.Sites(%q, [][3]string{\n%s})\n", t.prefix, t.Kernel, Filled(t.sites, ", ", ",\n"))
	}
	return sb.String()
}
