package ops

import (
	"fmt"
	"unsafe"
)

// The codes of an [Error]. They are stable: programs may compare them.
const (
	CodeLength    = "length"    // sequences that must have equal lengths do not
	CodeIndex     = "index"     // an index lies outside its sequence
	CodeOffsets   = "offsets"   // offsets are missing, decrease, or lie outside their sequence
	CodeSize      = "size"      // a tile size, a count or the length of a result is impossible
	CodeDuplicate = "duplicate" // an index repeats where it must not
	CodeStride    = "stride"    // a stride is zero or, where it must not be, negative
	CodeRange     = "range"     // a bound of a range is not finite
)

// Error is the misuse of an operator: plain Go execution panics with a *Error, and a compiled
// kernel returns one (wrapped with the kernel's name; use [errors.As]).
type Error struct {
	Op     string // operator, without the package: "Gather"
	Detail string // argument, position, value and limit: "idx[3] = 12 is outside s, which has 10 elements"
	Code   string // stable short code, one of the Code constants
}

// Error gives "ops.Gather: idx[3] = 12 is outside s, which has 10 elements [index]".
func (e *Error) Error() string {
	return "ops." + e.Op + ": " + e.Detail + " [" + e.Code + "]"
}

// misuse panics with an [Error].
func misuse(op, code, format string, args ...any) {
	panic(&Error{Op: op, Detail: fmt.Sprintf(format, args...), Code: code})
}

// sameLength demands that the sequence called name has the length of the operator's first one.
func sameLength(op, first string, want int, name string, got int) {
	if got != want {
		misuse(op, CodeLength, "%s has %s, but %s has %d; they must have the same length",
			name, count(got), first, want)
	}
}

// checkIndex demands 0 ≤ idx[i] < n, where n is the length of the sequence called of.
func checkIndex[I Index](op string, idx []I, of string, n int) {
	for i, x := range idx {
		// An unsigned x that int cannot hold turns negative here, so it is refused as well.
		// On 32 bits a wide x could wrap into range: the second comparison refuses it.
		if j := int(x); j < 0 || j >= n || I(j) != x {
			misuse(op, CodeIndex, "idx[%d] = %d is outside %s, which has %s", i, x, of, count(n))
		}
	}
}

// makeResult is make([]T, n) for an n that no input bounds: an impossible n is the caller's
// misuse, not a failure of the runtime.
func makeResult[T any](op string, n uint64) []T {
	const addressSpace = 1 << 47 // bytes, the most that any 64-bit platform of Go can hold
	var zero T
	if limit := uint64(addressSpace) / uint64(max(unsafe.Sizeof(zero), 1)); n > limit || uint64(int(n)) != n {
		misuse(op, CodeSize, "a result of %d elements of %d bytes cannot be held in memory", n, unsafe.Sizeof(zero))
	}
	return make([]T, n)
}

// count is "1 element", "2 elements" and so on.
func count(n int) string {
	if n == 1 {
		return "1 element"
	}
	return fmt.Sprintf("%d elements", n)
}
