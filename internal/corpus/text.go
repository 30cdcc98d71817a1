// Text processing

package corpus

import "github.com/surge-ndp/surge/ops"

func isSpace(b byte) bool {
	switch b {
	case ' ', '\t', '\n', '\r':
		return true
	}
	return false
}

// CountWords counts the words of a text.
//
//surge:kernel
func CountWords(text string) int {
	starts := ops.Map(func(i int) int {
		if !isSpace(text[i]) && (i == 0 || isSpace(text[i-1])) {
			return 1
		}
		return 0
	}, ops.Range(0, len(text), 1))
	return ops.Reduce(func(a, b int) int { return a + b }, starts, 0)
}

// Levenshtein is how many letters each word is away from another.
//
//surge:kernel
func Levenshtein(words []string, target string) []int {
	return ops.Map(func(word string) int {
		row := make([]int, len(target)+1)
		for j := range row {
			row[j] = j
		}
		for i := 1; i <= len(word); i++ {
			previous := row[0]
			row[0] = i
			for j := 1; j <= len(target); j++ {
				cost := previous
				if word[i-1] != target[j-1] {
					cost++
				}
				previous = row[j]
				row[j] = min(cost, row[j]+1, row[j-1]+1)
			}
		}
		return row[len(target)]
	}, words)
}

const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// Fingerprints hashes words by the function of Fowler, Noll and Vo.
//
//surge:kernel
func Fingerprints(words []string) []uint64 {
	return ops.Map(func(word string) uint64 {
		h := uint64(fnvOffset)
		for _, b := range []byte(word) {
			h ^= uint64(b)
			h *= fnvPrime
		}
		return h
	}, words)
}

// Soundex is the code of a name by its sound.
type Soundex [4]byte

const soundexCodes = "01230120022455012623010202"

// SoundexOf codes names.
//
//surge:kernel
func SoundexOf(names []string) []Soundex {
	return ops.Map(func(name string) Soundex {
		code := Soundex{'0', '0', '0', '0'}
		n, last := 0, byte('0')
		for i := 0; i < len(name) && n < len(code); i++ {
			c := name[i] &^ 0x20
			if c < 'A' || c > 'Z' {
				continue
			}
			digit := soundexCodes[c-'A']
			if n == 0 {
				code[0] = c
				n++
			} else if digit != '0' && digit != last {
				code[n] = digit
				n++
			}
			if c != 'H' && c != 'W' {
				last = digit
			}
		}
		return code
	}, names)
}

// Title writes the first letter of each word as a capital.
//
//surge:kernel
func Title(text []byte) []byte {
	return ops.Map(func(i int) byte {
		c := text[i]
		if 'a' <= c && c <= 'z' && (i == 0 || isSpace(text[i-1])) {
			c -= 'a' - 'A'
		}
		return c
	}, ops.Range(0, len(text), 1))
}
