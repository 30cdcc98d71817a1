package opencl

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/opencl/clrt"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/schedule"
	"github.com/surge-ndp/surge/selector/param"
)

func sequence(ops ...string) fuse.Sequence {
	var seq fuse.Sequence
	for _, op := range ops {
		seq = append(seq, fuse.Level{Ops: []string{op}, Kinds: []string{"float64"}})
	}
	return seq
}

// Table V, the CUDA column, in the paper's names. Table IV lists execution_resource too, which Table V leaves out.
func TestTableV(t *testing.T) {
	for _, row := range []struct{ schedule, want string }{
		{"independent>cooperative", "block_size_x block_size_y logical_warp_size grain_size_1 block_reduce_algo_2"},
		{"independent>sequential", "block_size_x block_size_y logical_warp_size grain_size_1 enable_unroll_2"},
		{"sequential>cooperative", "block_size_x block_size_y logical_warp_size block_reduce_algo_2 enable_unroll_1"},
		{"sequential>sequential", "block_size_x block_size_y logical_warp_size enable_unroll_1 enable_unroll_2"},
	} {
		s, err := schedule.Parse(row.schedule)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range policy.Infer(Platform, sequence("map", "reduce"), s) {
			if p.Param.Paper == "" { // an addition
				if p.Param.Key != &param.InFlight.Key && p.Param.Key != &param.Tile.Key {
					t.Errorf("%s: %s is not in Table IV", row.schedule, p.Name)
				}
				continue
			}
			if p.Param.Paper == "execution_resource" {
				continue
			}
			name := p.Param.Paper
			if p.Depth > 0 {
				name += "_" + strconv.Itoa(p.Depth)
			}
			got = append(got, name)
		}
		want := strings.Fields(row.want)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", row.schedule, got, want)
		}
	}
}

func TestScanParameters(t *testing.T) {
	var got []string
	for _, p := range policy.Infer(Platform, sequence("map", "scan"), schedule.Schedule{schedule.Independent, schedule.Cooperative}) {
		got = append(got, p.Name)
	}
	want := "block_size_x block_size_y logical_warp_size grain_size_1 execution_resource_1 tile_1 execution_resource_2 block_scan_algo_2 block_scan_grain_size_2 in_flight_2 store_algo_2"
	if strings.Join(got, " ") != want {
		t.Errorf("%v", got)
	}
}

// Below nesting level 2 all is sequential (section 3.2).
func TestSchedules(t *testing.T) {
	for _, c := range schedule.Enumerate(sequence("map", "map", "reduce"), Platform.ScheduleConstraints) {
		deep := c.Schedule[2].Parallel()
		if (c.Pruned != "") != deep || deep && !strings.Contains(c.Pruned, "level 3 is cooperative") {
			t.Errorf("%s: %q", c.Schedule, c.Pruned)
		}
	}
}

func TestPruning(t *testing.T) {
	sp := policy.Enumerate("SpMV.1", "nest", sequence("map", "reduce"), Platform, policy.Machine{MaxWorkGroup: 256}, nil)
	for _, v := range sp.Valid() {
		x, y, warp := param.BlockSizeX.Or(v.Policy, 0, 1), clrt.BlockSizeY.Or(v.Policy, 0, 1), param.LogicalWarpSize.Or(v.Policy, 0, 1)
		if x*y > 256 || x%warp != 0 || warp > maxLogicalWarp {
			t.Errorf("%s is valid", v)
		}
	}
	var reasons []string
	for _, p := range sp.Pruned {
		reasons = append(reasons, p.Constraint+": "+p.Reason)
	}
	all := strings.Join(reasons, "\n")
	for _, want := range []string{
		"workgroup_size: block_size_x × block_size_y is more than the 256 work-items",
		"logical_warp_size: logical_warp_size does not divide block_size_x",
		"resources_inwards: a level on grid inside one on warp",
		"resource_fits: an element of a level with a parallel one inside is given to grid",
		"resource_fits: an inner cooperative level on lane",
		"flat_workgroup: work-items are numbered along x first",
		"subgroups: shuffle needs subgroup operations",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("no reason %q in\n%s", want, all)
		}
	}
	// The paper's two CUDA forms of SpMV are there: a thread a row, a logical warp a row.
	for _, want := range []string{
		"SpMV.1/nest/independent>sequential/opencl/block_size_x=128,block_size_y=1,grain_size_1=1,execution_resource_1=grid,unroll_2=1",
		"SpMV.1/nest/independent>cooperative/opencl/block_size_x=128,block_size_y=1,logical_warp_size=8,grain_size_1=1,execution_resource_1=warp,execution_resource_2=warp,block_reduce_algo_2=tree,in_flight_2=1",
	} {
		found := false
		for _, v := range sp.Valid() {
			found = found || v.String() == want
		}
		if !found {
			t.Errorf("%s is not in the space", want)
		}
	}
}

func TestSizes(t *testing.T) {
	for _, c := range []struct {
		ops   string
		valid int
	}{{"map reduce", 657}, {"reduce", 75}, {"scan", 135}, {"map", 21}} {
		sp := policy.Enumerate("K.1", "nest", sequence(strings.Fields(c.ops)...), Platform, policy.Machine{}, nil)
		if sp.Size() != c.valid {
			t.Errorf("%s: %d valid of %d, want %d", c.ops, sp.Size(), sp.Product, c.valid)
		}
	}
}

// Register tiles are of matrix products, on workgroups and their work-items, and of a size that fits into registers.
func TestTiles(t *testing.T) {
	seq := sequence("map", "map", "reduce")
	count := func() (tiles int) {
		for _, v := range policy.Enumerate("K.1", "nest", seq, Platform, policy.Machine{}, nil).Valid() {
			rows, columns := param.Tile.Or(v.Policy, 1, 1), param.Tile.Or(v.Policy, 2, 1)
			if rows == 1 && columns == 1 {
				continue
			}
			tiles++
			on := []param.Resource{param.ExecutionResource.At(v.Policy, 1), param.ExecutionResource.At(v.Policy, 2)}
			if !slices.Equal(on, []param.Resource{param.Group, param.Lane}) || rows*columns < 16 || rows*columns > 64 || param.LocalTile.At(v.Policy, 3) > 0 || param.Unroll.At(v.Policy, 3) > 1 {
				t.Errorf("%s is valid", v)
			}
		}
		return tiles
	}
	if n := count(); n != 0 {
		t.Errorf("%d variants have register tiles where reductions share nothing", n)
	}
	seq[2].Traits = []string{fuse.TraitShared}
	if n := count(); n != 7*6 {
		t.Errorf("%d variants have register tiles, want 7 shapes with 6 sizes of workgroups", n)
	}
}

// Counters of a sort have to fit into local memory, and what a workgroup that sorts alone exchanges beside them.
func TestSortCounters(t *testing.T) {
	valid := map[string]bool{}
	for _, v := range policy.Enumerate("Sort.1", "nest", sequence("sort_by_key"), Platform, policy.Machine{LocalMemory: 64 << 10}, nil).Valid() {
		bits, _ := v.Get("sort_radix_bits_1")
		on, _ := v.Get("execution_resource_1")
		valid[strings.Join([]string{on, bits, strconv.Itoa(param.BlockSizeX.Or(v.Policy, 0, 0))}, " ")] = true
	}
	for key, want := range map[string]bool{"grid 8 64": true, "grid 8 128": false, "grid 4 1024": true, "group 8 32": true, "group 8 64": false, "group 4 512": true, "group 4 1024": false} {
		if valid[key] != want {
			t.Errorf("%s: valid is %v, want %v", key, valid[key], want)
		}
	}
}
