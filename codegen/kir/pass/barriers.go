package pass

import "github.com/surge-ndp/surge/codegen/kir"

// Barriers makes one barrier, the first, of those between which no memory is read or written: the later ones would
// wait for nothing. It waits for all memory that one of them waits for. (POCL 3.1 computes something else where two
// follow each other in a loop.)
var Barriers = Pass[*kir.Device]{
	Name: "barriers", Doc: "barriers between which no memory is used are one",
	Run: func(d *kir.Device) error {
		for _, launch := range d.Launches {
			launch.Body = mergeBarriers(launch.Body)
		}
		return nil
	},
}

func mergeBarriers(body []kir.Stmt) []kir.Stmt {
	var out []kir.Stmt
	var last *kir.Barrier
	for _, s := range body {
		if b, ok := s.(*kir.Barrier); ok {
			if last != nil {
				last.Global = last.Global || b.Global
				continue
			}
			last = b
		} else if !private(s) {
			last = nil
		}
		kir.Rewrite(s, mergeBarriers)
		out = append(out, s)
	}
	return out
}

// private reports whether a statement only computes with variables of a work-item.
func private(s kir.Stmt) bool {
	switch s.(type) {
	case *kir.Let, *kir.Set:
	default:
		return false
	}
	alone := true
	kir.Arrays([]kir.Stmt{s}, func(*kir.Array) { alone = false })
	return alone
}
