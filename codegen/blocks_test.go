package codegen_test

import (
	"fmt"
	"testing"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/ops/load"
)

func TestBlocksTry(t *testing.T) {
	for _, dir := range []string{"../examples/comd"} {
		pkg, err := load.Load(t.Context(), dir, load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		prog, err := codegen.Compile(pkg, codegen.Options{Machine: codegen.Machine(false, nil), Platforms: []string{"goroutine"}, Variants: codegen.ModelVariants})
		if err != nil {
			t.Fatal(err)
		}
		files, err := prog.Blocks("")
		if err != nil {
			t.Error(err)
		}
		for name, src := range files {
			fmt.Println(name, len(src))
			if dir == "../examples/spmv" {
				fmt.Println(string(src))
			}
		}
	}
}
