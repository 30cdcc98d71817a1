package codegen

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/load"
	"github.com/surge-ndp/surge/selector"
)

var (
	record  = flag.String("record", "", "TestCodesStay writes the hashes of all codes to this file")
	against = flag.String("against", "", "TestCodesStay compares the hashes of all codes with this file")
	show    = flag.String("show", "", "TestCodesStay prints kernel IR and code of the variants whose text holds this")
)

// ofKernels are the packages of this module with kernels.
var ofKernels = []string{"../internal/kernels", "internal/keyed", "internal/sorting", "testdata/operators", "../internal/corpus", "../internal/constructs",
	"../examples/spmv", "../examples/reduction", "../examples/scan", "../examples/kmeans", "../examples/comd"}

// TestCodesStay is for whoever changes how kernel IR is made or printed and means to change nothing of what comes
// out. Record before the change, compare after it:
//
//	go test ./codegen -run TestCodesStay -args -record=/tmp/codes
//	go test ./codegen -run TestCodesStay -args -against=/tmp/codes
//
// A line holds a code, the hash of its kernel IR and the hash of what is printed; or a search space, and the hash of
// what was pruned in it with the reasons.
func TestCodesStay(t *testing.T) {
	if *record == "" && *against == "" && *show == "" {
		t.Skip("neither -record nor -against nor -show")
	}
	var lines []string
	for _, dir := range ofKernels {
		lines = append(lines, codesOf(t, dir)...)
	}
	slices.Sort(lines)
	if *record != "" {
		if err := os.WriteFile(*record, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if *against != "" {
		compareCodes(t, *against, lines)
	}
	t.Logf("%d lines", len(lines))
}

// codesOf returns the lines of the kernels of one package.
func codesOf(t *testing.T, dir string) (lines []string) {
	t.Helper()
	pkg, err := load.Load(t.Context(), dir, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := Compile(pkg, Options{Machine: PortableMachine()})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range p.Kernels {
		for _, space := range k.Spaces {
			of := space.Computation
			if space.Form != selector.Nest {
				of += "/" + space.Form
			}
			lines = append(lines, fmt.Sprintf("%s:%s/%s %s", filepath.Base(dir), of, space.Platform.Name, digest(fmt.Sprintf("%d %d %v", space.Product, space.Distinct, space.Pruned))))
			for _, code := range space.Codes() {
				text := code.Variant.String()
				if *show != "" && !strings.Contains(text, *show) {
					continue
				}
				stages, err := p.KernelIR(code.Variant)
				if err != nil {
					t.Fatal(err)
				}
				kernelIR := stages[len(stages)-1].Text
				source, err := p.Code(code.Variant)
				if err != nil {
					t.Fatal(err)
				}
				if *show != "" {
					t.Logf("%s\n%s\n%s", text, kernelIR, source)
				}
				lines = append(lines, fmt.Sprintf("%s:%s %s %s", filepath.Base(dir), text, digest(kernelIR), digest(source)))
			}
		}
	}
	return lines
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// compareCodes reports which of the lines are not those of a recording.
func compareCodes(t *testing.T, file string, lines []string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	before := map[string]string{}
	for s := bufio.NewScanner(f); s.Scan(); {
		name, hashes, _ := strings.Cut(s.Text(), " ")
		before[name] = hashes
	}
	different, codes := 0, 0
	report := func(format string, args ...any) {
		if different++; different <= 20 {
			t.Errorf(format, args...)
		}
	}
	for _, line := range lines {
		name, hashes, _ := strings.Cut(line, " ")
		old, known := before[name]
		delete(before, name)
		switch {
		case !known:
			report("%s is new", name)
		case old != hashes:
			oldIR, oldCode, _ := strings.Cut(old, " ")
			newIR, newCode, _ := strings.Cut(hashes, " ")
			if oldCode != newCode {
				codes++
			}
			report("%s differs (kernel IR: %v, code: %v)", name, oldIR != newIR, oldCode != newCode)
		}
	}
	for name := range before {
		report("%s is gone", name)
	}
	t.Logf("%d lines differ, %d of them in what is printed", different, codes)
}
