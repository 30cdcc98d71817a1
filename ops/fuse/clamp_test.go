package fuse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
)

// TestClamp checks which conditions become the lesser or the greater one of two ints, and that they mean the same.
func TestClamp(t *testing.T) {
	pkg, err := load.Load(t.Context(), "testdata/clamp", load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range pkg.Kernels {
		t.Run(k.Name, func(t *testing.T) {
			var before, behind *ir.Func
			if _, err := fuse.Compile(k.Func, func(s fuse.Stage) {
				switch s.Name {
				case "load":
					before = s.Func
				case "clamp":
					behind = s.Func
				}
			}); err != nil {
				t.Fatal(err)
			}
			if err := ir.Verify(behind); err != nil {
				t.Fatalf("%v\n%s", err, behind)
			}
			conditions := 0
			ir.Walk(behind.Body, func(s *ir.Stmt) {
				switch s.Op.(type) {
				case *ir.If, *ir.Select:
					conditions++
				}
			})
			if want := fmt.Sprintf("Conditions: %d", conditions); !strings.HasSuffix(strings.TrimSpace(k.Doc), want) {
				t.Errorf("%d conditions are left:\n%s", conditions, behind)
			}
			sameMeaning(t, before, behind, 400, 5)
		})
	}
}
