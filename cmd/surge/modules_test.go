package main

import (
	"go/parser"
	"go/token"
	"os/exec"
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
