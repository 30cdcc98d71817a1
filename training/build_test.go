package training

import (
	"errors"
	"testing"
)

func TestExplain(t *testing.T) {
	b := &builder{dir: "p"}
	for output, want := range map[string]Error{
		"k_surge.go:7:2: no required module provides package github.com/surge-ndp/surge/codegen/exec; to add it:\n\tgo get …":                           {Code: CodeDependency},
		"k_surge.go:7:2: missing go.sum entry for module providing package github.com/surge-ndp/surge/codegen/exec":                                     {Code: CodeDependency},
		"k_surge.go:9:2: module github.com/surge-ndp/surge@latest found (v0.1.0), but does not contain package github.com/surge-ndp/surge/codegen/exec": {Code: CodeDependency},
		"# example.com/user\n./k.go:3:1: undefined: x":       {Code: CodeBuild},
		"# example.com/user\n./k_surge.go:3:1: undefined: x": {Code: CodeBuild, Bug: true},
	} {
		var e *Error
		if !errors.As(b.explain(&commandError{output}), &e) || e.Code != want.Code || e.Bug != want.Bug || e.Do == "" || e.Output != output {
			t.Errorf("%s:\n%v", output, e)
		}
	}
	if other := errors.New("x"); b.explain(other) != other {
		t.Error("an error that is no go command's is changed")
	}
}
