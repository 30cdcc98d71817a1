package fuse_test

import (
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/load"
)

// TestInOrder checks what is said of loops that run in order: which dependence is the reason, and at which lines. A
// line is given as the text that stands there.
func TestInOrder(t *testing.T) {
	wants := map[string][]string{
		"Sum": nil, "Bins": nil, "Thirds": nil, "Pairs": {"", "an element of bins", "bins[i] += bins[i-1]", "bins[i] += bins[i-1]"}, "AnyOrder": nil,
		"Floats":     {"for _, v := range x", "the line //surge:reassociate"},
		"FloatBins":  {"for i, b := range at", "the line //surge:reassociate"},
		"Recurrence": {"for _, v := range x", "needs s of the turn before", "s = s*31 + v"},
		"Crossed":    {"for _, v := range x", "needs a of the turn before", "a += v"},
		"From":       {"for i := 2; i < to; i++", "as many turns as a number says"},
		"Where":      {"for i, v := range x", "an element of counts", "counts[v] = counts[i] + 1", "counts[v] = counts[i] + 1"},
	}
	pkg, err := load.Load(t.Context(), "testdata/reductions", load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range pkg.Kernels {
		want, ok := wants[k.Name]
		if !ok {
			continue
		}
		delete(wants, k.Name)
		fused, err := fuse.Compile(k.Func, nil)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			if len(fused.InOrder) > 0 {
				t.Errorf("%s: %v", k.Name, fused.InOrder)
			}
			continue
		}
		if len(fused.InOrder) != 1 {
			t.Errorf("%s: %v, not one loop", k.Name, fused.InOrder)
			continue
		}
		got, lines := fused.InOrder[0], strings.Split(k.Source, "\n")
		line := func(n int) string { return lines[n-k.Pos.Line] }
		if !strings.Contains(line(got.Pos.Line), want[0]) || !strings.Contains(got.Why, want[1]) {
			t.Errorf("%s: %s, want the loop %q: %q", k.Name, got, want[0], want[1])
		}
		rest := got.Why
		for _, text := range want[2:] {
			_, after, _ := strings.Cut(rest, ".go:")
			number, _, _ := strings.Cut(after, ":")
			n := 0
			for _, digit := range number {
				n = 10*n + int(digit-'0')
			}
			if n < k.Pos.Line || n >= k.Pos.Line+len(lines) || !strings.Contains(line(n), text) {
				t.Errorf("%s: %s, want the line %q", k.Name, got, text)
			}
			rest = after
		}
	}
	if len(wants) > 0 {
		t.Errorf("no kernels: %v", wants)
	}
}
