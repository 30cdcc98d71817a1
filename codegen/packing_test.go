package codegen

import (
	"testing"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
)

// TestHandsRowsOn checks which kernels may return rows of a parameter, whose memory later calls must not take over.
func TestHandsRowsOn(t *testing.T) {
	for name, c := range map[string]struct {
		want bool
		body string
	}{
		"itself":             {true, "yield x"},
		"a row":              {true, "r: []float64 = index x 0:int\nyield r"},
		"a part of a row":    {true, "r: []float64 = index x 0:int\ns: []float64 = slice r 0:int n\nyield s"},
		"what a loop begins": {true, "z: [][]float64 = loop (w: [][]float64) init x for i = 0:int to n {\nyield w\n}\nyield z"},
		"one branch":         {true, "c: bool = lt n 0:int\nz: [][]float64 = if c {\nyield x\n} else {\nyield x\n}\nyield z"},
		"what is computed":   {false, "z: []float64 = map i < n {\nr: []float64 = index x i\ne: float64 = index r 0:int\nyield e\n}\nyield z"},
		"a number":           {false, "r: []float64 = index x 0:int\ne: float64 = index r 0:int\nyield e"},
		"a flat parameter":   {false, "yield y"},
	} {
		f, err := ir.Parse("func F (x: [][]float64, y: []float64, n: int) {\n" + c.body + "\n}\n")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := handsRowsOn(fuse.Split(f)); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
