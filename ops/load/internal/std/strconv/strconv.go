// Package strconv is what package strconv does.
package strconv

const digits = "0123456789abcdefghijklmnopqrstuvwxyz"

// longest is how many bytes an integer of 64 bits has at most: a sign, and one a bit.
const longest = 65

// Itoa returns i as decimal text.
func Itoa(i int) string { return FormatInt(int64(i), 10) }

// FormatInt returns i as text in the base.
func FormatInt(i int64, base int) string {
	if i < 0 {
		return format(-uint64(i), base, true)
	}
	return format(uint64(i), base, false)
}

// FormatUint returns i as text in the base.
func FormatUint(i uint64, base int) string { return format(i, base, false) }

func format(u uint64, base int, negative bool) string {
	if base < 2 || base > len(digits) {
		panic("strconv: illegal AppendInt/FormatInt base")
	}
	var text [longest]byte
	at := longest
	for more := true; more; more = u > 0 {
		at--
		text[at] = digits[u%uint64(base)]
		u /= uint64(base)
	}
	if negative {
		at--
		text[at] = '-'
	}
	out := make([]byte, longest-at)
	for k := range out {
		out[k] = text[at+k]
	}
	return string(out)
}

// AppendInt appends i as text in the base.
func AppendInt(dst []byte, i int64, base int) []byte { return append(dst, FormatInt(i, base)...) }

// AppendUint appends i as text in the base.
func AppendUint(dst []byte, i uint64, base int) []byte { return append(dst, FormatUint(i, base)...) }

// FormatBool returns "true" or "false".
func FormatBool(b bool) string {
	n := 5
	if b {
		n = 4
	}
	out := make([]byte, n)
	for i := range out {
		if b {
			out[i] = "true"[i]
		} else {
			out[i] = "false"[i]
		}
	}
	return string(out)
}
