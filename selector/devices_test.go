package selector

import (
	"strings"
	"testing"

	"github.com/surge-ndp/surge/selector/param"
)

func deviceCodes(t *testing.T, texts ...string) []Code {
	t.Helper()
	var codes []Code
	for _, text := range texts {
		v, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		c := Code{Variant: v}
		if strings.Contains(text, "execution_resource") {
			c.Launch = []Launch{{Name: "block_size_x", Values: []string{"32", "64", "128", "256", "512"}}, {Name: "block_size_y", Values: []string{"1"}}}
			if strings.Contains(text, "warp") {
				c.Launch = append(c.Launch, Launch{Name: "logical_warp_size", Values: []string{"2", "4", "8", "16", "32", "64"}})
			}
			if strings.Contains(text, "/independent") {
				c.Launch = append(c.Launch, Launch{Name: "grain_size_1", Values: []string{"1", "2", "4"}})
			}
		}
		codes = append(codes, c)
	}
	return codes
}

func TestUntrainedDevice(t *testing.T) {
	nest := deviceCodes(t,
		"K.1/nest/independent>cooperative/opencl/execution_resource_1=group,execution_resource_2=group,block_reduce_algo_2=tree",
		"K.1/nest/independent>cooperative/opencl/execution_resource_1=group,execution_resource_2=group,block_reduce_algo_2=raking",
		"K.1/nest/independent>cooperative/opencl/execution_resource_1=warp,execution_resource_2=warp,block_reduce_algo_2=tree",
		"K.1/nest/independent>sequential/opencl/execution_resource_1=grid,unroll_2=1",
		"K.1/nest/independent>sequential/opencl/execution_resource_1=grid,unroll_2=4",
		"K.1/nest/sequential>cooperative/opencl/unroll_1=1,execution_resource_2=group,block_reduce_algo_2=tree",
		"K.1/nest/sequential>sequential/opencl/unroll_1=1,unroll_2=1")
	flat := deviceCodes(t,
		"K.1/nest/cooperative/opencl/execution_resource_1=grid,block_reduce_algo_1=tree",
		"K.1/nest/cooperative/opencl/execution_resource_1=grid,block_reduce_algo_1=raking",
		"K.1/nest/cooperative/opencl/execution_resource_1=group,block_reduce_algo_1=tree",
		"K.1/nest/sequential/opencl/unroll_1=4")
	rows := deviceCodes(t,
		"K.1/nest/cooperative>independent/opencl/execution_resource_1=group,execution_resource_2=lane",
		"K.1/nest/cooperative>independent/opencl/execution_resource_1=warp,execution_resource_2=lane",
		"K.1/nest/cooperative>sequential/opencl/execution_resource_1=grid,unroll_2=1",
		"K.1/nest/cooperative>sequential/opencl/execution_resource_1=grid,unroll_2=4",
		"K.1/nest/sequential>sequential/opencl/unroll_1=1,unroll_2=1")
	rowSums := deviceCodes(t, // no teams for what is inside
		"K.1/nest/cooperative>sequential/opencl/execution_resource_1=grid,block_reduce_algo_1=tree,unroll_2=4",
		"K.1/nest/cooperative>sequential/opencl/execution_resource_1=group,block_reduce_algo_1=tree,unroll_2=4")
	sorts := deviceCodes(t,
		"K.1/nest/cooperative/opencl/execution_resource_1=grid,sort_radix_bits_1=4",
		"K.1/nest/cooperative/opencl/execution_resource_1=grid,sort_radix_bits_1=8",
		"K.1/nest/cooperative/opencl/execution_resource_1=group,sort_radix_bits_1=4",
		"K.1/nest/cooperative/opencl/execution_resource_1=group,sort_radix_bits_1=8")
	const scan = "K.1/nest/cooperative/opencl/execution_resource_1=grid,block_scan_algo_1="
	algorithms := deviceCodes(t, scan+"blelloch,block_scan_grain_size_1=4,in_flight_1=1", scan+"hillis_steele,block_scan_grain_size_1=4,in_flight_1=1",
		scan+"raking,block_scan_grain_size_1=1,in_flight_1=8")
	scans := deviceCodes(t, scan+"raking,in_flight_1=1", scan+"raking,in_flight_1=8,store_algo_1=cached", scan+"raking,in_flight_1=8,store_algo_1=stream",
		scan+"raking,in_flight_1=32,store_algo_1=cached", scan+"raking,in_flight_1=32,store_algo_1=stream")
	const product = "K.1/nest/independent>independent>sequential/opencl/execution_resource_1="
	products := deviceCodes(t, product+"group,tile_1=1,execution_resource_2=lane,tile_2=1,unroll_3=4", product+"group,tile_1=8,execution_resource_2=lane,tile_2=2,unroll_3=1",
		product+"group,tile_1=4,execution_resource_2=lane,tile_2=4,unroll_3=1", product+"group,tile_1=16,execution_resource_2=lane,tile_2=4,unroll_3=1", product+"warp,execution_resource_2=lane,unroll_3=4")
	for _, c := range []struct {
		codes       []Code
		length, row float64
		accelerated bool
		want        string
	}{
		{nest, 1e6, 5, true, "independent>sequential/opencl/block_size_x=128,block_size_y=1,grain_size_1=1,execution_resource_1=grid,unroll_2=1"},
		{nest, 1e6, 10, true, "independent>sequential/opencl/block_size_x=128,block_size_y=1,grain_size_1=1,execution_resource_1=grid,unroll_2=4"},
		{nest, 1e6, 40, true, "independent>cooperative/opencl/block_size_x=128,block_size_y=1,logical_warp_size=16,grain_size_1=1,execution_resource_1=warp,execution_resource_2=warp,block_reduce_algo_2=tree"},
		{nest, 1e4, 5000, true, "independent>cooperative/opencl/block_size_x=256,block_size_y=1,grain_size_1=1,execution_resource_1=group,execution_resource_2=group,block_reduce_algo_2=tree"},
		{nest, 100, 200, true, "independent>cooperative/opencl/block_size_x=32,block_size_y=1,grain_size_1=1,execution_resource_1=group,execution_resource_2=group,block_reduce_algo_2=tree"},
		{nest, 1e6, 40, false, "independent>sequential/opencl/block_size_x=128,block_size_y=1,grain_size_1=1,execution_resource_1=grid,unroll_2=4"},
		{nest, 3, 1e6, false, "independent>cooperative/opencl/block_size_x=256,block_size_y=1,grain_size_1=1,execution_resource_1=group,execution_resource_2=group,block_reduce_algo_2=raking"},
		{rows, 1e5, 32, true, "cooperative>independent/opencl/block_size_x=512,block_size_y=1,logical_warp_size=32,execution_resource_1=warp,execution_resource_2=lane"},
		{rows, 1e5, 2000, true, "cooperative>independent/opencl/block_size_x=256,block_size_y=1,execution_resource_1=group,execution_resource_2=lane"},
		{rows, 1e5, 6, true, "cooperative>sequential/opencl/block_size_x=128,block_size_y=1,execution_resource_1=grid,unroll_2=1"},
		{rows, 1e5, 32, false, "cooperative>sequential/opencl/block_size_x=128,block_size_y=1,execution_resource_1=grid,unroll_2=4"},
		{rowSums, 1e5, 32, true, "cooperative>sequential/opencl/block_size_x=128,block_size_y=1,execution_resource_1=grid,block_reduce_algo_1=tree,unroll_2=4"},
		{rowSums, 1e5, 2000, true, "cooperative>sequential/opencl/block_size_x=128,block_size_y=1,execution_resource_1=grid,block_reduce_algo_1=tree,unroll_2=4"},
		{flat, 1e7, 0, true, "cooperative/opencl/block_size_x=128,block_size_y=1,execution_resource_1=grid,block_reduce_algo_1=tree"},
		{flat, 1e7, 0, false, "cooperative/opencl/block_size_x=256,block_size_y=1,execution_resource_1=grid,block_reduce_algo_1=raking"},
		{sorts, 1e6, 0, true, "cooperative/opencl/block_size_x=128,block_size_y=1,execution_resource_1=grid,sort_radix_bits_1=4"},
		{sorts, 1e6, 0, false, "cooperative/opencl/block_size_x=32,block_size_y=1,execution_resource_1=grid,sort_radix_bits_1=8"},
		{sorts, 5e4, 0, true, "cooperative/opencl/block_size_x=128,block_size_y=1,execution_resource_1=grid,sort_radix_bits_1=4"},
		{sorts, 5e4, 0, false, "cooperative/opencl/block_size_x=32,block_size_y=1,execution_resource_1=group,sort_radix_bits_1=8"},
		{algorithms, 1e7, 0, true, "cooperative/opencl/block_size_x=128,block_size_y=1,execution_resource_1=grid,block_scan_algo_1=hillis_steele,block_scan_grain_size_1=4,in_flight_1=1"},
		{algorithms, 1e7, 0, false, "cooperative/opencl/block_size_x=256,block_size_y=1,execution_resource_1=grid,block_scan_algo_1=raking,block_scan_grain_size_1=1,in_flight_1=8"},
		{scans, 1e7, 0, true, "cooperative/opencl/block_size_x=128,block_size_y=1,execution_resource_1=grid,block_scan_algo_1=raking,in_flight_1=8,store_algo_1=cached"},
		{scans, 1e7, 0, false, "cooperative/opencl/block_size_x=256,block_size_y=1,execution_resource_1=grid,block_scan_algo_1=raking,in_flight_1=32,store_algo_1=stream"},
		{scans, 1e6, 0, false, "cooperative/opencl/block_size_x=256,block_size_y=1,execution_resource_1=grid,block_scan_algo_1=raking,in_flight_1=32,store_algo_1=cached"},
		{scans, 1e5, 0, false, "cooperative/opencl/block_size_x=256,block_size_y=1,execution_resource_1=grid,block_scan_algo_1=raking,in_flight_1=8,store_algo_1=cached"},
		// Register tiles are for products of many rows and columns.
		{products, 2048, 2048, true, "independent>independent>sequential/opencl/block_size_x=256,block_size_y=1,grain_size_1=1,execution_resource_1=group,tile_1=8,execution_resource_2=lane,tile_2=2,unroll_3=1"},
		{products, 500, 600, true, "independent>independent>sequential/opencl/block_size_x=128,block_size_y=1,grain_size_1=1,execution_resource_1=group,tile_1=4,execution_resource_2=lane,tile_2=4,unroll_3=1"},
		{products, 300, 300, true, "independent>independent>sequential/opencl/block_size_x=512,block_size_y=1,grain_size_1=1,execution_resource_1=group,tile_1=1,execution_resource_2=lane,tile_2=1,unroll_3=4"},
		{products, 1e6, 20, true, "independent>independent>sequential/opencl/block_size_x=128,block_size_y=1,logical_warp_size=8,grain_size_1=1,execution_resource_1=warp,execution_resource_2=lane,unroll_3=4"},
		{products, 10, 1e6, true, "independent>independent>sequential/opencl/block_size_x=512,block_size_y=1,grain_size_1=1,execution_resource_1=group,tile_1=1,execution_resource_2=lane,tile_2=1,unroll_3=4"},
		{products, 2048, 2048, false, "independent>independent>sequential/opencl/block_size_x=256,block_size_y=1,grain_size_1=1,execution_resource_1=group,tile_1=16,execution_resource_2=lane,tile_2=4,unroll_3=1"},
		{flat, 100, 0, true, "cooperative/opencl/block_size_x=128,block_size_y=1,execution_resource_1=group,block_reduce_algo_1=tree"},
	} {
		in := Input{Computation: "K.1", Platform: "opencl", Cores: 2, Codes: c.codes, Features: []Feature{{Name: Length, Value: c.length}}}
		if c.accelerated {
			in.Accelerator, in.Workgroup = in.Platform, 1024
		}
		if c.row > 0 {
			in.Features = append(in.Features, Feature{Name: AverageRowLength, Value: c.row})
		}
		choices, err := Untrained{}.Rank(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimPrefix(choices[0].Variant.String(), "K.1/nest/"); got != c.want {
			t.Errorf("%v × %v, accelerated %v (%s):\n got %s\nwant %s", c.length, c.row, c.accelerated, choices[0].Reason, got, c.want)
		}
		for _, choice := range choices {
			if w, b := param.LogicalWarpSize.Or(choice.Variant.Policy, 0, 1), param.BlockSizeX.Or(choice.Variant.Policy, 0, 1); b%w != 0 {
				t.Errorf("%s: a logical warp straddles", choice.Variant)
			}
			// Whatever is chosen runs where workgroups have 48 KB, as the least that GPUs have: a counter of four bytes for
			// each digit and work-item, and what it exchanges.
			if bits := param.SortRadixBits.At(choice.Variant.Policy, 1); bits > 0 && param.BlockSizeX.Or(choice.Variant.Policy, 0, 1)*(4<<bits+24) > 48<<10 {
				t.Errorf("%s: the counters take too much local memory", choice.Variant)
			}
		}
	}
}

// What a device gets for rows that differ much, and for few rows.
func TestUntrainedDeviceUneven(t *testing.T) {
	nest := deviceCodes(t,
		"K.1/nest/independent>cooperative/opencl/execution_resource_1=group,execution_resource_2=group,block_reduce_algo_2=tree",
		"K.1/nest/independent>cooperative/opencl/execution_resource_1=warp,execution_resource_2=warp,block_reduce_algo_2=tree",
		"K.1/nest/independent>sequential/opencl/execution_resource_1=grid,unroll_2=4")
	sums := deviceCodes(t, "K.1/nest/cooperative>sequential/opencl/execution_resource_1=grid,block_reduce_algo_1=tree,unroll_2=4")
	cells := deviceCodes(t, "K.1/nest/independent>independent/opencl/execution_resource_1=group,execution_resource_2=lane")
	for _, c := range []struct {
		codes             []Code
		length, row, long float64
		workgroup         int
		want              string
	}{
		{nest, 1e5, 16, 17, 1024, "block_size_x=128,block_size_y=1,logical_warp_size=8,"},
		{nest, 1e5, 16, 4000, 1024, "block_size_x=32,block_size_y=1,logical_warp_size=32,"},
		{nest, 1e5, 1000, 1000, 1024, "block_size_x=32,block_size_y=1,logical_warp_size=32,"},
		{sums, 5000, 1000, 1000, 1024, "block_size_x=64,"},
		{sums, 1e6, 10, 10, 1024, "block_size_x=128,"},
		{cells, 2048, 2048, 2048, 1024, "block_size_x=256,"},
		{cells, 320, 320, 320, 1024, "block_size_x=512,"},
		{cells, 320, 320, 320, 256, "block_size_x=256,"},
		{cells, 320, 320, 320, 0, "block_size_x=256,"},
	} {
		in := Input{Computation: "K.1", Platform: "opencl", Accelerator: "opencl", Workgroup: c.workgroup, Cores: 2, Codes: c.codes,
			Features: []Feature{{Name: Length, Value: c.length}, {Name: AverageRowLength, Value: c.row}, {Name: ElementRowLength, Value: c.long}}}
		choices, err := Untrained{}.Rank(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := choices[0].Variant.String(); !strings.Contains(got, "/opencl/"+c.want) {
			t.Errorf("%v × %v, %v: got %s, want %s", c.length, c.row, c.long, got, c.want)
		}
	}
}

func TestPowerOfTwo(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want int
	}{{0, 2}, {3.9, 2}, {4, 4}, {20, 16}, {1e9, 32}} {
		if got := powerOfTwo(c.x, 2, 32); got != c.want {
			t.Errorf("%v: %d, want %d", c.x, got, c.want)
		}
	}
}
