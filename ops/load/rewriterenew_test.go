package load

import (
	"strings"
	"testing"
)

// TestRenewals checks which statements are rewritten that fill a slice anew.
func TestRenewals(t *testing.T) {
	const right = `package p

import "slices"

type text string

var kept []int

func least(x []int) int { return x[0] }

func K(x []int, n int) []int {
	a, b, names := make([]int, 0, n), make([]bool, n), []text(nil)
	for k := range n {
		a = append(a[:0], k, x[k])
		b[k%2] = a[0] > least(a)
	}
	names = slices.Clone(names)
	_, _ = b, kept
	return a
}
`
	for name, c := range map[string]struct {
		moved bool
		now   string
	}{
		"right":                  {true, "a = append(a[:0], k, x[k])"},
		"all of another":         {true, "a = append(a[:0], x...)"},
		"a call":                 {true, "a = append(a[:0], least(x))"},
		"zeros":                  {true, "a = append(a[:0], make([]int, n)...)"},
		"grown and cleared":      {true, "a = slices.Grow(a[:0], n)[:n]\n\t\tclear(a)"},
		"bools":                  {true, "b = slices.Grow(b[:0], len(x))[:len(x)]\n\t\tclear(b)\n\t\ta = []int{k}"},
		"beside others":          {true, "b[k%2], a = x[k] > 0, a[:0]\n\t\ta = append(a, k)"},
		"beside its element":     {false, "b[k%2], a = a[0] > 0, a[:0]"},
		"beside a call":          {false, "b[k%2], a = least(x) > 0, a[:0]"},
		"another beside others":  {false, "b[k%2], a = x[k] > 0, x[:0]"},
		"not emptied":            {false, "a = append(a[:1], k)"},
		"its own elements":       {false, "a = append(a[:0], a[1:]...)"},
		"its own length":         {false, "a = append(a[:0], len(a))"},
		"under another name":     {false, "a = append(x[:0], k)"},
		"a package's":            {false, "kept = append(kept[:0], k)\n\t\ta = []int{k}"},
		"a literal's":            {false, "a = append(a[:0], func() int { return a[0] }())"},
		"grown alone":            {false, "a = slices.Grow(a[:0], n)[:n]\n\t\ta[0] = 1"},
		"another is cleared":     {false, "a = slices.Grow(a[:0], n)[:n]\n\t\tclear(b)"},
		"grown by another":       {false, "a = slices.Grow(a[:0], n)[:k]\n\t\tclear(a)"},
		"grown by itself":        {false, "a = slices.Grow(a[:0], len(a))[:len(a)]\n\t\tclear(a)"},
		"grown from the middle":  {false, "a = slices.Grow(a[:0], n)[1:n]\n\t\tclear(a)"},
		"grown by a call":        {false, "a = slices.Grow(a[:0], least(x))[:least(x)]\n\t\tclear(a)"},
		"elements with a name":   {false, "names = slices.Grow(names[:0], n)[:n]\n\t\tclear(names)\n\t\ta = []int{k}"},
		"not what it had before": {false, "a = slices.Grow(a, n)[:n]\n\t\tclear(a)"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(right, "a = append(a[:0], k, x[k])", c.now, 1)
			if moved, after := rewrittenText(t, text, each((*rewriter).renewals)); moved != c.moved {
				t.Errorf("moved: %v\n%s", moved, after)
			}
		})
	}
}
