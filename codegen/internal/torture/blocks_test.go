package torture

import (
	"flag"
	"fmt"
	"testing"
)

var flagBlocks = flag.Int("torture.blocks", 0, "number of random kernels that run block by block, 0 for as many as suit -short")

// TestBlocks runs random kernels block by block, as a cluster does, against plain Go: in blocks of one element, of a
// prime, and of all. With -torture.blocks=1 and -torture.seed it runs one kernel.
func TestBlocks(t *testing.T) {
	n := *flagBlocks
	switch {
	case n > 0:
	case testing.Short():
		n = 4
	default:
		n = 100
	}
	var kernels []*Kernel
	for i := range n {
		kernels = append(kernels, Generate(fmt.Sprintf("K%03d", i), *flagSeed+uint64(i)))
	}
	dir := *flagKeep
	if dir == "" {
		dir = t.TempDir()
	}
	out, err := Run(t.Context(), dir, kernels, Options{Codes: 1, PerPackage: 25, Portable: true, Blocks: true,
		Args: []string{"-sizes=0,1,2,3,7,8,9,15,16,17,31,33,64,65,100"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d kernels, %d are not cut; %d runs (%d refused bad input, %d did not need what is bad); compile %.1f s, build %.1f s, run %.1f s",
		n, out.Uncut, out.Totals.Runs, out.Totals.Refused, out.Totals.Lenient, out.Compile.Seconds(), out.Build.Seconds(), out.Run.Seconds())
	if n >= 20 && out.Uncut > n/2 {
		t.Errorf("%d of %d kernels are not cut: more than a half", out.Uncut, n)
	}
	for _, f := range out.Failures {
		k := f.Kernel
		t.Errorf("%s (seed %d): %s\n%s\n\nkernel:\n%s\nreplay: go test ./codegen/internal/torture -count=1 -run TestBlocks -torture.blocks=1 -torture.seed=%d",
			k.Name, k.Seed, f.Kind, indent(f.Detail), k.Source("p", true), k.Seed)
	}
}
