package load

import (
	"strings"
	"testing"
)

// TestGrownBuffers gives buffers that turns make longer where they have to, and that each turn may have one of its own,
// or not: where a turn would read what one before left there, or the buffer is left to others.
func TestGrownBuffers(t *testing.T) {
	const right = `package p

type list struct{ n int }

func sum(x []int) (s int) {
	for _, v := range x {
		s += v
	}
	return s
}

func f(x [][]int, m int) []int {
	out := make([]int, len(x))
	rows := make([][]int, len(x))
	var buf, two []int
	for i, row := range x {
		if len(row) == m {
			continue
		}
		n := len(row)
		if cap(buf) < n {
			buf = make([]int, n)
		}
		buf = buf[:n]
		if len(two) < len(row)+1 {
			two = make([]int, len(row)+1)
		}
		for k, v := range row {
			buf[k] = v + m
		}
		for k := range len(row) + 1 {
			two[k] = k
		}
		for k := range row {
			two[k+1] += two[k]
		}
		out[i] += sum(buf)
	}
	rows[0] = out
	return out
}
`
	grow := func(body string) string {
		return "type list struct{ n int }\n\nfunc grow[T any](s []T, n int) []T { " + body + " }"
	}
	const room = "\t\tif cap(buf) < n {\n\t\t\tbuf = make([]int, n)\n\t\t}\n\t\tbuf = buf[:n]\n"
	for name, c := range map[string]struct {
		moved    bool
		old, new string
	}{
		"right":                       {true, "", ""},
		"with more room":              {true, "make([]int, n)\n", "make([]int, n, 2*n)\n"},
		"of a type of its own":        {false, "type list struct{ n int }#var buf, two []int", "type list []int#var buf list\n\tvar two []int"},
		"not used":                    {false, "\t\tfor k, v := range row {\n\t\t\tbuf[k] = v + m\n\t\t}\n#sum(buf)", "#n"},
		"its name is hidden":          {false, "out[i] += sum(buf)", "out[i] += sum(buf)\n\t\tif buf := m; buf > 0 {\n\t\t\tout[i] += buf\n\t\t}"},
		"with half as much more":      {true, "make([]int, n)\n", "make([]int, n, n+n/2)\n"},
		"with half as much less":      {false, "make([]int, n)\n", "make([]int, n, n-n/2)\n"},
		"by a function":               {true, room + "#type list struct{ n int }", "\t\tbuf = grow(buf, n)\n#" + grow("if cap(s) < n { return make([]T, n) }; return s[:n]")},
		"that asks first":             {true, room + "#type list struct{ n int }", "\t\tbuf = grow(buf, n)\n#" + grow("if n <= cap(s) { return s[:n] }; return make([]T, n, 2*n)")},
		"that assigns":                {true, room + "#type list struct{ n int }", "\t\tbuf = grow(buf, n)\n#" + grow("if cap(s) < n { s = make([]T, n) }; return s[:n]")},
		"that makes room only":        {false, room + "#type list struct{ n int }", "\t\tbuf = grow(buf, n)\n#" + grow("if cap(s) < n { return make([]T, n) }; return s")},
		"that makes less":             {false, room + "#type list struct{ n int }", "\t\tbuf = grow(buf, n)\n#" + grow("if cap(s) < n { return make([]T, n/2, n) }; return s[:n]")},
		"that cuts off the beginning": {false, room + "#type list struct{ n int }", "\t\tbuf = grow(buf, n)\n#" + grow("if cap(s) < n { return make([]T, n) }; return s[1:n]")},
		"of another buffer":           {false, room + "#type list struct{ n int }", "\t\tbuf = grow(two, n)\n#" + grow("if cap(s) < n { return make([]T, n) }; return s[:n]")},
		"for another length":          {false, room + "#type list struct{ n int }", "\t\tbuf = grow(buf, m+n)\n#" + grow("if cap(s) < n { return make([]T, n) }; return s[:n]")},
		"with another room":           {false, "make([]int, n)\n", "make([]int, n, m)\n"},
		"the size is greater":         {true, "cap(buf) < n", "n > cap(buf)"},
		"copied to":                   {true, "\t\tfor k, v := range row {\n\t\t\tbuf[k] = v + m\n\t\t}\n", "\t\tcopy(buf, row)\n"},
		"cleared":                     {true, "\t\tfor k, v := range row {\n\t\t\tbuf[k] = v + m\n\t\t}\n", "\t\tclear(buf)\n\t\tfor _, v := range row {\n\t\t\tbuf[v] += m\n\t\t}\n"},
		"both in one":                 {true, room + "#\t\tif len(two) < len(row)+1 {\n\t\t\ttwo = make([]int, len(row)+1)\n\t\t}\n#range len(row) + 1 {\n\t\t\ttwo[k] = k\n#two[k+1] +=", "\t\tif cap(buf) < n {\n\t\t\tbuf, two = make([]int, n), make([]int, n)\n\t\t}\n\t\tbuf, two = buf[:n], two[:n]\n##range n {\n\t\t\ttwo[k] = k\n#two[k] +="},
		"made before":                 {true, "var buf, two []int", "var two []int\n\tbuf := make([]int, 4)"},
		"counted by for":              {true, "for k := range len(row) + 1 {", "for k := 0; k <= len(row); k++ {"},
		"the first one is read":       {true, "out[i] += sum(buf)", "out[i] += sum(buf) + two[0]"},
		"a part of it":                {true, "out[i] += sum(buf)", "out[i] += sum(buf) + sum(two[:len(row)+1])"},
		"not all are set":             {false, "\t\tfor k, v := range row {\n\t\t\tbuf[k]", "\t\tfor k, v := range row[:m] {\n\t\t\tbuf[k]"},
		"under a condition":           {false, "\t\t\tbuf[k] = v + m\n", "\t\t\tif v > 0 {\n\t\t\t\tbuf[k] = v + m\n\t\t\t}\n"},
		"not cut":                     {false, "\t\tbuf = buf[:n]\n", ""},
		"cut to another length":       {false, "buf = buf[:n]", "buf = buf[:m]"},
		"made with another length":    {false, "buf = make([]int, n)", "buf = make([]int, m)"},
		"used behind the loop":        {false, "rows[0] = out", "rows[0] = buf"},
		"used before":                 {false, "\t\tn := len(row)\n", "\t\tn := len(row)\n\t\tout[i] = len(buf)\n"},
		"kept":                        {false, "out[i] += sum(buf)", "out[i] += sum(buf)\n\t\trows[i] = buf"},
		"its room is asked for":       {false, "out[i] += sum(buf)", "out[i] += cap(buf)"},
		"the size changes":            {false, "\t\tbuf = buf[:n]\n", "\t\tbuf = buf[:n]\n\t\tn--\n"},
		"by a literal":                {false, "out[i] += sum(buf)", "g := func() int { return sum(buf) }\n\t\tout[i] += g()"},
		"turns need each other":       {false, "out[i] += sum(buf)", "out[i] = sum(buf) + out[max(i-1, 0)]"},
		"the length is asked for":     {false, "out[i] += sum(buf)", "out[i] += sum(buf) + len(two)"},
		"all of it":                   {false, "out[i] += sum(buf)", "out[i] += sum(buf) + sum(two)"},
		"a part that may be longer":   {false, "out[i] += sum(buf)", "out[i] += sum(buf) + sum(two[:m])"},
		"an index that is not known":  {false, "out[i] += sum(buf)", "out[i] += sum(buf) + two[m]"},
		"an index that is too great":  {false, "two[k+1] += two[k]", "two[k+2] += two[k]"},
		"a constant index":            {false, "out[i] += sum(buf)", "out[i] += sum(buf) + two[1]"},
		"a counter that is assigned":  {false, "two[k+1] += two[k]", "k += m\n\t\t\ttwo[k+1] += two[k]"},
		"a size that may be negative": {false, "len(two) < len(row)+1 {#make([]int, len(row)+1)", "len(two) < len(row)-m {#make([]int, len(row)-m)"},
	} {
		t.Run(name, func(t *testing.T) {
			_, after := rewrittenText(t, replacedText(t, right, c.old, c.new), (*rewriter).grownBuffers)
			if buf, two := strings.Contains(after, "\t\tbuf := make("), strings.Contains(after, "\t\ttwo := make("); (buf && two) != c.moved {
				t.Errorf("moved: %v, %v\n%s", buf, two, after)
			}
		})
	}
}
