package load

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// TestArraysAsMemory gives arrays, of which parts are updated under a name, to kernels for which they are values too,
// or whose memory is seen to be the same from one turn to the next: with slices in their place these would compute
// something else. Some are refused; of the others the parts are places in the array (see Note [Parts with a name]).
func TestArraysAsMemory(t *testing.T) {
	const right = `package p

// K is a kernel.
//
//surge:kernel
func K(x []int) []int {
	out := make([]int, len(x))
	for i := range x {
		var w [4]int
		part := w[:3]
		for j := range part {
			part[j] = x[i] + j
		}
		var memory [4]int
		found := memory[:0]
		for j := range x[i] & 3 {
			found = append(found, j)
		}
		out[i] = w[2] + len(found)
	}
	return out
}
`
	for name, c := range map[string]struct{ old, new string }{
		"right":             {},
		"copied":            {"\t\tpart := w[:3]\n", "\t\told := w\n\t\tpart := w[:3]\n\t\tx[i] = old[1]\n"},
		"copied by a loop":  {"\t\tfor j := range part {\n\t\t\tpart[j] = x[i] + j\n", "\t\tfor j, v := range w {\n\t\t\tpart[2-j&1] = v + j\n"},
		"compared":          {"w[2] + len(found)", "len(found)\n\t\tif w == [4]int{1, 2} {\n\t\t\tout[i]++\n\t\t}"},
		"replaced":          {"\t\tpart := w[:3]\n", "\t\tpart := w[:3]\n\t\tw = [4]int{1, 2}\n"},
		"its address taken": {"\t\tpart := w[:3]\n", "\t\tpart := w[:3]\n\t\tp := &w\n\t\t*p = [4]int{1, 2}\n"},
		"of all turns":      {"\tfor i := range x {\n\t\tvar w [4]int\n", "\tvar w [4]int\n\tfor i := range x {\n"},
		"memory is read":    {"len(found)\n", "len(found) + memory[0]\n"},
		"memory of all turns": {"\t\tvar memory [4]int\n\t\tfound := memory[:0]\n",
			"\t\tfound := memory[:0]\n\t\tif len(x) > 1 {\n\t\t\tfound = memory[:1]\n\t\t}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.ReplaceAll(right, c.old, c.new)
			if c.old == "" {
				text = right
			} else if text == right {
				t.Fatal("the text has no such place")
			}
			if name == "memory of all turns" {
				text = strings.Replace(text, "\tfor i := range x {\n", "\tvar memory [4]int\n\tfor i := range x {\n", 1)
			}
			_, err := Load(context.Background(), module(t, map[string]string{"p.go": text}), Options{})
			if compiles := !slices.Contains([]string{"copied", "memory is read", "memory of all turns"}, name); (err == nil) != compiles {
				t.Errorf("%v\n%s", err, text)
			}
		})
	}
}
