// Package strings is what package strings does.
package strings

import "unicode/utf8"

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
