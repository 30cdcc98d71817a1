package load

import (
	"context"
	"strings"
	"testing"
)

// TestTables gives maps to kernels that are no tables, because something may change them, or because of what they hold.
// The first one is a table.
func TestTables(t *testing.T) {
	const right = `package p

var weights = map[string]int{"a": 1, "b": 2}

func other(k string) {}

// K is a kernel.
//
//surge:kernel
func K(x []string) []int {
	out := make([]int, len(x))
	for i, s := range x {
		if w, ok := weights[s]; ok {
			out[i] = w + weights["a"]
		}
	}
	return out
}
`
	for name, c := range map[string]struct{ old, new string }{
		"right":              {},
		"assigned":           {"func other(k string) {}", "func other(k string) { weights[k] = 2 }"},
		"assigned with many": {"func other(k string) {}", "func other(k string) { _, weights[k] = 1, 2 }"},
		"counted up":         {"func other(k string) {}", "func other(k string) { weights[k]++ }"},
		"deleted from":       {"func other(k string) {}", "func other(k string) { delete(weights, k) }"},
		"passed on":          {"func other(k string) {}", "func other(k string) { clear(weights) }"},
		"replaced":           {"func other(k string) {}", "func init() { weights = nil }"},
		"named twice":        {"func other(k string) {}", "var again = weights\n\nfunc init() { again[\"c\"] = 3 }"},
		"without a constant": {"\"b\": 2", "\"b\": size()"},
		"exported":           {"weights", "Weights"},
		"texts as values":    {"map[string]int{\"a\": 1, \"b\": 2}", "map[string]string{\"a\": \"1\"}"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.ReplaceAll(right, c.old, c.new)
			if c.old == "" {
				text = right
			} else if text == right {
				t.Fatal("the text has no such place")
			}
			text += "\nfunc size() int { return len(\"ab\") }\n"
			if name == "texts as values" {
				text = strings.ReplaceAll(text, "= w + weights[\"a\"]", "= len(w)")
			}
			p, err := Load(context.Background(), module(t, map[string]string{"p.go": text}), Options{})
			if (err == nil) != (name == "right") {
				t.Fatalf("%v\n%s", err, text)
			}
			if err != nil && !strings.Contains(err.Error(), "["+CodeMapType+"]") && !strings.Contains(err.Error(), "["+CodeElement+"]") {
				t.Errorf("it is refused as %v", err)
			}
			if err == nil && len(p.Kernels) != 1 {
				t.Error(p.Kernels)
			}
		})
	}
}
