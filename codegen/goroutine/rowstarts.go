package goroutine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/lower"
	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Pointers to where rows begin]
//
// An element of a stored row is element lo+j of an array, where lo is where the row begins. A loop over j needs the
// array, lo and the sum in registers, for each sequence that it reads. The Go compiler adds in every turn, and where
// registers run out it keeps j itself on the stack. With a pointer to where the row begins, which is made once a row,
// a loop needs the pointer and j.
//
// Only row offsets, each of which is at most the length of the array, and multiples of the length of rows that all
// have one are such beginnings. The latter may be computed before it is checked that there is such a row: then the
// pointer is to another element, and nothing is read there. Any other number may be outside of the array, where a
// pointer must not be, while what lies at a distance from it is inside.

// rowStarts are the arrays whose rows begin at variables of a body, where a loop inside the variable's scope reads or
// writes elements behind it.
func rowStarts(body []kir.Stmt) map[*kir.Var]*kir.Array {
	found, depths, offsets := map[*kir.Var]*kir.Array{}, map[*kir.Var]int{}, map[*kir.Var]*kir.Array{}
	multiples := map[*kir.Var][]string{} // of these variables of the frame
	depth := 0
	access := func(a *kir.Array, i kir.Expr) {
		v, _ := behind(i)
		if v == nil || a.Space != kir.Global || a.Field != nil || depth <= depths[v] {
			return
		}
		if offsets[v] != nil && lower.IsRowOffsetsOf(offsets[v].Name, a.Name) || a.RowLength != "" && slices.Contains(multiples[v], a.RowLength) {
			found[v] = a
		}
	}
	var visit func(block []kir.Stmt)
	visit = func(block []kir.Stmt) {
		for _, s := range block {
			if let, ok := s.(*kir.Let); ok {
				if load, ok := let.X.(*kir.Load); ok && load.A.Space == kir.Global && load.T == kir.Int && load.Mask == nil {
					offsets[let.V], depths[let.V] = load.A, depth
				}
				if x, ok := let.X.(*kir.Bin); ok && x.Fn == ir.Mul && x.T == kir.Int {
					multiples[let.V], depths[let.V] = []string{hostName(x.X), hostName(x.Y)}, depth
				}
			}
			inner := depth
			switch s := s.(type) {
			case *kir.Par: // a function of its own
				continue
			case *kir.For:
				if s.Outlined {
					continue // so may this be
				}
				inner++
			case *kir.While:
				inner++
			}
			if store, ok := s.(*kir.Store); ok && store.X.Type().Lanes == 1 {
				if _, ok := store.X.(*kir.Horizontal); !ok {
					access(store.A, store.I)
				}
			}
			kir.Walk([]kir.Stmt{kir.Shallow(s)}, nil, func(x kir.Expr) {
				if load, ok := x.(*kir.Load); ok && load.T.Lanes == 1 {
					access(load.A, load.I)
				}
			})
			outer := depth
			depth = inner
			for _, b := range kir.Blocks(s) {
				visit(b)
			}
			depth = outer
		}
	}
	visit(body)
	kir.Walk(body, func(s kir.Stmt) {
		switch s := s.(type) {
		case *kir.Set:
			delete(found, s.V)
		case *kir.For:
			delete(found, s.V) // which may have been declared before it
		}
	}, nil)
	return found
}

// hostName is the name of a variable of the frame, empty for anything else.
func hostName(x kir.Expr) string {
	if r, ok := x.(*kir.Ref); ok && r.V.Host {
		return r.V.Name
	}
	return ""
}

// behind takes the index v+x apart, where v is a variable; nil for any other.
func behind(i kir.Expr) (v *kir.Var, x kir.Expr) {
	if add, ok := i.(*kir.Bin); ok && add.Fn == ir.Add && add.T == kir.Int {
		if r, ok := add.X.(*kir.Ref); ok {
			return r.V, add.Y
		}
	}
	return nil, nil
}

// pointers prints the pointers that an index is worth, behind its declaration.
func (p *printer) pointers(v *kir.Var) {
	p.rowStart(v)
	p.placed(v)
}

// rowStart prints the pointer to where a row begins, if v is such a place.
func (p *printer) rowStart(v *kir.Var) {
	a := p.rowStarts[v]
	if a == nil {
		return
	}
	name := a.Name + "_" + v.Name
	for p.names[name] {
		name += "_"
	}
	p.names[name] = true
	line := fmt.Sprintf("%s := vec.Addr(%s, %s, len(f.%[2]s)-%[3]s)\n", name, a.Name, v.Name)
	if a.RowLength != "" {
		line = fmt.Sprintf("%s := vec.AddrIn(%s, %s, len(f.%[2]s))\n", name, a.Name, v.Name)
	}
	p.rows[v] = rowPointer{name, line}
	p.printf("%s", line)
}

// rowPointer is the name of a pointer, and the line that declares it.
type rowPointer struct{ name, line string }

// withoutUnused is the text of a function without the pointers that nothing uses.
func (p *printer) withoutUnused(text string) string {
	for _, r := range p.rows {
		if before, after, ok := strings.Cut(text, r.line); ok && !mentions(before, r.name) && !mentions(after, r.name) {
			text = before + after
		}
	}
	return text
}

// namesIn are the names of what a body declares and uses.
func namesIn(body []kir.Stmt) map[string]bool {
	names := map[string]bool{}
	array := func(a *kir.Array) {
		if a != nil {
			names[a.Name] = true
		}
	}
	kir.Walk(body, func(s kir.Stmt) {
		for _, v := range kir.Declares(s) {
			names[v.Name] = true
		}
		array(kir.ArrayOf(s))
	}, func(x kir.Expr) {
		if r, ok := x.(*kir.Ref); ok {
			names[r.V.Name] = true
		}
		array(kir.ArrayOf(x))
	})
	return names
}
