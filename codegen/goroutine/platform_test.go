package goroutine

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/schedule"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
)

// avx512 is a two-core machine with vectors of 16, 32 and 64 bytes.
var avx512 = policy.Machine{Cores: 2, Lanes: map[int][]int{4: {4, 8, 16}, 8: {4, 8}}}

// sequence builds an expression sequence over kind, whose rows are indexed by int32. The operator products is a
// reduction that sums products, bins a histogram of scalars.
func sequence(kind string, ops ...string) fuse.Sequence {
	var seq fuse.Sequence
	for _, op := range ops {
		l := fuse.Level{Ops: []string{op}, Kinds: []string{kind, "int32"}}
		switch op {
		case "products":
			l.Ops, l.Traits = []string{"reduce"}, []string{fuse.TraitProducts}
		case "bins":
			l.Ops, l.Traits = []string{"histogram"}, []string{fuse.TraitBins}
		}
		seq = append(seq, l)
	}
	return seq
}

func space(kind string, m policy.Machine, ops ...string) *policy.Space {
	return policy.Enumerate("K.1", "nest", sequence(kind, ops...), Platform, m, nil)
}

// Table V, the OpenMP column, in the paper's names, and what this platform adds to it. Table IV lists
// execution_resource too, which Table V leaves out.
func TestTableV(t *testing.T) {
	for _, row := range []struct{ schedule, paper, added string }{
		{"independent>cooperative", "num_threads enable_nesting omp_schedule_1 chunk_size_1 omp_schedule_2 chunk_size_2",
			"vector_width_1 unroll_1 tile_1 tile_algo_1 vector_width_2 unroll_2"},
		{"independent>sequential", "num_threads enable_nesting omp_schedule_1 chunk_size_1 enable_unroll_2",
			"vector_width_1 unroll_1 tile_1 tile_algo_1"},
		{"sequential>cooperative", "num_threads enable_nesting omp_schedule_2 chunk_size_2 enable_unroll_1",
			"tile_1 tile_algo_1 vector_width_2 unroll_2"},
		{"sequential>sequential", "enable_unroll_1 num_threads enable_nesting enable_unroll_2", "tile_1 tile_algo_1"},
	} {
		s, err := schedule.Parse(row.schedule)
		if err != nil {
			t.Fatal(err)
		}
		var paper, added []string
		for _, p := range policy.Infer(Platform, sequence("float64", "map", "reduce"), s) {
			switch p.Param.Paper {
			case "execution_resource":
			case "":
				added = append(added, p.Name)
			default:
				name := p.Param.Paper
				if p.Depth > 0 {
					name += "_" + strconv.Itoa(p.Depth)
				}
				paper = append(paper, name)
			}
		}
		want := strings.Fields(row.paper)
		slices.Sort(want)
		slices.Sort(paper)
		if !slices.Equal(paper, want) || strings.Join(added, " ") != row.added {
			t.Errorf("%s: %v and %v, want %v and %s", row.schedule, paper, added, want, row.added)
		}
	}
}

// Figure 2(a): all four schedules of SpMV can run here.
func TestSpMVSchedules(t *testing.T) {
	var got []string
	for _, s := range space("float64", avx512, "map", "reduce").Schedules {
		got = append(got, s.Schedule.String())
	}
	want := "independent>cooperative independent>sequential sequential>cooperative sequential>sequential"
	if strings.Join(got, " ") != want {
		t.Errorf("%v", got)
	}
	deep := schedule.Enumerate(sequence("float64", "map", "map", "map", "reduce"), Platform.ScheduleConstraints)
	if deep[0].Pruned == "" || deep[1].Pruned != "" {
		t.Errorf("four parallel levels: %+v", deep[:2])
	}
}

func TestSizes(t *testing.T) {
	for _, c := range []struct {
		kind, ops    string
		codes, valid int
	}{
		{"float64", "map reduce", 40, 220},
		{"float32", "map reduce", 54, 297},
		{"float64", "reduce", 18, 90},
		{"float64", "scan", 45, 240},
		{"float32", "scan", 63, 336},
		{"float64", "map", 18, 90},
		{"float64", "map map reduce", 85, 490},
		{"float64", "", 1, 1},
	} {
		sp := space(c.kind, avx512, strings.Fields(c.ops)...)
		if sp.Size() != c.valid || len(sp.Codes()) != c.codes {
			t.Errorf("%s %s: %d valid in %d codes of %d, want %d in %d", c.kind, c.ops, sp.Size(), len(sp.Codes()), sp.Product, c.valid, c.codes)
		}
	}
}

