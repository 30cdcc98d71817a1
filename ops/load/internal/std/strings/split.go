package strings

import (
	"unicode"
	"unicode/utf8"
)

// Fields returns the parts of s that white space separates.
func Fields(s string) []string { return FieldsFunc(s, unicode.IsSpace) }

// FieldsFunc returns the parts of s that characters separate of which f holds.
func FieldsFunc(s string, f func(rune) bool) []string {
	var fields []string
	start := -1
	for i, r := range s {
		if f(r) {
			if start >= 0 {
				fields = append(fields, s[start:i])
			}
			start = -1
		} else if start < 0 {
			start = i
		}
	}
	if start >= 0 {
		fields = append(fields, s[start:])
	}
	return fields
}

// Split returns the parts of s that sep separates; without a separator these are its characters.
func Split(s, sep string) []string {
	var parts []string
	start := 0
	for i := 0; i < len(s); {
		switch {
		case len(sep) == 0:
			_, size := utf8.DecodeRuneInString(s[i:])
			parts = append(parts, s[i:i+size])
			i += size
		case HasPrefix(s[i:], sep):
			parts = append(parts, s[start:i])
			i += len(sep)
			start = i
		default:
			i++
		}
	}
	if len(sep) > 0 {
		parts = append(parts, s[start:])
	}
	return parts
}

// Join returns the strings one behind the other, with sep between them.
func Join(elems []string, sep string) string {
	var out []byte
	for i, e := range elems {
		if i > 0 {
			out = append(out, sep...)
		}
		out = append(out, e...)
	}
	return string(out)
}
