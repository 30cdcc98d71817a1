package torture

import "testing"

// scans are kernels whose scans combine by functions that are associative and no more: the order of what is combined
// counts, nothing is neutral, nothing can be taken back.
func scans() []*Kernel {
	return []*Kernel{
		// Linear functions one after the other, of which those with a factor of zero have no inverse.
		written("Affine", []string{"x []int32 data n", "y []int32 data n"}, `
			then := func(p, q ops.Pair[int32, int32]) ops.Pair[int32, int32] {
				return ops.Pair[int32, int32]{First: p.First * q.First, Second: p.Second*q.First + q.Second}
			}
			before := ops.Scan(then, ops.Zip(x, y), ops.Pair[int32, int32]{First: 3, Second: 5})
			with := ops.InclusiveScan(then, ops.Zip(y, x), ops.Pair[int32, int32]{First: 1, Second: 7})`,
			"ops.Map(func(p ops.Pair[int32, int32]) int32 { return p.First ^ p.Second }, before): []int32; ops.Map(func(p ops.Pair[int32, int32]) int32 { return p.First ^ p.Second }, with): []int32"),
		// Sums of segments, each of which a flag begins.
		written("Segments", []string{"flags []bool data n", "x []int16 data n"}, `
			sums := ops.InclusiveScan(func(a, b ops.Pair[bool, int16]) ops.Pair[bool, int16] {
				if b.First {
					return b
				}
				return ops.Pair[bool, int16]{First: a.First, Second: a.Second + b.Second}
			}, ops.Zip(flags, x), ops.Pair[bool, int16]{First: false, Second: 100})`,
			"ops.Map(func(p ops.Pair[bool, int16]) int16 { return p.Second }, sums): []int16"),
		// Rows, each of which a team scans.
		written("LastOfRows", []string{"x []int32 data n", "width int tile"}, `
			rows := ops.Map(func(r []int32) []int32 {
				return ops.Scan(func(a, b int32) int32 {
					if b&3 != 0 {
						return b
					}
					return a
				}, r, int32(len(r)))
			}, ops.Split(x, width))`, "rows: [][]int32"),
		// What combines may fail: all work-items still come to the barriers.
		written("Looked", []string{"table []int32 data k", "idx []int32 index n k", "width int tile"}, `
			later := func(a, b int32) int32 {
				if table[b]&1 == 0 {
					return b
				}
				return a
			}
			found := ops.InclusiveScan(later, idx, 0)
			rows := ops.Map(func(r []int32) []int32 { return ops.InclusiveScan(later, r, 0) }, ops.Split(idx, width))
			most := ops.Reduce(func(a, b int32) int32 {
				if table[a]^table[b] == 1<<30 || a > b {
					return a
				}
				return b
			}, idx, 0)`, "found: []int32; rows: [][]int32; most: int32"),
	}
}

// alike has scans and reductions whose elements are all the same: what work-items have combined differs all the same,
// as some have more elements than others, also where the first value is zero, or is nothing like what the elements
// are.
func alike() *Kernel {
	return written("Alike", []string{"x []int32 data n", "v int16 special", "f bool special", "d float32 special"}, `
		same := ops.Replicate(v, len(x))
		or := ops.Scan(func(a, b int16) int16 { return a | b }, same, int16(10))
		and := ops.InclusiveScan(func(a, b int16) int16 { return a & b }, same, int16(-2))
		all := ops.Reduce(func(a, b int16) int16 { return a & b }, same, int16(-2))
		any := ops.Reduce(func(a, b bool) bool { return a || b }, ops.Replicate(f, len(x)), false)
		most := ops.Scan(func(a, b float32) float32 { return max(a, b) }, ops.Replicate(d, len(x)), float32(-1))
		count := ops.InclusiveScan(func(a, b int32) int32 { return a + b }, ops.Replicate(int32(1), len(x)), int32(0))`,
		"or: []int16; and: []int16; all: int16; any: bool; most: []float32; count: []int32")
}

// ways has elements whose work-items go different ways before they meet: loops that all of them enter and turn
// differently often, an outer one around one that is the same for all; and a condition that the same number answers
// for all of them or, where it does not, one of their own. What these leave is the same for all who come there, and
// needed after a barrier.
func ways() *Kernel {
	return written("Ways", []string{"x []int32 data n", "y []int32 data m", "u int32 scalar"}, `
		z := ops.Map(func(v int32) int32 {
			turns, power, left := int32(0), int32(1), v&1023+1
			for left > 0 {
				left = left * 5 / 7
				turns++
			}
			for i := int32(0); i < v&7+1; i++ {
				power = power*3 + u
			}
			inner := int32(0)
			for j := int32(0); j < v&3+1; j++ {
				for _, w := range y {
					inner = inner*3 + w
				}
			}
			either := int32(1)
			if len(y) > 2 && (u > 100 || y[v&1] > 3) {
				either = y[len(y)-1] ^ y[0]
			}
			s := ops.Reduce(func(a, b int32) int32 { return a + b }, ops.Map(func(w int32) int32 { return w ^ v }, y), 0)
			return s*31 + turns*7 + power*5 + inner*3 + either
		}, x)`, "z: []int32")
}

// TestWays runs a few codes for teams of several sizes: logical warps of a group take elements that go different ways.
func TestWays(t *testing.T) {
	needDevice(t)
	codes := 8
	if testing.Short() {
		codes = 3
	}
	runWith(t, []*Kernel{ways()}, Options{PerPackage: 100, Portable: true, Platform: "opencl", Codes: codes, Args: []string{"-sizes=33,100", "-few"}})
}

// TestScans runs all codes of scans on an OpenCL device, with fewer elements than a tile has work-items, as many, a
// few more, and several tiles.
func TestScans(t *testing.T) {
	needDevice(t)
	if testing.Short() {
		t.Skip("long")
	}
	runWith(t, append(scans(), alike()), Options{PerPackage: 100, Portable: true, Platform: "opencl", Args: []string{"-sizes=33,500,5,64,1000,1,2,31,32,65,127,0,5000", "-budget=10s"}})
}

// TestOclgrindScans runs all codes of scans under Oclgrind: a step of a scan must not read what another work-item
// writes before the next barrier. Some tiles are whole and some are not.
func TestOclgrindScans(t *testing.T) {
	checker := needOclgrind(t)
	runWith(t, scans(), Options{PerPackage: 100, Portable: true, Platform: "opencl", Under: append(checker, "--local-mem-size", "131072"), Args: []string{"-sizes=45,300", "-few", "-budget=1ms"}})
}
