package torture

import "strings"

func typeOf(s string) Type {
	rank := strings.Count(s, "[]")
	return Type{A: Kind(s[2*rank:]), Rank: rank}
}

// fixed are kernels that were compiled wrongly once, or might be: each says what about it.
func fixed() []*Kernel {
	distinct := *written("Distinct", []string{"x []float64 data k", "idx []int32 index k n", "d []float64 data n", "width int tile", "rows [][]int16 rows q"}, `
		perm := ops.ScatterUnique(ops.Map(func(v float64) float64 { return -v }, d), ops.Reverse(ops.Range(0, len(d), 1)), d)
		in := ops.Map(func(t []float64) float64 {
			return ops.Reduce(func(a, b float64) float64 { return max(a, b) }, ops.ScatterUnique(t, ops.Map(func(i int) int { return (i + 1) % len(t) }, ops.Range(0, len(t), 1)), t), -3)
		}, ops.Split(d, width))
		z := ops.ScatterUnique(rows, ops.Reverse(ops.Range(0, len(rows), 1)), rows)`,
		"perm: []float64; in: []float64; ops.ScatterUnique(x, idx, d): []float64; z: [][]int16")
	distinct.Fails = true
	return []*Kernel{
		// Not every index that is widened is read by: an element below zero is none.
		written("Below", []string{"x []float64 data n", "k []int32 data m", "s []int8 data q"}, `
			z := ops.Map(func(b int32) float64 {
				j := int(b)
				if j < 0 || j >= len(x) {
					return float64(j)
				}
				return x[j]
			}, k)
			bins := ops.Histogram(func(a, b int) int { return a + b }, 8, ops.Map(func(b int8) int8 { return b & 7 }, s), ops.Map(func(b int8) int { return int(b) }, s), 3)`,
			"z: []float64; bins: []int"),
		// The rows of a nested result are not the lanes' to write, one each.
		written("Rows", []string{"x []float64 data n", "y []bool data m"}, `
			z := ops.Map(func(v float64) []float32 { return ops.Map(func(w bool) float32 { return float32(v) }, y) }, x)`,
			"z: [][]float32; ops.Flatten(z): []float32"),
		// A loop begins with another name of a slice, and reads it under its first name.
		written("Renamed", []string{"x []float64 data n", "turns int tile"}, `
			made := make([]float64, len(x))
			for i, v := range x {
				made[i] = v * 2
			}
			a, b := made, made[:len(made)/2]
			for range turns & 3 {
				a = ops.Map2(func(a, m float64) float64 { return a - m*0.5 }, ops.Reverse(a), made)
				b = ops.Map2(func(b, m float64) float64 { return max(b, -m) }, b, made[len(made)-len(b):])
			}
			c := ops.Map(func(v float64) float64 {
				own := make([]float64, 6)
				for i := range own {
					own[i] = v * float64(i)
				}
				also := own
				for t := range 3 {
					also = ops.Map2(func(a, o float64) float64 { return max(a-o, float64(t)) }, also, ops.Reverse(own))
				}
				return also[1] + own[2]
			}, x)`, "a: []float64; b: []float64; c: []float64; made: []float64"),
		// A uniform loop in a vector loop holds a vector.
		written("UniformLoop", []string{"x []int data n", "y []int data m"}, `
			z := ops.Map(func(v int) int {
				acc, f := 1, 0.5
				for i := 0; i < 3; i++ {
					acc = acc*3 ^ ops.Reduce(func(a, b int) int { return a + b }, y, i)
					f = f*0.5 + 1
				}
				if f > 1 {
					acc++
				}
				return acc + v
			}, x)`, "z: []int"),
		// A combining function of which one component is known, and the other not.
		written("HalfKnown", []string{"x []int32 data n"}, `
			p := ops.Reduce(func(a, b ops.Pair[int32, int]) ops.Pair[int32, int] {
				if b.First > a.First || b.First == a.First && b.Second < a.Second {
					return ops.Pair[int32, int]{First: b.First, Second: b.Second}
				}
				return a
			}, ops.Zip(x, ops.Range(0, len(x), 1)), ops.Pair[int32, int]{First: -100, Second: -1})
			s := ops.Reduce(func(a, b ops.Pair[int32, int32]) ops.Pair[int32, int32] {
				return ops.Pair[int32, int32]{First: a.First + b.First, Second: a.Second*b.Second + a.First*b.First*0}
			}, ops.Zip(x, x), ops.Pair[int32, int32]{First: 0, Second: 1})`, "p.First: int32; p.Second: int; s.First: int32"),
		// Rows that are scanned position by position; the last one enters nothing, and may have another length.
		written("RowScans", []string{"x []int32 data n", "width int tile"}, `
			plus := func(a, b []int32) []int32 { return ops.Map2(func(u, v int32) int32 { return u + v }, a, b) }
			full := ops.Map(func(j int) []int32 { return ops.Map(func(v int32) int32 { return v * int32(j) }, x) }, ops.Range(0, 5, 1))
			scan := ops.Scan(plus, full, x)
			incl := ops.InclusiveScan(func(a, b []int32) []int32 {
				lo := ops.Map2(func(u, v int32) int32 { return min(u, v) }, a, b)
				return ops.Map2(func(u, v int32) int32 { return max(u, v) }, lo, lo)
			}, full, ops.Replicate(int32(7), len(x)))
			short := ops.Scan(plus, ops.Split(x, width), ops.Replicate(int32(1), min(width, len(x))))
			in := ops.Map(func(v int32) int32 {
				rows := ops.Map(func(j int) []int32 { return ops.Map(func(k int) int32 { return v + int32(j*k) }, ops.Range(0, 3, 1)) }, ops.Range(0, 4, 1))
				s := ops.Scan(plus, rows, ops.Replicate(v, 3))
				return s[3][2] ^ s[1][0]
			}, x)
			parts := ops.Reduce(func(a, b []ops.Pair[int32, int32]) []ops.Pair[int32, int32] {
				return ops.Map2(func(p, q ops.Pair[int32, int32]) ops.Pair[int32, int32] { return ops.Pair[int32, int32]{First: p.First + q.First, Second: max(p.Second, q.Second)} }, a, b)
			}, ops.Map(func(j int) []ops.Pair[int32, int32] { return ops.Zip(x, full[j]) }, ops.Range(0, 5, 1)), ops.Zip(x, x))`,
			"scan: [][]int32; incl: [][]int32; short: [][]int32; in: []int32; ops.Map(func(p ops.Pair[int32, int32]) int32 { return p.First - p.Second }, parts): []int32"),
		// Loops and conditions around operators of every kind, whose values are used in host code and by other operators.
		written("HostControl", []string{"x []int32 data n", "k []int32 data n", "width int tile"}, `
			acc, turns := int32(0), 0
			for turns < 5 {
				turns++
				y := ops.Scan(func(a, b int32) int32 { return a + b }, x, acc)
				_, sorted := ops.SortByKey(k, y)
				bins := ops.Histogram(func(a, b int32) int32 { return a ^ b }, 8, ops.Map(func(v int32) int32 { return v & 7 }, k), sorted, 3)
				acc = acc*3 + ops.Reduce(func(a, b int32) int32 { return max(a, b) }, ops.Reverse(bins), -1)
				if acc&3 == 1 || len(ops.Filter(func(v int32) bool { return v > acc }, y)) > 3 {
					break
				}
			}
			var most int32
			if turns > 2 {
				most = ops.Reduce(func(a, b int32) int32 { return max(a, b) }, x, -5)
			} else {
				rows := ops.Map(func(r []int32) int32 { return ops.Reduce(func(a, b int32) int32 { return a + b }, r, int32(turns)) }, ops.Split(x, width))
				for i, r := range rows {
					most = most*5 + r ^ int32(i)
				}
			}
			z := ops.Map(func(v int32) int32 { return v*acc + most }, x)`, "acc: int32; turns: int; most: int32; z: []int32"),
		// Tile sizes up to the largest int.
		written("HugeTile", []string{"x []float64 data n", "size int tile"}, `
			y := ops.Map(func(t []float64) float64 { return ops.Reduce(func(a, b float64) float64 { return a + b }, t, 0) }, ops.Split(x, size))
			s := ops.Striding(x, size)
			z := ops.Map(func(t []float64) int { return len(t) }, ops.Cyclic(x, size))`,
			"y: []float64; s: []float64; ops.Reduce(func(a, b int) int { return max(a, b) }, z, 0): int"),
		// Lengths that come out of a computation.
		written("Lengths", []string{"x []int data n", "k int scalar"}, `
			y := ops.Map(func(v int) int { return ops.Reduce(func(a, b int) int { return a ^ b }, ops.Replicate(v, v&7), 1) }, x)
			z := ops.Map(func(v int) int { return ops.Reduce(func(a, b int) int { return a + b }, ops.Range(v, 3, 2), 0) }, x)
			w := ops.Map(func(v int) int { return len(ops.Range(v, -5, -3)) }, x)`,
			"y: []int; z: []int; w: []int"),
		// One computed sequence as several results: they share no memory.
		written("Twice", []string{"x []float64 data n", "rows [][]int32 rows q"}, `
			y := ops.Map(func(v float64) float64 { return v * 2 }, x)
			z := ops.Map(func(v float64) float64 { return v * 2 }, x)
			r := ops.Map(func(row []int32) []int32 { return ops.Reverse(row) }, rows)`,
			"y: []float64; y: []float64; z: []float64; r: [][]int32; ops.Flatten(r): []int32; r: [][]int32"),
		// Rows that are the same as another sequence are rows of their own.
		written("SameRows", []string{"x []int32 data n"}, `
			y := ops.Replicate(ops.Map(func(v int32) int32 { return v*v*v ^ v/3 ^ v%5 }, x), len(x))`,
			"y: [][]int32"),
		// Parameters as results.
		written("Through", []string{"x []float64 data n", "rows [][]bool rows q", "k int scalar", "b bool scalar"}, "",
			"x: []float64; rows: [][]bool; k: int; b: bool"),
		// A check in a computation whose length another one decides.
		written("LateLength", []string{"x []int16 data m", "idx []int32 index k m", "size int tile"}, `
			s := ops.Scan(func(a, b int16) int16 { if a > b { return a }; return b }, x, 3)
			late := ops.Flatten(ops.Cyclic(ops.Scan(func(a, b int16) int16 { return a + b }, x, 5), size))`,
			"ops.Concat(ops.Gather(s, idx), ops.Scan(func(a, b int16) int16 { return max(a, b) }, late, 7)): []int16"),
		// Rows whose lengths depend on indices that another computation gives.
		written("LateRows", []string{"rows [][]int32 rows q", "idx []int index k q"}, `
			s := ops.InclusiveScan(func(a, b int) int { return max(a, b) }, idx, 0)
			y := ops.Gather(rows, s)
			z := ops.Map(func(j int) []int32 { return ops.Reverse(rows[j]) }, s)`,
			"y: [][]int32; z: [][]int32"),
		// Slices of a local array, which are views of its last version.
		written("SliceOfLocal", []string{"x []int32 data n"}, `
			loc := make([]int32, len(x))
			for i := range loc {
				loc[i] = x[i] * 2
			}
			for i := 1; i < len(loc); i++ {
				loc[i] += loc[i-1]
			}
			s := ops.Reduce(func(a, b int32) int32 { return a * b }, loc[len(loc)/3:], 3)
			z := ops.Map(func(v int32) int32 {
				w := make([]int32, 4)
				for i := range w {
					w[i] = v + int32(i)
				}
				w[1] = s
				return ops.Reduce(func(a, b int32) int32 { return max(a, b) }, w[1:], 0)
			}, loc)`, "s: int32; z: []int32; ops.Reverse(loc): []int32"),
		// Rows of one sequence after those of another, chosen, put in places, and combined.
		written("ConcatRows", []string{"rows [][]int32 rows q", "x []int32 data n", "idx []int index k n"}, `
			both := ops.Concat(rows, ops.Split(x, 3))
			s := ops.Map(func(row []int32) int32 { return ops.Reduce(func(a, b int32) int32 { return a + b + a*b }, ops.Reverse(row), int32(len(row))) }, both)
			in := ops.Map(func(row []int32) int32 {
				parts := ops.Concat(ops.Split(row, 2), ops.Concat(ops.Split(x, 5), ops.Split(row, 3)))
				return ops.Reduce(func(a, b int32) int32 { return a ^ b }, ops.Map(func(p []int32) int32 {
					return ops.Reduce(func(a, b int32) int32 { return max(a, b) }, p, 1) * int32(len(p))
				}, parts), 0)
			}, rows)
			g := ops.Gather(ops.Concat(ops.Split(x, 1), ops.Split(x, 7)), idx)`,
			"both: [][]int32; s: []int32; in: []int32; g: [][]int32; ops.Map(func(row []int32) []int32 { return ops.Scan(func(a, b int32) int32 { return a + b }, row, 0) }, both): [][]int32"),
		written("FilterRows", []string{"rows [][]float64 rows q", "x []int32 data n", "bins int tile"}, `
			long := func(row []float64) bool { return len(row) > 3 }
			kept := ops.Filter(long, rows)
			all, split := ops.Partition(long, rows)
			y := ops.Map(func(row []float64) float64 { return ops.Reduce(func(a, b float64) float64 { return max(a, b) }, row, -1) }, kept)
			in := ops.Map(func(tile []int32) int {
				few := ops.Filter(func(row []int32) bool { return ops.Reduce(func(a, b int32) int32 { return a + b }, row, 0) > 0 }, ops.Split(tile, 3))
				return ops.Reduce(func(a, b int) int { return max(a, b) }, ops.Map(func(row []int32) int { return len(row) }, few), len(few))
			}, ops.Split(x, bins))`, "kept: [][]float64; all: [][]float64; split: int; y: []float64; ops.Map(func(v int) int { return v }, in): []int"),
		written("ScatterRows", []string{"rows [][]int rows q", "x []int data m", "idx []int32 index q m"}, `
			y := ops.Scatter(rows, idx, ops.Split(x, 1))
			s := ops.Map(func(row []int) int { return ops.Reduce(func(a, b int) int { return a ^ b }, row, len(row)) }, y)`,
			"y: [][]int; s: []int"),
		// Rows that a function computes are lined up in a local array, or not stored at all.
		written("FlattenInside", []string{"x []int data n", "width int tile", "rows [][]int32 rows q"}, `
			a := ops.Map(func(r []int) int {
				flat := ops.Flatten(ops.Map(func(v int) []int { return ops.Replicate(v, v&3) }, r))
				return ops.Reduce(func(a, b int) int { return a ^ b }, ops.Scan(func(a, b int) int { return a + b }, flat, 1), len(flat))
			}, ops.Split(x, width))
			b := ops.Map(func(r []int) []int { return ops.Flatten(ops.Map(func(v int) []int { return ops.Map(func(w int) int { return v*w }, r) }, r)) }, ops.Split(x, 3))
			c := ops.Map(func(r []int32) int32 {
				sorted := ops.Flatten(ops.Map(func(t []int32) []int32 { return ops.Reverse(t) }, ops.Cyclic(r, 3)))
				s := int32(0)
				for i, v := range sorted {
					s = s*3 + v*int32(i)
				}
				return s
			}, rows)
			d := ops.Map(func(r []int32) int32 {
				return ops.Reduce(func(a, b int32) int32 { return a + b }, ops.Flatten(ops.Filter(func(t []int32) bool { return len(t) > 1 }, ops.Split(r, 2))), 0)
			}, rows)`, "a: []int; b: [][]int; c: []int32; d: []int32"),
		// The axes of three, in another order.
		written("Rearrange", []string{"x []int32 data n"}, `
			one := ops.Split(x[:len(x)/12*12], 3)
			cube := ops.Split(one, 4)
			y := ops.Map(func(m [][]int32) []int32 { return ops.Flatten(ops.Transpose(m)) }, cube)
			z := ops.Map(func(m [][]int32) int32 { return ops.Reduce(func(a, b int32) int32 { return a ^ b }, ops.Map(func(r []int32) int32 { return ops.Reduce(func(a, b int32) int32 { return a + b }, r, int32(len(r))) }, m), 1) }, ops.Transpose(cube))`,
			"y: [][]int32; z: []int32"),
		// Places that repeat are an error, and the same one in all variants.
		&distinct,
		// Nothing but host code.
		written("Scalars", []string{"x []float64 data n", "k int scalar"}, "", "len(x) + k: int"),
		// Checks of constants, and code that never runs.
		written("Never", []string{"x []float64 data n"}, `
			y := ops.Map(func(v float64) float64 {
				if v > 1000 {
					return atF64(x, -3)
				}
				return atF64(x, 1<<40)
			}, x)`, "y: []float64"),
		// A division that must not run ahead of its condition, in an inner and in an outer loop.
		written("Guarded", []string{"x []int32 data n", "y []int32 data n", "d int scalar"}, `
			z := ops.Map2(func(a, b int32) int32 {
				if b != 0 {
					return a / b
				}
				return a
			}, x, y)
			w := ops.Map(func(a int32) int {
				if d != 0 {
					return int(a) % d
				}
				return -1
			}, x)`, "z: []int32; w: []int"),
		// Booleans in lanes: loaded, combined, stored, reduced, scanned.
		written("Bools", []string{"x []bool data n", "y []float32 data n", "t float32 scalar"}, `
			z := ops.Map2(func(a bool, b float32) bool { return a != (b > t) && (a || b < 0) }, x, y)
			all := ops.Reduce(func(a, b bool) bool { return a && b }, z, true)
			any := ops.Reduce(func(a, b bool) bool { return a || b }, z, false)
			odd := ops.Reduce(func(a, b bool) bool { return a != b }, z, t > 0)
			s := ops.InclusiveScan(func(a, b bool) bool { return a != b }, z, false)`,
			"z: []bool; all: bool; any: bool; odd: bool; s: []bool"),
		// Indices that are taken apart: rows that the length is no multiple of, a divisor that is negative, neighbours.
		written("Apart", []string{"x []float64 data n", "r []float64 data m", "w int tile"}, `
			y, z := make([]float64, len(x)), make([]int, len(x))
			for i := range x {
				row, col := i/w, i%w
				y[i] = x[row*w+col] + float64(row)
				if col > 0 && col < len(r) {
					y[i] += r[col] * x[i-1]
				}
				z[i] = row - col
			}
			u := -w
			v := ops.Map(func(i int) float64 { return x[i] - float64(i/u) + float64(i%u) }, ops.Range(0, len(x), 1))`,
			"y: []float64; z: []int; v: []float64"),
		// A stencil.
		written("Stencil", []string{"x []float64 data n"}, `
			y := ops.Map(func(i int) float64 {
				if i == 0 || i+1 == len(x) {
					return x[i]
				}
				return (x[i-1] + 2*x[i] + x[i+1]) / 4
			}, ops.Range(0, len(x), 1))`, "y: []float64"),
		// Collatz: the trip count differs from lane to lane, with a break.
		written("Collatz", []string{"x []int data n"}, `
			y := ops.Map(func(v int) int {
				n, steps := v&63+1, 0
				for n != 1 {
					if n%2 == 0 {
						n /= 2
					} else {
						n = 3*n + 1
					}
					steps++
					if steps > 40 {
						break
					}
				}
				return steps
			}, x)`, "y: []int"),
	}
}

