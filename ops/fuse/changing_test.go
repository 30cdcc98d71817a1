package fuse

import (
	"testing"

	"github.com/surge-ndp/surge/ops/ir"
)

// TestChanging checks which numbers of the host program are computed in each run: those of elements that may change
// between runs, but not lengths, offsets and indices.
func TestChanging(t *testing.T) {
	k := compile(t, `func F (x: []float64, offsets: []int, j: int) {
  first: float64 = index x 0:int
  from: int = index offsets j
  next: int = add j 1:int
  to: int = index offsets next
  n: int = sub to from
  count: int = loop (c: int) init 0:int while {
    more: bool = lt c 3:int
    yield more
  } {
    e: float64 = index x c
    some: bool = gt e 0:float64
    one: int = select some 1:int 2:int
    d: int = add c one
    yield d
  }
  part: float64 = convert count
  y: []float64 = map i < n {
    at: int = add from i
    e2: float64 = index x at
    z: float64 = sub e2 first
    w: float64 = div z part
    yield w
  }
  yield y
}`)
	late := map[string]bool{}
	for s := range k.Late() {
		for _, d := range s.Dst {
			late[d.Name] = true
		}
	}
	for name, want := range map[string]bool{"first": true, "from": false, "to": false, "n": false, "count": true, "part": true} {
		if late[name] != want {
			t.Errorf("%s waits for the run: %v, want %v\n%s", name, late[name], want, k.Func)
		}
	}
	if len(k.Computations) != 1 || ir.Verify(k.Func) != nil {
		t.Error(k.Func)
	}
}
