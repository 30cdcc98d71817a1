package load

import (
	"go/ast"
	"strings"
	"testing"
)

// TestExchangedFrontiers has the elements of a slice go to another one where the two change places in Go, and what one
// of them had is not looked at any more.
func TestExchangedFrontiers(t *testing.T) {
	const right = `package p

func K(x []int, n int) int {
	var cur, next []int
	cur = append(cur, x...)
	steps := 0
	for len(cur) > 0 {
		next = next[:0]
		for _, v := range cur {
			if v > n {
				next = append(next, v-1)
			}
		}
		steps++
		cur, next = next, cur
	}
	return steps
}
`
	for name, c := range map[string]struct {
		moved    bool
		old, new string
	}{
		"right":                   {true, "", ""},
		"the other way":           {true, "cur, next = next, cur", "next, cur = cur, next"},
		"emptied with it":         {true, "\t\tnext = next[:0]\n", ""},
		"emptied before too":      {true, "steps := 0", "steps := 0\n\tnext = next[:0]"},
		"used before it is empty": {false, "\t\tnext = next[:0]\n", "\t\tsteps += len(next)\n\t\tnext = next[:0]\n"},
		"emptied sometimes":       {false, "next = next[:0]", "if n > 0 {\n\t\t\tnext = next[:0]\n\t\t}"},
		"used behind it":          {false, "cur, next = next, cur", "cur, next = next, cur\n\t\tsteps += len(next)"},
		"used behind the loop":    {false, "return steps", "return steps + len(next)"},
		"in the condition":        {false, "for len(cur) > 0 {", "for len(cur) > len(next) {"},
		"of the caller":           {false, "var cur, next []int\n\tcur = append(cur, x...)", "cur := x\n\tvar next []int"},
		"an address":              {false, "steps := 0", "steps := 0\n\tp := &next\n\t_ = p"},
		"in a literal":            {false, "steps++", "func() { next[0]++ }()"},
		"one a turn":              {false, "if v > n {\n\t\t\t\tnext = append(next, v-1)\n\t\t\t}", "next = append(next, v-1)"},
		"not these two":           {false, "cur, next = next, cur", "cur, next = next, x"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(right, c.old, c.new, 1)
			if c.old != "" && text == right {
				t.Fatal("the text has no such place")
			}
			if name == "emptied with it" {
				text = strings.Replace(text, "next = next, cur", "next = next, cur[:0]", 1)
			}
			moved, after := rewrittenText(t, text, each(func(r *rewriter, fd *ast.FuncDecl) { r.frontiers(fd, fd.Body, nil) }))
			if moved != c.moved || moved && !strings.Contains(after, "cur = cur[:0]\n\t\tcur = append(cur, next...)") {
				t.Errorf("moved: %v\n%s", moved, after)
			}
		})
	}
}

// TestDeletions deletes where the slice lies, in loops.
func TestDeletions(t *testing.T) {
	const right = `package p

import "slices"

func odd(v int) bool { return v%2 != 0 }

func K(x []int, n int) []int {
	s := slices.Clone(x)
	for k := range n {
		n += k
		s = slices.DeleteFunc(s, func(v int) bool { return v%7 == k })
	}
	return s
}
`
	for name, c := range map[string]struct {
		moved    bool
		old, new string
	}{
		"right":                  {true, "", ""},
		"a function with a name": {true, "func(v int) bool { return v%7 == k }", "odd"},
		"its own elements":       {false, "return v%7 == k", "return v > s[0]"},
		"a function of a call":   {false, "func(v int) bool { return v%7 == k }", "func() func(int) bool { return odd }()"},
		"of the caller":          {false, "s := slices.Clone(x)", "s := x"},
		"to another name":        {false, "s = slices.DeleteFunc", "x = slices.DeleteFunc"},
		"its capacity":           {false, "return s", "return s[:cap(s)]"},
		"not in a loop":          {false, "for k := range n {", "{\n\t\tk := n"},
		"of the turn":            {false, "for k := range n {", "for k := range n {\n\t\ts := slices.Clone(x)"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(right, c.old, c.new, 1)
			if c.old != "" && text == right {
				t.Fatal("the text has no such place")
			}
			if moved, after := rewrittenText(t, text, each((*rewriter).deletions)); moved != c.moved {
				t.Errorf("moved: %v\n%s", moved, after)
			}
		})
	}
}
