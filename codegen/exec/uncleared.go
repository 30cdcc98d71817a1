package exec

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"

	"github.com/surge-ndp/surge/ops"
)

// leastUncleared is how many bytes memory has at least that is not cleared: of less it takes no time that counts.
const leastUncleared = 1 << 16

// tooMany is the error of n elements of type T, if no memory can hold that many.
func tooMany[T any](c *Call, n int) error {
	if size := max(int(unsafe.Sizeof(*new(T))), 1); n > addressSpace/size {
		return &Error{Kernel: c.kernel.Name, Pos: c.kernel.Pos, Code: ops.CodeSize, Detail: fmt.Sprintf("a sequence of %d elements of %d bytes cannot be held in memory", n, size)}
	}
	return nil
}

// newMemory returns n elements with unspecified contents, of which a run writes each one, as it does where the caller
// gives the memory for a result. To clear a result that is larger than caches takes as long as to write it. Package
// strings has memory that nothing clears; elements are numbers, in which no pointers are looked for.
func newMemory[T any](n int) []T {
	k, size := reflect.TypeFor[T]().Kind(), int(unsafe.Sizeof(*new(T)))
	if k <= reflect.Bool || k > reflect.Complex128 || n < leastUncleared/size || n > maxUncleared/size {
		return make([]T, n)
	}
	var b strings.Builder
	b.Grow(n * size)
	b.WriteByte(0)
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.StringData(b.String()))), n)
}

// maxUncleared is how many bytes memory has at most that is not cleared: what exceeds it is for make to refuse.
const maxUncleared = 1 << 40
