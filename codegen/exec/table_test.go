package exec

import (
	"context"
	"fmt"
	"testing"

	"github.com/surge-ndp/surge/selector"
)

// vectorFunc is a function of a machine with vectors of so many bits.
type vectorFunc struct{ has int }

func (f vectorFunc) Available(bits int) string {
	if bits > f.has {
		return fmt.Sprintf("no vectors of %d bits", bits)
	}
	return ""
}
func (f vectorFunc) Prepare(selector.Variant) (Launch, error) { return f, nil }
func (vectorFunc) Run(context.Context, any) error             { return nil }

// TestFunctionsOfOneCode: of the functions that a table has for one code the first that can run is taken, and the code
// is missing only if none can.
func TestFunctionsOfOneCode(t *testing.T) {
	const text = "K.1/nest/independent/goroutine/execution_resource_1=lane,vector_width_1=8,unroll_1=1"
	for _, c := range []struct {
		has, codes int
		halves     bool
	}{{512, 1, false}, {256, 1, true}, {128, 0, false}} {
		k := &Computation{Name: "K.1", Sequence: "map", Codes: []Code{
			{Text: text, VectorBits: 512, Func: vectorFunc{c.has}}, {Text: text, VectorBits: 256, Func: vectorFunc{c.has}}}}
		codes, err := k.Available()
		if err != nil || len(codes) != c.codes || len(k.funcs) != c.codes {
			t.Fatalf("%d bits: %d codes, %d functions, want %d: %v", c.has, len(codes), len(k.funcs), c.codes, err)
		}
		if c.codes > 0 && codes[0].Halves != c.halves {
			t.Errorf("%d bits: halves %v, want %v", c.has, codes[0].Halves, c.halves)
		}
		if missing, _ := k.Missing(); len(missing) != 1-c.codes {
			t.Errorf("%d bits: %v is missing", c.has, missing)
		}
	}
}