func TestPruningReasons(t *testing.T) {
	count := func(m policy.Machine, ops ...string) map[string]int {
		reasons := map[string]int{}
		for _, p := range space("float64", m, ops...).Pruned {
			reasons[p.Reason] += p.Count
		}
		return reasons
	}
	reasons := count(avx512, "map", "scan")
	for _, want := range []string{
		"this CPU has no 16 lanes of 8 bytes",
		"two levels on lanes: a vector's elements have no lanes of their own",
		"a level on the pool inside one on lanes: a lane cannot start a region",
		"nesting without a second level on the pool: the same program as without",
		"one thread: the same program as static with automatic chunks",
		"one thread: a two-pass scan would read its input twice for nothing",
		"a chained scan with a static schedule: workers would wait for chunks that nobody has begun",
		"an inner region that is not static: the outer one balances",
	} {
		if reasons[want] == 0 {
			t.Errorf("nothing is pruned because of %q", want)
		}
	}
	if reasons := count(avx512, "map", "map", "reduce"); reasons["3 levels on the pool, and regions nest once"] == 0 {
		t.Error("three nested regions are not pruned")
	}
	conditions := fuse.Sequence{{Ops: []string{"map"}, Kinds: []string{"bool"}}}
	for _, p := range policy.Enumerate("K.1", "nest", conditions, Platform, avx512, nil).Pruned {
		if strings.Contains(p.Reason, "CPU") {
			t.Errorf("%d points are pruned because of the CPU, which has all vectors that there are: %s", p.Count, p.Reason)
		}
		reasons[p.Reason] += p.Count
	}
	if want := "lanes of bool: there are vectors of numbers only"; reasons[want] == 0 {
		t.Errorf("nothing is pruned because of %q", want)
	}
	none := avx512
	none.NoLanes = "built without GOEXPERIMENT=simd"
	if reasons := count(none, "reduce"); reasons[none.NoLanes] == 0 || reasons["this CPU has no 16 lanes of 8 bytes"] != 0 {
		t.Errorf("without lanes: %v", reasons)
	}
	for _, v := range space("float64", none, "reduce").Valid() {
		if param.VectorWidth.In(v.Policy, 1) {
			t.Errorf("%s needs lanes", v)
		}
	}
}

// A variant has exactly the settings that matter to it.
func TestVariants(t *testing.T) {
	want := "SpMV.1/nest/independent>cooperative/goroutine/num_threads=2,enable_nesting=false,omp_schedule_1=dynamic,chunk_size_1=64," +
		"execution_resource_1=pool,execution_resource_2=lane,vector_width_2=8,unroll_2=2"
	sp := policy.Enumerate("SpMV.1", "nest", sequence("float64", "map", "reduce"), Platform, avx512, nil)
	found := false
	for _, v := range sp.Valid() {
		found = found || v.String() == want
		for d := 1; d <= 2; d++ {
			resource := param.ExecutionResource.At(v.Policy, d)
			if param.ChunkSize.In(v.Policy, d) != resource.Has(param.Pool) || param.VectorWidth.In(v.Policy, d) != resource.Has(param.Lane) {
				t.Errorf("%s: level %d on %q", v, d, resource)
			}
		}
	}
	if !found {
		t.Errorf("%s is not in the space", want)
	}
}

// Every valid variant is found by its id and by its text, and no other is found for it.
func TestResolveEverything(t *testing.T) {
	for _, ops := range [][]string{{"map", "reduce"}, {"scan"}, {"map", "scan"}, {"map", "map", "reduce"}, {}} {
		for _, cores := range []int{1, 2, 6} {
			m := avx512
			m.Cores = cores
			sp := space("float64", m, ops...)
			codes := sp.Codes()
			for i, v := range sp.Valid() {
				if got, err := selector.Resolve(v.String(), codes, cores); err != nil || !got.Equal(v) {
					t.Fatalf("%s resolves to %s, %v", v, got, err)
				}
				if i%7 != 0 {
					continue
				}
				if got, err := selector.Resolve(v.ID(), codes, cores); err != nil || !got.Equal(v) {
					t.Fatalf("%s, id %s, resolves to %s, %v", v, v.ID(), got, err)
				}
			}
			for _, c := range codes {
				v, err := selector.FillLaunch(c, cores)
				if err != nil {
					t.Errorf("%s with default launch: %v", c, err)
				}
				if got, err := selector.Resolve(c.String(), codes, cores); err != nil || !got.Equal(v) {
					t.Errorf("%s resolves to %s, %v", c, got, err)
				}
			}
		}
	}
}

