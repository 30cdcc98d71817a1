package fuse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
)

// TestShorten checks of each kernel of testdata how many operations are such of int32s behind the pass, and that it
// gives the same results and fails on the same inputs as before it.
func TestShorten(t *testing.T) {
	pkg, err := load.Load(t.Context(), "testdata/shorten", load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range pkg.Kernels {
		t.Run(k.Name, func(t *testing.T) {
			var before, behind *ir.Func
			if _, err := fuse.Compile(k.Func, func(s fuse.Stage) {
				switch s.Name {
				case "prove":
					before = s.Func
				case "shorten":
					behind = s.Func
				}
			}); err != nil {
				t.Fatal(err)
			}
			if err := ir.Verify(behind); err != nil {
				t.Fatalf("%v\n%s", err, behind)
			}
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
}
