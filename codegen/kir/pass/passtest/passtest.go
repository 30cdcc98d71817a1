// Package passtest tests passes over kernel IR by texts before and after them.
//
// It imports codegen/kir and codegen/kir/pass and nothing else of this module.
package passtest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/pass"
)

var record = flag.Bool("after", false, "write what the passes make of the texts in testdata/passes")

const (
	before  = "-- before --\n"
	after   = "-- after --\n"
	refused = "refused: "
)

// Funcs runs passes each over the texts that testdata/passes has for it, see [golden].
func Funcs(t *testing.T, passes []pass.Pass[*kir.Func]) {
	t.Helper()
	golden(t, passes, kir.ParseFunc, kir.Verify)
}

// Devices is [Funcs] for programs of devices.
func Devices(t *testing.T, passes []pass.Pass[*kir.Device]) {
	t.Helper()
	golden(t, passes, kir.ParseDevice, kir.VerifyDevice)
}

// golden checks each pass by itself: testdata/passes has a folder for each, in it files that say what they show in
// their first lines, and then hold kernel IR before and after the pass, or the reason why it refuses the code. Both
// texts are verified. They differ, unless the file's name begins with "stays". A pass without a file is an error. The
// flag -after writes the texts after the passes; look at them before you keep them.
func golden[C pass.Code](t *testing.T, passes []pass.Pass[C], parse func(string) (C, error), verify func(C) error) {
	t.Helper()
	for _, p := range passes {
		files, err := filepath.Glob(filepath.Join("testdata", "passes", p.Name, "*.txt"))
		if err != nil || len(files) == 0 {
			t.Errorf("pass %s has no texts: %v", p.Name, err)
		}
		for _, file := range files {
			t.Run(p.Name+"/"+strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) { one(t, p, file, parse, verify) })
		}
	}
}

func one[C pass.Code](t *testing.T, p pass.Pass[C], file string, parse func(string) (C, error), verify func(C) error) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	what, rest, ok := strings.Cut(string(text), before)
	if !ok || strings.TrimSpace(what) == "" {
		t.Fatalf("%s does not say what it shows, and then %q", file, before)
	}
	source, want, _ := strings.Cut(rest, after)
	code, err := parse(source)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if err := verify(code); err != nil {
		t.Fatalf("%s: before the pass: %v", file, err)
	}
	source = code.String()
	got := ""
	if err := p.Run(code); err != nil {
		got = refused + err.Error() + "\n"
	} else {
		if err := verify(code); err != nil {
			t.Errorf("%s: after the pass: %v", file, err)
		}
		got = code.String()
	}
	if *record {
		if err := os.WriteFile(file, []byte(what+before+source+after+got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != want {
		t.Errorf("%s: the pass makes\n%s\nand should make\n%s", file, got, want)
	}
	if stays := strings.HasPrefix(filepath.Base(file), "stays"); stays != (got == source) {
		t.Errorf("%s: the pass changes the code: %v", file, stays)
	}
}
