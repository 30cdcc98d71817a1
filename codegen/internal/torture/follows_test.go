package torture

import "testing"

// following are kernels of which a computation follows the one before it, so that both may share chunks.
func following() []*Kernel {
	// The first one fails: what the second one adds up is never seen.
	looked := written("Looked", []string{"x []int32 data n", "p []int32 index n n"}, `
			plus := func(a, b int32) int32 { return a + b }
			s := ops.Scan(plus, p, 0)
			y := ops.Map(func(v int32) int32 {
				if v < 0 {
					return p[int(s[0]) + int(v) * 1000]
				}
				return v * v
			}, x)
			r := ops.Reduce(plus, ops.Map2(func(a, b int32) int32 { return a*3 + b }, x, y), 0)
			e := p[0]
			z := ops.Map2(func(a, b int32) int32 { return a - b*e }, x, y)`,
		"y: []int32; r: int32; z: []int32")
	looked.Fails = true
	return []*Kernel{
		looked,
		// Bins whose combination has no neutral element; the second one fails, the first one cannot.
		written("LastOfKind", []string{"x []int32 data n", "t []int32 data 1"}, `
			kind := ops.Map(func(v int32) int32 { return v & 3 }, x)
			first := ops.Histogram(func(a, b int32) int32 { return a + b + 1 }, 4, kind, x, int32(7))
			odd := ops.Map(func(v int32) int32 { return v*v ^ 5 }, x)
			sum := ops.Reduce(func(a, b int32) int32 { return a + b }, ops.Map2(func(v, o int32) int32 { return v*3 - o }, x, odd), 11)`,
			"kind: []int32; first: []int32; odd: []int32; sum: int32"),
		// Rows, of which the last one is shorter, and bins of rows.
		written("RowsOfKind", []string{"x []int32 data n", "width int tile"}, `
			plus := func(a, b int32) int32 { return a + b }
			rows := ops.Split(x, width)
			low := ops.Map(func(r []int32) int32 { return ops.Reduce(func(a, b int32) int32 { return min(a, b) }, r, 9) }, rows)
			tops := ops.Map2(func(r []int32, l int32) int32 { return ops.Reduce(func(a, b int32) int32 { return max(a, b) }, r, l-100) }, rows, low)
			all := ops.Reduce(plus, ops.Map2(func(r []int32, l int32) int32 { return ops.Reduce(plus, r, 1) * l }, rows, low), 3)`,
			"low: []int32; tops: []int32; all: int32"),
		// Three in a row, of which the second one may follow the first, or the third one the second.
		written("Chain", []string{"x []float64 data n", "w []float64 data n"}, `
			a := ops.Map2(func(v, u float64) float64 { return math.Sqrt(math.Abs(v)) + u }, x, w)
			s := ops.Scan(func(p, q float64) float64 { return max(p, q) }, a, -3)
			b := ops.Map2(func(v, u float64) float64 { return v - u }, x, a)
			c := ops.Map2(func(v, u float64) float64 { return v * u }, w, b)
			t := ops.Reduce(func(p, q float64) float64 { return max(p, q) }, ops.Map2(func(v, u float64) float64 { return v - u }, x, c), -9)
			m := ops.Reduce(func(p, q float64) float64 { return min(p, q) }, ops.Map2(func(v, u float64) float64 { return v - u }, x, s), 9)`,
			"a: []float64; s: []float64; b: []float64; c: []float64; t: float64; m: float64"),
	}
}

// TestFollowing runs pairs of computations in chunks that they share.
func TestFollowing(t *testing.T) { runWritten(t, following()) }

// TestFollowingOnDevices runs them with one on a device and the other on goroutines too: these share no chunks.
func TestFollowingOnDevices(t *testing.T) {
	needDevice(t)
	if testing.Short() {
		t.Skip("long: a driver compiles each code")
	}
	runWith(t, following(), Options{PerPackage: 100, Portable: true, Codes: 2, Platform: "opencl", Args: []string{"-sizes=0,17,64"}})
}
