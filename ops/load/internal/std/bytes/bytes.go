// Package bytes is what package bytes does.
package bytes

import "unicode/utf8"

// HasPrefix reports whether s begins with prefix.
func HasPrefix(s, prefix []byte) bool {
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
func HasSuffix(s, suffix []byte) bool {
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

// Index returns where sep is first in s, -1 if it is not.
func Index(s, sep []byte) int { return indexFrom(s, sep, 0) }

func indexFrom(s, sep []byte, from int) int {
	for i := from; i <= len(s)-len(sep); i++ {
		j := 0
		for j < len(sep) && s[i+j] == sep[j] {
			j++
		}
		if j == len(sep) {
			return i
		}
	}
	return -1
}

// LastIndex returns where sep is last in s, -1 if it is not.
func LastIndex(s, sep []byte) int {
	for i := len(s) - len(sep); i >= 0; i-- {
		j := 0
		for j < len(sep) && s[i+j] == sep[j] {
			j++
		}
		if j == len(sep) {
			return i
		}
	}
	return -1
}

// Contains reports whether sep is in s.
func Contains(s, sep []byte) bool { return indexFrom(s, sep, 0) >= 0 }

// IndexByte returns where c is first in s, -1 if it is not.
func IndexByte(s []byte, c byte) int {
	for i := range len(s) {
		if s[i] == c {
			return i
		}
	}
	return -1
}

// Count returns how many times sep is in s without overlapping, and one more than the runes of s if it is empty.
func Count(s, sep []byte) int {
	if len(sep) == 0 {
		return utf8.RuneCount(s) + 1
	}
	n := 0
	for i := 0; i <= len(s)-len(sep); i++ {
		j := 0
		for j < len(sep) && s[i+j] == sep[j] {
			j++
		}
		if j == len(sep) {
			n++
			i += j - 1
		}
	}
	return n
}

// Compare compares byte by byte.
func Compare(a, b []byte) int {
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

// Equal reports whether a and b have the same length and bytes.
func Equal(a, b []byte) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
