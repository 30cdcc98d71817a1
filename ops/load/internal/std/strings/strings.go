// Package strings is what package strings does.
package strings

import (
	"unicode"
	"unicode/utf8"
)

// HasPrefix reports whether s begins with prefix.
func HasPrefix(s, prefix string) bool {
	if len(s) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		if s[i] != prefix[i] {
			return false
		}
	}
	return true
}

// HasSuffix reports whether s ends with suffix.
func HasSuffix(s, suffix string) bool {
	from := len(s) - len(suffix)
	if from < 0 {
		return false
	}
	for i := range len(suffix) {
		if s[from+i] != suffix[i] {
			return false
		}
	}
	return true
}

// Index returns where substr is first in s, -1 if it is not.
func Index(s, substr string) int { return indexFrom(s, substr, 0) }

func indexFrom(s, substr string, from int) int {
	for i := from; i <= len(s)-len(substr); i++ {
		j := 0
		for j < len(substr) && s[i+j] == substr[j] {
			j++
		}
		if j == len(substr) {
			return i
		}
	}
	return -1
}

// LastIndex returns where substr is last in s, -1 if it is not.
func LastIndex(s, substr string) int {
	for i := len(s) - len(substr); i >= 0; i-- {
		j := 0
		for j < len(substr) && s[i+j] == substr[j] {
			j++
		}
		if j == len(substr) {
			return i
		}
	}
	return -1
}

// Contains reports whether substr is in s.
func Contains(s, substr string) bool { return indexFrom(s, substr, 0) >= 0 }

// IndexByte returns where c is first in s, -1 if it is not.
func IndexByte(s string, c byte) int {
	for i := range len(s) {
		if s[i] == c {
			return i
		}
	}
	return -1
}

// Count returns how many times substr is in s without overlapping, and one more than the runes of s if it is empty.
func Count(s, substr string) int {
	if len(substr) == 0 {
		return utf8.RuneCountInString(s) + 1
	}
	n := 0
	for i := 0; i <= len(s)-len(substr); i++ {
		j := 0
		for j < len(substr) && s[i+j] == substr[j] {
			j++
		}
		if j == len(substr) {
			n++
			i += j - 1
		}
	}
	return n
}

// Compare compares byte by byte.
func Compare(a, b string) int {
	for i := range min(len(a), len(b)) {
		if a[i] < b[i] {
			return -1
		}
		if a[i] > b[i] {
			return 1
		}
	}
	if len(a) < len(b) {
		return -1
	}
	if len(a) > len(b) {
		return 1
	}
	return 0
}

// ContainsRune reports whether r is in s.
func ContainsRune(s string, r rune) bool { return IndexRune(s, r) >= 0 }

// ContainsAny reports whether a rune of chars is in s.
func ContainsAny(s, chars string) bool { return IndexAny(s, chars) >= 0 }

// ContainsFunc reports whether f is true of a rune of s.
func ContainsFunc(s string, f func(rune) bool) bool { return IndexFunc(s, f) >= 0 }

// IndexRune returns where r is first in s, -1 if it is not. The error rune is also found where s has bytes that are
// no rune.
func IndexRune(s string, r rune) int {
	for i, c := range s {
		if c == r {
			return i
		}
	}
	return -1
}

// IndexAny returns where a rune of chars is first in s, -1 if none is.
func IndexAny(s, chars string) int {
	for i, c := range s {
		if IndexRune(chars, c) >= 0 {
			return i
		}
	}
	return -1
}

// IndexFunc returns where f is first true of a rune of s, -1 if it is nowhere.
func IndexFunc(s string, f func(rune) bool) int {
	for i, c := range s {
		if f(c) {
			return i
		}
	}
	return -1
}

// LastIndexByte returns where c is last in s, -1 if it is not.
func LastIndexByte(s string, c byte) int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == c {
			return i
		}
	}
	return -1
}

// Cut returns what is before and behind the first sep in s, and whether there is one; without one, s and an empty
// string.
func Cut(s, sep string) (before, after string, found bool) {
	i := indexFrom(s, sep, 0)
	end := i + len(sep)
	if i < 0 {
		i, end = len(s), len(s)
	} else {
		found = true
	}
	return s[:i], s[end:], found
}

// CutPrefix returns s without prefix, and whether it began with it.
func CutPrefix(s, prefix string) (after string, found bool) {
	from := 0
	if HasPrefix(s, prefix) {
		from, found = len(prefix), true
	}
	return s[from:], found
}

// CutSuffix returns s without suffix, and whether it ended with it.
func CutSuffix(s, suffix string) (before string, found bool) {
	end := len(s)
	if HasSuffix(s, suffix) {
		end, found = end-len(suffix), true
	}
	return s[:end], found
}

// TrimPrefix returns s without prefix at its beginning.
func TrimPrefix(s, prefix string) string {
	after, _ := CutPrefix(s, prefix)
	return after
}

// TrimSuffix returns s without suffix at its end.
func TrimSuffix(s, suffix string) string {
	before, _ := CutSuffix(s, suffix)
	return before
}

// TrimLeftFunc returns s from the first rune on of which f is false.
func TrimLeftFunc(s string, f func(rune) bool) string {
	from := len(s)
	for i, c := range s {
		if !f(c) {
			from = i
			break
		}
	}
	return s[from:]
}

// TrimRightFunc returns s up to the last rune of which f is false.
func TrimRightFunc(s string, f func(rune) bool) string {
	end := len(s)
	for end > 0 {
		r, size := utf8.DecodeLastRuneInString(s[:end])
		if !f(r) {
			break
		}
		end -= size
	}
	return s[:end]
}

// TrimFunc returns s from the first to the last rune of which f is false.
func TrimFunc(s string, f func(rune) bool) string { return TrimRightFunc(TrimLeftFunc(s, f), f) }

// TrimSpace returns s without white space at its beginning and end.
func TrimSpace(s string) string { return TrimFunc(s, unicode.IsSpace) }

// TrimLeft returns s without runes of cutset at its beginning.
func TrimLeft(s, cutset string) string {
	return TrimLeftFunc(s, func(r rune) bool { return ContainsRune(cutset, r) })
}

// TrimRight returns s without runes of cutset at its end.
func TrimRight(s, cutset string) string {
	return TrimRightFunc(s, func(r rune) bool { return ContainsRune(cutset, r) })
}

// Trim returns s without runes of cutset at its beginning and end.
func Trim(s, cutset string) string {
	return TrimFunc(s, func(r rune) bool { return ContainsRune(cutset, r) })
}

// Map returns s with f of each rune in its place, and without those for which f gives a negative number.
func Map(f func(rune) rune, s string) string {
	out := make([]byte, 0, 4*len(s))
	for _, r := range s {
		if c := f(r); c >= 0 {
			out = utf8.AppendRune(out, c)
		}
	}
	return string(out)
}

// ToUpper returns s with all letters in upper case.
func ToUpper(s string) string {
	out := make([]byte, 0, 3*len(s))
	for _, r := range s {
		out = utf8.AppendRune(out, unicode.ToUpper(r))
	}
	return string(out)
}

// ToLower returns s with all letters in lower case.
func ToLower(s string) string {
	out := make([]byte, 0, 3*len(s))
	for _, r := range s {
		out = utf8.AppendRune(out, unicode.ToLower(r))
	}
	return string(out)
}

// Repeat returns count times s.
func Repeat(s string, count int) string {
	if count < 0 {
		panic("strings: negative Repeat count")
	}
	out := make([]byte, len(s)*count)
	for i := range count {
		for j := range len(s) {
			out[i*len(s)+j] = s[j]
		}
	}
	return string(out)
}
