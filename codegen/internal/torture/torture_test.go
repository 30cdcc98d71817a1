package torture

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/surge-ndp/surge/codegen/opencl/clrt"
)

var (
	flagN      = flag.Int("torture.n", defaultKernels, "number of random kernels")
	flagSeed   = flag.Uint64("torture.seed", 1, "seed of the first kernel; kernel i has seed+i")
	flagCodes  = flag.Int("torture.codes", 6, "codes of a kernel, 0 for all")
	flagFull   = flag.Int("torture.full", 40, "every how many kernels all codes are run")
	flagShrink = flag.Int("torture.shrink", 1, "how many failing kernels are shrunk")
	flagRace   = flag.Bool("torture.race", false, "build the kernels with the race detector")
	flagKeep   = flag.String("torture.keep", "", "directory to keep what is generated in")
	flagPrint  = flag.Bool("torture.print", false, "print the kernels and stop")
	flagOpenCL = flag.Bool("torture.opencl", false, "run codes of the OpenCL platform")
	flagUnder  = flag.String("torture.under", "", "a command that runs the kernels, such as an emulator of another processor")
	flagList   = flag.Bool("torture.list", false, "list refused kernels with the reason")
)

// TestTorture runs random kernels.
func TestTorture(t *testing.T) {
	var kernels []*Kernel
	for i := range *flagN {
		kernels = append(kernels, Generate(fmt.Sprintf("K%03d", i), *flagSeed+uint64(i)))
	}
	if *flagPrint {
		for _, k := range kernels {
			fmt.Printf("// seed %d\n%s\n", k.Seed, k.Source("p", true))
		}
		return
	}
	dir := *flagKeep
	if dir == "" {
		dir = t.TempDir()
	}
	opt := Options{Codes: *flagCodes, Full: *flagFull, PerPackage: 25, Portable: true, Race: *flagRace, OpenCL: *flagOpenCL, Under: strings.Fields(*flagUnder)}
	out, err := Run(t.Context(), dir, kernels, opt)
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for _, code := range sortedKeys(out.Refused) {
		t.Logf("refused with [%s]: %d kernels", code, len(out.Refused[code]))
		refused += len(out.Refused[code])
		for _, k := range out.Refused[code] {
			if *flagList {
				t.Logf("%s (seed %d): %s", k.Name, k.Seed, out.Reasons[k])
			}
		}
	}
	t.Logf("%d kernels, %d refused (%.1f %%); %d codes, %d variants, %d runs (%d refused bad input, %d of them with another code, %d did not need what is bad); compile %.1f s, build %.1f s, run %.1f s",
		len(kernels), refused, 100*float64(refused)/float64(len(kernels)), out.Totals.Codes, out.Totals.Variants, out.Totals.Runs, out.Totals.Refused, out.Totals.Otherwise, out.Totals.Lenient,
		out.Compile.Seconds(), out.Build.Seconds(), out.Run.Seconds())
	if refused*5 > len(kernels) && len(kernels) >= 50 {
		t.Errorf("%d of %d kernels are refused: more than a fifth", refused, len(kernels))
	}
	seen := map[*Kernel]bool{}
	for _, f := range out.Failures {
		if seen[f.Kernel] {
			continue
		}
		seen[f.Kernel] = true
		k := f.Kernel
		if len(seen) <= *flagShrink {
			smaller, g := Shrink(t.Context(), t.TempDir, f, opt, 3*time.Minute)
			k, f = smaller, g
		}
		t.Errorf("%s (seed %d): %s\n%s\n\nkernel:\n%s\nreplay: go test ./codegen/internal/torture -run TestTorture -torture.n=1 -torture.seed=%d -torture.codes=0 -torture.opencl=%t",
			k.Name, k.Seed, f.Kind, indent(f.Detail), k.Source("p", true), k.Seed, opt.OpenCL)
	}
}

