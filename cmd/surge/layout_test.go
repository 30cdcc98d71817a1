package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

const modulePath = "github.com/surge-ndp/surge"

// rank orders the layers: a package imports layers of its own rank or below, never above.
var rank = map[string]int{"internal": 0, "selector": 0, "ops": 1, "schedule": 2, "policy": 3, "codegen": 4, "training": 5, "cmd": 6, "examples": 6, "bench": 6}

// linked are the packages that end up in user programs, with all that they may import of this module besides each other.
var linked = []string{"selector", "ops", "codegen/exec", "codegen/goroutine/rt", "codegen/goroutine/vec", "codegen/harness"}

type listedPackage struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

// TestImportsGoDownwards enforces the layers of the design: cmd → training → codegen → policy → schedule → ops, with
// selector as a leaf, and nothing heavy in what user programs link.
func TestImportsGoDownwards(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,Deps", modulePath+"/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	isLinked := map[string]bool{}
	for _, p := range linked {
		isLinked[modulePath+"/"+p] = true
	}
	seen := 0
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listedPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		from, ok := layer(p.ImportPath)
		if !ok {
			continue
		}
		seen++
		for _, imp := range p.Imports {
			to, ok := layer(imp)
			if ok && rank[to] > rank[from] {
				t.Errorf("%s imports %s, which is above it", p.ImportPath, imp)
			}
			if from == "selector" && strings.Contains(imp, ".") {
				t.Errorf("%s imports %s: the selector imports the standard library only", p.ImportPath, imp)
			}
		}
		if !isLinked[p.ImportPath] {
			continue
		}
		delete(isLinked, p.ImportPath)
		for _, dep := range p.Deps {
			own := strings.HasPrefix(dep, modulePath+"/")
			if first, _, _ := strings.Cut(dep, "/"); !own && strings.Contains(first, ".") {
				t.Errorf("%s, which user programs link, depends on %s", p.ImportPath, dep)
			}
			if own && !isOneOf(strings.TrimPrefix(dep, modulePath+"/"), linked) {
				t.Errorf("%s, which user programs link, depends on %s", p.ImportPath, dep)
			}
		}
	}
	if seen < 15 || len(isLinked) > 0 {
		t.Errorf("looked at %d packages and did not find %v: the list is out of date", seen, isLinked)
	}
}

func isOneOf(s string, list []string) bool {
	for _, x := range list {
		if s == x || strings.HasPrefix(s, x+"/internal/") {
			return true
		}
	}
	return false
}

// layer returns the first element of a package's path in this module.
func layer(path string) (string, bool) {
	rest, ok := strings.CutPrefix(path, modulePath+"/")
	if !ok {
		return "", false
	}
	first, _, _ := strings.Cut(rest, "/")
	_, known := rank[first]
	return first, known
}