// What the untrained selector chooses is always one of the measured variants, or the all-cores limit.
func TestUntrainedStaysInSpace(t *testing.T) {
	for _, ops := range [][]string{{"map", "reduce"}, {"scan"}, {"reduce"}, {"map", "scan"}, {"map", "map", "reduce"}, {}} {
		for _, cores := range []int{1, 2, 6, 64} {
			m := avx512
			m.Cores = cores
			for _, lanes := range []string{"", "no lanes"} {
				m.NoLanes = lanes
				sp := space("float64", m, ops...)
				valid := map[string]bool{}
				for _, v := range sp.Valid() {
					valid[v.String()] = true
				}
				for _, length := range []float64{0, 1, 5, 300, 1e4, 1e6, 1e9} {
					for _, row := range []float64{0, 1, 5, 20, 100, 1e5} {
						for _, feature := range []string{selector.AverageRowLength, selector.AspectRatio, ""} {
							in := selector.Input{Cores: cores, Codes: sp.Codes(), Platform: "goroutine", Computation: "K.1",
								Features: []selector.Feature{{Name: selector.Length, Value: length}}}
							switch feature {
							case selector.AverageRowLength:
								in.Features = append(in.Features, selector.Feature{Name: feature, Value: row})
							case selector.AspectRatio:
								in.Features = append(in.Features, selector.Feature{Name: feature, Value: length / row})
							}
							choices, err := selector.Untrained{}.Rank(in)
							if err != nil {
								t.Fatal(err)
							}
							for _, c := range choices {
								if !valid[c.Variant.String()] || c.Reason == "" {
									t.Fatalf("%v %g × %g on %d cores: %s is not in the space: %s", ops, length, row, cores, c.Variant, c.Reason)
								}
							}
						}
					}
				}
			}
		}
	}
}

