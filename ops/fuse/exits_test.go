package fuse_test

import (
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
)

// TestExits checks that the turns of loops run side by side which may return, and that no pass loses an exit, or
// another check of such a kernel: compiled code fails on the inputs on which the source returns early or panics, and no
// other. It also checks which turns may not end.
func TestExits(t *testing.T) {
	runs := 2000
	if testing.Short() {
		runs = 200
	}
	pkg, err := load.Load(t.Context(), "testdata/exits", load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range pkg.Kernels {
		t.Run(k.Name, func(t *testing.T) {
			if k.Exiting == nil {
				t.Fatal("it has no exits")
			}
			var before *ir.Func
			fused, err := fuse.Compile(k.Exiting.Func, func(s fuse.Stage) {
				if s.Name == "load" {
					before = s.Func
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			how := map[bool]string{true: "side by side", false: "in order"}[fused.ExitsInParallel()]
			for _, c := range fused.Computations {
				if fuse.MayHang(c.Stmt) {
					how += ", and turns may hang"
				}
			}
			if !strings.HasSuffix(strings.TrimSpace(k.Doc), "Exits: "+how) {
				t.Errorf("turns run %s:\n%s", how, fused.Func)
			}
			for c := range fused.HoistedChecks() {
				t.Errorf("the check %s %q of %v is made before a run", c.Kind, c.Arg, c.Args)
			}
			sameMeaning(t, before, backwards(fused.Func), runs, 12)
		})
	}
}
