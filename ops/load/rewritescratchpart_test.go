package load

import "testing"

// TestScratchParts gives loops whose turns use the beginning of a buffer: each gets memory of its own where it sets all
// elements of it before it uses any, and keeps no name of it.
func TestScratchParts(t *testing.T) {
	const right = `package p

type room []int

func fill(to []int, x int) {
	for k := range to {
		to[k] = x
	}
}

func same(x []int) []int { return x }

func K(x [][]int, n int) ([]int, [][]int) {
	out, rows := make([]int, len(x)), make([][]int, len(x))
	buf := make([]int, n)
	for i, row := range x {
		w := buf[:i+1]
		for k := range w {
			w[k] = row[k] * i
		}
		for _, v := range w {
			out[i] += v
		}
	}
	return out, rows
}
`
	const named, filled, read = "\t\tw := buf[:i+1]\n", "\t\t\tw[k] = row[k] * i\n", "\t\t\tout[i] += v\n"
	const made = "\tbuf := make([]int, n)\n"
	for name, c := range map[string]struct {
		moved    bool
		old, new string
	}{
		"right":                        {true, "", ""},
		"from 0 on":                    {true, named, "\t\tw := buf[0 : i+1]\n"},
		"by a function":                {true, named, named + "\t\tfill(w, i)\n"},
		"by a loop that counts":        {true, "for k := range w {", "for k := 0; k <= i; k++ {"},
		"of an array":                  {true, made, "\tvar buf [100]int\n"},
		"of an array that is written":  {true, made, "\tbuf := [100]int{}\n"},
		"beside another":               {true, made + "#" + named, "\tbuf, other := make([]int, n), make([]int, n)\n#\t\tw, v := buf[:i+1], other[:i]\n\t\tclear(v)\n"},
		"copied from its own length":   {true, "\t\tfor k := range w {\n" + filled + "\t\t}\n", "\t\tcopy(w, row[len(row)-len(w):])\n"},
		"in a loop in a loop":          {true, "\tfor i, row := range x {\n#\treturn out", "\tfor range n {\n\tfor i, row := range x {\n#\t}\n\treturn out"},
		"a part of it":                 {true, read, read + "\t\t\tz := w[1:]\n\t\t\tz[0]++\n"},
		"from 1 on":                    {false, named, "\t\tw := buf[1 : i+1]\n"},
		"of another length":            {false, "for k := range w {", "for k := range i {"},
		"a length that changes":        {false, named + "#for k := range w {", "\t\tm := i\n\t\tw := buf[:m]\n\t\tm--\n#for k := range m {"},
		"twice":                        {false, named, named + "\t\tv := buf[:i]\n\t\tout[i] += len(v)\n"},
		"read before":                  {false, named, named + "\t\tout[i] = w[0]\n"},
		"used beside":                  {false, named, named + "\t\tbuf[0] = 1\n"},
		"its end is its own":           {false, named, "\t\tw := buf[:buf[0]]\n"},
		"set before the loop":          {false, made, made + "\tbuf[0] = 1\n"},
		"read behind the loop":         {false, "\treturn out", "\tout[0] = buf[0]\n\treturn out"},
		"kept in a row":                {false, read, read + "\t\t\trows[i] = w\n"},
		"kept by a function":           {false, read, read + "\t\t\trows[i] = same(w)\n"},
		"kept by an address":           {false, read, read + "\t\t\tp := &w[0]\n\t\t\t*p = 1\n"},
		"longer than it was":           {false, read, read + "\t\t\tw = w[:cap(w)]\n"},
		"of a named type":              {false, made, "\tbuf := make(room, n)\n"},
		"turns need each other":        {false, read, "\t\t\tif i > 0 {\n\t\t\t\tout[i] = out[i-1] + v\n\t\t\t}\n"},
		"make is hidden":               {false, named, "\t\tmake := i\n\t\tw := buf[:make+1]\n"},
		"len is hidden":                {false, named, "\t\tlen := i\n\t\tw := buf[:len+1]\n"},
		"its element's type is hidden": {false, named, "\t\tint := i\n\t\tw := buf[:int+1]\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if moved, after := rewrittenText(t, replacedText(t, right, c.old, c.new), (*rewriter).scratches); moved != c.moved {
				t.Errorf("moved: %v\n%s", moved, after)
			}
		})
	}
}
