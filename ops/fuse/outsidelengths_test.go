package fuse

import (
	"testing"

	"github.com/surge-ndp/surge/ops/ir"
)

// TestOutsideLengths checks that the length of an input over which a level in a branch goes is asked for before the
// computation, so that a feature says how long its rows are, and that of an array of the computation's own is not.
func TestOutsideLengths(t *testing.T) {
	f, err := ir.Parse(`func K (x: []float64, n: int) {
  y: []float64 = map i < n {
    own: []float64 = alloc i
    low: bool = lt i 3:int
    s: float64 = if low {
      m: int = len x
      a: []float64 = map j < m {
        e: float64 = index x j
        k: int = len x
        b: float64 = reduce l < k init e {
          d: float64 = index x l
          yield d
        } comb u: float64, v: float64 {
          w: float64 = add u v
          yield w
        }
        yield b
      }
      c: float64 = index a 0:int
      yield c
    } else {
      o: int = len own
      g: float64 = reduce h < o init 0:float64 {
        yield 1:float64
      } comb p: float64, q: float64 {
        r: float64 = add p q
        yield r
      }
      yield g
    }
    yield s
  }
  yield y
}`)
	if err != nil {
		t.Fatal(err)
	}
	outsideLengths(f.Body)
	if err := ir.Verify(f); err != nil {
		t.Errorf("%v\n%s", err, f)
	}
	if len(f.Body.Stmts) != 3 {
		t.Errorf("%d statements, want two lengths and a Map\n%s", len(f.Body.Stmts), f)
	}
	if fs := Split(f).Computations[0].Features; len(fs) < 2 || fs[1].Name != "aspect_ratio" {
		t.Errorf("features %+v\n%s", fs, f)
	}
}

// TestChecksOfBins checks that a loop that counts in bins is not gone through before the run to check where these are,
// and that one that fills elements in their order is.
func TestChecksOfBins(t *testing.T) {
	for place, hoisted := range map[string]int{"b": 0, "i": 1} {
		f, err := ir.Parse(`func K (x: []int, n: int, m: int) {
  y: []int = map part < 4:int {
    none: []int = alloc m
    all: []int = loop (now: []int) init none for i = 0:int to n {
      b: int = index x i
      check index "index" "bins[b]" b m
      e: int = index now ` + place + `
      d: int = add e 1:int
      next: []int = update now ` + place + ` d
      yield next
    }
    first: int = index all 0:int
    yield first
  }
  yield y
}`)
		if err != nil {
			t.Fatal(err)
		}
		if k := Split(f); len(k.HoistedChecks()) != hoisted {
			t.Errorf("at %s: %d checks are made when inputs are bound, want %d\n%s", place, len(k.HoistedChecks()), hoisted, f)
		}
	}
}
