package codegen

import (
	"context"
	"testing"

	"github.com/surge-ndp/surge/ops/load"
)

func TestExamplesGenerate(t *testing.T) {
	for _, dir := range []string{"spmv", "reduction", "scan"} {
		pkg, err := load.Load(context.Background(), "../examples/"+dir, load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := Compile(pkg, Options{Machine: PortableMachine()})
		if err != nil {
			t.Fatal(err)
		}
		files, err := p.Generated()
		if err != nil {
			t.Fatal(err)
		}
		for name, src := range files {
			t.Logf("%s: %d bytes", name, len(src))
		}
		if _, _, err := p.Harness(); err != nil {
			t.Fatal(err)
		}
	}
}