// limits are kernels on whose bounds the length of a sequence depends: every error is that of plain Go.
func limits() []*Kernel {
	bounds := func(kind string) []string {
		return []string{"lo " + kind + " bound", "hi " + kind + " bound", "step " + kind + " step", "x []int data n"}
	}
	kernels := []*Kernel{
		written("TooLong", []string{"n int bound"}, `
			if n == -9 {
				n = 3
			}`, "ops.Replicate(1.5, n): []float64; ops.Reduce(func(a, b int16) int16 { return a ^ b }, ops.Replicate(int16(n), n), 0): int16"),
		// The length of a range in every element of another sequence.
		written("RangeInside", []string{"x []int64 data n", "lo int64 bound", "step int64 step"}, `
			y := ops.Map(func(v int64) int64 { return ops.Reduce(func(a, b int64) int64 { return a + b }, ops.Range(lo, v, step), 0) }, x)`,
			"y: []int64"),
		written("FloatRangeInside", []string{"x []float64 data n", "lo float64 bound", "step float64 step"}, `
			y := ops.Map(func(v float64) int { return len(ops.Range(lo, v, step)) }, x)
			z := ops.Map(func(v float64) int { return len(ops.Range(lo, 2, 0.1)) + int(v) }, x)`,
			"y: []int; z: []int"),
		written("RangeUnsigned", bounds("int64"), "a, b, s := uint64(lo+9), uint64(hi+9), uint64(step)",
			"ops.Range(a, b, s): []uint64; ops.Range(uint8(a), uint8(b), uint8(3)): []uint8"),
	}
	for _, kind := range []string{"int", "int64", "int32", "int16", "float64", "float32"} {
		kernels = append(kernels,
			written("Range"+kind, bounds(kind), "r := ops.Range(lo, hi, step)", "r: []"+kind+"; len(r): int; ops.Reduce(func(a, b "+kind+") "+kind+" { return max(a, b) }, r, 1): "+kind))
		steps := []string{"1", "-1", "2", "-3"}
		if kind == "int32" {
			steps = []string{"100003", "-1000000"}
		}
		for i, step := range steps {
			kernels = append(kernels,
				written("Range"+kind+string(rune('A'+i)), bounds(kind), "", "len(ops.Range(lo, hi, "+step+")): int; len(ops.Range(lo, 7, "+step+")): int; len(ops.Range(-3, hi, "+step+")): int; len(ops.Range(2, hi, "+step+")): int"))
		}
	}
	for _, k := range kernels {
		k.Same = true
	}
	return kernels
}

