package pass

import "github.com/surge-ndp/surge/codegen/kir"

// Barriers makes one barrier of several that follow each other: the later ones would wait for nothing. It waits for
// all memory that one of them waits for. (POCL 3.1 computes something else where two follow each other in a loop.)
var Barriers = Pass[*kir.Device]{
	Name: "barriers", Doc: "barriers that follow each other are one",
	Run: func(d *kir.Device) error {
		for _, launch := range d.Launches {
			launch.Body = mergeBarriers(launch.Body)
		}
		return nil
	},
}

func mergeBarriers(body []kir.Stmt) []kir.Stmt {
	var out []kir.Stmt
	for _, s := range body {
		if b, ok := s.(*kir.Barrier); ok && len(out) > 0 {
			if last, ok := out[len(out)-1].(*kir.Barrier); ok {
				last.Global = last.Global || b.Global
				continue
			}
		}
		kir.Rewrite(s, mergeBarriers)
		out = append(out, s)
	}
	return out
}
