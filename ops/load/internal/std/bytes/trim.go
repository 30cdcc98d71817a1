package bytes

import (
	"unicode"
	"unicode/utf8"
)

// TrimFunc returns s from the first to the last rune of which f is false.
func TrimFunc(s []byte, f func(rune) bool) []byte { return TrimRightFunc(TrimLeftFunc(s, f), f) }

// TrimLeftFunc returns s from the first rune on of which f is false.
func TrimLeftFunc(s []byte, f func(rune) bool) []byte {
	from := 0
	for from < len(s) {
		r, size := utf8.DecodeRune(s[from:])
		if !f(r) {
			break
		}
		from += size
	}
	return s[from:]
}

// TrimRightFunc returns s up to the last rune of which f is false.
func TrimRightFunc(s []byte, f func(rune) bool) []byte {
	end := len(s)
	for end > 0 {
		r, size := utf8.DecodeLastRune(s[:end])
		if !f(r) {
			break
		}
		end -= size
	}
	return s[:end]
}

// TrimSpace returns s without white space at its beginning and end.
func TrimSpace(s []byte) []byte { return TrimFunc(s, unicode.IsSpace) }

// Trim returns s without runes of cutset at its beginning and end.
func Trim(s []byte, cutset string) []byte {
	return TrimFunc(s, func(r rune) bool { return isIn(cutset, r) })
}

// TrimLeft returns s without runes of cutset at its beginning.
func TrimLeft(s []byte, cutset string) []byte {
	return TrimLeftFunc(s, func(r rune) bool { return isIn(cutset, r) })
}

// TrimRight returns s without runes of cutset at its end.
func TrimRight(s []byte, cutset string) []byte {
	return TrimRightFunc(s, func(r rune) bool { return isIn(cutset, r) })
}

func isIn(s string, r rune) bool {
	for _, c := range s {
		if c == r {
			return true
		}
	}
	return false
}

// TrimPrefix returns s without prefix at its beginning.
func TrimPrefix(s, prefix []byte) []byte {
	from := 0
	if HasPrefix(s, prefix) {
		from = len(prefix)
	}
	return s[from:]
}

// TrimSuffix returns s without suffix at its end.
func TrimSuffix(s, suffix []byte) []byte {
	end := len(s)
	if HasSuffix(s, suffix) {
		end -= len(suffix)
	}
	return s[:end]
}

// Cut returns what is before and behind the first sep in s, and whether there is one; without one, s and nothing.
func Cut(s, sep []byte) (before, after []byte, found bool) {
	i := indexFrom(s, sep, 0)
	end := i + len(sep)
	if i < 0 {
		i, end = len(s), len(s)
	} else {
		found = true
	}
	return s[:i], s[end:], found
}