// TestOpenCL runs a few random kernels on an OpenCL device, some of their computations on goroutines in between.
func TestOpenCL(t *testing.T) {
	if noDevices != "" {
		t.Skip(noDevices)
	}
	if _, err := clrt.Find(""); err != nil {
		t.Skip(err)
	}
	n := 8
	if testing.Short() {
		n = 3
	}
	var kernels []*Kernel
	for i := range n {
		kernels = append(kernels, Generate(fmt.Sprintf("K%03d", i), uint64(500+i)))
	}
	out, err := Run(t.Context(), t.TempDir(), kernels, Options{Codes: 2, PerPackage: 25, Portable: true, OpenCL: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v; build %.1f s, run %.1f s", out.Totals, out.Build.Seconds(), out.Run.Seconds())
	for _, f := range out.Failures {
		t.Errorf("%s (seed %d): %s\n%s\nreplay: go test ./codegen/internal/torture -run TestTorture -torture.opencl -torture.n=1 -torture.seed=%d -torture.codes=0",
			f.Kernel.Name, f.Kernel.Seed, f.Kind, indent(f.Detail), f.Kernel.Seed)
	}
}

// TestOclgrind runs a few random kernels under Oclgrind, which interprets them and reports races between work-items and what
// lies out of bounds.
func TestOclgrind(t *testing.T) {
	if noDevices != "" {
		t.Skip(noDevices)
	}
	checker, err := exec.LookPath("oclgrind")
	if err != nil {
		t.Skip("oclgrind is not installed")
	}
	if testing.Short() {
		t.Skip("long")
	}
	var kernels []*Kernel
	for i := range 5 {
		kernels = append(kernels, Generate(fmt.Sprintf("K%03d", i), uint64(900+i)))
	}
	out, err := Run(t.Context(), t.TempDir(), kernels, Options{Codes: 3, PerPackage: 25, Portable: true, OpenCL: true,
		Under: []string{checker, "--data-races"}, Args: []string{"-sizes=33", "-few"}})
	if err != nil {
		t.Fatal(err)
	}
	if out.Totals.Runs == 0 {
		t.Error("nothing was run")
	}
	for _, f := range out.Failures {
		t.Errorf("%s (seed %d): %s\n%s", f.Kernel.Name, f.Kernel.Seed, f.Kind, indent(f.Detail))
	}
}

// TestShrink plants a bug, exclusive or computed as or, and checks that it is found and that little more than it is left.
func TestShrink(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	opt := Options{Codes: 3, PerPackage: 25, Portable: true, Args: []string{"-few"}, Mutate: func(src []byte) []byte {
		return bytes.ReplaceAll(bytes.ReplaceAll(src, []byte(" ^ "), []byte(" | ")), []byte(" ^= "), []byte(" |= "))
	}}
	var kernels []*Kernel
	for i := range 25 {
		kernels = append(kernels, Generate(fmt.Sprintf("K%03d", i), uint64(7000+i)))
	}
	out, err := Run(t.Context(), t.TempDir(), kernels, opt)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(out.Failures, func(f Failure) bool { return f.Kind == "mismatch" })
	if i < 0 {
		t.Fatalf("the bug is not found: %+v", out.Totals)
	}
	before := out.Failures[i].Kernel
	k, f := Shrink(t.Context(), t.TempDir, out.Failures[i], opt, 45*time.Second)
	text := k.Source("p", true)
	t.Logf("from %d to %d nodes: %s\n%s", before.size(), k.size(), f.Detail, text)
	if f.Kind != "mismatch" || !strings.Contains(text, "^") || k.size() > before.size()/2 && k.size() > 25 {
		t.Errorf("%s is left of\n%s", text, before.Source("p", true))
	}
}

func indent(s string) string {
	if len(s) > 3000 {
		s = s[:3000] + "…"
	}
	return "\t" + strings.ReplaceAll(s, "\n", "\n\t")
}

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(m.Run())
}
