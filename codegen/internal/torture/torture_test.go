package torture

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/surge-ndp/surge/codegen/internal/torture/drive"
	"github.com/surge-ndp/surge/internal/needs"
	"github.com/surge-ndp/surge/selector"
)

var (
	flagN      = flag.Int("torture.n", 0, "number of random kernels, 0 for as many as suit the build and -short")
	flagSeed   = flag.Uint64("torture.seed", 1, "seed of the first kernel; kernel i has seed+i")
	flagCodes  = flag.Int("torture.codes", 6, "codes of a kernel, 0 for all")
	flagFull   = flag.Int("torture.full", 40, "every how many kernels all codes are run")
	flagShrink = flag.Int("torture.shrink", 1, "how many failing kernels are shrunk")
	flagRace   = flag.Bool("torture.race", false, "build the kernels with the race detector")
	flagKeep   = flag.String("torture.keep", "", "directory to keep what is generated in")
	flagPrint  = flag.Bool("torture.print", false, "print the kernels and stop")
	flagOther  = flag.String("torture.platform", "", "run codes of this platform besides goroutines")
	flagUnder  = flag.String("torture.under", "", "a command that runs the kernels, such as an emulator of another processor")
	flagList   = flag.Bool("torture.list", false, "list refused kernels with the reason")
)

// TestTorture runs random kernels.
func TestTorture(t *testing.T) {
	n := *flagN
	switch {
	case n > 0:
	case testing.Short():
		n = shortKernels
	default:
		n = defaultKernels
	}
	run(t, "TestTorture", Generate, n)
}

// TestLoops runs random kernels of plain loops.
func TestLoops(t *testing.T) {
	n := *flagN
	switch {
	case n > 0:
	case testing.Short():
		n = shortKernels / 2
	default:
		n = defaultKernels
	}
	run(t, "TestLoops", GenerateLoops, n)
}

// run runs n kernels that a generator writes, as the flags say.
func run(t *testing.T, test string, generate func(name string, seed uint64) *Kernel, n int) {
	var kernels []*Kernel
	for i := range n {
		kernels = append(kernels, generate(fmt.Sprintf("K%03d", i), *flagSeed+uint64(i)))
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
	opt := Options{Codes: *flagCodes, Full: *flagFull, PerPackage: 25, Portable: true, Race: *flagRace, Platform: *flagOther, Under: strings.Fields(*flagUnder)}
	if testing.Short() && *flagN == 0 { // plain Go takes most of a minute for one of the kernels with the next length
		opt.Args = []string{"-sizes=0,1,2,3,7,8,9,15,16,17,31,33,64,65,100,257"}
	}
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
		t.Errorf("%s (seed %d): %s\n%s\n\nkernel:\n%s\nreplay: %s", k.Name, k.Seed, f.Kind, indent(f.Detail), k.Source("p", true), replay(test, opt, k.Seed, int(k.Seed-*flagSeed)))
	}
}

// replay is the command that runs kernel i of a test alone, with the same codes and launches.
func replay(test string, opt Options, seed uint64, i int) string {
	if opt.Full > 0 && i%opt.Full == 0 {
		opt.Codes = 0
	}
	text := fmt.Sprintf("go test ./codegen/internal/torture -count=1 -run %s -torture.n=1 -torture.seed=%d -torture.codes=%d -torture.full=0", test, seed, opt.Codes)
	if opt.Platform != "" {
		text += " -torture.platform=" + opt.Platform
	}
	if opt.Race {
		text += " -torture.race"
	}
	if len(opt.Under) > 0 {
		text += fmt.Sprintf(" -torture.under='%s'", strings.Join(opt.Under, " "))
	}
	return text
}

