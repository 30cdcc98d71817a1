package main

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const modulePath = "github.com/surge-ndp/surge"

// rank orders the layers: a package imports layers of its own rank or below, never above.
var rank = map[string]int{"selector": 0, "ops": 1, "schedule": 2, "policy": 3, "codegen": 4, "training": 5, "internal": 5, "cmd": 6, "examples": 6, "bench": 6}

// uses is what each package below the command may import of this module, as its package comment says.
var uses = map[string][]string{
	"selector":                              {"selector/param"},
	"selector/param":                        {},
	"ops":                                   {},
	"ops/ir":                                {},
	"ops/ir/eval":                           {"ops", "ops/ir"},
	"ops/ir/analysis":                       {"ops/ir"},
	"ops/fuse":                              {"ops/ir", "ops/ir/analysis"},
	"ops/cut":                               {"ops/ir", "ops/ir/analysis"},
	"ops/form":                              {"ops/fuse", "ops/ir", "ops/ir/analysis", "selector"},
	"ops/load":                              {"ops/ir", "selector"},
	"ops/load/internal/std":                 {},
	"ops/load/internal/std/bytes":           {},
	"ops/load/internal/std/cmp":             {},
	"ops/load/internal/std/encoding/binary": {},
	"ops/load/internal/std/math":            {},
	"ops/load/internal/std/math/bits":       {},
	"ops/load/internal/std/math/cmplx":      {},
	"ops/load/internal/std/slices":          {},
	"ops/load/internal/std/sort":            {},
	"ops/load/internal/std/strconv":         {},
	"ops/load/internal/std/strings":         {},
	"ops/load/internal/std/time":            {},
	"ops/load/internal/std/unicode":         {},
	"ops/load/internal/std/unicode/utf8":    {},
	"schedule":                              {"ops/fuse"},
	"policy":                                {"ops/fuse", "schedule", "selector", "selector/param"},
	"policy/threads":                        {"ops/fuse", "policy", "schedule", "selector", "selector/param"},
	"codegen":                               {"codegen/goroutine", "codegen/kir", "codegen/kir/pass", "codegen/lower", "codegen/opencl", "codegen/openmp", "codegen/target", "ops/cut", "ops/form", "ops/fuse", "ops/ir", "ops/load", "policy", "schedule", "selector", "selector/param"},
	"codegen/kir":                           {"ops/ir"},
	"codegen/kir/interp":                    {"codegen/exec", "codegen/kir", "ops/ir", "ops/ir/eval"},
	"codegen/kir/pass":                      {"codegen/kir", "ops/ir"},
	"codegen/kir/pass/passtest":             {"codegen/kir", "codegen/kir/pass"},
	"codegen/lower":                         {"codegen/kir", "ops/fuse", "ops/ir", "ops/ir/analysis", "schedule", "selector", "selector/param"},
	"codegen/target":                        {"codegen/kir", "codegen/kir/pass", "codegen/lower", "ops/fuse", "ops/ir", "policy", "selector"},
	"codegen/goroutine":                     {"codegen/goroutine/vec", "codegen/kir", "codegen/kir/pass", "codegen/lower", "codegen/target", "ops/fuse", "ops/ir", "policy", "policy/threads", "schedule", "selector", "selector/param"},
	"codegen/goroutine/rt":                  {"codegen/exec", "codegen/goroutine/vec", "selector", "selector/param"},
	"codegen/goroutine/vec":                 {},
	"codegen/goroutine/vec/internal/gen":    {},
	"codegen/opencl":                        {"codegen/kir", "codegen/kir/pass", "codegen/lower", "codegen/opencl/clrt", "codegen/target", "ops/fuse", "ops/ir", "policy", "schedule", "selector", "selector/param"},
	"codegen/opencl/clrt":                   {"codegen/exec", "selector", "selector/param"},
	"codegen/openmp":                        {"codegen/kir", "codegen/kir/pass", "codegen/lower", "codegen/openmp/omprt", "codegen/target", "ops/fuse", "ops/ir", "policy", "policy/threads", "schedule", "selector", "selector/param"},
	"codegen/openmp/omprt":                  {"codegen/exec", "selector", "selector/param"},
	"codegen/exec":                          {"ops", "selector", "selector/param"},
	"codegen/cluster":                       {"codegen/exec", "selector"},
	"codegen/cluster/clustertest":           {"codegen/cluster"},
	"codegen/harness":                       {"codegen/exec", "codegen/goroutine/rt", "ops", "selector", "selector/param"},
	"internal/kernels":                      {"ops"},
	"codegen/steady":                        {},
	"codegen/internal/sorting":              {"ops"},
	"codegen/internal/keyed":                {"ops"},
	"codegen/internal/keyed/drive":          {"codegen/exec", "codegen/harness", "codegen/steady", "selector", "selector/param"},
	"codegen/internal/meaning":              {"codegen", "codegen/goroutine", "codegen/harness", "codegen/kir", "codegen/kir/interp", "codegen/lower", "ops/fuse", "ops/ir", "ops/ir/eval", "ops/load", "policy", "selector"},
	"codegen/internal/torture":              {"codegen", "codegen/goroutine", "codegen/internal/torture/drive", "ops/cut", "ops/fuse", "ops/ir", "ops/load", "policy", "selector", "selector/param"},
	"codegen/internal/torture/drive":        {"codegen/cluster", "codegen/cluster/clustertest", "codegen/exec", "codegen/harness", "ops", "selector", "selector/param"},
	"training":                              {"codegen", "codegen/cluster", "codegen/exec", "codegen/harness", "codegen/target", "ops/cut", "ops/fuse", "ops/ir", "ops/ir/eval", "ops/load", "policy", "selector", "selector/param", "training/blockwise", "training/fit", "training/input"},
	"training/blockwise":                    {"codegen/cluster", "training/input"},
	"internal/needs":                        {"codegen/opencl/clrt", "codegen/openmp/omprt"},
	"internal/agree":                        {"codegen", "codegen/goroutine", "codegen/goroutine/vec", "internal/agree/drive", "ops/load", "selector"},
	"internal/agree/drive":                  {"codegen/cluster", "codegen/cluster/clustertest", "codegen/exec", "codegen/harness", "selector", "selector/param"},
	"internal/constructs":                   {"ops"},
	"internal/whole":                        {"codegen/exec"},
	"internal/corpus":                       {"ops"},
	"internal/corpus/measure":               {"codegen", "internal/agree", "internal/agree/drive"},
	"training/fit":                          {"selector"},
	"training/input":                        {"selector"},
	"training/report":                       {"selector", "selector/param", "training/fit"},
}

