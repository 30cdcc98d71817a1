package kernels_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/codegen/opencl"
	"github.com/surge-ndp/surge/codegen/opencl/clrt"
	"github.com/surge-ndp/surge/internal/needs"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
	"github.com/surge-ndp/surge/training"
	"github.com/surge-ndp/surge/training/input"
)

// TestOpenCL runs every OpenCL code of every kernel of this package, each with one launch (every third with another
// one), and compares with plain Go. A driver has to compile each, which takes a quarter of an hour and more the first
// time: a short test runs one code of every sixth kernel, another one for each. Package interp interprets more.
func TestOpenCL(t *testing.T) {
	opt := training.Options{}
	if testing.Short() {
		opt.Every, opt.EveryKernel = 7, 10
	}
	everyCode(t, device(t, ".", opt))
}

// everyCode runs every code of every kernel of a session, each with one launch (every third with another one), and
// compares with plain Go; a short test one code of each.
func everyCode(t *testing.T, s *training.Session) {
	ctx := t.Context()
	for i, k := range s.Describe().Kernels {
		variants, err := s.Variants(ctx, k.Name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(k.Name, func(t *testing.T) {
			var picked []string
			seen := map[string]int{}
			for _, v := range variants {
				code := codeOf(v)
				seen[code]++
				if n := seen[code]; n == 1 || n == 12 && len(picked)%3 == 0 {
					picked = append(picked, v.String())
				}
			}
			if testing.Short() && len(picked) > 0 {
				picked = picked[i%len(picked):][:1]
			}
			if len(picked) == 0 {
				t.Fatal("it has no variant")
			}
			given := inputsOf(k.Name)
			if given == nil && !strings.HasSuffix(k.Name, "Whole") { // whose variants are beside those of the kernel
				t.Fatal("it has no inputs")
			}
			for _, args := range given {
				b, err := s.Bind(ctx, k.Name, args, training.BindOptions{})
				if uneven(err) {
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				for _, v := range picked {
					r, err := b.Run(ctx, training.RunOptions{Variants: []string{v}, Verify: true})
					if uneven(err) {
						continue
					}
					if err != nil {
						t.Fatalf("%s: %v", v, err)
					}
					if !r.Verified() {
						t.Errorf("%s: %+v", v, r.Comparisons)
					}
					ran := r.Decisions[0].Variant.Computation != "" // it does not where the loop around it has no turn
					if d := r.Decisions[0].Variant; ran && len(r.Decisions) == 1 && d.String() != v {
						t.Errorf("%s was asked for, and %s ran", v, d)
					}
				}
				if err := b.Release(ctx); err != nil {
					t.Fatal(err)
				}
			}
			t.Logf("%d codes, %d variants", len(seen), len(picked))
		})
	}
}

// TestSubgroups runs the codes with subgroup operations with subgroups of several sizes, where the device lets a
// kernel ask for one: smaller than logical warps and larger, and many of a workgroup; a driver's own choice is in
// [TestOpenCL].
func TestSubgroups(t *testing.T) {
	needs.OpenCL(t)
	d, err := clrt.Find("")
	switch {
	case err != nil:
		t.Fatal(err)
	case !d.Subgroups:
		t.Skip(d.Name, " has no subgroups (cl_khr_subgroups)")
	case !d.SetsSubgroups():
		t.Skip(d.Name, " does not let a kernel choose the size of subgroups (cl_intel_required_subgroup_size)")
	}
	ctx := t.Context()
	for _, size := range []string{"8", "16"} {
		t.Run("of "+size, func(t *testing.T) {
			t.Setenv("SURGE_SUBGROUP_SIZE", size)
			s, err := training.Open(ctx, ".", training.Options{CacheDir: t.TempDir(), Platforms: []string{opencl.Platform.Name}, NoSIMD: true})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			runs, shuffles, scans := 0, 0, 0
			for _, k := range s.Describe().Kernels {
				variants, err := s.Variants(ctx, k.Name)
				if err != nil {
					t.Fatal(err)
				}
				var picked []string
				seen := map[string]bool{}
				for _, v := range variants {
					text := v.String()
					shuffle, code := strings.Contains(text, "=shuffle"), codeOf(v)
					if !shuffle && !strings.Contains(text, "=warp_scans") || seen[code] || param.BlockSizeX.Or(v.Policy, 0, 0) != 64 {
						continue
					}
					if warp := param.LogicalWarpSize.Or(v.Policy, 0, 0); warp != 0 && warp != 4<<(3*(len(seen)%2)) { // 4 and 32 in turns
						continue
					}
					seen[code] = true
					picked = append(picked, text)
					if shuffle {
						shuffles++
					} else {
						scans++
					}
				}
				if len(picked) == 0 {
					continue
				}
				for _, args := range inputs[k.Name] {
					b, err := s.Bind(ctx, k.Name, args, training.BindOptions{})
					if err != nil {
						t.Fatal(err)
					}
					for _, v := range picked {
						runs++
						r, err := b.Run(ctx, training.RunOptions{Variants: []string{v}, Verify: true})
						if uneven(err) {
							continue
						}
						if err != nil {
							t.Fatalf("%s: %s: %v", k.Name, v, err)
						}
						if !r.Verified() {
							t.Errorf("%s: %s: %+v", k.Name, v, r.Comparisons)
						}
					}
					if err := b.Release(ctx); err != nil {
						t.Fatal(err)
					}
				}
			}
			if shuffles == 0 || scans == 0 {
				t.Errorf("%d variants with shuffles and %d with scans by subgroups", shuffles, scans)
			}
			t.Logf("%d runs of %d variants", runs, shuffles+scans)
		})
	}
}

// onDevice opens the kernels of a folder for OpenCL, or skips the test where there is none.
func onDevice(t *testing.T, dir string) *training.Session {
	t.Helper()
	return device(t, dir, training.Options{})
}

// device does so with options that say how many of them.
func device(t *testing.T, dir string, opt training.Options) *training.Session {
	t.Helper()
	needs.OpenCL(t)
	opt.CacheDir, opt.Platforms, opt.NoSIMD = t.TempDir(), []string{opencl.Platform.Name}, true
	s, err := training.Open(t.Context(), dir, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// pick returns those variants of a kernel that are asked for.
func pick(t *testing.T, s *training.Session, kernel string, want func(selector.Variant) bool) []selector.Variant {
	t.Helper()
	variants, err := s.Variants(t.Context(), kernel)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(variants, func(v selector.Variant) bool { return !want(v) })
}

// runVariants runs variants of a kernel on every input and compares with plain Go.
func runVariants(t *testing.T, s *training.Session, kernel string, variants []selector.Variant, inputs [][]input.Value) {
	t.Helper()
	ctx := t.Context()
	for _, args := range inputs {
		b, err := s.Bind(ctx, kernel, args, training.BindOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range variants {
			r, err := b.Run(ctx, training.RunOptions{Variants: []string{v.String()}, Verify: true})
			if err != nil || !r.Verified() || !slices.ContainsFunc(r.Decisions, func(d exec.Decision) bool { return d.Variant.String() == v.String() }) {
				t.Errorf("%s: %+v, %v", v, r, err)
			}
		}
		if err := b.Release(ctx); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%s: %d variants", kernel, len(variants))
}

// TestLaunches runs codes on several launches that [TestOpenCL] runs on one.
func TestLaunches(t *testing.T) {
	if testing.Short() {
		t.Skip("with -short codes run on one launch: all kernels of the package are lowered for two of them")
	}
	s := onDevice(t, ".")
	t.Run("local tiles", func(t *testing.T) { localTiles(t, s) })
	t.Run("scan sizes", func(t *testing.T) { scanSizes(t, s) })
}

// localTiles: the distances of k-means have variants that read centroids by way of local memory, whose tiles may be
// shorter and longer than a centroid.
func localTiles(t *testing.T, s *training.Session) {
	for _, tile := range []string{"1", "4"} {
		picked := pick(t, s, "Labels", func(v selector.Variant) bool {
			got, _ := v.Get("local_tile_3")
			block := param.BlockSizeX.Or(v.Policy, 0, 0)
			return got == tile && (block == 32 || block == 256) && clrt.GrainSize.At(v.Policy, 1) == 1
		})
		if len(picked) == 0 {
			t.Errorf("Labels has no variant with local_tile_3=%s", tile)
		}
		runVariants(t, s, "Labels", picked, inputs["Labels"])
	}
}

// scanSizes: a scan of linear functions, which do not commute, in workgroups of all sizes.
func scanSizes(t *testing.T, s *training.Session) {
	picked := pick(t, s, "Tridag", func(v selector.Variant) bool {
		algorithm, _ := v.Get("block_scan_algo_1")
		return algorithm == "blelloch" && param.BlockScanGrainSize.Or(v.Policy, 1, 0) == 4
	})
	first := slices.IndexFunc(picked, func(v selector.Variant) bool { return v.Computation == picked[len(picked)-1].Computation })
	picked = picked[max(first, 0):]
	if len(picked) < 2*5 { // by the grid and by one workgroup, of 32 to 512 work-items or more
		t.Errorf("%d variants of Tridag scan by blelloch in tiles of 4 elements a work-item", len(picked))
	}
	runVariants(t, s, "Tridag", picked, inputs["Tridag"])
}

// TestStreams scans long sequences and rows past the caches: runs that are long enough for whole blocks, and that begin
// anywhere in a line, as rows of odd lengths do. [TestOpenCL] has shorter ones.
func TestStreams(t *testing.T) {
	s := onDevice(t, "../../examples/scan")
	for kernel, args := range map[string][]input.Value{
		"PrefixSums": {floats(100003, -1, 1), scalar(0.5)},
		"Scan":       {floats(100003, -1, 1), scalar(3001), scalar(0.5)},
	} {
		picked := pick(t, s, kernel, func(v selector.Variant) bool {
			return strings.Contains(v.String(), "=stream") && param.BlockSizeX.Or(v.Policy, 0, 0) == 64
		})
		if len(picked) == 0 {
			t.Errorf("%s has no variant that writes past the caches", kernel)
		}
		runVariants(t, s, kernel, picked, [][]input.Value{args})
	}
}