func TestUntrained(t *testing.T) {
	for _, c := range []struct {
		ops           string
		length, row   float64
		feature       string
		threads       int
		want, because string
	}{
		{"map reduce", 1e6, 64, selector.AverageRowLength, 0, "independent>cooperative/goroutine/num_threads=2,enable_nesting=false,omp_schedule_1=guided,chunk_size_1=0,execution_resource_1=pool,execution_resource_2=lane,vector_width_2=8,unroll_2=4", "irregular nest of 1000000 rows of 64"},
		{"map reduce", 1e6, 5, selector.AverageRowLength, 0, "independent>sequential/goroutine/num_threads=2,enable_nesting=false,omp_schedule_1=guided,chunk_size_1=0,execution_resource_1=pool,unroll_2=2", "no lanes would save operations"},
		{"map reduce", 1e6, 12, selector.AverageRowLength, 0, "independent>sequential/goroutine/num_threads=2,enable_nesting=false,omp_schedule_1=guided,chunk_size_1=0,execution_resource_1=pool,unroll_2=2", "each row is sequential"},
		{"map reduce", 1e4, 1000, selector.AspectRatio, 0, "independent>cooperative/goroutine/num_threads=2,enable_nesting=false,omp_schedule_1=static,chunk_size_1=0,execution_resource_1=pool,execution_resource_2=lane,vector_width_2=8,unroll_2=4", "regular nest"},
		{"map reduce", 3, 1e6, selector.AspectRatio, 0, "sequential>cooperative/goroutine/num_threads=2,enable_nesting=false,unroll_1=1,omp_schedule_2=static,chunk_size_2=0,execution_resource_2=pool+lane,vector_width_2=8,unroll_2=4", "fewer than 4 rows a thread"},
		{"map reduce", 100, 100, selector.AverageRowLength, 0, "sequential>cooperative/goroutine/unroll_1=1,execution_resource_2=lane,vector_width_2=8,unroll_2=4", "too little work"},
		{"map reduce", 1e6, 64, selector.AverageRowLength, 1, "sequential>cooperative/goroutine/unroll_1=1,execution_resource_2=lane,vector_width_2=8,unroll_2=4", "one thread is allowed"},
		{"map reduce", 100, 3, selector.AverageRowLength, 0, "sequential>sequential/goroutine/unroll_1=1,unroll_2=2", "no lanes would save operations"},
		{"reduce", 1e7, 0, "", 0, "cooperative/goroutine/num_threads=2,enable_nesting=false,omp_schedule_1=static,chunk_size_1=0,execution_resource_1=pool+lane,vector_width_1=8,unroll_1=4", "single level of 10000000 elements, 2.5e+06 operations on 2 threads"},
		{"reduce", 1000, 0, "", 0, "cooperative/goroutine/execution_resource_1=lane,vector_width_1=8,unroll_1=4", "too little work"},
		{"scan", 1e7, 0, "", 0, "cooperative/goroutine/num_threads=2,enable_nesting=false,omp_schedule_1=dynamic,chunk_size_1=0,execution_resource_1=pool+lane,vector_width_1=8,unroll_1=4,scan_algo_1=chained,store_algo_1=stream", "single level"},
		{"scan", 1.3e5 / 2, 0, "", 0, "cooperative/goroutine/execution_resource_1=lane,vector_width_1=8,unroll_1=4,store_algo_1=cached", "too little work for a second thread"},
		{"map map reduce", 1e5, 10, selector.AspectRatio, 0, "independent>sequential>sequential/goroutine/num_threads=2,enable_nesting=false,omp_schedule_1=static,chunk_size_1=0,execution_resource_1=pool+lane,vector_width_1=8,tile_1=2,tile_2=4,unroll_2=1,unroll_3=1", "a row a lane"},
		{"map map reduce", 1000, 10, selector.AspectRatio, 0, "independent>sequential>sequential/goroutine/num_threads=2,enable_nesting=false,omp_schedule_1=static,chunk_size_1=0,execution_resource_1=pool+lane,vector_width_1=8,tile_1=2,tile_2=4,unroll_2=1,unroll_3=1", "a row a lane"},
		{"map map reduce", 60, 10, selector.AspectRatio, 0, "independent>sequential>sequential/goroutine/num_threads=1,enable_nesting=false,omp_schedule_1=static,chunk_size_1=0,execution_resource_1=pool+lane,vector_width_1=8,tile_1=2,tile_2=4,unroll_2=1,unroll_3=1", "one for each 3e+04 operations"},
		{"map map reduce", 20, 10, selector.AspectRatio, 0, "independent>sequential>sequential/goroutine/num_threads=1,enable_nesting=false,omp_schedule_1=static,chunk_size_1=0,execution_resource_1=pool+lane,vector_width_1=4,tile_1=2,tile_2=4,unroll_2=1,unroll_3=1", "a row a lane"},
		{"map map reduce", 30, 1000, selector.AspectRatio, 0, "independent>independent>sequential/goroutine/num_threads=2,enable_nesting=false,omp_schedule_1=static,chunk_size_1=0,execution_resource_1=pool,tile_1=4,execution_resource_2=lane,vector_width_2=8,unroll_2=2,unroll_3=1", "on the lanes of the level inside"},
		{"map map products", 128, 128, selector.AspectRatio, 0, "independent>independent>sequential/goroutine/num_threads=2,enable_nesting=false,omp_schedule_1=static,chunk_size_1=0,execution_resource_1=pool,tile_1=8,tile_algo_1=routine,execution_resource_2=lane,vector_width_2=8,unroll_2=2,unroll_3=1", "on the lanes of the level inside"},
		{"map map products", 1e5, 10, selector.AspectRatio, 0, "independent>sequential>sequential/goroutine/num_threads=2,enable_nesting=false,omp_schedule_1=static,chunk_size_1=0,execution_resource_1=pool+lane,vector_width_1=8,tile_1=2,tile_2=4,tile_algo_2=loop,unroll_2=1,unroll_3=1", "a row a lane"},
		{"histogram map", 3000, 32, selector.AspectRatio, 0, "sequential>independent/goroutine/unroll_1=1,execution_resource_2=lane,vector_width_2=8,unroll_2=1", "one for each 5e+04 operations"},
		{"histogram map", 1e4, 32, selector.AspectRatio, 0, "cooperative>independent/goroutine/num_threads=2,enable_nesting=false,omp_schedule_1=static,chunk_size_1=0,execution_resource_1=pool,execution_resource_2=lane,vector_width_2=8,unroll_2=1", "the pool takes rows"},
		{"bins", 1e6, 1e5, selector.Bins, 0, "cooperative/goroutine/num_threads=2,enable_nesting=false,omp_schedule_1=static,chunk_size_1=0,execution_resource_1=pool+lane,vector_width_1=8,unroll_1=1,hist_algo_1=private", "2 threads: the pool"},
		{"bins", 1e6, 1e6, selector.Bins, 0, "cooperative/goroutine/num_threads=2,enable_nesting=false,omp_schedule_1=static,chunk_size_1=0,execution_resource_1=pool+lane,vector_width_1=8,unroll_1=1,hist_algo_1=sorted", "sorted"},
		{"bins", 1e6, 1e6, selector.Bins, 1, "cooperative/goroutine/execution_resource_1=lane,vector_width_1=8,unroll_1=1", "one thread is allowed"},
	} {
		in := selector.Input{Cores: 2, Threads: c.threads, Codes: space("float64", avx512, strings.Fields(c.ops)...).Codes(),
			Features: []selector.Feature{{Name: selector.Length, Value: c.length}}}
		switch c.feature {
		case selector.AverageRowLength, selector.Bins:
			in.Features = append(in.Features, selector.Feature{Name: c.feature, Value: c.row})
		case selector.AspectRatio:
			in.Features = append(in.Features, selector.Feature{Name: c.feature, Value: c.length / c.row})
		}
		if c.ops == "scan" {
			in.Costs = []selector.LevelCost{{Operations: 6, Runs: 1, Scalarised: []float64{0}}}
		}
		if strings.Count(c.ops, " ") == 2 {
			in.Features = append(in.Features, selector.Feature{Name: selector.InnerRowLength, Value: 32})
		}
		choices, err := selector.Untrained{}.Rank(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := choices[0].Variant.String(); got != "K.1/nest/"+c.want || !strings.Contains(choices[0].Reason, c.because) {
			t.Errorf("%s, %g × %g:\n got %s\nwant %s\n%s", c.ops, c.length, c.row, got, c.want, choices[0].Reason)
		}
		seen := map[string]bool{}
		for _, choice := range choices {
			if seen[choice.Variant.String()] {
				t.Errorf("%s is ranked twice", choice.Variant)
			}
			seen[choice.Variant.String()] = true
		}
	}
}

func BenchmarkUntrained(b *testing.B) {
	in := selector.Input{Computation: "K.1", Platform: "goroutine", Cores: 2, Codes: space("float32", avx512, "map", "reduce").Codes(),
		Features: []selector.Feature{{Name: selector.Length, Value: 1e6}, {Name: selector.AverageRowLength, Value: 64}}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := (selector.Untrained{}).Rank(in); err != nil {
			b.Fatal(err)
		}
	}
}

// TestSharedChunk: what follows another computation may share its chunks, on the pool only, and in one way.
func TestSharedChunk(t *testing.T) {
	seq := sequence("float64", "histogram", "map")
	alone := policy.Enumerate("K.2", "nest", seq, Platform, avx512, nil)
	seq[0].Traits = []string{fuse.TraitFollows}
	follower := policy.Enumerate("K.2", "nest", seq, Platform, avx512, nil)
	pool, with := 0, 0
	for _, v := range follower.Valid() {
		shared, has := param.SharedChunk.Get(v.Policy, 1)
		if has != param.ExecutionResource.At(v.Policy, 1).Has(param.Pool) {
			t.Errorf("%s: chunks are those of the pool", v)
		}
		if has && shared == 0 {
			pool++
		} else if has {
			with++
			if param.OmpSchedule.At(v.Policy, 1) != param.Static || param.ChunkSize.Or(v.Policy, 1, -1) != 0 {
				t.Errorf("%s: shared chunks are handed out in one way", v)
			}
		}
	}
	if with != 2*pool || follower.Size() != alone.Size()+with || len(follower.Codes()) != len(alone.Codes()) {
		t.Errorf("%d variants share chunks and %d do not; %d variants in all, %d without the trait", with, pool, follower.Size(), alone.Size())
	}
}
