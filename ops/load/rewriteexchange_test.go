package load

import (
	"strings"
	"testing"
)

// TestExchangesApart checks which assignments are divided.
func TestExchangesApart(t *testing.T) {
	const right = `package p

var kept []int

func least(x []int) int { return x[0] }

func K(x []int, n int) (int, []int) {
	a, b, c, i, sum := make([]int, n), make([]int, n), x, 0, 0
	for k := range n {
		b[k] = a[0] + x[k]
		a, b, sum = b, a, sum+i*len(x)
	}
	return sum + i, c
}
`
	for name, c := range map[string]struct {
		moved bool
		now   string
	}{
		"right":                   {true, "a, b, sum = b, a, sum+i*len(x)"},
		"in another order":        {true, "sum, b, a = b0, a, b"},
		"three":                   {true, "a, sum, b, c, i = b, i, c, a, sum"},
		"an element of another":   {true, "a, b, sum = b, a, c[k]"},
		"nothing else":            {false, "a, b = b, a"},
		"one slice":               {false, "a, sum, i = b, i, sum"},
		"an element of its own":   {false, "a, b, sum = b, a, b[k]"},
		"its length":              {false, "a, b, sum = b, a, len(a)"},
		"a call":                  {false, "a, b, sum = b, a, least(c)"},
		"a part":                  {false, "a, b, sum = b, a[1:], i"},
		"to an element":           {false, "a, b, c[k] = b, a, i"},
		"to a package's variable": {false, "a, kept, sum = b, a, i"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(right, "a, b, sum = b, a, sum+i*len(x)", strings.Replace(c.now, "b0", "k", 1), 1)
			if moved, after := rewrittenText(t, text, each((*rewriter).exchangesApart)); moved != c.moved {
				t.Errorf("moved: %v\n%s", moved, after)
			}
		})
	}
}
