//go:build goexperiment.simd && amd64

package vec

import (
	"testing"
	"unsafe"
)

// TestConstantsOnLines has every vector of constants in one cache line, wherever the linker placed the tables.
func TestConstantsOnLines(t *testing.T) {
	for name, at := range map[string]uintptr{"k64": uintptr(unsafe.Pointer(k64)), "k32": uintptr(unsafe.Pointer(k32))} {
		if at%lineBytes != 0 {
			t.Errorf("%s begins %d bytes behind the beginning of a line", name, at%lineBytes)
		}
	}
}
