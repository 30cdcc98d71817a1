package vec_test

import (
	"testing"
	"unsafe"

	"github.com/surge-ndp/surge/codegen/goroutine/vec"
)

// TestLine goes to a cache line from each element of one: never back, and by less than a line.
func TestLine(t *testing.T) {
	var a [24]float64
	for i := range 8 {
		p := &a[i]
		line := vec.Line(p)
		ahead := uintptr(unsafe.Pointer(line)) - uintptr(unsafe.Pointer(p))
		if uintptr(unsafe.Pointer(line))%64 != 0 || ahead >= 64 {
			t.Errorf("from %p to %p", p, line)
		}
	}
}
