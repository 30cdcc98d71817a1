package pass

import (
	"fmt"

	"github.com/surge-ndp/surge/codegen/kir"
)

// Elements refuses code that needs elements side by side where they lie in structs: vectors in memory, and most
// routines.
var Elements = Pass[*kir.Func]{
	Name: "elements", Doc: "refuses vectors in memory where the elements lie in structs",
	Run: func(f *kir.Func) error {
		return sideBySide(f.Body)
	},
}

// sideBySide returns the reason why an array whose elements lie in structs cannot be used as body uses it.
func sideBySide(body []kir.Stmt) (reason error) {
	refuse := func(a *kir.Array) {
		if reason == nil && a != nil && a.Field != nil {
			reason = Reason(fmt.Sprintf("%s lies in structs, and the elements are needed side by side", a.Name))
		}
	}
	call := func(r *kir.Routine) {
		if r.Name == kir.TakeFields || r.Name == kir.PutFields {
			return
		}
		for _, a := range r.Args {
			refuse(a.A)
		}
	}
	kir.Walk(body, func(s kir.Stmt) {
		switch s := s.(type) {
		case *kir.Store:
			if s.X.Type().Lanes > 1 && (s.Mask != nil || !apart(s.A)) {
				refuse(s.A)
			}
		case *kir.Scatter, *kir.StoreEvery:
			refuse(kir.ArrayOf(s))
		case *kir.CheckAll:
			refuse(s.A)
		case *kir.Call:
			call(s.R)
		}
	}, func(x kir.Expr) {
		switch x := x.(type) {
		case *kir.Load:
			if x.T.Lanes > 1 && (x.Mask != nil || !apart(x.A)) {
				refuse(x.A)
			}
		case *kir.Every:
			refuse(kir.ArrayOf(x))
		case *kir.Routine:
			call(x)
		}
	})
	return reason
}

// apart reports whether vectors of an array's elements can be taken out of the structs that they lie in.
func apart(a *kir.Array) bool { return a.Field != nil && a.Field.Apart > 0 }
