package opencl_test

import (
	"fmt"
	"testing"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/codegen/opencl"
	"github.com/surge-ndp/surge/codegen/opencl/clrt"
	"github.com/surge-ndp/surge/internal/needs"
	"github.com/surge-ndp/surge/selector"
)

// TestOwn has each of 96 work-items write its number and that of the element to all of the 3 elements that it has for
// itself: on processors these lie side by side, on GPUs those of neighbouring work-items do.
func TestOwn(t *testing.T) {
	needs.OpenCL(t)
	const items, each = 96, 3
	for blockwise, place := range []func(item, i int) int{
		func(item, i int) int { return i*items + item },
		func(item, i int) int { return item*each + i },
	} {
		out := make([]int64, items*each)
		c := &clrt.Code{
			Source: opencl.Prelude(false) + fmt.Sprintf(`
#undef SURGE_BLOCKWISE
#define SURGE_BLOCKWISE %d
__kernel void own(__global long *out) {
	for (int i = 0; i < %d; i++) out[OWN(i, %d)] = 10 * GLOBAL + i;
}`, blockwise, each, each),
			Frame: &exec.Frame{Names: []string{"out"}, Outputs: []int{0}, Get: func(any, int) exec.Value { return exec.Array(out) }},
			Steps: []clrt.Step{{Kernel: "own", Count: func(any) int { return items }, Args: []clrt.Arg{{Kind: clrt.Field}}}}, Results: []int{0},
		}
		v, err := selector.Parse("K.1/nest/independent/opencl/block_size_x=32,block_size_y=1")
		if err != nil {
			t.Fatal(err)
		}
		l, err := c.Prepare(v)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Run(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		for item := range items {
			for i := range each {
				if got, want := out[place(item, i)], int64(10*item+i); got != want {
					t.Fatalf("blockwise %d: element %d of work-item %d is %d, want %d", blockwise, i, item, got, want)
				}
			}
		}
	}
}