// TestReplayIsExact compiles a kernel among others and alone, as the command that is printed when it fails does: both
// have the same codes with the same launches.
func TestReplayIsExact(t *testing.T) {
	const seed = 41
	codes := func(opt Options, kernels ...*Kernel) []string {
		var all []string
		last := kernels[len(kernels)-1].Name
		opt.Mutate = func(src []byte) []byte {
			for _, m := range regexp.MustCompile(`"`+last+`(\.[0-9]+/nest/[^"]*/goroutine/[^"]*)"`).FindAllSubmatch(src, -1) {
				v, err := selector.Parse(last + string(m[1]))
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, fmt.Sprint(string(m[1]), " ", drive.Hash(0, v)))
			}
			return src
		}
		if _, err := compileBatch(t.Context(), t.TempDir(), kernels, opt); err != nil {
			t.Fatal(err)
		}
		slices.Sort(all)
		return all
	}
	opt := Options{Codes: 4, PerPackage: 25, Portable: true}
	among := codes(opt, Generate("K000", 40), Generate("K001", seed))
	alone := codes(opt, Generate("K000", seed))
	if len(among) < 4 || !slices.Equal(among, alone) {
		t.Errorf("among others:\n%s\nalone:\n%s", strings.Join(among, "\n"), strings.Join(alone, "\n"))
	}
	full := Options{Codes: 4, Full: 40}
	for i, want := range map[int]string{0: "-torture.codes=0 ", 40: "-torture.codes=0 ", 41: "-torture.codes=4 "} {
		if got := replay("TestTorture", full, seed, i); !strings.Contains(got, want) {
			t.Errorf("kernel %d: %s, want %s", i, got, want)
		}
	}
}

// needDevice skips a test where no OpenCL device is.
func needDevice(t *testing.T) {
	t.Helper()
	needs.OpenCL(t)
}

// needOclgrind returns the command that runs kernels under Oclgrind, which reports races between work-items, or skips
// a test where there is none, or that is not to be long.
func needOclgrind(t *testing.T) []string {
	t.Helper()
	needs.OpenCL(t)
	checker, err := exec.LookPath("oclgrind")
	if err != nil {
		t.Skip("oclgrind is not installed")
	}
	if testing.Short() {
		t.Skip("long")
	}
	return []string{checker, "--data-races"}
}

// TestOpenCL runs a few random kernels on an OpenCL device, some of their computations on goroutines in between.
func TestOpenCL(t *testing.T) {
	needDevice(t)
	n := 8
	if testing.Short() {
		n = 1
	}
	var kernels []*Kernel
	for i := range n {
		kernels = append(kernels, Generate(fmt.Sprintf("K%03d", i), uint64(500+i)))
	}
	kernels = append(kernels, Generate("Leaves", 26112615)) // POCL lost where a row goes behind a check among barriers
	opt := Options{Codes: 2, PerPackage: 25, Portable: true, Platform: "opencl"}
	out, err := Run(t.Context(), t.TempDir(), kernels, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v; build %.1f s, run %.1f s", out.Totals, out.Build.Seconds(), out.Run.Seconds())
	for _, f := range out.Failures {
		t.Errorf("%s (seed %d): %s\n%s\nreplay: %s", f.Kernel.Name, f.Kernel.Seed, f.Kind, indent(f.Detail), replay("TestTorture", opt, f.Kernel.Seed, 1))
	}
}

// TestOclgrind runs a few random kernels under Oclgrind, which interprets them and reports races between work-items
// and what lies out of bounds.
func TestOclgrind(t *testing.T) {
	checker := needOclgrind(t)
	var kernels []*Kernel
	for i := range 5 {
		kernels = append(kernels, Generate(fmt.Sprintf("K%03d", i), uint64(900+i)))
	}
	out, err := Run(t.Context(), t.TempDir(), kernels, Options{Codes: 3, PerPackage: 25, Portable: true, Platform: "opencl",
		Under: checker, Args: []string{"-sizes=33", "-few"}})
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

// TestShrink plants a bug, exclusive or computed as or, and checks that it is found and that little more than it is
// left.
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
	if f.Kind != "mismatch" || !strings.Contains(text, "^") || k.size() > before.size()*3/4 && k.size() > 25 { // how far it comes depends on what else the machine does
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
