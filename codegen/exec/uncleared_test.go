package exec

import (
	"testing"
	"unsafe"
)

// TestNewMemory writes all of new memory, of lengths around where it is not cleared any more, beside other new memory,
// and looks whether each has its own.
func TestNewMemory(t *testing.T) {
	var all [][]float64
	for _, n := range []int{0, 1, leastUncleared/8 - 1, leastUncleared / 8, leastUncleared/8 + 1, 100003, 1 << 20} {
		for range 3 {
			s := newMemory[float64](n)
			if len(s) != n || n > 0 && uintptr(unsafe.Pointer(&s[0]))%8 != 0 {
				t.Fatalf("%d elements, want %d; or they are not aligned", len(s), n)
			}
			for i := range s {
				s[i] = float64(len(all))
			}
			all = append(all, s)
		}
	}
	for k, s := range all {
		for i, x := range s {
			if x != float64(k) {
				t.Fatalf("element %d of %d of memory %d is %v", i, len(s), k, x)
			}
		}
	}
	type pair struct{ p *int }
	if s := newMemory[pair](leastUncleared); len(s) != leastUncleared || s[100].p != nil {
		t.Error("memory with pointers is not cleared")
	}
	if s := newMemory[bool](leastUncleared); s[100] {
		t.Error("memory of booleans is not cleared")
	}
}

// TestNewMemoryRefused asks for more than there can be.
func TestNewMemoryRefused(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("there is memory for 2⁶⁰ numbers")
		}
	}()
	newMemory[float64](1 << 60)
}
