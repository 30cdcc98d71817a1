package fuse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
)

// TestShorten checks of each kernel of testdata how many operations are such of int32s behind the pass, and that it
// gives the same results and fails on the same inputs as before it.
func TestShorten(t *testing.T) {
	around(t, "prove", "shorten", func(t *testing.T, k *load.Kernel, before, behind *ir.Func) {
		short := 0
		ir.Walk(behind.Body, func(s *ir.Stmt) {
			switch op := s.Op.(type) {
			case *ir.Binary:
				if op.X.Type().Kind == ir.Int32 {
					short++
				}
			case *ir.Unary:
				if op.X.Type().Kind == ir.Int32 {
					short++
				}
			}
		})
		if want := fmt.Sprintf("Short: %d", short); !strings.HasSuffix(strings.TrimSpace(k.Doc), want) {
			t.Errorf("%d operations are short:\n%s", short, behind)
		}
		sameMeaning(t, before, backwards(behind), 3000, 12)
	})
}
