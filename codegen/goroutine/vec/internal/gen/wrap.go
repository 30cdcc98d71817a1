package gen

import (
	"strings"
	"unicode/utf8"
)

const (
	widest = 120 // characters of a line
	filled = 118 // columns of a line that was filled, tabs taken as four
)

// wrapped fills the paragraphs of comments anew in which a line is wider than it may be: the templates do not know how
// long the names are that go into them. Lists and indented lines stay.
func wrapped(text []byte) []byte {
	lines := strings.Split(string(text), "\n")
	var out []string
	for len(lines) > 0 {
		indent, ok := prose(lines[0])
		end, wide := 1, utf8.RuneCountInString(lines[0]) > widest
		for ok && end < len(lines) {
			if next, more := prose(lines[end]); !more || next != indent {
				break
			}
			wide = wide || utf8.RuneCountInString(lines[end]) > widest
			end++
		}
		if ok && wide {
			out = append(out, fill(indent, lines[:end])...)
		} else {
			out = append(out, lines[:end]...)
		}
		lines = lines[end:]
	}
	return []byte(strings.Join(out, "\n"))
}

// prose returns the indentation of a line that is a comment's text and nothing else.
func prose(line string) (indent string, ok bool) {
	text := strings.TrimLeft(line, "\t")
	rest, ok := strings.CutPrefix(text, "// ")
	return line[:len(line)-len(text)], ok && rest != "" && rest[0] != ' ' && rest[0] != '\t' && !strings.HasPrefix(rest, "- ")
}

func fill(indent string, lines []string) []string {
	var out []string
	line := indent + "//"
	for _, l := range lines {
		for _, word := range strings.Fields(strings.TrimPrefix(strings.TrimLeft(l, "\t"), "//")) {
			if len(indent)*3+utf8.RuneCountInString(line+" "+word) > filled && line != indent+"//" {
				out = append(out, line)
				line = indent + "//"
			}
			line += " " + word
		}
	}
	return append(out, line)
}
