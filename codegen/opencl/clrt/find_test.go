package clrt

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/exec"
)

// triangular has a row of index[i] numbers for element i, which its work-item adds up; a step before finds the longest.
var triangular = &Code{Frame: testFrame, Doubles: true, Results: []int{4},
	Source: `
__kernel void longest(__global const int *index, long n, __global long *most) {
	long item = (long)get_group_id(0) * BLOCK_SIZE_X + get_local_id(0), m = 0;
	for (long i = item; i < n; i += (long)get_num_groups(0) * BLOCK_SIZE_X) m = max(m, (long)index[i]);
	most[item] = m;
}
__kernel void sums(__global const int *index, long n, long found, __global long *rows, __global double *out) {
	long item = (long)get_group_id(0) * BLOCK_SIZE_X + get_local_id(0);
	__global long *row = rows + item * found;
	for (long i = item; i < n; i += (long)get_num_groups(0) * BLOCK_SIZE_X) {
		long sum = 0;
		for (int j = 0; j < index[i]; j++) row[j] = j;
		for (int j = 0; j < index[i]; j++) sum += row[j];
		out[i] = sum;
	}
}`,
	Temps: []Temp{
		{Elem: 8, Step: 0, Count: func(_ any, g Geometry) int { return g.Groups * g.Block() }},
		{Elem: 8, Step: 1, Count: func(_ any, g Geometry) int { return exec.Times(g.Groups*g.Block(), max(g.Found[0], 1)) }},
	},
	Steps: []Step{
		{Kernel: "longest", Count: indices, MaxGroups: 3, Finds: true, Args: []Arg{{Kind: Field, Index: 2}, {Kind: Count}, {Kind: Temporary}}},
		{Kernel: "sums", Count: indices, MaxGroups: 3, Args: []Arg{{Kind: Field, Index: 2}, {Kind: Count}, {Kind: Found}, {Kind: Temporary, Index: 1}, {Kind: Field, Index: 4}}},
	},
}

func indices(f any) int { return len(f.(*frame).index) }

// TestFinds runs a step with as much memory as the step before finds: none, more and less than in the run before, where
// there are no elements, and more than the device has.
func TestFinds(t *testing.T) {
	l := prepare(t, triangular, "block_size_x=32")
	for _, c := range []struct{ n, most int }{{1000, 1}, {33, 40}, {1000, 1000}, {5, 7}, {0, 1}, {1000, 40}} {
		f := &frame{out: nans(c.n)}
		for i := range c.n {
			f.index = append(f.index, int32(i*i%c.most))
		}
		if err := l.Run(context.Background(), f); err != nil {
			t.Fatal(err)
		}
		for i, n := range f.index {
			if want := float64(n) * float64(n-1) / 2; f.out[i] != want {
				t.Fatalf("%+v: out[%d] = %v, want %v", c, i, f.out[i], want)
			}
		}
	}
	f := &frame{index: []int32{1, math.MaxInt32}, out: nans(2)}
	if err := l.Run(context.Background(), f); err == nil || !strings.Contains(err.Error(), "sums needs 549755813632 bytes for what its work-items find") {
		t.Errorf("more than the device has: %v", err)
	}
}
