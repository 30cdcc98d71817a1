package binary

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// order is what both byte orders do.
type order interface {
	Uint16([]byte) uint16
	Uint32([]byte) uint32
	Uint64([]byte) uint64
	PutUint16([]byte, uint16)
	PutUint32([]byte, uint32)
	PutUint64([]byte, uint64)
	AppendUint16([]byte, uint16) []byte
	AppendUint32([]byte, uint32) []byte
	AppendUint64([]byte, uint64) []byte
}

func TestByteOrder(t *testing.T) {
	for name, pair := range map[string][2]order{
		"little": {littleEndian{}, binary.LittleEndian},
		"big":    {bigEndian{}, binary.BigEndian},
	} {
		got, want := pair[0], pair[1]
		x := rand.Uint64()
		p := binary.NativeEndian.AppendUint64(nil, x)
		if got.Uint16(p) != want.Uint16(p) || got.Uint32(p) != want.Uint32(p) || got.Uint64(p) != want.Uint64(p) {
			t.Errorf("%s: reads of %x", name, p)
		}
		a, b := make([]byte, 14), make([]byte, 14)
		got.PutUint16(a, uint16(x))
		got.PutUint32(a[2:], uint32(x))
		got.PutUint64(a[6:], x)
		want.PutUint16(b, uint16(x))
		want.PutUint32(b[2:], uint32(x))
		want.PutUint64(b[6:], x)
		if !bytes.Equal(a, b) {
			t.Errorf("%s: wrote %x, not %x", name, a, b)
		}
		a = got.AppendUint64(got.AppendUint32(got.AppendUint16(nil, uint16(x)), uint32(x)), x)
		b = want.AppendUint64(want.AppendUint32(want.AppendUint16(nil, uint16(x)), uint32(x)), x)
		if !bytes.Equal(a, b) {
			t.Errorf("%s: appended %x, not %x", name, a, b)
		}
	}
}
