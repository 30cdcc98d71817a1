package torture

import (
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"
)

var (
	flagBlocks = flag.Int("torture.blocks", 0, "number of random kernels that run block by block, 0 for as many as suit -short")
	flagPrism  = flag.Int("torture.prism", 0, "number of random kernels that run on Apache Beam, whose dependencies take minutes to compile")
)

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
	runBlocks(t, n, "blocks", Options{Args: []string{"-sizes=0,1,2,3,7,8,9,15,16,17,31,33,64,65,100"}})
}

// TestPrism runs them on Apache Beam, those that are thought to succeed in pipelines of many kernels.
func TestPrism(t *testing.T) {
	if *flagPrism < 1 {
		t.Skip("no -torture.prism")
	}
	runBlocks(t, *flagPrism, "prism", Options{Prism: true, Timeout: 3 * time.Hour, Args: []string{"-few", "-sizes=0,1,17", "-budget=1h"}})
}

func runBlocks(t *testing.T, n int, name string, opt Options) {
	var kernels []*Kernel
	for i := range n {
		kernels = append(kernels, Generate(fmt.Sprintf("K%03d", i), *flagSeed+uint64(i)))
	}
	dir := *flagKeep
	if dir == "" {
		dir = t.TempDir()
	}
	opt.Codes, opt.PerPackage, opt.Portable, opt.Blocks = 1, 25, true, true
	out, err := Run(t.Context(), dir, kernels, opt)
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
		t.Errorf("%s (seed %d): %s\n%s\n\nkernel:\n%s\nreplay: go test ./codegen/internal/torture -count=1 -run Test%s -torture.%s=1 -torture.seed=%d",
			k.Name, k.Seed, f.Kind, indent(f.Detail), k.Source("p", true), strings.ToUpper(name[:1])+name[1:], name, k.Seed)
	}
}
