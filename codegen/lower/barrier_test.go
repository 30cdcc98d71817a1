package lower

import (
	"testing"

	"github.com/surge-ndp/surge/codegen/kir"
)

// TestBarriers: barriers that follow each other are one, which does what each of them does.
func TestBarriers(t *testing.T) {
	var out []kir.Stmt
	l := &lowerer{out: &out}
	l.emit(&kir.Barrier{})
	l.emit(&kir.Barrier{Global: true})
	l.emit(&kir.Barrier{})
	l.emit(&kir.Label{Name: "next"})
	l.emit(&kir.Barrier{})
	if len(out) != 3 {
		t.Fatalf("%d statements, want a barrier, a label, and a barrier", len(out))
	}
	if first, last := out[0].(*kir.Barrier), out[2].(*kir.Barrier); !first.Global || last.Global {
		t.Errorf("barriers for global memory: %v and %v, want true and false", first.Global, last.Global)
	}
}
