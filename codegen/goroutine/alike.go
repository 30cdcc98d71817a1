package goroutine

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	// declarations of locals: by :=, by var, and the parameters of a function, of which only the name stands behind it.
	declarations = regexp.MustCompile(`(\w+(?:, \w+)*) :=|var (\w+(?:, \w+)*) `)
	// words are names, with the dot before those of fields and of packages' members, and comments.
	words = regexp.MustCompile(` *//[^\n]*|\.?[A-Za-z_]\w*`)
)

// alike is the same text for functions that differ in the names of their locals, and in comments, alone. text is what
// stands behind a function's name.
func alike(text string) string {
	local := map[string]string{}
	declare := func(list string) {
		for _, name := range strings.Split(list, ", ") {
			name, _, _ = strings.Cut(name, " ")
			if local[name] == "" && name != "" {
				local[name] = "?"
			}
		}
	}
	params, _, _ := strings.Cut(strings.TrimPrefix(text, "("), ")")
	declare(params)
	for _, m := range declarations.FindAllStringSubmatch(text, -1) {
		declare(m[1] + m[2])
	}
	n := 0
	return words.ReplaceAllStringFunc(text, func(word string) string {
		if strings.Contains(word, "//") {
			return ""
		}
		switch local[word] {
		case "":
			return word
		case "?":
			n++
			local[word] = "$" + strconv.Itoa(n)
		}
		return local[word]
	})
}
