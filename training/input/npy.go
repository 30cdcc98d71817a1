package input

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/sbinet/npyio/npy"
)

// readNpy reads one NumPy array (format versions 1 and 2). size is the number
// of bytes of the file, below 0 when it is not known; checked says that this is
// a fact about the file and not one more claim. limit bounds the elements' bytes, 0 for [memoryLimit].
//
// npyio reads the header; it is handed no more than the header's own bytes,
// because it allocates what a header claims. The elements are read here: npyio
// takes a call an element and gives zeros where a file was cut off.
func readNpy(file string, r io.Reader, size int64, checked bool, limit int64) (Value, error) {
	h, headerBytes, err := readNpyHeader(file, r)
	if err != nil {
		return Value{}, err
	}
	bad := func(code, what, why, do string) error {
		return &Error{File: file, What: what, Code: code, Why: why, Do: do}
	}
	kind, bigEndian, err := npyElements(file, h)
	if err != nil {
		return Value{}, err
	}
	n := int64(1)
	for _, d := range h.Descr.Shape {
		n *= int64(d)
	}
	if size >= 0 {
		if err := npyFits(file, h, kind, size-headerBytes); err != nil {
			return Value{}, err
		}
	}
	var large *Error
	if errors.As(checkSize(n, int64(kind.Size()), limit), &large) {
		large.File = file
		return Value{}, large
	}
	read := ReadRaw
	if checked {
		read = func(r io.Reader, kind Kind, n int) (Value, error) { return readRaw(r, kind, n, n) }
	}
	v, err := read(r, kind, int(n))
	if errors.Is(err, io.ErrUnexpectedEOF) && size < 0 {
		return Value{}, bad("npy-truncated", fmt.Sprintf("the file ends before the %d elements of its header", n), err.Error(), "write or fetch the file again")
	}
	if err != nil {
		return Value{}, readError(file, 0, err)
	}
	// One byte more: a container checks its checksum when its end is read.
	if k, err := r.Read(make([]byte, 1)); k > 0 {
		return Value{}, bad("npy-extra", fmt.Sprintf("the file goes on after its %d elements", n), "header and content disagree", "write or fetch the file again")
	} else if err != nil && err != io.EOF {
		return Value{}, readError(file, 0, err)
	}
	if bigEndian && kind.Size() > 1 {
		raw := memory(v.Data)
		copy(raw, swapped(raw, kind.Size()))
	}
	v.Dims = h.Descr.Shape
	if h.Descr.Fortran && len(v.Dims) > 1 {
		if len(v.Dims) > 2 {
			return Value{}, bad("unsupported-order", "an array of more than two dimensions in Fortran order",
				"its elements would have to be moved", "save numpy.ascontiguousarray(a)")
		}
		v = transposed(v)
	}
	return v, nil
}

// npyElements returns the kind of the elements and the order of their bytes, and refuses a shape that has no number of
// elements.
func npyElements(file string, h npy.Header) (kind Kind, big bool, err error) {
	kind, big = npyKind(h.Descr.Type)
	if kind == Invalid {
		return kind, big, &Error{File: file, What: "the elements are of NumPy type " + excerpt(h.Descr.Type), Code: "unsupported-type",
			Why: "arrays of bool, int8 to int64, uint8 to uint64, float32 and float64 are read", Do: "save it with .astype(numpy.float64) or another of these"}
	}
	n := int64(1)
	for _, d := range h.Descr.Shape {
		if d < 0 || d > 0 && n > math.MaxInt64/64/int64(d) {
			return kind, big, &Error{File: file, What: fmt.Sprintf("the shape %v is impossible", h.Descr.Shape), Code: "bad-npy",
				Why: "dimensions are not negative, and their product is a number of elements", Do: "write the file again"}
		}
		n *= int64(d)
	}
	return kind, big, nil
}

// npyFits refuses a file whose elements take more or fewer bytes than there are behind the header.
func npyFits(file string, h npy.Header, kind Kind, has int64) error {
	bytes := int64(kind.Size())
	for _, d := range h.Descr.Shape {
		bytes *= int64(d)
	}
	if bytes == has {
		return nil
	}
	code := "npy-truncated"
	if bytes < has {
		code = "npy-extra"
	}
	return &Error{File: file, What: fmt.Sprintf("the shape %v of %s takes %d bytes, but the file has %d", h.Descr.Shape, kind, bytes, has), Code: code,
		Why: "header and content disagree", Do: "write or fetch the file again"}
}

