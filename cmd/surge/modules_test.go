package main

import (
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A file of package ops that is never built imports what the OpenCL run time needs of other modules: so a module with
// kernels has their checksums from the start. See ops/modules.go.
func TestOpsNamesTheModulesOfTheOpenCLRunTime(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "../../ops/modules.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var named []string
	for _, i := range f.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		named = append(named, path)
	}
	out, err := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", modulePath+"/codegen/opencl/clrt").Output()
	if err != nil {
		t.Fatal(err)
	}
	modules := slices.Compact(slices.Sorted(slices.Values(strings.Fields(string(out)))))
	if len(modules) == 0 {
		t.Fatal("the run time imports no other module: the test looks at the wrong package")
	}
	for _, m := range modules {
		if !slices.ContainsFunc(named, func(path string) bool { return path == m || strings.HasPrefix(path, m+"/") }) {
			t.Errorf("ops/modules.go does not import %s", m)
		}
	}
}

// Every module that is imported directly has its reason in RATIONALE.md, and there is no reason for one that is not.
func TestDependenciesHaveReasons(t *testing.T) {
	text, err := os.ReadFile("../../RATIONALE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Dependencies\n")
	out, err := exec.Command("go", "list", "-m", "-f", "{{if not (or .Main .Indirect)}}{{.Path}}{{end}}", "all").Output()
	if err != nil {
		t.Fatal(err)
	}
	tools, err := exec.Command("go", "list", "-f", "{{.Module.Path}}", "tool").Output()
	if err != nil {
		t.Fatal(err)
	}
	direct := strings.Fields(string(out) + string(tools))
	if len(direct) < 10 {
		t.Fatalf("direct dependencies %v", direct)
	}
	var reasons []string
	for line := range strings.Lines(section) {
		module, reason, ok := strings.Cut(strings.TrimPrefix(line, "| "), " | ")
		if ok && strings.Contains(module, "/") && len(reason) > 10 {
			reasons = append(reasons, strings.Split(module, ", ")...)
		}
	}
	major := regexp.MustCompile(`/v[0-9]+$`)
	for _, m := range direct {
		if i := slices.IndexFunc(reasons, func(r string) bool { return major.ReplaceAllString(r, "") == major.ReplaceAllString(m, "") }); i >= 0 {
			reasons = slices.Delete(reasons, i, i+1)
		} else {
			t.Errorf("RATIONALE.md has no reason for %s", m)
		}
	}
	if len(reasons) > 0 {
		t.Errorf("RATIONALE.md has reasons for %v, which go.mod does not require", reasons)
	}
}
