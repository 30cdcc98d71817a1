package load

import (
	"strings"
	"testing"
)

// TestRowsFirst makes all rows of a table before the loop that fills them, where nobody can tell: every row is made, of
// one length, and none is looked at before.
func TestRowsFirst(t *testing.T) {
	const right = `package p

func least(rows [][]int) int { return len(rows[0]) }

func K(a, b []int, n, m int) [][]int {
	w := len(b) + 1
	table := make([][]int, len(a)+1)
	table[0] = make([]int, w)
	table[0][0] = 1
	for i := range a {
		before := i
		table[i+1] = make([]int, w)
		for j := range b {
			table[i+1][j+1] = table[i][j] + before
		}
	}
	n, m = m, n
	return table
}
`
	for name, c := range map[string]struct {
		now      string
		old, new string
	}{
		"right":                    {"rows", "", ""},
		"for to a number":          {"rows", "i := range a", "i := 0; i < len(a); i++"},
		"for from nought":          {"rows", "i := range a {", "i := 0; i < len(a); i++ {"},
		"fewer turns":              {"", "i := range a", "i := range len(a) - 1"},
		"from the second on":       {"", "i := range a", "i := 1; i < len(a); i++"},
		"by two":                   {"", "i := range a", "i := 0; i < len(a); i += 2"},
		"a number of rows":         {"", "make([][]int, len(a)+1)", "make([][]int, n)"},
		"too few lengths":          {"", "make([][]int, len(a)+1)", "make([][]int, len(a))"},
		"another length":           {"", "make([]int, w)\n\t\tfor", "make([]int, w+1)\n\t\tfor"},
		"a length that changes":    {"", "len(b) + 1\n", "len(b) + 1\n\tw++\n"},
		"a length of the turn":     {"", "make([]int, w)\n\t\tfor", "make([]int, i)\n\t\tfor"},
		"a length from behind":     {"", "table[0] = make([]int, w)", "u := w\n\ttable[0] = make([]int, u)"},
		"a row of the turn before": {"rows", "before := i", "before := table[i][0]"},
		"a row before it is made":  {"", "before := i", "before := len(table[i+1])"},
		"the row of a later turn":  {"", "table[i][j] +", "len(table[min(i+2, len(a))]) +"},
		"a row that it looks up":   {"", "table[i][j] +", "table[b[j]][j] +"},
		"left early":               {"", "before := i", "before := i\n\t\tif i > 9 {\n\t\t\tbreak\n\t\t}"},
		"a return":                 {"", "before := i", "before := i\n\t\tif i > 9 {\n\t\t\treturn nil\n\t\t}"},
		"a turn without a row":     {"", "before := i", "before := i\n\t\tif i > 9 {\n\t\t\tcontinue\n\t\t}"},
		"given to a function":      {"", "before := i", "before := least(table)"},
		"another name":             {"", "table[0][0] = 1", "other := table\n\tother[0][0] = 1"},
		"another row":              {"", "table[0][0] = 1", "table[0] = b"},
		"rows that change places":  {"", "before := i", "before := i\n\t\ttable[0], table[i] = table[i], table[0]"},
		"stored at the end": {"rows", "table[i+1] = make([]int, w)\n\t\tfor j := range b {\n\t\t\ttable[i+1][j+1] = table[i][j] + before\n\t\t}",
			"row := make([]int, w)\n\t\tfor j := range b {\n\t\t\trow[j+1] = table[i][j] + before\n\t\t}\n\t\ttable[i+1] = row"},
		"stored, and another row": {"", "table[i+1] = make([]int, w)\n\t\tfor j := range b {\n\t\t\ttable[i+1][j+1] = table[i][j] + before\n\t\t}",
			"row := make([]int, w)\n\t\tfor j := range b {\n\t\t\trow[j+1] = table[i][j] + before\n\t\t}\n\t\trow = b\n\t\ttable[i+1] = row"},
		"stored, and looked at before": {"", "table[i+1] = make([]int, w)\n\t\tfor j := range b {\n\t\t\ttable[i+1][j+1] = table[i][j] + before\n\t\t}",
			"row := make([]int, w)\n\t\tfor j := range b {\n\t\t\trow[j+1] = before + len(table[i+1])\n\t\t}\n\t\ttable[i+1] = row"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(right, c.old, c.new, 1)
			if c.old != "" && text == right {
				t.Fatal("the text has no such place")
			}
			_, after := rewrittenText(t, text, (*rewriter).rowsInTable)
			if stored := strings.HasPrefix(name, "stored"); stored && c.now != "" {
				if !strings.Contains(strings.Join(strings.Fields(after), " "), "table[i+1] = make([]int, w) row := table[i+1]") {
					t.Fatalf("the row is not made in the table:\n%s", after)
				}
			}
			_, after = rewrittenText(t, after, (*rewriter).rowsFirst)
			if made := strings.Contains(after, "range table {"); made != (c.now != "") {
				t.Errorf("made before: %v\n%s", made, after)
			}
		})
	}
}

// TestRowsAtTheBeginning lets a turn begin with the row that it makes, where no row is made before the loop.
func TestRowsAtTheBeginning(t *testing.T) {
	const right = `package p

func K(a [][]int, w int) [][]int {
	table := make([][]int, len(a))
	for i, row := range a {
		at := i
		table[i] = make([]int, w)
		for j := range w {
			at = (at + row[j]) & 7
			table[i][j] = at
		}
	}
	return table
}
`
	for name, c := range map[string]struct {
		now      string // what a turn begins with
		old, new string
	}{
		"right":                        {"table[i] = make([]int, w)", "", ""},
		"a row of the turn before":     {"table[i] = make([]int, w)", "at := i\n", "at := i\n\t\tif i > 0 {\n\t\t\tat = table[i-1][0]\n\t\t}\n"},
		"the row itself":               {"at := i", "at := i\n", "at := i + len(table[i])\n"},
		"a place that the turn names":  {"at := i", "table[i] = make", "table[at] = make"},
		"another name of its number":   {"k := i", "at := i\n\t\ttable[i] = make", "k := i\n\t\tat := 0\n\t\ttable[k] = make"},
		"a length that the turn names": {"at := i", "make([]int, w)", "make([]int, at)"},
		"a turn without a row":         {"at := i", "at := i\n", "at := i\n\t\tif len(row) < w {\n\t\t\tcontinue\n\t\t}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(right, c.old, c.new, 1)
			if c.old != "" && text == right {
				t.Fatal("the text has no such place")
			}
			_, after := rewrittenText(t, text, (*rewriter).rowsFirst)
			if !strings.Contains(strings.Join(strings.Fields(after), " "), "range a { "+c.now) {
				t.Errorf("a turn does not begin with %s:\n%s", c.now, after)
			}
		})
	}
}
