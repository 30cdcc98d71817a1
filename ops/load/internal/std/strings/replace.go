package strings

import "unicode/utf8"

// ReplaceAll returns s with new in place of every old.
func ReplaceAll(s, old, new string) string { return Replace(s, old, new, -1) }

// Replace returns s with new in place of the first n old, or of all if n is negative. An empty old is at the beginning
// and behind every rune.
func Replace(s, old, new string, n int) string {
	if old == new {
		n = 0
	}
	var out []byte
	for i := 0; i < len(s); {
		size := 1
		switch {
		case n != 0 && len(old) == 0:
			_, size = utf8.DecodeRuneInString(s[i:])
			out = append(out, new...)
			n--
		case n != 0 && HasPrefix(s[i:], old):
			out = append(out, new...)
			n--
			i += len(old)
			continue
		}
		for k := range size {
			out = append(out, s[i+k])
		}
		i += size
	}
	if n != 0 && len(old) == 0 {
		out = append(out, new...)
	}
	return string(out)
}