// names are all hostile: Go's predeclared ones, those of packages and variables in generated code, and what it makes of
// others.
func names() []*Kernel {
	// A kernel that computes nothing, alone in its file.
	kernels := []*Kernel{written("Nothing", []string{"x []float64 data n", "k int64 scalar"}, `
			keys, _ := ops.SortByKey(ops.Scan(func(a, b float64) float64 { return a + b }, x, 1), x)
			_ = keys`, "k: int64")}
	lists := [][]string{
		{"f", "w", "e", "l", "b", "opts"}, {"vec", "env", "rt", "exec", "ctx", "context"}, {"err", "frame", "r1", "r2", "chunk", "lo"},
		{"x_1", "x1", "x_", "x", "x__1", "x_1_"}, {"int_", "copy", "any", "cap", "clear", "panic"}, {"surgeEnv1", "surgeEnv1s", "xRows", "xRows_", "sumParts", "bound"},
		{"mark", "ok", "bad", "bits", "hi", "p"}, {"string", "byte", "error", "int8", "uint16", "rune"}, {"selector", "harness", "unsafe", "goroutine", "i", "n"},
		{"k105Kernel", "k106Frame", "bind", "run", "decisions", "call"}, {"true_", "nil", "iota", "append", "print", "min_"},
	}
	for i, l := range lists {
		params := []string{l[0] + " []float64 data n", l[1] + " []float64 data n", l[2] + " [][]int32 rows q", l[3] + " int scalar", l[4] + " []int32 index k n"}
		body := strings.NewReplacer("$0", l[0], "$1", l[1], "$2", l[2], "$3", l[3], "$4", l[4], "$5", l[5]).Replace(`
			$5 := ops.Map2(func($0, $1 float64) float64 {
				$3 := $0 * $1
				for $4 := 0; $4 < 3; $4++ {
					$3 += $1
				}
				return $3
			}, $0, $1)
			rows$5 := ops.Map(func($1 []int32) []int32 {
				$0 := ops.Scan(func($3, $4 int32) int32 { return $3 + $4 }, $1, int32($3))
				return $0
			}, $2)
			sum$5 := ops.Reduce(func($5, $4 float64) float64 { return max($5, $4) }, ops.Gather($5, $4), float64($3&7))`)
		kernels = append(kernels, written("K"+string(rune('A'+i))+"105", params, body, l[5]+": []float64; rows"+l[5]+": [][]int32; sum"+l[5]+": float64"))
	}
	// Kernels whose names make the same words.
	kernels = append(kernels,
		written("Vec", []string{"x []float64 data n"}, "", "ops.Reverse(x): []float64"),
		written("x", []string{"x1 []float64 data n", "y []float64 data n"}, "x := x1", "ops.Map2(func(x, y float64) float64 { return x - y }, x, y): []float64"),
		written("runThing", []string{"bindThing []int data n"}, "", "ops.Map(func(boundThing int) int { return boundThing + 1 }, bindThing): []int"),
		written("Z1", []string{"z1Kernel []int data n", "z1Frame []int data n"}, "", "ops.Map2(func(a, b int) int { return a * b }, z1Kernel, z1Frame): []int"),
	)
	return kernels
}
