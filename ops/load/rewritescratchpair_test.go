package load

import (
	"strings"
	"testing"
)

// TestScratchPairs checks which buffers that change places become those of turns.
func TestScratchPairs(t *testing.T) {
	const right = `package p

func least(a []int, one, two []int) int {
	for j := range one {
		one[j] = j
	}
	for k, x := range a {
		two[0] = k
		for j := 1; j < len(two); j++ {
			two[j] = min(two[j-1], one[j-1], one[j]) + x
		}
		one, two = two, one
	}
	return one[0]
}

func kept(a, b []int) []int { return a }

func K(x [][]int, n int) ([]int, [][]int) {
	out, rows := make([]int, len(x)), make([][]int, len(x))
	prev, cur, more := make([]int, n+1), make([]int, n+1), make([]int, n+1)
	more[0] = 1
	for r, row := range x {
		for j := range prev {
			prev[j] = j
		}
		for i, v := range row {
			cur[0] = i
			for j := 1; j <= n; j++ {
				cur[j] = min(cur[j-1], prev[j-1], prev[j]) + v
			}
			prev, cur = cur, prev
		}
		out[r] = prev[n]
	}
	return out, rows
}
`
	begin, end := strings.Index(right, "\t\tfor j := range prev {\n\t\t\tprev[j] = j\n\t\t}\n\t\tfor i, v"), strings.Index(right, "\t\tout[r] = prev[n]\n")
	loop := right[begin:end]
	const call = "\t\tout[r] += least(row, prev, cur)\n"
	for name, c := range map[string]struct {
		moved    bool
		old, new string
	}{
		"right":                      {true, "", ""},
		"by a function":              {true, loop + "#out[r] = prev[n]", call + "#"},
		"by a function, twice":       {true, loop + "#out[r] = prev[n]", call + call + "#"},
		"parts by a function":        {true, loop + "#out[r] = prev[n]", "\t\tout[r] += least(row, prev[:n], cur[:n])\n#"},
		"parts of it":                {true, loop + "#out[r] = prev[n]", "\t\tif y := least(row, prev[1:], cur[1:]); y > 3 {\n\t\t\tout[r] = y\n\t\t}\n#"},
		"a length that has changed":  {true, "prev, cur, more :=#n+1), make([]int, n+1)#j <= n#prev[n]", "m := 0\n\tfor _, row := range x {\n\t\tm = max(m, len(row))\n\t}\n\tprev, cur, more :=#m+1), make([]int, m+1)#j <= m#prev[m]"},
		"three":                      {true, "\tmore[0] = 1\n#prev, cur = cur, prev#\t\tfor j := range prev {\n\t\t\tprev[j] = j\n", "#prev, cur, more = more, prev, cur#\t\tclear(more)\n\t\tfor j := range prev {\n\t\t\tprev[j] = j\n"},
		"under a condition":          {true, "\t\t\tprev, cur = cur, prev\n", "\t\t\tif v > 3 {\n\t\t\t\tprev, cur = cur, prev\n\t\t\t}\n"},
		"read beside":                {true, "out[r] = prev[n]", "out[r] = prev[n] + prev[0]"},
		"one that is not set":        {false, "out[r] = prev[n]", "out[r] = prev[n] + cur[0]"},
		"the first is not set":       {false, "\t\t\tcur[0] = i\n", "\t\t\t_ = i\n"},
		"the last is not set":        {false, "j <= n", "j < n"},
		"the next one is read":       {false, "cur[j-1], prev[j-1]", "cur[j+1], prev[j-1]"},
		"one from before is read":    {false, "cur[j-1], prev[j-1]", "cur[j-2], prev[j-1]"},
		"itself is read":             {false, "cur[j-1], prev[j-1]", "cur[j], prev[j-1]"},
		"the other is not set":       {false, "\t\t\tprev[j] = j\n", "\t\t\tif j > 1 {\n\t\t\t\tprev[j] = j\n\t\t\t}\n"},
		"exchanged before it is set": {false, "\t\t\tcur[0] = i\n", "\t\t\tprev, cur = cur, prev\n\t\t\tcur[0] = i\n"},
		"a turn goes on":             {false, "\t\t\tprev, cur = cur, prev\n", "\t\t\tif v > 3 {\n\t\t\t\tcontinue\n\t\t\t}\n\t\t\tprev, cur = cur, prev\n"},
		"another is exchanged":       {false, "prev, cur = cur, prev", "prev, more = more, prev"},
		"both are one":               {false, "prev, cur = cur, prev", "prev, cur = cur, cur"},
		"of two lengths":             {false, "make([]int, n+1), make([]int, n+1), make", "make([]int, n+1), make([]int, n+2), make"},
		"set, of two lengths":        {false, "make([]int, n+1), make([]int, n+1), make#\t\tfor j := range prev {", "make([]int, n+1), make([]int, n+2), make#\t\tclear(prev)\n\t\tclear(cur)\n\t\tfor j := range prev {"},
		"a length that changes":      {false, "\t\tout[r] = prev[n]\n", "\t\tout[r] = prev[0]\n\t\tn++\n"},
		"used behind":                {false, "\treturn out", "\tout[0] = prev[0]\n\treturn out"},
		"kept":                       {false, "\t\tout[r] = prev[n]\n", "\t\trows[r] = prev\n"},
		"kept by a function":         {false, "\t\tout[r] = prev[n]\n", "\t\trows[r] = kept(prev, cur)\n"},
		"the function reads":         {false, loop + "#out[r] = prev[n]#two[0] = k\n", call + "##two[1] = k\n"},
		"the function has another":   {false, loop + "#out[r] = prev[n]#\t\tone, two = two, one\n", call + "##\t\tone, two = two, a\n"},
		"parts of two lengths":       {false, loop + "#out[r] = prev[n]", "\t\tout[r] += least(row, prev[:n], cur[1:n])\n#"},
		"beside a part":              {false, loop + "#out[r] = prev[n]", "\t\tout[r] += least(row, prev, cur) + prev[0]\n#"},
		"by a literal":               {false, loop + "#out[r] = prev[n]", "\t\tf := func() int { return least(row, prev, cur) }\n\t\tout[r] += f()\n#"},
	} {
		t.Run(name, func(t *testing.T) {
			text := replacedText(t, right, c.old, c.new)
			_, after := rewrittenText(t, text, (*rewriter).scratches)
			at := strings.Index(after, "for r, row")
			if moved := strings.Contains(after[at:], "prev := make(") && strings.Contains(after[at:], "cur := make("); moved != c.moved {
				t.Errorf("moved: %v\n%s", moved, after)
			}
		})
	}
}
