package load

import (
	"context"
	"strings"
	"testing"
)

// TestFilters gives slices that are filtered in place, where memory of their own would be seen to differ: the elements
// that the loop reads are overwritten before, or somebody else has a name for them. These are refused; the first one,
// which is right, is compiled, and so is one that replaces what it was made of, turn by turn.
func TestFilters(t *testing.T) {
	const head = "package p\n\nimport \"slices\"\n\nvar _ = slices.Max[[]int]\n\nfunc keep(s []int, v int) []int { return append(s, v) }\n\n// K is a kernel.\n//\n//surge:kernel\nfunc K(x []int) []int {\n"
	const right = `	s := slices.Clone(x)
	kept := s[:0]
	for _, v := range s {
		if v > 0 {
			kept = append(kept, v)
		}
	}
	return kept
}
`
	for name, c := range map[string]struct{ old, new string }{
		"right":                    {},
		"two appends a turn":       {"kept = append(kept, v)\n", "kept = append(kept, v)\n\t\t\tkept = append(kept, v)\n"},
		"two elements a turn":      {"append(kept, v)", "append(kept, v, v)"},
		"an append in a loop":      {"if v > 0 {", "for v > 0 {\n\t\t\tv--"},
		"an append elsewhere":      {"if v > 0 {", "if t := append(kept, 1, 2); len(t) > 0 {"},
		"a function that may":      {"if v > 0 {", "if t := keep(kept, 1); len(t) > 0 {"},
		"longer than it was":       {"if v > 0 {", "kept = kept[:3]\n\t\tif v > 0 {"},
		"begins behind the loop":   {"s[:0]", "s[:2]"},
		"named before":             {"kept := s", "other := s[1:]\n\tkept := s"},
		"read behind":              {"return kept", "return append(kept, s...)"},
		"read in the loop":         {"v > 0", "v > s[1]"},
		"a parameter":              {"slices.Clone(x)", "x"},
		"of an earlier turn":       {"kept := s[:0]\n", "for s[0] > 1 {\n\ts[0]--\n\tkept := s[:0]\n"},
		"asked for its room":       {"if v > 0 {", "if cap(kept) > 3 {"},
		"in turns":                 {},
		"in turns, kept behind it": {},
		"in turns, made longer":    {},
		"in turns, named":          {},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(right, c.old, c.new, 1)
			if c.old != "" && text == right {
				t.Fatal("the text has no such place")
			}
			if name == "of an earlier turn" {
				text = strings.Replace(text, "\treturn kept\n", "\tx = kept\n\t}\n\treturn x\n", 1)
			}
			if turns, ok := strings.CutPrefix(name, "in turns"); ok {
				other := map[string]string{", named": "\tother := s\n"}[turns]
				text = strings.Replace(text, "\tkept := s[:0]\n", "\tfor len(s) > 3 {\n"+other+"\tkept := s[:0]\n", 1)
				text = strings.Replace(text, "\treturn kept\n", "\ts = kept\n\tx = append(x[:0:0], s...)"+map[string]string{
					"": "", ", kept behind it": "\n\tkept[0]++", ", made longer": "\n\ts = s[:2]", ", named": "\n\tx[0] = other[1]"}[turns]+"\n\t}\n\treturn x\n", 1)
			}
			_, err := Load(context.Background(), module(t, map[string]string{"p.go": head + text}), Options{})
			if (err == nil) != (name == "right" || name == "in turns") {
				t.Errorf("%v\n%s", err, text)
			}
		})
	}
}
