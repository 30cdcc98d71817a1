package gen

import (
	"fmt"
	"slices"
	"strings"
	"text/template"
)

// wovenTypes are the types of vectors that are loaded, and stored, several at a time, where their elements take turns
// in memory: those of 256 bits, and bytes in as many lanes of 32. Others are loaded one by one, see [every].
type wovenTypes struct {
	Vectors []vector
	Narrow  []narrow
}

func wovens() wovenTypes {
	bytes := slices.DeleteFunc(narrows(), func(n narrow) bool { return n.Bits != 8 || n.Lanes != 8 })
	return wovenTypes{slices.DeleteFunc(slices.Clone(vectors), func(v vector) bool { return v.Width() != 256 }), bytes}
}

// wovenFuncs are the functions of their templates.
var wovenFuncs = template.FuncMap{
	"strides": func() []int { return strides },
	"letter":  func(k int) string { return "xyzw"[k : k+1] },
	"letters": func(by int) string { return strings.Join(strings.Split("xyzw"[:by], ""), ", ") },
	"part":    part,
	"apart": func(by, k int) string {
		return bytesOf(func(half, at int) int {
			if at%4 != 0 {
				return -1
			}
			return half*(4*by-part(by)) + at/4*by + k
		})
	},
	"woven": func(by, k int) string {
		return bytesOf(func(_, at int) int {
			if at >= 4*by || at%by != k {
				return -1
			}
			return at / by * 4
		})
	},
}

// part is where the second half of a vector is loaded from, so that no more is read than there is.
func part(by int) int { return 8*by - 16 }

// bytesOf lists 32 indices of bytes, each within its half; -1 makes a zero.
func bytesOf(index func(half, at int) int) string {
	var all []string
	for at := range 32 {
		all = append(all, fmt.Sprint(index(at/16, at%16)))
	}
	return strings.Join(all, ", ")
}
