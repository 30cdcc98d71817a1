// Package unicode is what package unicode does: see tables.go for the classes of characters.
package unicode

// within reports whether r is in the class of the table: numbers of three bytes, at which runs of characters that
// belong to the class begin and end in turn.
func within(table string, r rune) bool {
	lo, hi := 0, len(table)/3
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if at(table, 3*mid) <= r {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo&1 == 1
}

// at is the number of three bytes at i.
func at(table string, i int) rune {
	return rune(table[i])<<16 | rune(table[i+1])<<8 | rune(table[i+2])
}

// IsLetter reports whether r is a letter.
func IsLetter(r rune) bool {
	if r < 0x80 {
		return 'a' <= r|0x20 && r|0x20 <= 'z'
	}
	return within(letters, r)
}

// IsUpper reports whether r is an upper case letter.
func IsUpper(r rune) bool {
	if r < 0x80 {
		return 'A' <= r && r <= 'Z'
	}
	return within(uppers, r)
}

// IsLower reports whether r is a lower case letter.
func IsLower(r rune) bool {
	if r < 0x80 {
		return 'a' <= r && r <= 'z'
	}
	return within(lowers, r)
}

// IsDigit reports whether r is a decimal digit.
func IsDigit(r rune) bool {
	if r < 0x80 {
		return '0' <= r && r <= '9'
	}
	return within(digits, r)
}

// IsNumber reports whether r is a number, of which the digits are some.
func IsNumber(r rune) bool {
	if r < 0x80 {
		return '0' <= r && r <= '9'
	}
	return within(numbers, r)
}

// IsPunct reports whether r is punctuation.
func IsPunct(r rune) bool { return within(puncts, r) }

// IsSpace reports whether r is white space.
func IsSpace(r rune) bool {
	switch {
	case r < 0x100:
		return 9 <= r && r <= 13 || r == ' ' || r == 0x85 || r == 0xa0
	case r < 0x2028:
		return r == 0x1680 || 0x2000 <= r && r <= 0x200a
	}
	return r <= 0x2029 || r == 0x202f || r == 0x205f || r == 0x3000
}

// IsControl reports whether r is a control character.
func IsControl(r rune) bool { return 0 <= r && r < 0x20 || 0x7f <= r && r < 0xa0 }

const (
	entry     = 12 // bytes of an entry of cases: the first and the last rune, and what upper and lower case add
	none      = 1 << 23
	alternate = none + 1<<20 // in place of that: upper and lower case letters take turns
)

// cased returns r in upper case (which is 0) or lower case (1).
func cased(r rune, which int) rune {
	lo, hi := 0, len(cases)/entry
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		i := mid * entry
		first := at(cases, i)
		if first <= r && r <= at(cases, i+3) {
			delta := at(cases, i+6+3*which)
			if delta == alternate {
				return first + (r-first)&^1 + rune(which)
			}
			return r + delta - none
		}
		if r < first {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return r
}

// ToUpper returns r in upper case.
func ToUpper(r rune) rune {
	if r < 0x80 {
		if 'a' <= r && r <= 'z' {
			r -= 'a' - 'A'
		}
		return r
	}
	return cased(r, 0)
}

// ToLower returns r in lower case.
func ToLower(r rune) rune {
	if r < 0x80 {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	return cased(r, 1)
}
