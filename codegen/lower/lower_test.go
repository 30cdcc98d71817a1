package lower_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/goroutine"
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/opencl"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/selector"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// compile makes the computations of a kernel from its IR.
func compile(t *testing.T, text string) *fuse.Kernel {
	t.Helper()
	f, err := ir.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	k, err := fuse.Compile(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func variant(t *testing.T, text string) selector.Variant {
	t.Helper()
	v, err := selector.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// front is where package load keeps the IR of kernels of all kinds, as it comes from the front end.
const front = "../../ops/load/testdata/golden"

// guarded reads a neighbour where there is one, and divides by what may be zero elsewhere.
const guarded = `func Guarded (x: []float64, d: []int, width: int) {
  n: int = len x
  y: []float64 = map i < n {
    v: float64 = index x i
    first: bool = lt i width
    z: float64 = if first {
      yield v
    } else {
      j: int = sub i width
      check index "x" "index" j n
      u: float64 = index x j
      w: float64 = sub v u
      yield w
    }
    yield z
  }
  yield y
}
`

// weigh is a histogram, whose bins an unrolled loop has several tables of.
const weigh = `func Weigh (k: []int32, x: []float64, n: int) {
  m: int = len k
  h: []float64 = hist i < m into n init 0.5:float64 {
    b: int32 = index k i
    at: int = convert b
    check index "Histogram" "k" at n
    v: float64 = index x i
    yield at v
  } comb p: float64, q: float64 {
    s: float64 = add p q
    yield s
  }
  yield h
}
`

// some reads rows of x in each turn of a loop that may have none: x need not have all rows that would be packed for it.
const some = `func Some (x: []float64, d: int, rows: int, turns: int) {
  y: []float64 = map i < rows {
    lo: int = mul i d
    s: float64 = loop (p: float64) init 0:float64 for t = 0:int to turns {
      q: float64 = reduce j < d init p {
        k: int = add lo j
        v: float64 = index x k
        yield v
      } comb a: float64, b: float64 {
        c: float64 = add a b
        yield c
      }
      r: float64 = reduce l < d init q {
        m: int = add lo l
        w: float64 = index x m
        yield w
      } comb e: float64, f: float64 {
        g: float64 = max e f
        yield g
      }
      yield r
    }
    yield s
  }
  yield y
}
`

// columns adds up the columns of rows, in order; gathered begins each sum with an element that it gathers.
const (
	columns = `func Columns (x: []float64, n: int, w: int) {
  y: []float64 = map i < w {
    s: float64 = loop (p: float64) init 0:float64 for k = 0:int to n {
` + row + `    yield s
  }
  yield y
}
`
	gathered = `func Gathered (x: []float64, at: []int, z: []float64, n: int, w: int) {
  y: []float64 = map i < w {
    j: int = index at i
    b: float64 = index z j
    s: float64 = loop (p: float64) init b for k = 0:int to n {
` + row + `    yield s
  }
  yield y
}
`
	row = `      a: int = mul k w
      c: int = add a i
      e: float64 = index x c
      q: float64 = add p e
      yield q
    }
`
)

// listed reads a number of the structs that some indices name, where these are indices of any.
const listed = `func Listed (mass: []float64, at: []int32) {
  n: int = len at
  m: int = len mass
  y: []float64 = map i < n {
    a: int32 = index at i
    j: int = convert a
    c: bool = lt j m
    z: float64 = if c {
      check index "bodies" "bodies[j]" j m
      v: float64 = index mass j
      yield v
    } else {
      yield 0:float64
    }
    yield z
  }
  yield y
}
`

// beside adds a neighbour to an element, where there is one in the row, and the row is not the first one.
const beside = `func Beside (x: []float64, n: int, below: bool) {
  y: []float64 = map i < n {
    a: float64 = index x i
    j: int = add i 1:int
    c: bool = lt j n
    d: bool = and below c
    z: float64 = if d {
      check index "x" "x[i + 1]" j n
      b: float64 = index x j
      s: float64 = add a b
      yield s
    } else {
      yield a
    }
    yield z
  }
  yield y
}
`

// TestKernelIR compares the kernel IR of a few schedules and resources with golden files, which show what each makes
// of one source.
func TestKernelIR(t *testing.T) {
	spmv, err := os.ReadFile(filepath.Join(front, "SpMV.ir"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		file, text string
		variants   []string
	}{
		{"spmv.golden", string(spmv), []string{
			"SpMV.1/nest/sequential>sequential/goroutine/unroll_2=1",
			"SpMV.1/nest/independent>sequential/goroutine/execution_resource_1=pool,unroll_2=1",
			"SpMV.1/nest/independent>sequential/goroutine/execution_resource_1=pool,unroll_2=2",
			"SpMV.1/nest/independent>cooperative/goroutine/execution_resource_1=pool,execution_resource_2=lane,gather_algo_2=row",
			"SpMV.1/nest/independent>cooperative/goroutine/execution_resource_1=pool,execution_resource_2=lane,gather_algo_2=strip,vector_width_2=8,unroll_2=1",
		}},
		{"weigh.golden", weigh, []string{
			"Weigh.1/nest/sequential/goroutine/unroll_1=4",
			"Weigh.1/nest/cooperative/goroutine/execution_resource_1=pool,unroll_1=4,hist_algo_1=private",
			"Weigh.1/nest/cooperative/goroutine/execution_resource_1=pool,unroll_1=1,hist_algo_1=sorted",
			"Weigh.1/nest/cooperative/goroutine/execution_resource_1=pool+lane,vector_width_1=8,unroll_1=1,hist_algo_1=private",
			"Weigh.1/nest/cooperative/goroutine/execution_resource_1=pool+lane,vector_width_1=8,unroll_1=1,hist_algo_1=sorted",
		}},
		{"guarded.golden", guarded, []string{"Guarded.1/nest/independent/goroutine/execution_resource_1=lane,vector_width_1=8,unroll_1=1"}},
		{"columns.golden", columns, []string{"Columns.1/nest/independent/goroutine/execution_resource_1=lane,vector_width_1=8,unroll_1=4"}},
		{"gathered.golden", gathered, []string{"Gathered.1/nest/independent/goroutine/execution_resource_1=lane,vector_width_1=8,unroll_1=4"}},
		{"listed.golden", listed, []string{"Listed.1/nest/independent/goroutine/execution_resource_1=lane,vector_width_1=8,unroll_1=1"}},
		{"beside.golden", beside, []string{"Beside.1/nest/independent/goroutine/execution_resource_1=lane,vector_width_1=4,unroll_1=1"}},
		{"series.golden", series, []string{
			"Series.1/nest/independent/goroutine/execution_resource_1=lane,vector_width_1=4,unroll_1=1",
			"Series.1/nest/independent/goroutine/execution_resource_1=lane,vector_width_1=4,unroll_1=2",
		}},
		{"some.golden", some, []string{"Some.1/nest/independent>sequential/goroutine/execution_resource_1=lane,vector_width_1=4,unroll_2=1"}},
	} {
		k := compile(t, c.text)
		for _, p := range k.Func.Params {
			if p.Name == "mass" {
				k.PutInPlace(map[*ir.Var]*fuse.Place{p: {Structs: "bodies", Path: ".Mass", GoType: "float64"}})
			}
		}
		var sb strings.Builder
		for _, text := range c.variants {
			f, err := goroutine.Lower(k, k.Computations[0], variant(t, text), "f", nil)
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			fmt.Fprintf(&sb, "%s\n\n%s\n", text, f)
		}
		path := filepath.Join("testdata", c.file)
		if *update {
			if err := os.WriteFile(path, []byte(sb.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if sb.String() != string(want) {
			t.Errorf("%s differs; after a look, go test -update\n%s", path, sb.String())
		}
	}
}

// TestVetoes checks the reasons for which points of the space are pruned because they cannot be lowered.
func TestVetoes(t *testing.T) {
	one := func(kind, body string) string {
		return "func F (x: []" + kind + ") {\n  n: int = len x\n  y: []" + kind + " = map i < n {\n    v: " + kind + " = index x i\n" + body + "    yield r\n  }\n  yield y\n}\n"
	}
	product := `func F (x: []float64) {
  n: int = len x
  s: float64 = reduce i < n init 1:float64 {
    v: float64 = index x i
    yield v
  } comb a: float64, b: float64 {
    p: float64 = mul a b
    q: float64 = add p a
    c: float64 = add q b
    yield c
  }
  yield s
}
`
	spmv, err := os.ReadFile(filepath.Join(front, "SpMV.ir"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, text, policy, reason string }{
		{"ragged rows on lanes", string(spmv), "independent>sequential/goroutine/execution_resource_1=lane,vector_width_1=4,unroll_1=1,unroll_2=1",
			"level 1 cannot use lanes: the rows inside it may differ in length"},
		{"too many lanes", one("float64", "    r: float64 = add v 1:float64\n"), "independent/goroutine/execution_resource_1=lane,vector_width_1=16,unroll_1=1",
			"level 1 cannot have 16 lanes: it holds float64 values, of which a vector has 8 at most"},
		{"computed shifts", one("uint8", "    r: uint8 = shl v v\n"), "independent/goroutine/execution_resource_1=lane,vector_width_1=4,unroll_1=1",
			"level 1 cannot use lanes: a shift by what is computed is made one by one"},
		{"a function without a vector form", one("float64", "    r: float64 = gamma v\n"), "independent/goroutine/execution_resource_1=lane,vector_width_1=4,unroll_1=1",
			"level 1 cannot use lanes: math.Gamma has no vector form yet"},
		{"no neutral element", product, "cooperative/goroutine/execution_resource_1=pool,unroll_1=2",
			"level 1 cannot keep 2 accumulators: its combining function has no neutral element that is known"},
		{"lanes in lanes", string(spmv), "independent>cooperative/goroutine/execution_resource_1=lane,vector_width_1=4,unroll_1=1,execution_resource_2=lane,vector_width_2=4,unroll_2=1",
			"level 2 is inside the lanes of level 1 and must be sequential"},
		{"an outer level unrolled", string(spmv), "independent>sequential/goroutine/execution_resource_1=pool,unroll_1=2,unroll_2=1",
			"level 1 holds another level: unrolling it would repeat that level's loop, not shorten it"},
		{"tiles without lanes inside", string(spmv), "independent>sequential/goroutine/execution_resource_1=pool,tile_1=4,unroll_2=1",
			"level 1 is not computed in tiles: level 2 does not run on lanes alone"},
		{"work-items of a processor", string(spmv), "independent>sequential/goroutine/execution_resource_1=grid,unroll_2=1",
			"level 1 is spread over work-items, and a processor has none"},
	} {
		k := compile(t, c.text)
		_, err := goroutine.Lower(k, k.Computations[0], variant(t, k.Computations[0].Name+"/nest/"+c.policy), "f", nil)
		if err == nil || err.Error() != c.reason {
			t.Errorf("%s: %v, want %s", c.name, err, c.reason)
		}
	}
}

// TestVerified lowers every code of both platforms for all kernels that the front end's tests have, verifies the
// kernel IR, and reads its text back.
func TestVerified(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(front, "*.ir"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	machines := map[*policy.Platform]policy.Machine{
		goroutine.Platform: {Cores: 2, Lanes: map[int][]int{4: {4, 8, 16}, 8: {4, 8}}},
		opencl.Platform:    {MaxWorkGroup: 1024, LocalMemory: 32 << 10, Subgroups: true, Shuffles: true},
	}
	codes := map[*policy.Platform]int{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		f, err := ir.Parse(string(text))
		if err != nil {
			t.Fatal(err)
		}
		k, err := fuse.Compile(f, nil)
		if err != nil {
			continue // refused there
		}
		for _, c := range k.Computations {
			for platform, machine := range machines {
				policy.Enumerate(c.Name, "nest", c.Sequence, platform, machine, []policy.Constraint{{Name: "lowering", Code: true, Reason: func(ctx policy.Context) string {
					v := selector.Variant{Computation: c.Name, Form: "nest", Schedule: ctx.Schedule.String(), Platform: platform.Name}
					v.Policy = slices.Clone(ctx.Policy)
					var code fmt.Stringer
					var verified error
					var again func(string) (fmt.Stringer, error)
					if platform == opencl.Platform {
						d, err := opencl.Lower(k, c, v, "f", nil)
						if err != nil {
							return err.Error()
						}
						code, verified = d, kir.VerifyDevice(d)
						for _, l := range d.Launches { // the host reads what each work-item has found
							if l.Finds != nil && l.MaxGroups > 64 {
								t.Errorf("%s: %d workgroups find something", v, l.MaxGroups)
							}
						}
						again = func(text string) (fmt.Stringer, error) { return kir.ParseDevice(text) }
					} else {
						f, err := goroutine.Lower(k, c, v, "f", nil)
						if err != nil {
							return err.Error()
						}
						code, verified = f, kir.Verify(f)
						again = func(text string) (fmt.Stringer, error) { return kir.ParseFunc(text) }
					}
					codes[platform]++
					if t.Failed() {
						return ""
					}
					text := code.String()
					if verified != nil {
						t.Errorf("%s: %v\n%s", v, verified, text)
					} else if parsed, err := again(text); err != nil {
						t.Errorf("%s: %v\n%s", v, err, text)
					} else if parsed.String() != text {
						t.Errorf("%s: the text\n%s\nis read as\n%s", v, text, parsed)
					}
					return ""
				}}})
			}
		}
	}
	for platform, n := range codes {
		t.Logf("%s: %d codes", platform.Name, n)
		if n < 250 {
			t.Errorf("%s: only %d codes", platform.Name, n)
		}
	}
}
