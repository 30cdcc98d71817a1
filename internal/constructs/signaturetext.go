// Text

package constructs

import (
	"github.com/surge-ndp/surge/ops"
)

// LetterCounts counts a letter in a text, in bytes and in words.
//
// Construct: string, []byte and []string as parameters
//
//surge:kernel
func LetterCounts(text string, data []byte, words []string, letter byte) (int, int, []int) {
	count := func(s []byte) int {
		return ops.Reduce(func(a, b int) int { return a + b }, ops.Map(func(c byte) int {
			if c == letter {
				return 1
			}
			return 0
		}, s), 0)
	}
	n := 0
	for i := 0; i < len(text); i++ {
		if text[i] == letter {
			n++
		}
	}
	return n, count(data), ops.Map(func(w string) int {
		n := 0
		for i := 0; i < len(w); i++ {
			if w[i] == letter {
				n++
			}
		}
		return n
	}, words)
}
