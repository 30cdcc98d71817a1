package cluster

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"
	"unsafe"
)

// version is the first byte of all that is written here. It changes whenever other bytes are written for the same.
const version = 1

// direct says that memory holds elements as they are written: little-endian, and integers of 64 bits.
var direct = binary.NativeEndian.Uint16([]byte{1, 0}) == 1 && unsafe.Sizeof(0) == 8

// AppendValues appends a list of values, of which some may be nil, to bytes that [DecodeValues] reads. Elements are
// copied in bulk, as they are in memory.
func AppendValues(buf []byte, values []Value) ([]byte, error) {
	buf = slices.Grow(buf, 2+Size(values...)+20*len(values))
	buf = append(buf, version)
	buf = binary.AppendUvarint(buf, uint64(len(values)))
	for _, v := range values {
		kind, rank := TypeOf(v)
		number := 1 + slices.IndexFunc(kinds, func(t reflect.Type) bool { return t.Name() == kind })
		if v != nil && number == 0 {
			return nil, fmt.Errorf("a %T is no value of a kernel", v)
		}
		buf = append(buf, byte(number|rank<<4))
		switch rank {
		case 0:
			if v != nil {
				buf = appendElements(buf, reflect.ValueOf(Single(v)))
			}
		case 1:
			buf = binary.AppendUvarint(buf, uint64(Len(v)))
			buf = appendElements(buf, reflect.ValueOf(v))
		case 2:
			rows := v.(Rows)
			if err := checkRows(rows); err != nil {
				return nil, err
			}
			buf = binary.AppendUvarint(buf, uint64(len(rows.Offsets)))
			buf = appendElements(buf, reflect.ValueOf(rows.Offsets))
			buf = binary.AppendUvarint(buf, uint64(Len(rows.Data)))
			buf = appendElements(buf, reflect.ValueOf(rows.Data))
		}
	}
	return buf, nil
}

// DecodeValues reads what [AppendValues] has written, into memory of its own, and returns the bytes behind it.
func DecodeValues(data []byte) (values []Value, rest []byte, err error) {
	d := decoder{data: data}
	d.version()
	n := d.count(1)
	for range n {
		values = append(values, d.value())
	}
	if d.err != nil {
		return nil, nil, d.err
	}
	return values, d.data, nil
}

// width is the number of bytes of an element as it is written.
func width(t reflect.Type) int {
	if t.Kind() == reflect.Int || t.Kind() == reflect.Uint {
		return 8
	}
	return int(t.Size())
}

// memory is a slice's memory.
func memory(s reflect.Value) []byte {
	return unsafe.Slice((*byte)(s.UnsafePointer()), s.Len()*int(s.Type().Elem().Size()))
}

func appendElements(buf []byte, s reflect.Value) []byte {
	if direct {
		return append(buf, memory(s)...)
	}
	for i := range s.Len() {
		x := s.Index(i)
		switch {
		case x.Kind() == reflect.Int:
			buf = binary.LittleEndian.AppendUint64(buf, uint64(x.Int()))
		case x.Kind() == reflect.Uint:
			buf = binary.LittleEndian.AppendUint64(buf, x.Uint())
		default:
			buf, _ = binary.Append(buf, binary.LittleEndian, x.Interface())
		}
	}
	return buf
}

// decoder reads from the front of bytes. Behind the first error it reads zeros.
type decoder struct {
	data []byte
	err  error
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf("values of a kernel cannot be read: "+format, args...)
	}
	d.data = nil
}

func (d *decoder) byte() byte {
	if len(d.data) == 0 {
		d.fail("they end too early")
		return 0
	}
	b := d.data[0]
	d.data = d.data[1:]
	return b
}

func (d *decoder) version() {
	if v := d.byte(); d.err == nil && v != version {
		d.fail("they are of version %d, and this program reads version %d", v, version)
	}
}

// count reads a number of things that take at least size bytes each, of those that are left.
func (d *decoder) count(size int) int {
	n, k := binary.Uvarint(d.data)
	if d.err != nil || k <= 0 || n > uint64((len(d.data)-k)/size) {
		d.fail("%d elements are not there", n)
		return 0
	}
	d.data = d.data[k:]
	return int(n)
}

