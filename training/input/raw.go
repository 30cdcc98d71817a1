package input

import (
	"encoding/binary"
	"fmt"
	"io"
	"reflect"
	"unsafe"
)

// littleEndian says whether memory is already in the raw layout.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// WriteRaw writes the elements of v and nothing else: little-endian, in memory
// order, Kind.Size bytes each; int and uint as 8 bytes, bool as one byte 0 or 1.
// Dims and Offsets are not part of it: the reader must know the kind and the
// number of elements. Hand over row offsets as a value of their own, see
// [Value.RowOffsets].
func WriteRaw(w io.Writer, v Value) error {
	raw := memory(v.Data)
	if !littleEndian {
		raw = swapped(raw, v.Kind.Size())
	}
	_, err := w.Write(raw)
	return err
}

// ReadRaw reads n elements that [WriteRaw] wrote into a new vector. Memory grows
// as bytes arrive, so a wrong n ends in an error and not in a huge allocation.
func ReadRaw(r io.Reader, kind Kind, n int) (Value, error) {
	const bytesOnTrust = 16 << 20
	if kind.Size() == 0 || n < 0 {
		return Value{}, fmt.Errorf("input: no raw array of %d elements of %v", n, kind)
	}
	return readRaw(r, kind, n, bytesOnTrust/kind.Size())
}

// readRaw allocates first elements at once, and more as they are filled.
func readRaw(r io.Reader, kind Kind, n, first int) (Value, error) {
	size := kind.Size()
	data := reflect.ValueOf(makeData(kind, min(n, first)))
	for done := 0; ; {
		raw := memory(data.Slice(done, data.Len()).Interface())
		if _, err := io.ReadFull(r, raw); err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return Value{}, err
		}
		if !littleEndian {
			copy(raw, swapped(raw, size))
		}
		if kind == Bool {
			if err := checkBools(raw); err != nil {
				return Value{}, err
			}
		}
		done = data.Len()
		if done == n {
			return Value{Kind: kind, Dims: []int{n}, Data: data.Interface()}, nil
		}
		more := min(n-done, done)
		grown := reflect.ValueOf(makeData(kind, done+more))
		reflect.Copy(grown, data)
		data = grown
	}
}

// checkBools refuses what Go has no bool for.
func checkBools(raw []byte) error {
	for _, b := range raw {
		if b > 1 {
			return fmt.Errorf("input: %d is not a raw bool", b)
		}
	}
	return nil
}

// memory views a slice of any element kind as its bytes.
func memory(data any) []byte {
	v := reflect.ValueOf(data)
	if !v.IsValid() || v.Len() == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(v.UnsafePointer()), v.Len()*int(v.Type().Elem().Size()))
}

// swapped copies raw with the bytes of each element reversed.
func swapped(raw []byte, size int) []byte {
	out := make([]byte, len(raw))
	for i := range raw {
		first := i - i%size
		out[i] = raw[first+size-1-i%size]
	}
	return out
}
