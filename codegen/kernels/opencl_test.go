package kernels_test

import (
	"context"
	"testing"

	"github.com/surge-ndp/surge/codegen/opencl"
	"github.com/surge-ndp/surge/codegen/opencl/clrt"
	"github.com/surge-ndp/surge/training"
)

// TestOpenCL runs every OpenCL code of every kernel of this package, each with one launch (every third with another one),
// and compares with plain Go. A driver has to compile each: that takes most of the time.
func TestOpenCL(t *testing.T) {
	if _, err := clrt.Find(""); err != nil {
		t.Skip(err)
	}
	ctx := context.Background()
	s, err := training.Open(ctx, ".", training.Options{CacheDir: t.TempDir(), Platforms: []string{opencl.Platform.Name}, NoSIMD: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, k := range s.Describe().Kernels {
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
				if testing.Short() && len(seen)%3 != 0 {
					continue
				}
				if n := seen[code]; n == 1 || n == 12 && len(picked)%3 == 0 {
					picked = append(picked, v.String())
				}
			}
			if len(picked) == 0 {
				t.Fatal("no variant runs on a device")
			}
			for _, args := range inputs[k.Name] {
				b, err := s.Bind(ctx, k.Name, args, training.BindOptions{})
				if err != nil {
					t.Fatal(err)
				}
				for _, v := range picked {
					r, err := b.Run(ctx, training.RunOptions{Variants: []string{v}, Verify: true})
					if err != nil {
						t.Fatalf("%s: %v", v, err)
					}
					if !r.Verified() {
						t.Errorf("%s: %+v", v, r.Comparisons)
					}
					if d := r.Decisions[0].Variant; len(r.Decisions) == 1 && d.String() != v {
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
