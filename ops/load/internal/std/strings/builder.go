package strings

// Builder has a slice that its methods append to. That of package strings has the address of the first Builder as
// well, so that the use of a copy panics: what copies one is refused.
type Builder struct{ buf []byte }

// Grow does nothing: how much room there is, is not seen.
func (b *Builder) Grow(n int) {
	if n < 0 {
		panic("strings.Builder.Grow: negative count")
	}
}

// Len is how many bytes there are.
func (b *Builder) Len() int { return len(b.buf) }

// Reset forgets all bytes.
func (b *Builder) Reset() { b.buf = b.buf[:0] }

// String returns what there is so far.
func (b *Builder) String() string { return string(b.buf) }

// Write appends p.
func (b *Builder) Write(p []byte) (int, error) {
	b.buf = append(b.buf, p...)
	return len(p), nil
}

// WriteByte appends c.
func (b *Builder) WriteByte(c byte) error {
	b.buf = append(b.buf, c)
	return nil
}

// WriteString appends s.
func (b *Builder) WriteString(s string) (int, error) {
	b.buf = append(b.buf, s...)
	return len(s), nil
}

// WriteRune appends the encoding of r.
func (b *Builder) WriteRune(r rune) (int, error) {
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
