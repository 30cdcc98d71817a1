package exec

import (
	"errors"
	"math"
	"slices"
	"testing"
	"unsafe"

	"github.com/surge-ndp/surge/ops"
	"github.com/surge-ndp/surge/selector"
)

// call is one that packs rows for a run of k.
func (k *Kernel) call() (*Packing, *Call) {
	p := k.Packing()
	c := &Call{}
	c.Init(k, p.For(nil))
	return p, c
}

// TestPacking: rows are packed to memory of an earlier call, unless something may still refer to that, and each to its
// own.
func TestPacking(t *testing.T) {
	rows := [][]int32{{1, 2, 3}, nil, {4}}
	pack := func(c *Call) []int32 {
		data, offsets := PackNumbers(c, rows)
		if !slices.Equal(data, []int32{1, 2, 3, 4}) || !slices.Equal(offsets, []int{0, 3, 3, 4}) {
			t.Fatalf("packed as %v, %v", data, offsets)
		}
		return data
	}
	for name, c := range map[string]struct {
		reused bool
		end    func(p *Packing, c *Call)
	}{
		"released":       {true, func(p *Packing, c *Call) { p.Release(nil) }},
		"failed":         {false, func(p *Packing, c *Call) { p.Release(errors.New("")) }},
		"panicked":       {false, func(p *Packing, c *Call) {}},
		"on a processor": {true, func(p *Packing, c *Call) { p.keepFor(&selector.Variant{Platform: selector.Host}); p.Release(nil) }},
		"on a device":    {false, func(p *Packing, c *Call) { p.keepFor(&selector.Variant{Platform: "opencl"}); p.Release(nil) }},
		"as plain Go":    {false, func(p *Packing, c *Call) { c.opts.packing.keep(); p.Release(nil) }},
	} {
		reused := false
		for range 20 { // a pool may drop what it is given
			k := &Kernel{}
			p, call := k.call()
			first := pack(call)
			c.end(p, call)
			_, call = k.call()
			second := pack(call)
			reused = reused || &first[0] == &second[0]
			data, n, length := PackRegular(call, [][]float32{{1.5}, {2.5}})
			if !slices.Equal(data, []float32{1.5, 2.5}) || n != 2 || length != 1 || !slices.Equal(second, []int32{1, 2, 3, 4}) {
				t.Fatalf("%s: packed as %v, %d rows of %d, beside %v", name, data, n, length, second)
			}
		}
		if reused != c.reused {
			t.Errorf("%s: the memory is used again: %v", name, reused)
		}
	}
}

// TestPackingReused: a call takes memory over, also for numbers of other types, where there is enough of it.
func TestPackingReused(t *testing.T) {
	at := func(p *Packing, bytes int) *int8 {
		p.taken = 0
		return unsafe.SliceData(memoryFor[int8](p, bytes))
	}
	p := &Packing{}
	first := unsafe.Pointer(unsafe.SliceData(memoryFor[float64](p, 3)))
	if unsafe.Pointer(at(p, 24)) != first || unsafe.Pointer(at(p, 1)) != first {
		t.Error("24 bytes or less do not get the memory of 3 numbers of 8")
	}
	if unsafe.Pointer(at(p, 25)) == first {
		t.Error("25 bytes are in 24")
	}
}

// TestGrow: what computations hand on is in memory that the sequence has, or that an earlier call has left, and two
// sequences of a call are never in the same.
func TestGrow(t *testing.T) {
	reused := false
	for range 20 { // a pool may drop what it is given
		k := &Kernel{}
		p, call := k.call()
		first := Grow(call, []int64(nil), 100)
		p.Release(nil)
		_, call = k.call()
		second := Grow(call, []int64(nil), 80)
		other := Grow(call, []int32(nil), 80)
		reused = reused || &first[0] == &second[0]
		if len(second) != 80 || len(other) != 80 || unsafe.Pointer(&second[0]) == unsafe.Pointer(&other[0]) {
			t.Fatalf("%d and %d numbers at %p and %p", len(second), len(other), &second[0], &other[0])
		}
		if again := Grow(call, second, 60); len(again) != 60 || &again[0] != &second[0] {
			t.Fatal("memory that is large enough is not used again")
		}
	}
	if !reused {
		t.Error("no call uses memory of an earlier one")
	}
	p, call := (&Kernel{}).call()
	var grown []int64
	for n := range 10000 {
		grown = Grow(call, grown, n)
	}
	if len(grown) != 9999 || len(p.blocks) > 20 {
		t.Errorf("%d pieces of memory for a sequence that grows to %d numbers", len(p.blocks), len(grown))
	}
	bound := &Call{}
	if first := Grow(bound, []int64(nil), 10); len(first) != 10 || len(Grow(bound, first, 12)) != 12 {
		t.Error("what is bound gets no memory of the length that is asked for")
	}
}

// TestGrowTooLarge asks for more elements than there are addresses.
func TestGrowTooLarge(t *testing.T) {
	c := &Call{kernel: &Kernel{Name: "F"}}
	if s := Grow[int64](c, nil, 1<<60); len(s) != 0 {
		t.Errorf("%d elements", len(s))
	}
	Grow[int64](c, nil, 3) // another sequence of the same computation
	var failed *Error
	if err := c.Run(t.Context(), 0, nil); !errors.As(err, &failed) || failed.Code != ops.CodeSize {
		t.Errorf("the computation that needs them: %v", err)
	}
	if _, err := Result[uint16](c, 0, math.MaxInt); !errors.As(err, &failed) || failed.Code != ops.CodeSize {
		t.Errorf("a result: %v", err)
	}
}
