// Package binary is what package encoding/binary does.
package binary

type littleEndian struct{}

type bigEndian struct{}

// Uint16 reads two bytes.
func (littleEndian) Uint16(b []byte) uint16 { return uint16(b[1])<<8 | uint16(b[0]) }

// Uint32 reads four bytes.
func (littleEndian) Uint32(b []byte) uint32 {
	return uint32(b[3])<<24 | uint32(b[2])<<16 | uint32(b[1])<<8 | uint32(b[0])
}

// Uint64 reads eight bytes.
func (littleEndian) Uint64(b []byte) uint64 {
	return uint64(b[7])<<56 | uint64(b[6])<<48 | uint64(b[5])<<40 | uint64(b[4])<<32 |
		uint64(b[3])<<24 | uint64(b[2])<<16 | uint64(b[1])<<8 | uint64(b[0])
}

// PutUint16 writes two bytes.
func (littleEndian) PutUint16(b []byte, v uint16) { b[1], b[0] = byte(v>>8), byte(v) }

// PutUint32 writes four bytes.
func (littleEndian) PutUint32(b []byte, v uint32) {
	b[3], b[2], b[1], b[0] = byte(v>>24), byte(v>>16), byte(v>>8), byte(v)
}

// PutUint64 writes eight bytes.
func (littleEndian) PutUint64(b []byte, v uint64) {
	b[7], b[6], b[5], b[4] = byte(v>>56), byte(v>>48), byte(v>>40), byte(v>>32)
	b[3], b[2], b[1], b[0] = byte(v>>24), byte(v>>16), byte(v>>8), byte(v)
}

// AppendUint16 appends two bytes.
func (littleEndian) AppendUint16(b []byte, v uint16) []byte { return append(b, byte(v), byte(v>>8)) }

// AppendUint32 appends four bytes.
func (littleEndian) AppendUint32(b []byte, v uint32) []byte {
	return append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
}

// AppendUint64 appends eight bytes.
func (littleEndian) AppendUint64(b []byte, v uint64) []byte {
	return append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24), byte(v>>32), byte(v>>40), byte(v>>48), byte(v>>56))
}

// Uint16 reads two bytes.
func (bigEndian) Uint16(b []byte) uint16 { return uint16(b[1]) | uint16(b[0])<<8 }

// Uint32 reads four bytes.
func (bigEndian) Uint32(b []byte) uint32 {
	return uint32(b[3]) | uint32(b[2])<<8 | uint32(b[1])<<16 | uint32(b[0])<<24
}

// Uint64 reads eight bytes.
func (bigEndian) Uint64(b []byte) uint64 {
	return uint64(b[7]) | uint64(b[6])<<8 | uint64(b[5])<<16 | uint64(b[4])<<24 |
		uint64(b[3])<<32 | uint64(b[2])<<40 | uint64(b[1])<<48 | uint64(b[0])<<56
}

// PutUint16 writes two bytes.
func (bigEndian) PutUint16(b []byte, v uint16) { b[1], b[0] = byte(v), byte(v>>8) }

// PutUint32 writes four bytes.
func (bigEndian) PutUint32(b []byte, v uint32) {
	b[3], b[2], b[1], b[0] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
}

// PutUint64 writes eight bytes.
func (bigEndian) PutUint64(b []byte, v uint64) {
	b[7], b[6], b[5], b[4] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
	b[3], b[2], b[1], b[0] = byte(v>>32), byte(v>>40), byte(v>>48), byte(v>>56)
}

// AppendUint16 appends two bytes.
func (bigEndian) AppendUint16(b []byte, v uint16) []byte { return append(b, byte(v>>8), byte(v)) }

// AppendUint32 appends four bytes.
func (bigEndian) AppendUint32(b []byte, v uint32) []byte {
	return append(b, byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
}

// AppendUint64 appends eight bytes.
func (bigEndian) AppendUint64(b []byte, v uint64) []byte {
	return append(b, byte(v>>56), byte(v>>48), byte(v>>40), byte(v>>32), byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
}
