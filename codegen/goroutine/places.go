package goroutine

import (
	"fmt"
	"strconv"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Pointers to where vectors lie]
//
// A stencil loads vectors from i, i+1, i+2 and so on. The Go compiler computes each of these indices by itself, then
// the address, and keeps them all in registers until the vectors are loaded, where it runs out of registers. With a
// pointer to element i, which is loaded as well, the others lie at constant distances from that.

// place is element v of an array.
type place struct {
	v *kir.Var
	a *kir.Array
}

// places are the elements from which vectors are loaded or stored, in the block that computes the index, and near which
// others are: at least as many in all as make the pointer worth a register.
func places(body []kir.Stmt) map[*kir.Var][]*kir.Array {
	found := map[*kir.Var][]*kir.Array{}
	var visit func(block []kir.Stmt)
	visit = func(block []kir.Stmt) {
		declared := map[*kir.Var]bool{}
		near := map[place]map[int64]bool{} // at which distances
		var order []place
		for _, s := range block {
			switch s := s.(type) {
			case *kir.Let:
				if s.V.T == kir.Int {
					declared[s.V] = true
				}
			case *kir.Check, *kir.CheckAll, *kir.Break: // what comes behind may not be there
				clear(declared)
			}
			accessed := func(a *kir.Array, i kir.Expr) {
				v, by := distance(i)
				if v == nil || !declared[v] || a.Field != nil || a.Space == kir.Partial {
					return
				}
				at := place{v, a}
				if near[at] == nil {
					near[at] = map[int64]bool{}
					order = append(order, at)
				}
				near[at][by] = true
			}
			if store, ok := s.(*kir.Store); ok && store.X.Type().Lanes > 1 && store.Mask == nil {
				accessed(store.A, store.I)
			}
			kir.Walk([]kir.Stmt{kir.Shallow(s)}, nil, func(x kir.Expr) {
				if load, ok := x.(*kir.Load); ok && load.T.Lanes > 1 && load.Mask == nil {
					accessed(load.A, load.I)
				}
			})
			for _, b := range kir.Blocks(s) {
				visit(b)
			}
		}
		for _, at := range order {
			if near[at][0] && len(near[at]) > 1 {
				found[at.v] = append(found[at.v], at.a)
			}
		}
	}
	visit(body)
	kir.Walk(body, func(s kir.Stmt) {
		if set, ok := s.(*kir.Set); ok {
			delete(found, set.V)
		}
	}, nil)
	return found
}

// distance takes the index v+by apart; v is nil for any other.
func distance(i kir.Expr) (v *kir.Var, by int64) {
	switch x := i.(type) {
	case *kir.Ref:
		return x.V, 0
	case *kir.Bin:
		r, ok := x.X.(*kir.Ref)
		c, constant := x.Y.(*kir.Const)
		switch {
		case !ok || !constant:
		case x.Fn == ir.Add:
			return r.V, c.C.Int()
		case x.Fn == ir.Sub:
			return r.V, -c.C.Int()
		}
	}
	return nil, 0
}

// placed declares the pointers to elements v, behind v itself.
func (p *printer) placed(v *kir.Var) {
	for _, a := range p.places[v] {
		name := a.Name + "_" + v.Name
		for p.names[name] {
			name += "_"
		}
		p.names[name] = true
		p.placesAt[place{v, a}] = name
		p.printf("%s := vec.Elem(%s, %s)\n", name, p.base(a, true), v.Name)
	}
}

// at prints a pointer to a vector's array, or to an element near it, and the index from there.
func (p *printer) at(a *kir.Array, i kir.Expr) string {
	if v, by := distance(i); v != nil {
		if name := p.placesAt[place{v, a}]; name != "" {
			return name + ", " + strconv.FormatInt(by, 10)
		}
	}
	return fmt.Sprintf("%s, %s", p.base(a, true), p.expr(i))
}
