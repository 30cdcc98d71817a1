// Package utf8 is what package unicode/utf8 does, without tables.
package utf8

const (
	runeError = 0xfffd
	maxRune   = 0x10ffff
	surrogate = 0xd800 // the first of the numbers that are halves of others, and no runes
	afterward = 0xe000
)

// RuneLen returns the number of bytes of a rune, -1 if it is none.
func RuneLen(r rune) int {
	switch {
	case r < 0:
		return -1
	case r < 0x80:
		return 1
	case r < 0x800:
		return 2
	case surrogate <= r && r < afterward:
		return -1
	case r < 0x10000:
		return 3
	case r <= maxRune:
		return 4
	}
	return -1
}

// ValidRune reports whether r is a rune.
func ValidRune(r rune) bool {
	return 0 <= r && r < surrogate || afterward <= r && r <= maxRune
}

// RuneStart reports whether b may be the first byte of a rune.
func RuneStart(b byte) bool { return b&0xc0 != 0x80 }

// DecodeRune returns the first rune of p and its number of bytes: the error rune and 1 if they are none, and 0 if p
// is empty.
func DecodeRune(p []byte) (rune, int) {
	n := len(p)
	if n == 0 {
		return runeError, 0
	}
	a := rune(p[0])
	if a < 0x80 {
		return a, 1
	}
	if a < 0xc2 || a > 0xf4 || n < 2 {
		return runeError, 1
	}
	b := rune(p[1])
	if b&0xc0 != 0x80 {
		return runeError, 1
	}
	if a < 0xe0 {
		return (a&0x1f)<<6 | b&0x3f, 2
	}
	if n < 3 || a == 0xe0 && b < 0xa0 || a == 0xed && b > 0x9f || a == 0xf0 && b < 0x90 || a == 0xf4 && b > 0x8f {
		return runeError, 1
	}
	c := rune(p[2])
	if c&0xc0 != 0x80 {
		return runeError, 1
	}
	if a < 0xf0 {
		return (a&0x0f)<<12 | (b&0x3f)<<6 | c&0x3f, 3
	}
	if n < 4 {
		return runeError, 1
	}
	d := rune(p[3])
	if d&0xc0 != 0x80 {
		return runeError, 1
	}
	return (a&0x07)<<18 | (b&0x3f)<<12 | (c&0x3f)<<6 | d&0x3f, 4
}

// DecodeLastRune is [DecodeRune] from the end.
func DecodeLastRune(p []byte) (rune, int) {
	n := len(p)
	if n == 0 {
		return runeError, 0
	}
	last := rune(p[n-1])
	if last < 0x80 {
		return last, 1
	}
	low := max(n-4, 0)
	for start := n - 1; start >= low; start-- {
		if RuneStart(p[start]) {
			r, size := DecodeRune(p[start:])
			if start+size == n {
				return r, size
			}
			return runeError, 1
		}
	}
	return runeError, 1
}

// FullRune reports whether p begins with the bytes of a whole rune, or with bytes that no rune begins with.
func FullRune(p []byte) bool {
	n := len(p)
	if n == 0 {
		return false
	}
	a := p[0]
	if a < 0xc2 || a > 0xf4 {
		return true
	}
	need := 2
	if a >= 0xe0 {
		need++
	}
	if a >= 0xf0 {
		need++
	}
	if n >= need {
		return true
	}
	if n > 1 {
		b := p[1]
		if b&0xc0 != 0x80 || a == 0xe0 && b < 0xa0 || a == 0xed && b > 0x9f || a == 0xf0 && b < 0x90 || a == 0xf4 && b > 0x8f {
			return true
		}
	}
	return n > 2 && p[2]&0xc0 != 0x80
}

// RuneCount returns the number of runes in p; bytes that are no rune count one each.
func RuneCount(p []byte) int {
	count := 0
	for i := 0; i < len(p); {
		size := 1
		if p[i] >= 0x80 {
			_, size = DecodeRune(p[i:])
		}
		i += size
		count++
	}
	return count
}

// Valid reports whether p is made of runes.
func Valid(p []byte) bool {
	for i := 0; i < len(p); {
		size := 1
		if p[i] >= 0x80 {
			_, size = DecodeRune(p[i:])
			if size == 1 {
				return false
			}
		}
		i += size
	}
	return true
}

// DecodeRuneInString is [DecodeRune] of a string.
func DecodeRuneInString(s string) (rune, int) { return DecodeRune([]byte(s)) }

// DecodeLastRuneInString is [DecodeLastRune] of a string.
func DecodeLastRuneInString(s string) (rune, int) { return DecodeLastRune([]byte(s)) }

// FullRuneInString is [FullRune] of a string.
func FullRuneInString(s string) bool { return FullRune([]byte(s)) }

// RuneCountInString is [RuneCount] of a string.
func RuneCountInString(s string) int { return RuneCount([]byte(s)) }

// ValidString is [Valid] of a string.
func ValidString(s string) bool { return Valid([]byte(s)) }

// AppendRune appends the bytes of a rune to p, those of the error rune if r is none.
func AppendRune(p []byte, r rune) []byte {
	if !ValidRune(r) {
		r = runeError
	}
	switch {
	case r < 0x80:
		p = append(p, byte(r))
	case r < 0x800:
		p = append(p, 0xc0|byte(r>>6), 0x80|byte(r)&0x3f)
	case r < 0x10000:
		p = append(p, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f)
	default:
		p = append(p, 0xf0|byte(r>>18), 0x80|byte(r>>12)&0x3f, 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f)
	}
	return p
}

// EncodeRune puts the bytes of a rune at the beginning of p, those of the error rune if r is none, and returns their
// number.
func EncodeRune(p []byte, r rune) int {
	if !ValidRune(r) {
		r = runeError
	}
	switch {
	case r < 0x80:
		p[0] = byte(r)
		return 1
	case r < 0x800:
		p[1] = 0x80 | byte(r)&0x3f
		p[0] = 0xc0 | byte(r>>6)
		return 2
	case r < 0x10000:
		p[2] = 0x80 | byte(r)&0x3f
		p[0], p[1] = 0xe0|byte(r>>12), 0x80|byte(r>>6)&0x3f
		return 3
	}
	p[3] = 0x80 | byte(r)&0x3f
	p[0], p[1], p[2] = 0xf0|byte(r>>18), 0x80|byte(r>>12)&0x3f, 0x80|byte(r>>6)&0x3f
	return 4
}
