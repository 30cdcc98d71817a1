package pass_test

import (
	"testing"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/pass"
	"github.com/surge-ndp/surge/codegen/kir/pass/passtest"
)

// TestPasses compares kernel IR before and after each pass with the texts in testdata/passes.
func TestPasses(t *testing.T) {
	passtest.Funcs(t, []pass.Pass[*kir.Func]{pass.Prune, pass.Elements, pass.Stack})
	passtest.Devices(t, []pass.Pass[*kir.Device]{pass.Barriers})
}

// TestLists refuses lists of passes that cannot be right.
func TestLists(t *testing.T) {
	none := func(*kir.Func) error { return nil }
	first := pass.Pass[*kir.Func]{Name: "first", Doc: "does nothing", Run: none}
	second := pass.Pass[*kir.Func]{Name: "second", Doc: "does nothing", Behind: []string{"first"}, Run: none}
	for _, c := range []struct {
		passes []pass.Pass[*kir.Func]
		says   string
	}{
		{[]pass.Pass[*kir.Func]{first, second}, ""},
		{[]pass.Pass[*kir.Func]{second, first}, "pass second has to run behind first"},
		{[]pass.Pass[*kir.Func]{first, first}, "two passes are called first"},
		{[]pass.Pass[*kir.Func]{{Name: "third", Run: none}}, `pass "third" lacks a name, a description or a function`},
	} {
		err := pass.Check(c.passes)
		if got := ""; err != nil {
			got = err.Error()
			if got != c.says {
				t.Errorf("%v, want %q", err, c.says)
			}
		} else if c.says != "" {
			t.Errorf("no error, want %q", c.says)
		}
	}
}
