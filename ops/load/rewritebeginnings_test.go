package load

import (
	"strings"
	"testing"
)

// TestBeginnings gives buffers of which turns use the beginning, which gets a name, or not: where a turn may use more,
// or where it may not be in the buffer.
func TestBeginnings(t *testing.T) {
	const right = `package p

func sum(x []int) (s int) {
	for _, v := range x {
		s += v
	}
	return s
}

func f(n, m int) []int {
	out := make([]int, n)
	buf := make([]int, n)
	for i := 0; i < n; i++ {
		for h := 0; h < m; h++ {
			for j := 0; j <= i; j++ {
				buf[j] = h * j
			}
			out[i] += sum(buf[:i+1])
			for j := range i {
				out[i] += buf[j]
			}
		}
	}
	return out
}
`
	for name, c := range map[string]struct {
		named    bool
		old, new string
	}{
		"right":                       {true, "", ""},
		"shorter":                     {true, "buf[:i+1]#j <= i", "buf[:i]#j < i"},
		"a longer buffer":             {true, "buf := make([]int, n)", "buf := make([]int, n+1)"},
		"two more":                    {false, "buf[:i+1]", "buf[:i+2]"},
		"two more of a longer buffer": {true, "buf[:i+1]#buf := make([]int, n)", "buf[:i+2]#buf := make([]int, n+1)"},
		"a shorter buffer":            {false, "buf := make([]int, n)", "buf := make([]int, n-1)"},
		"another length":              {false, "buf := make([]int, n)", "buf := make([]int, m)"},
		"from below 0":                {false, "for i := 0; i < n; i++ {#out[i] += sum(", "for i := -3; i < n; i++ {#out[max(i, 0)] += sum("},
		"in other steps":              {false, "i++ {\n\t\tfor h", "i -= 2 {\n\t\tfor h"},
		"more is set":                 {false, "j <= i; j++", "j <= i+1; j++"},
		"more is read":                {false, "range i {", "range n {"},
		"all is read":                 {false, "range i {", "range buf {"},
		"the length is read":          {false, "buf[:i+1])", "buf[:i+1]) + len(buf)"},
		"a part from elsewhere":       {false, "buf[:i+1])", "buf[:i+1]) + sum(buf[1:i])"},
		"by h":                        {false, "buf[:i+1]", "buf[:h+1]"},
		"i changes":                   {false, "out[i] += sum(buf[:i+1])", "out[i] += sum(buf[:i+1])\n\t\t\ti++"},
		"by a literal":                {false, "out[i] += sum(buf[:i+1])", "func() { out[i] += sum(buf[:i+1]) }()"},
	} {
		t.Run(name, func(t *testing.T) {
			_, after := rewrittenText(t, replacedText(t, right, c.old, c.new), each((*rewriter).beginnings))
			if named := strings.Contains(after, "bufPart := buf[:"); named != c.named {
				t.Errorf("named: %v\n%s", named, after)
			}
			if c.named && strings.Count(after, "buf[") != 1 {
				t.Errorf("the buffer is still used\n%s", after)
			}
		})
	}
}