// number reads an int that is not negative.
func (d *decoder) number() int {
	n, k := binary.Uvarint(d.data)
	if d.err != nil || k <= 0 || n > math.MaxInt {
		d.fail("a number is missing")
		return 0
	}
	d.data = d.data[k:]
	return int(n)
}

func (d *decoder) value() Value {
	tag := d.byte()
	number, rank := int(tag&15), tag>>4
	switch {
	case tag == 0:
		return nil
	case number == 0 || number > len(kinds) || rank > 2:
		d.fail("there is no type %d", tag)
		return nil
	}
	t := kinds[number-1]
	switch rank {
	case 0:
		if s := d.elements(t, 1); d.err == nil {
			return s.Index(0).Interface()
		}
	case 1:
		if s := d.elements(t, d.count(width(t))); d.err == nil {
			return s.Interface()
		}
	case 2:
		offsets := d.elements(reflect.TypeFor[int](), d.count(8))
		data := d.elements(t, d.count(width(t)))
		if d.err != nil {
			return nil
		}
		rows := Rows{Data: data.Interface(), Offsets: offsets.Interface().([]int)}
		if err := checkRows(rows); err != nil {
			d.fail("%v", err)
			return nil
		}
		return rows
	}
	return nil
}

// elements reads n elements.
func (d *decoder) elements(t reflect.Type, n int) reflect.Value {
	size := width(t)
	if n > len(d.data)/size {
		d.fail("%d elements are not there", n)
	}
	if d.err != nil {
		return reflect.Value{}
	}
	s := reflect.MakeSlice(reflect.SliceOf(t), n, n)
	raw := d.data[:n*size]
	d.data = d.data[n*size:]
	if t.Kind() == reflect.Bool {
		for _, b := range raw {
			if b > 1 {
				d.fail("%d is no bool", b)
				return reflect.Value{}
			}
		}
	}
	if direct {
		copy(memory(s), raw)
		return s
	}
	for i := range n {
		one := raw[i*size:][:size]
		switch x := s.Index(i); x.Kind() {
		case reflect.Int:
			x.SetInt(int64(binary.LittleEndian.Uint64(one)))
		case reflect.Uint:
			x.SetUint(binary.LittleEndian.Uint64(one))
		default:
			if _, err := binary.Decode(one, binary.LittleEndian, x.Addr().Interface()); err != nil {
				d.fail("%v", err)
			}
		}
	}
	return s
}

// Append appends what was gathered to bytes that [DecodeGathered] reads.
func (g Gathered) Append(buf []byte) ([]byte, error) {
	buf = append(buf, version)
	buf = binary.AppendUvarint(buf, uint64(len(g)))
	for _, n := range g {
		buf = binary.AppendUvarint(buf, uint64(n.Level))
		buf = binary.AppendUvarint(buf, uint64(n.Index))
		var err error
		if buf, err = AppendValues(buf, n.Values); err != nil {
			return nil, err
		}
	}
	return buf, nil
}

// DecodeGathered reads what [Gathered.Append] has written, and returns the bytes behind it.
func DecodeGathered(data []byte) (g Gathered, rest []byte, err error) {
	d := decoder{data: data}
	d.version()
	end := 0
	for range d.count(4) {
		n := Node{Level: d.number(), Index: d.number()}
		if n.Level > 40 || n.Index >= 1<<62>>n.Level || n.first() < end {
			d.fail("block %d of level %d is out of order", n.Index, n.Level)
		}
		if d.err != nil {
			break
		}
		end = n.end()
		if n.Values, d.data, d.err = DecodeValues(d.data); d.err != nil {
			break
		}
		g = append(g, n)
	}
	if d.err != nil {
		return nil, nil, d.err
	}
	return g, d.data, nil
}

// Append appends a place to bytes that [DecodePlace] reads.
func (p Place) Append(buf []byte) []byte {
	for _, n := range []int{p.First, p.Count, p.Block} {
		buf = binary.AppendUvarint(buf, uint64(n))
	}
	return buf
}

// DecodePlace reads what [Place.Append] has written, and returns the bytes behind it.
func DecodePlace(data []byte) (p Place, rest []byte, err error) {
	d := decoder{data: data}
	p = Place{First: d.number(), Count: d.number(), Block: d.number()}
	return p, d.data, d.err
}
