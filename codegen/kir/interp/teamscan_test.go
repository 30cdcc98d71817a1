package interp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/interp"
	"github.com/surge-ndp/surge/codegen/opencl"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/eval"
	"github.com/surge-ndp/surge/selector"
)

// hashes scans by a function whose result tells every order and every choice of elements apart, and that has no neutral
// element that the lowering knows: a hash of the elements so far, and the weight of the next one.
const hashes = `func Hashes (x: []int) {
  n: int = len x
  w: []int, h: []int = KIND i < n init 31:int 7:int {
    v: int = index x i
    yield 31:int v
  } comb p: int, q: int, r: int, s: int {
    t: int = mul p r
    u: int = mul q r
    v2: int = add u s
    yield t v2
  }
  yield w h
}
`

// device lowers the first computation of a kernel as a variant says.
func device(t *testing.T, text, variant string) *kir.Device {
	t.Helper()
	f, err := ir.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	k, err := fuse.Compile(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	v, err := selector.Parse(variant)
	if err != nil {
		t.Fatal(err)
	}
	d, err := opencl.Lower(k, k.Computations[0], v, "f", nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// hashed is a frame for n elements, and what the scan of them is.
func hashed(n int, inclusive bool) (*interp.Frame, []ir.Const) {
	x := interp.NewArray(ir.Int, n)
	var want []ir.Const
	h := 7
	for i := range x.Data {
		x.Data[i] = eval.Int(i*i%101 + 1)
		next := h*31 + i*i%101 + 1
		if inclusive {
			want = append(want, eval.Int(next))
		} else {
			want = append(want, eval.Int(h))
		}
		h = next
	}
	return &interp.Frame{Arrays: map[string]*interp.Array{"x": x, "w_": interp.NewArray(ir.Int, n), "h": interp.NewArray(ir.Int, n)},
		Scalars: map[string]ir.Const{"n": eval.Int(n)}}, want
}

// TestTeamScan runs scans of a workgroup, for workgroups of every size and inputs that fill tiles or not.
func TestTeamScan(t *testing.T) {
	most := 35
	if testing.Short() {
		most = 18
	}
	for _, kind := range []string{"scan", "inclusive_scan"} {
		for _, policy := range []string{"raking,block_scan_grain_size_1=1,in_flight_1=1", "raking,block_scan_grain_size_1=1,in_flight_1=8",
			"hillis_steele,block_scan_grain_size_1=1,in_flight_1=1", "hillis_steele,block_scan_grain_size_1=4,in_flight_1=1",
			"blelloch,block_scan_grain_size_1=1,in_flight_1=1", "blelloch,block_scan_grain_size_1=4,in_flight_1=1"} {
			t.Run(kind+" "+policy, func(t *testing.T) {
				d := device(t, strings.ReplaceAll(hashes, "KIND", kind), "Hashes.1/nest/cooperative/opencl/execution_resource_1=group,block_scan_algo_1="+policy)
				for items := 1; items <= most; items++ {
					for i, n := range []int{0, 1, 2, items - 1, items, items + 1, 3 * items, 4*items + 3, 9*items - 2} {
						f, want := hashed(n, kind != "scan")
						opt := interp.Options{Items: items, Order: interp.Order(i % 3), Seed: uint64(n), Blockwise: i%2 == 0}
						if err := interp.Device(d, f, opt); err != nil {
							t.Fatalf("%d work-items, %d elements: %v\n%s", items, n, err, d)
						}
						if got := f.Arrays["h"].Data; fmt.Sprint(got) != fmt.Sprint(want) {
							t.Fatalf("%d work-items, %d elements: %v, want %v\n%s", items, n, got, want, d)
						}
					}
				}
			})
		}
	}
}
