package bytes

// Buffer is a buffer that is written to, and read as a whole.
type Buffer struct{ buf []byte }

// Grow does nothing: how much room there is, is not seen.
func (b *Buffer) Grow(n int) {
	if n < 0 {
		panic("bytes.Buffer.Grow: negative count")
	}
}

// Len is how many bytes there are.
func (b *Buffer) Len() int { return len(b.buf) }

// Reset forgets all bytes.
func (b *Buffer) Reset() { b.buf = b.buf[:0] }

// String returns what there is so far.
func (b *Buffer) String() string { return string(b.buf) }

// Bytes returns what there is so far. It shares its memory with the buffer, which may not be written to behind that.
func (b *Buffer) Bytes() []byte { return b.buf }

// Truncate forgets all but the first n bytes.
func (b *Buffer) Truncate(n int) {
	if n < 0 || n > len(b.buf) {
		panic("bytes.Buffer: truncation out of range")
	}
	b.buf = b.buf[:n]
}

// Write appends p.
func (b *Buffer) Write(p []byte) (int, error) {
	b.buf = append(b.buf, p...)
	return len(p), nil
}

// WriteByte appends c.
func (b *Buffer) WriteByte(c byte) error {
	b.buf = append(b.buf, c)
	return nil
}

// WriteString appends s.
func (b *Buffer) WriteString(s string) (int, error) {
	b.buf = append(b.buf, s...)
	return len(s), nil
}

// WriteRune appends the encoding of r.
func (b *Buffer) WriteRune(r rune) (int, error) {
	switch {
	case 0 <= r && r < 0x80:
		b.buf = append(b.buf, byte(r))
		return 1, nil
	case 0 <= r && r < 0x800:
		b.buf = append(b.buf, 0xc0|byte(r>>6), 0x80|byte(r)&0x3f)
		return 2, nil
	case r < 0, r > 0x10ffff, 0xd800 <= r && r < 0xe000:
		b.buf = append(b.buf, 0xef, 0xbf, 0xbd)
		return 3, nil
	case r < 0x10000:
		b.buf = append(b.buf, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f)
		return 3, nil
	}
	b.buf = append(b.buf, 0xf0|byte(r>>18), 0x80|byte(r>>12)&0x3f, 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f)
	return 4, nil
}
