package goroutine

import (
	"fmt"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// addr prints the address of a vector in memory. To load and store through a pointer leaves no instruction for the
// inlined call, as a function that loads does (see RATIONALE.md).
func (p *printer) addr(t kir.Type, a *kir.Array, i kir.Expr) string {
	return fmt.Sprintf("vec.Addr%s(%s)", vecName(t), p.at(a, i))
}

// elem prints element i of an array, through a pointer for the same reason as [printer.addr].
func (p *printer) elem(a *kir.Array, i kir.Expr) string {
	if f := a.Field; f != nil {
		return fmt.Sprintf("vec.Elem(%s, %s)%s", f.Structs, p.expr(i), f.Path)
	}
	if v, x := behind(i); v != nil && p.rowStarts[v] == a && p.rows[v].name != "" {
		return fmt.Sprintf("*vec.Elem(%s, %s)", p.rows[v].name, p.expr(x))
	}
	if c, ok := i.(*kir.Const); ok && a.Space == kir.Strip && c.C.Int() >= 0 && c.C.Int() < int64(a.Size) {
		return fmt.Sprintf("%s[%d]", a.Name, c.C.Int())
	}
	return fmt.Sprintf("*vec.Elem(%s, %s)", p.base(a, false), p.expr(i))
}

// stored is the name of the sequence in the frame that an array's elements lie in.
func stored(a *kir.Array) string {
	if a.Field != nil {
		return a.Field.Structs
	}
	return a.Name
}

// fieldAddress prints the address of element i of an array that lies in structs, for a function of package vec.
func (p *printer) fieldAddress(a *kir.Array, i kir.Expr) string {
	at := "&" + p.elem(a, i)
	if f := lanesOf(a.Kind); f != "" {
		if a.Field.GoType != a.Kind.String() {
			at = "(*" + a.Kind.String() + ")(" + at + ")"
		}
		return f + "(" + at + ")"
	}
	if a.Field.GoType != a.Kind.String() {
		return fmt.Sprintf("(*%s)(%s)", a.Kind, at)
	}
	return at
}

// lanesOf is the function that makes an address of elements one of what lanes hold, "" where that is the same type.
func lanesOf(k ir.Kind) string {
	switch {
	case k == ir.Uint32:
		return "vec.Int32s"
	case container(k) == ir.Int64 && k != ir.Int64:
		return "vec.Int64s"
	}
	return ""
}

// base prints the address of an array's first element; a vector function takes *int64 where the array is of ints.
func (p *printer) base(a *kir.Array, vector bool) string {
	name := a.Name
	if a.Space == kir.Strip {
		name = "&" + name + "[0]"
	}
	if f := lanesOf(a.Kind); vector && f != "" {
		return f + "(" + name + ")"
	}
	return name
}
