package signature_test

import (
	"context"
	"testing"

	"github.com/surge-ndp/surge/codegen/opencl/clrt"
	"github.com/surge-ndp/surge/internal/agree"
)

func TestGoroutines(t *testing.T) { run(t, "goroutine") }

func TestOpenCL(t *testing.T) {
	if _, err := clrt.Find(""); err != nil {
		t.Skip(err)
	}
	run(t, "opencl")
}

func run(t *testing.T, platform string) {
	ctx := context.Background()
	p, err := agree.Compile(ctx, ".", agree.Options{Platform: platform})
	if err != nil {
		t.Fatal(err)
	}
	reports, err := agree.Run(ctx, p, platform, t.TempDir())
	if err != nil {
		t.Error(err)
	}
	for _, r := range reports {
		t.Log(r.Kernel, r.Runs, r.Refused)
		for _, f := range r.Failures {
			t.Errorf("%s: %s", r.Kernel, f)
		}
	}
}