// readNpyHeader reads up to the first element.
func readNpyHeader(file string, r io.Reader) (h npy.Header, n int64, err error) {
	bad := func(what, why string) error {
		return &Error{File: file, What: what, Code: "bad-npy", Why: why, Do: "check that this is the right file, or write it again"}
	}
	const most = 1 << 16 // NumPy writes 128 bytes; more means many named fields
	head := make([]byte, 12)
	if _, err := io.ReadFull(r, head[:10]); err != nil {
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return h, 0, bad("the file is too short for a NumPy file", "it ends within its header")
		}
		return h, 0, readError(file, 0, err)
	}
	if string(head[:6]) != "\x93NUMPY" {
		return h, 0, bad("this is not a NumPy file: it starts with "+excerpt(head[:6]), "a .npy file starts with \\x93NUMPY")
	}
	length := int64(binary.LittleEndian.Uint16(head[8:]))
	switch head[6] {
	case 1:
		head = head[:10]
	case 2:
		if _, err := io.ReadFull(r, head[10:]); err != nil {
			return h, 0, bad("the file is too short for a NumPy file", "it ends within its header")
		}
		length = int64(binary.LittleEndian.Uint32(head[8:]))
	default:
		return h, 0, bad(fmt.Sprintf("NumPy file format %d", head[6]), "formats 1 and 2 are read")
	}
	if length > most {
		return h, 0, bad(fmt.Sprintf("the header claims to be %d bytes long", length), fmt.Sprintf("at most %d are read", most))
	}
	header := make([]byte, int64(len(head))+length)
	copy(header, head)
	if _, err := io.ReadFull(r, header[len(head):]); err != nil {
		return h, 0, bad("the file ends within its header", "it was cut off while it was written or copied")
	}
	defer func() {
		if p := recover(); p != nil { // npyio slices by positions it did not check
			err = bad("the header is malformed", "it is not the dictionary that NumPy writes")
		}
	}()
	reader, err := npy.NewReader(bytes.NewReader(header))
	if err != nil {
		return h, 0, bad("the header is malformed", err.Error())
	}
	return reader.Header, int64(len(header)), nil
}

// npyKind translates NumPy's type; big says that the bytes are most significant
// first. Invalid stands for the types that are not read.
func npyKind(descr string) (k Kind, big bool) {
	if len(descr) != 3 {
		return Invalid, false
	}
	switch descr[0] {
	case '<', '|':
	case '>':
		big = true
	case '=':
		big = !littleEndian
	default:
		return Invalid, false
	}
	switch descr[1:] {
	case "b1":
		k = Bool
	case "i1":
		k = Int8
	case "i2":
		k = Int16
	case "i4":
		k = Int32
	case "i8":
		k = Int64
	case "u1":
		k = Uint8
	case "u2":
		k = Uint16
	case "u4":
		k = Uint32
	case "u8":
		k = Uint64
	case "f4":
		k = Float32
	case "f8":
		k = Float64
	}
	return k, big
}

// transposed turns column-major elements of Dims rows × columns into row-major.
func transposed(v Value) Value {
	size, rows, cols := v.Kind.Size(), v.Dims[0], v.Dims[1]
	data := makeData(v.Kind, rows*cols)
	from, to := memory(v.Data), memory(data)
	for r := range rows {
		for c := range cols {
			copy(to[(r*cols+c)*size:][:size], from[(c*rows+r)*size:])
		}
	}
	v.Data = data
	return v
}

// npySource is the source of one array: a table when it has two dimensions.
func npySource(v Value) *Source {
	if len(v.Dims) == 2 {
		return newTable(v)
	}
	return newVector(v)
}

// npyHeader is what NumPy itself writes before the elements of v.
func npyHeader(v Value) []byte {
	types := map[Kind]string{Bool: "|b1", Int: "<i8", Int8: "|i1", Int16: "<i2", Int32: "<i4", Int64: "<i8",
		Uint: "<u8", Uint8: "|u1", Uint16: "<u2", Uint32: "<u4", Uint64: "<u8", Float32: "<f4", Float64: "<f8"}
	shape := ""
	for _, d := range v.Dims {
		shape += fmt.Sprintf("%d, ", d)
	}
	if len(v.Dims) > 1 {
		shape = shape[:len(shape)-2]
	} else if len(v.Dims) == 1 {
		shape = shape[:len(shape)-1]
	}
	dict := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", types[v.Kind], shape)
	for (10+len(dict)+1)%64 != 0 {
		dict += " "
	}
	head := append([]byte("\x93NUMPY\x01\x00"), 0, 0)
	binary.LittleEndian.PutUint16(head[8:], uint16(len(dict)+1))
	return append(append(head, dict...), '\n')
}
