// Codes and encodings

package corpus

import (
	"errors"
	"fmt"
	"math/bits"
)

// CheckNodes is half a turn of min-sum decoding: each check tells its bits the least of what the others say.
//
//surge:kernel
func CheckNodes(messages []float32, offsets []int) []float32 {
	out := make([]float32, len(messages))
	for c := 0; c+1 < len(offsets); c++ {
		lo, hi := offsets[c], offsets[c+1]
		least, second := float32(1e30), float32(1e30)
		at, negative := -1, false
		for e := lo; e < hi; e++ {
			m := messages[e]
			if m < 0 {
				negative = !negative
				m = -m
			}
			if m < least {
				least, second, at = m, least, e
			} else if m < second {
				second = m
			}
		}
		for e := lo; e < hi; e++ {
			v := least
			if e == at {
				v = second
			}
			if negative != (messages[e] < 0) {
				v = -v
			}
			out[e] = 0.75 * v
		}
	}
	return out
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// Base64 encodes bytes, with padding.
//
//surge:kernel
func Base64(src []byte) []byte {
	dst := make([]byte, (len(src)+2)/3*4)
	for i, o := 0, 0; i < len(src); i, o = i+3, o+4 {
		var v uint32
		n := min(3, len(src)-i)
		for j := 0; j < n; j++ {
			v |= uint32(src[i+j]) << (16 - 8*j)
		}
		for j := 0; j < 4; j++ {
			if j <= n {
				dst[o+j] = alphabet[v>>(18-6*j)&63]
			} else {
				dst[o+j] = '='
			}
		}
	}
	return dst
}

// ValidUTF8 says which of the texts are valid.
//
//surge:kernel
func ValidUTF8(texts [][]byte) []bool {
	ok := make([]bool, len(texts))
	for i, t := range texts {
		ok[i] = valid(t)
	}
	return ok
}

func valid(s []byte) bool {
	for i := 0; i < len(s); {
		c := s[i]
		var n int
		var least rune
		switch {
		case c < 0x80:
			i++
			continue
		case c>>5 == 6:
			n, least = 1, 0x80
		case c>>4 == 14:
			n, least = 2, 0x800
		case c>>3 == 30:
			n, least = 3, 0x10000
		default:
			return false
		}
		if i+n >= len(s) {
			return false
		}
		r := rune(c) & (0x3f >> n)
		for j := 1; j <= n; j++ {
			b := s[i+j]
			if b>>6 != 2 {
				return false
			}
			r = r<<6 | rune(b&0x3f)
		}
		if r < least || r > 0x10ffff || r >= 0xd800 && r < 0xe000 {
			return false
		}
		i += n + 1
	}
	return true
}

// Murmur hashes keys by MurmurHash3 for 32 bits.
//
//surge:kernel
func Murmur(keys [][]byte, seed uint32) []uint32 {
	const c1, c2 = 0xcc9e2d51, 0x1b873593
	out := make([]uint32, len(keys))
	for i, key := range keys {
		h := seed
		n := len(key) / 4
		for b := 0; b < n; b++ {
			k := uint32(key[4*b]) | uint32(key[4*b+1])<<8 | uint32(key[4*b+2])<<16 | uint32(key[4*b+3])<<24
			h ^= bits.RotateLeft32(k*c1, 15) * c2
			h = bits.RotateLeft32(h, 13)*5 + 0xe6546b64
		}
		var k uint32
		switch tail := key[4*n:]; len(tail) {
		case 3:
			k ^= uint32(tail[2]) << 16
			fallthrough
		case 2:
			k ^= uint32(tail[1]) << 8
			fallthrough
		case 1:
			k ^= uint32(tail[0])
			h ^= bits.RotateLeft32(k*c1, 15) * c2
		}
		h ^= uint32(len(key))
		h ^= h >> 16
		h *= 0x85ebca6b
		h ^= h >> 13
		h *= 0xc2b2ae35
		h ^= h >> 16
		out[i] = h
	}
	return out
}

// ErrNumber says that a field is no number.
var ErrNumber = errors.New("not a number")

func parse(field []byte) (float64, error) {
	i, negative := 0, false
	if i < len(field) && (field[i] == '-' || field[i] == '+') {
		negative = field[i] == '-'
		i++
	}
	value, digits := 0.0, 0
	for ; i < len(field) && '0' <= field[i] && field[i] <= '9'; i++ {
		value = value*10 + float64(field[i]-'0')
		digits++
	}
	if i < len(field) && field[i] == '.' {
		scale := 0.1
		for i++; i < len(field) && '0' <= field[i] && field[i] <= '9'; i++ {
			value += float64(field[i]-'0') * scale
			scale /= 10
			digits++
		}
	}
	if digits == 0 || i < len(field) {
		return 0, ErrNumber
	}
	if negative {
		value = -value
	}
	return value, nil
}

// ParsePrices reads a field of each line of a file.
//
//surge:kernel
func ParsePrices(lines [][]byte, column int) ([]float64, error) {
	out := make([]float64, len(lines))
	for i, line := range lines {
		field, start := 0, 0
		for j := 0; j <= len(line); j++ {
			if j < len(line) && line[j] != ',' {
				continue
			}
			if field == column {
				v, err := parse(line[start:j])
				if err != nil {
					return nil, fmt.Errorf("line %d: %w", i+1, err)
				}
				out[i] = v
				break
			}
			field++
			start = j + 1
		}
	}
	return out, nil
}

// Packed is a block of 128 numbers less their least, in as few bits each as they need.
type Packed struct {
	Base  uint32
	Width int
	Words []uint64
}

// Pack packs numbers in blocks of 128.
//
//surge:kernel
func Pack(xs []uint32) []Packed {
	const block = 128
	out := make([]Packed, (len(xs)+block-1)/block)
	for b := range out {
		part := xs[b*block : min((b+1)*block, len(xs))]
		lo, hi := part[0], part[0]
		for _, v := range part {
			lo, hi = min(lo, v), max(hi, v)
		}
		width := bits.Len32(hi - lo)
		words := make([]uint64, (len(part)*width+63)/64)
		for i, v := range part {
			at := i * width
			words[at/64] |= uint64(v-lo) << (at % 64)
			if at%64+width > 64 {
				words[at/64+1] |= uint64(v-lo) >> (64 - at%64)
			}
		}
		out[b] = Packed{lo, width, words}
	}
	return out
}

// Container holds the low halves of numbers that share the high one: sorted, or as bits.
type Container struct {
	Key    uint16
	Sorted []uint16
	Bits   []uint64
}

// Common counts the numbers that pairs of containers share.
//
//surge:kernel
func Common(as, bs []Container) []int {
	counts := make([]int, len(as))
	for i := range as {
		a, b := as[i], bs[i]
		if a.Key != b.Key {
			continue
		}
		switch {
		case len(a.Bits) > 0 && len(b.Bits) > 0:
			n := 0
			for w, v := range a.Bits {
				n += bits.OnesCount64(v & b.Bits[w])
			}
			counts[i] = n
		case len(a.Bits) > 0:
			counts[i] = inBits(b.Sorted, a.Bits)
		case len(b.Bits) > 0:
			counts[i] = inBits(a.Sorted, b.Bits)
		default:
			counts[i] = merged(a.Sorted, b.Sorted)
		}
	}
	return counts
}

func inBits(sorted []uint16, set []uint64) (n int) {
	for _, v := range sorted {
		if set[v/64]>>(v%64)&1 != 0 {
			n++
		}
	}
	return n
}

func merged(a, b []uint16) int {
	n, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			n++
			i++
			j++
		}
	}
	return n
}
