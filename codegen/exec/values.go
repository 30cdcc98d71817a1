package exec

import (
	"fmt"
	"math"
	"unsafe"
)

// As returns the elements of x as elements of another type of the same kind of number, without copying them: the
// []Side of a []int32, where Side is declared as int32. It is for generated code, which knows that the types fit.
func As[To, From any](x []From) []To {
	return unsafe.Slice((*To)(unsafe.Pointer(unsafe.SliceData(x))), cap(x))[:len(x):cap(x)]
}

// Bytes returns the bytes of a string without copying them. Nobody may write to them.
func Bytes(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// PackStrings returns the bytes of strings one behind the other, and the offsets at which they begin (one more than
// there are strings).
func PackStrings[S ~string](ss []S) (data []byte, offsets []int) {
	offsets = make([]int, len(ss)+1)
	for i, s := range ss {
		offsets[i+1] = offsets[i] + len(s)
	}
	data = make([]byte, 0, offsets[len(ss)])
	for _, s := range ss {
		data = append(data, s...)
	}
	return data, offsets
}

// Strings returns a copy of each row as a string.
func Strings[S ~string](rows [][]byte) []S {
	out := make([]S, len(rows))
	for i, r := range rows {
		out[i] = S(r)
	}
	return out
}

// Failure returns the error that a kernel's result stands for: none for 0, otherwise errors[code-1].
func Failure(errors []error, code int32) error {
	if code == 0 {
		return nil
	}
	return errors[code-1]
}

// Float is the number whose bits are x. What errors say comes out of compiled code as such bits.
func Float(x int64) float64 { return math.Float64frombits(uint64(x)) }

// NilPointer is the error for the parameter of k that is a nil pointer.
func NilPointer(k *Kernel, name string) error {
	return &Error{Kernel: k.Name, Pos: k.Pos, Code: "nil-pointer", Detail: fmt.Sprintf("%s is nil; a kernel reads what its pointers point to when it is bound", name)}
}
