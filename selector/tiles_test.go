package selector

import (
	"testing"

	"github.com/surge-ndp/surge/selector/param"
)

// TestStridedTiles checks that lanes of the level around are several rows at a time where there is code for that.
func TestStridedTiles(t *testing.T) {
	code := func(schedule, policy string) Code {
		v := Variant{Computation: "MatMul.1", Form: "nest", Schedule: schedule, Platform: "goroutine"}
		var err error
		if v.Policy, err = param.Parse(policy, 1); err != nil {
			t.Fatal(err)
		}
		return Code{Variant: v}
	}
	codes := []Code{
		code("sequential>independent>sequential", "tile_1=1,unroll_1=1,execution_resource_2=lane,vector_width_2=16,unroll_2=1,unroll_3=1"),
		code("independent>independent>sequential", "execution_resource_1=pool,tile_1=8,tile_algo_1=loop,execution_resource_2=lane,vector_width_2=16,unroll_2=2,unroll_3=1"),
		code("independent>independent>sequential", "execution_resource_1=pool,tile_1=8,tile_algo_1=routine,execution_resource_2=lane,vector_width_2=16,unroll_2=2,unroll_3=1"),
		code("sequential>sequential>sequential", "tile_1=1,unroll_1=1,unroll_2=1,unroll_3=1"),
	}
	for want, available := range map[int][]Code{2: codes, 0: {codes[0], codes[3]}} {
		choices, err := Untrained{}.Rank(Input{Cores: 1, Strided: 3, Codes: available,
			Features: []Feature{{Name: Length, Value: 512}, {Name: AspectRatio, Value: 1}, {Name: InnerRowLength, Value: 128}}})
		if err != nil || choices[0].Variant.Schedule != codes[want].Schedule || param.Unroll.Or(choices[0].Variant.Policy, 2, 0) != param.Unroll.Or(codes[want].Policy, 2, 0) {
			t.Errorf("%v, %v; want %s", choices, err, codes[want].Variant)
		} else if algo, _ := choices[0].Variant.Get("tile_algo_1"); want == 2 && algo != "routine" {
			t.Errorf("%s has no routine", choices[0].Variant)
		}
	}
}

// TestTilesOfFewRows checks that rows which register tiles compute together get a second thread later than others.
func TestTilesOfFewRows(t *testing.T) {
	code := func(tile string) Code {
		return Code{Launch: []Launch{{Name: "num_threads"}}, Variant: Variant{Computation: "Product.1", Form: "nest", Schedule: "independent>independent>sequential", Platform: "goroutine",
			Policy: []Setting{{Name: "execution_resource_1", Value: "pool"}, {Name: "tile_1", Value: tile}, {Name: "execution_resource_2", Value: "lane"}, {Name: "vector_width_2", Value: "8"}, {Name: "unroll_2", Value: "1"}, {Name: "unroll_3", Value: "1"}}}}
	}
	costs := []LevelCost{{Operations: 5, Runs: 1, Scalarised: make([]float64, 3)}, {Operations: 1, Runs: 1, Scalarised: make([]float64, 3)}, {Operations: 10, Runs: 1, Scalarised: make([]float64, 3)}}
	for _, c := range []struct {
		name string
		code Code
		rows float64
		want int
	}{{"one by one", code("1"), 16, 2}, {"in tiles", code("8"), 8, 1}, {"many in tiles", code("8"), 64, 2}} {
		choices, err := Untrained{}.Rank(Input{Cores: 2, Codes: []Code{c.code}, Costs: costs,
			Features: []Feature{{Name: Length, Value: c.rows}, {Name: AspectRatio, Value: c.rows / 64}, {Name: InnerRowLength, Value: 64}}})
		if err != nil || param.NumThreads.Or(choices[0].Variant.Policy, 0, 0) != c.want {
			t.Errorf("%s: %v, %v; want %d threads", c.name, choices, err, c.want)
		}
	}
}

// TestTilesOfShortRows checks that the vectors of register tiles have to be filled, not narrower ones of other codes.
func TestTilesOfShortRows(t *testing.T) {
	var codes []Code
	for _, policy := range []string{"tile_1=1,execution_resource_2=lane,vector_width_2=4,unroll_2=1", "tile_1=4,execution_resource_2=lane,vector_width_2=8,unroll_2=2", "tile_1=1,unroll_2=1"} {
		settings, err := param.Parse("execution_resource_1=pool,"+policy, 1)
		if err != nil {
			t.Fatal(err)
		}
		codes = append(codes, Code{Variant: Variant{Computation: "Distances.1", Form: Nest, Schedule: "independent>independent", Platform: Host, Policy: settings}})
	}
	costs := []LevelCost{{Operations: 5, Runs: 1, Scalarised: make([]float64, 2)}, {Operations: 100, Runs: 1, Scalarised: []float64{0, 100}}}
	for row, want := range map[float64]int{3: 1, 6: 1, 7: 1, 8: 4, 100: 4} {
		choices, err := Untrained{}.Rank(Input{Cores: 1, Codes: codes, Costs: costs, Features: []Feature{{Name: Length, Value: 1000}, {Name: AspectRatio, Value: 1000 / row}}})
		if err != nil || param.Tile.Or(choices[0].Variant.Policy, 1, 0) != want {
			t.Errorf("rows of %g: %v, %v; want tiles of %d", row, choices, err, want)
		}
	}
}
