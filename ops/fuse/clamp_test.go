package fuse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
)

// TestClamp checks which conditions become the lesser or the greater one of two ints, and that they mean the same.
func TestClamp(t *testing.T) {
	around(t, "load", "clamp", func(t *testing.T, k *load.Kernel, before, behind *ir.Func) {
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