// forTests are the packages that tests alone need: nothing else may import them.
var forTests = []string{"codegen/cluster/clustertest", "codegen/kir/pass/passtest", "codegen/steady", "internal/kernels", "codegen/internal", "internal", "bench/suite"}

// linked are the packages that end up in user programs, with all that they may import of this module besides each
// other.
var linked = []string{"codegen/cluster", "selector", "selector/param", "ops", "codegen/exec", "codegen/goroutine/rt", "codegen/goroutine/vec", "codegen/harness", "codegen/opencl/clrt", "codegen/openmp/omprt"}

// outside says which packages may import a module that is not Go's own: what a library does is done in one place.
var outside = map[string][]string{
	"github.com/spf13/":                {"cmd"},
	"go.yaml.in/yaml/":                 {"cmd"},
	"github.com/jedib0t/go-pretty/":    {"cmd", "bench"},
	"github.com/schollz/progressbar/":  {"cmd", "bench", "examples"},
	"golang.org/x/term":                {"cmd", "bench", "examples"},
	"golang.org/x/sys/":                {"cmd", "codegen/goroutine", "bench", "internal/agree/drive", "training"},
	"golang.org/x/tools/":              {"ops/load"},
	"github.com/sbinet/npyio":          {"training/input", "examples"},
	"github.com/sjwhitworth/golearn/":  {"training/fit"},
	"gonum.org/v1/gonum/":              {"training/fit", "examples"},
	"gonum.org/v1/plot":                {"training/report", "examples"},
	"github.com/ebitengine/purego":     {"codegen/opencl/clrt", "codegen/openmp/omprt"},
	"github.com/go-gl/cl/":             {"codegen/opencl/clrt"},
	"github.com/rogpeppe/go-internal/": {},
	"pgregory.net/rapid":               {},
}

type listedPackage struct {
	ImportPath string
	Doc        string
	Imports    []string
	Deps       []string
}

// TestImportsGoDownwards enforces the layers of the design: cmd → training → codegen → policy → schedule → ops, with
// selector as a leaf; what each package may import; and nothing heavy in what user programs link.
func TestImportsGoDownwards(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Doc,Imports,Deps", modulePath+"/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	missing := maps.Clone(uses)
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listedPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(p.ImportPath, modulePath+"/")
		from, ok := rank[layer(name)]
		if !ok {
			t.Errorf("%s is in no layer", name)
		}
		if p.Doc == "" {
			t.Errorf("%s has no package comment", name)
		}
		may, ruled := uses[name]
		delete(missing, name)
		if !ruled && from < rank["cmd"] {
			t.Errorf("%s is new: say in its package comment and in uses what it may import", name)
		}
		for _, imp := range p.Imports {
			own, isOwn := strings.CutPrefix(imp, modulePath+"/")
			switch {
			case isOwn && rank[layer(own)] > from:
				t.Errorf("%s imports %s, which is above it", name, own)
			case isOwn && ruled && !slices.Contains(may, own):
				t.Errorf("%s imports %s, and may import %s only", name, own, strings.Join(may, " "))
			case isOwn && within(own, forTests) && !within(name, forTests):
				t.Errorf("%s imports %s, which is for tests", name, own)
			case !isOwn && isOutside(imp):
				if where := outsideRule(imp); !within(name, where) {
					t.Errorf("%s imports %s, which only %v may", name, imp, where)
				}
			}
		}
		if !slices.Contains(linked, name) {
			continue
		}
		for _, dep := range p.Deps {
			own, isOwn := strings.CutPrefix(dep, modulePath+"/")
			switch {
			case isOwn && !slices.Contains(linked, own):
				t.Errorf("%s, which user programs link, depends on %s", name, own)
			case !isOwn && isOutside(dep) && !within(name, outsideRule(dep)):
				t.Errorf("%s, which user programs link, depends on %s", name, dep)
			}
		}
	}
	if len(missing) > 0 {
		t.Errorf("there are no packages %v: the list is out of date", slices.Sorted(maps.Keys(missing)))
	}
}

// isOutside tells whether a package belongs to another module; the standard library's have no dot in their first
// element.
func isOutside(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return path != "C" && strings.Contains(first, ".")
}

// outsideRule is who may import a package of another module.
func outsideRule(path string) []string {
	for module, where := range outside {
		if strings.HasPrefix(path, module) {
			return where
		}
	}
	return nil
}

// within tells whether a package is one of a list or lies in its folder.
func within(name string, list []string) bool {
	return slices.ContainsFunc(list, func(x string) bool { return name == x || strings.HasPrefix(name, x+"/") })
}

// layer returns the first element of a package's path in this module.
func layer(name string) string {
	first, _, _ := strings.Cut(name, "/")
	return first
}
