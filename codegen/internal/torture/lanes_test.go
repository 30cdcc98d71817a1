package torture

import "testing"

// lanes are kernels that do in one lane of a vector what the others must not: whatever a lane does that a condition,
// a bound or the end of a sequence leaves out has no effect, and what a lane does wrong is the error of plain Go.
func lanes() []*Kernel {
	kernels := []*Kernel{
		written("MaskedRead", []string{"x []float64 data n", "i []int special k", "j []int32 special k"}, `
			a := ops.Map(func(i int) float64 {
				if i >= 0 && i < len(x) {
					return x[i]
				}
				return -1
			}, i)
			b := ops.Map(func(j int32) float64 {
				if j < 0 || int(j) >= len(x) || x[j] < 0 {
					return 0.5
				}
				if k := j + 1; int(k) < len(x) {
					return x[k] + x[j]
				}
				return x[j]
			}, j)
			c := ops.Map2(func(i int, j int32) float64 {
				switch {
				case i == 0 && len(x) > 0:
					return x[i]
				case j > 0 && int(j) < len(x):
					return x[j-1] + x[j]
				case i > 0 && int(j) > i && int(j) < len(x):
					return x[j-int32(i)]
				}
				return 3
			}, i, j)`, "a: []float64; b: []float64; c: []float64"),
		// The first vector of a reduction without a neutral element, in a loop, where a lane keeps its own index.
		written("FirstVector", []string{"x []int data n", "m []int data k", "turns int tile"}, `
			a, b := 0, 0
			for t := range turns & 3 {
				a = ops.Reduce(func(a, b int) int { return a + b + a*b }, ops.Map(func(i int) int {
					for _, v := range m {
						if (v+i)%3 == 0 {
							return v
						}
					}
					return i
				}, ops.Range(0, len(x), 1)), a+t)
				b = ops.Reduce(func(a, b int) int { return a + b + a*b }, ops.Map(func(i int) int {
					if x[i] > 0 {
						return x[i]
					}
					return i
				}, ops.Range(0, len(x), 1)), b+t)
			}`, "a: int; b: int"),
		written("Division", []string{"a []int special n", "d []int special n", "e []int32 special n", "f []int32 special n", "k int special", "m int32 special"}, `
			q := ops.Map2(func(a, d int) int {
				if d != 0 {
					return a / d
				}
				return a % 7
			}, a, d)
			r := ops.Map2(func(a, d int) int {
				if d == 0 {
					return 1
				}
				return a % d
			}, a, d)
			s := ops.Map2(func(e, f int32) int32 {
				if f != 0 {
					return e / f ^ e % f
				}
				return e
			}, e, f)
			t := ops.Map2(func(a int, e int32) int {
				b := 0
				if k != 0 {
					b = a/k + a%k
				}
				if m != 0 {
					b += int(e / m - e % m)
				}
				return b
			}, a, e)`, "q: []int; r: []int; s: []int32; t: []int"),
		// Consecutive numbers that wrap around.
		written("WrappingIndex", []string{"x []int data n", "off int special", "lim int special", "o32 int32 special", "l32 int32 special"}, `
			a := ops.Map(func(i int) int {
				if i+off < lim {
					return 1
				}
				return 2
			}, ops.Range(0, len(x), 1))
			b := ops.Map(func(i int) int {
				n := 0
				if i+off <= lim { n += 1 }
				if i+off > lim { n += 2 }
				if i+off >= lim { n += 4 }
				if lim < i-off { n += 8 }
				if lim >= i-off { n += 16 }
				return n
			}, ops.Range(0, len(x), 1))
			c := ops.Map(func(i int) int {
				if lim != 0 {
					return (i+off)/lim ^ (i+off)%lim
				}
				return i + off
			}, ops.Range(0, len(x), 1))
			d := ops.Map(func(i int) int32 {
				j := int32(i) + o32
				if j < l32 {
					return j
				}
				if l32 != 0 {
					return j / l32 ^ j % l32
				}
				return -j
			}, ops.Range(0, len(x), 1))
			e := ops.Map(func(i int) int { return (i+off)/7 + (i+off)%8 + (i-off)/-3 }, ops.Range(0, len(x), 1))
			g := ops.Map(func(i int) float64 { return float64(i + off) }, ops.Range(0, len(x), 1))`,
			"a: []int; b: []int; c: []int; d: []int32; e: []int; g: []float64"),
		written("Range32", []string{"x []int32 data n", "o32 int32 special", "l32 int32 special"}, `
			start := max(o32, -100)
			r := ops.Range(min(start, 2147483647-70), min(start, 2147483647-70)+70, int32(3))
			a := ops.Map(func(j int32) int32 {
				if j < l32 {
					return j
				}
				if j/7*2 >= l32 {
					return 7
				}
				return j % 5
			}, r)
			b := ops.Map(func(j int32) int { return int(j+100)/9 + int(j)*2 }, r)`,
			"a: []int32; b: []int"),
		// Trip counts: empty, backwards, at the ends of the type.
		written("Trips", []string{"lo []int special n", "len1 []int data n", "lo32 []int32 special n"}, `
			a := ops.Map2(func(lo, n int) int {
				s, hi := 0, lo+n
				for j := lo; j < hi && s < 50; j++ {
					s += 1 + j&1
				}
				return s
			}, lo, len1)
			b := ops.Map2(func(lo, n int) int {
				s := 0
				for j := range n {
					s = s*3 ^ (lo + j)
				}
				return s
			}, lo, len1)
			c := ops.Map2(func(lo int32, n int) int32 {
				s := int32(0)
				for j := lo; j > lo - int32(n&7); j-- {
					s = s*5 ^ j
					if s & 64 != 0 {
						break
					}
				}
				return s
			}, lo32, len1)
			d := ops.Map2(func(lo int, n int) int {
				s := 1
				for s < n {
					if lo & s != 0 {
						s *= 3
						continue
					}
					s *= 2
				}
				return s
			}, lo, len1)`, "a: []int; b: []int; c: []int32; d: []int"),
		written("RowsOf", []string{"x []float64 data n", "o []int32 offsets r+1 n"}, `
			a := ops.Map(func(row []float64) float64 {
				s := 0.0
				for j, v := range row {
					if v > 0 {
						s = max(s, v*float64(j))
					}
				}
				return s
			}, ops.Nest(x, o))
			b := ops.Map(func(i int) float64 {
				s := 0.0
				for j := o[i]; j < o[i+1]; j++ {
					s = max(s, x[j])
				}
				return s
			}, ops.Range(0, len(o)-1, 1))
			c := ops.Map(func(row []float64) int {
				return ops.Reduce(func(a, b int) int { return a ^ b }, ops.Map(func(v float64) int {
					if v < 0 && len(row) > 1 {
						return int(row[len(row)-1])
					}
					return int(row[0])
				}, row), 1)
			}, ops.Nest(x, o))`, "a: []float64; b: []float64; c: []int"),
		// Walks that read until they find something.
		written("Walks", []string{"x []int data n", "i []int index k n"}, `
			a := ops.Map(func(i int) int {
				j := i
				for j < len(x) && x[j] > 0 {
					j++
				}
				return j
			}, i)
			b := ops.Map(func(i int) int {
				j, s := i, 0
				for s < 30 {
					if x[j] < 0 {
						return s
					}
					s += x[j]&7 + 1
					j = (j + x[j]) % len(x)
				}
				return -s
			}, i)`, "a: []int; b: []int"),
		// Private arrays.
		written("Private", []string{"x []int data n", "i []int32 data n", "y []float32 special n"}, `
			a := ops.Map2(func(v int, k int32) int {
				var w [5]int
				for j := range w {
					w[j] = v * j
				}
				if k >= 0 && k < 5 {
					w[k] = -1
				}
				return w[0] ^ w[1]*3 ^ w[2]*5 ^ w[3]*7 ^ w[4]*9
			}, x, i)
			b := ops.Map2(func(v int, y float32) float32 {
				var w [3]float32
				n := 0
				for n < 3 && n < v {
					w[n] = y
					n++
				}
				for n > 1 {
					n--
					w[n-1] = min(w[n-1], w[n])
				}
				return w[0]
			}, x, y)`, "a: []int; b: []float32"),
		written("Floats", []string{"a []float64 special n", "b []float64 special n", "c []float32 special n", "d []float32 special n"}, `
			p := ops.Map2(func(a, b float64) float64 { return min(a, b) }, a, b)
			q := ops.Map2(func(a, b float64) float64 { return max(a, b) }, a, b)
			r := ops.Map2(func(a, b float64) float64 { return math.Min(a, b) }, a, b)
			s := ops.Map2(func(a, b float64) float64 { return math.Max(a, b) }, a, b)
			t := ops.Map2(func(c, d float32) float32 { return min(c, max(d, -2)) }, c, d)
			u := ops.Map2(func(c, d float32) float32 { if c < d { return c }; return d }, c, d)
			v := ops.Map(func(a float64) float64 { return math.Floor(a) - math.Ceil(-a) + math.Trunc(a) }, a)
			w := ops.Map(func(a float64) float64 { return math.Abs(-a) }, a)
			x := ops.Map2(func(a, b float64) float64 { if !(a <= b) || a != a { return -a }; return a - b }, a, b)
			y := ops.Map(func(c float32) float32 { return -c * 0.5 }, c)`,
			"p: []float64; q: []float64; r: []float64; s: []float64; t: []float32; u: []float32; v: []float64; w: []float64; x: []float64; y: []float32"),
		written("Extremes", []string{"a []float64 special n", "c []float32 special n"}, `
			p := ops.Reduce(func(a, b float64) float64 { return min(a, b) }, a, math.Inf(1))
			q := ops.Reduce(func(a, b float64) float64 { return max(a, b) }, a, -5)
			r := ops.Reduce(func(a, b float32) float32 { return min(a, b) }, c, 3)
			s := ops.Reduce(func(a, b float32) float32 { return max(a, b) }, c, float32(math.Copysign(0, -1)))
			t := ops.Map(func(row []float64) float64 { return ops.Reduce(func(a, b float64) float64 { return max(a, b) }, row, math.Inf(-1)) }, ops.Split(a, 3))`,
			"p: float64; q: float64; r: float32; s: float32; t: []float64"),
		// An infinity on the winning side wins over NaN. Some of these reductions have none of them, whatever a holds.
		written("MathExtremes", []string{"a []float64 special n", "c []float32 special n"}, `
			p := ops.Reduce(math.Min, a, math.Inf(1))
			q := ops.Reduce(math.Max, a, math.Inf(-1))
			r := ops.Reduce(func(a, b float32) float32 { return float32(math.Min(float64(a), float64(b))) }, c, 3)
			s := ops.Reduce(func(a, b float32) float32 { return float32(math.Max(float64(a), float64(b))) }, c, float32(math.Copysign(0, -1)))
			t := ops.Map(func(row []float64) float64 { return ops.Reduce(math.Max, row, math.Inf(-1)) }, ops.Split(a, 3))
			u := ops.Reduce(math.Max, ops.Map(func(v float64) float64 { return min(v, 1e300) }, a), math.Copysign(0, -1))
			v := ops.Reduce(math.Min, ops.Map(func(v float64) float64 { if v < 0 || v != v { return 0 }; return v }, a), 0)
			w := 1 / ops.Reduce(math.Max, ops.Map(func(v float64) float64 { return math.Copysign(0, v) }, a), math.Copysign(0, -1))
			x := ops.Reduce(func(a, b bool) bool { return a != b }, ops.Map(func(v float64) bool { return v > 0 }, a), false)
			y := ops.InclusiveScan(math.Max, a, math.Inf(-1))`,
			"p: float64; q: float64; r: float32; s: float32; t: []float64; u: float64; v: float64; w: float64; x: bool; y: []float64"),
		written("Conversions", []string{"a []float64 special n", "c []float32 special n", "i []int special n", "j []int32 special n", "k []int64 special n"}, `
			p := ops.Map(func(a float64) int { return int(a) }, a)
			q := ops.Map(func(a float64) int32 { return int32(a) }, a)
			r := ops.Map(func(a float64) float32 { return float32(a) }, a)
			s := ops.Map(func(c float32) int { return int(c) }, c)
			t := ops.Map(func(c float32) int32 { return int32(c) }, c)
			u := ops.Map(func(i int) float64 { return float64(i) }, i)
			v := ops.Map(func(i int) float32 { return float32(i) }, i)
			w := ops.Map(func(j int32) float32 { return float32(j) }, j)
			x := ops.Map(func(k int64) int32 { return int32(k) }, k)
			y := ops.Map(func(j int32) int64 { return int64(j) * 3 }, j)
			z := ops.Map2(func(k int64, c float32) float64 { return float64(k) - float64(c) }, k, c)`,
			"p: []int; q: []int32; r: []float32; s: []int; t: []int32; u: []float64; v: []float32; w: []float32; x: []int32; y: []int64; z: []float64"),
		written("Shifts", []string{"a []int special n", "s []int special n", "b []int32 special n", "r []int32 special n", "k int special"}, `
			p := ops.Map2(func(a, s int) int { return a<<uint(s) ^ a>>uint(s) }, a, s)
			q := ops.Map2(func(b, r int32) int32 { return b<<uint32(r) | b>>uint32(r) }, b, r)
			t := ops.Map2(func(a, s int) int { if s >= 0 { return a<<s + a>>s }; return a }, a, s)
			u := ops.Map2(func(b int32, s int) int32 { return b >> uint(s) << 3 }, b, s)
			v := ops.Map(func(a int) int { if k >= 0 { return a<<k - a>>k }; return a>>63 ^ a<<70>>65 }, a)
			w := ops.Map2(func(a int, r int32) int { return a >> uint32(r) ^ a << uint8(r) }, a, r)`,
			"p: []int; q: []int32; t: []int; u: []int32; v: []int; w: []int"),
		written("Integers", []string{"a []int special n", "b []int special n", "c []int32 special n", "d []int32 special n"}, `
			p := ops.Map2(func(a, b int) int { return a*b ^ (a - b) ^ -a }, a, b)
			q := ops.Map2(func(c, d int32) int32 { return c*d + min(c, d) - max(c, -d) }, c, d)
			r := ops.Map2(func(a, b int) int { if a < 0 { a = -a }; return min(a, b) ^ a&^b | ^b }, a, b)
			s := ops.Reduce(func(a, b int) int { return min(a, b) }, a, 9223372036854775807)
			t := ops.Reduce(func(a, b int32) int32 { return a * b }, ops.Map(func(c int32) int32 { return c | 1 }, c), 1)
			u := ops.Map2(func(a int, c int32) bool { return a > int(c) != (int32(a) < c) }, a, c)`,
			"p: []int; q: []int32; r: []int; s: int; t: int32; u: []bool"),
		written("Narrow", []string{"a []uint8 special n", "b []int16 special n", "c []uint32 special n", "d []int32 special n"}, `
			p := ops.Map2(func(a uint8, b int16) int { return int(a)*int(b) - int(int8(a)) }, a, b)
			q := ops.Map2(func(a uint8, d int32) uint8 { if d > 0 { return a + uint8(d) }; return a / (uint8(d) | 1) }, a, d)
			r := ops.Map2(func(b int16, c uint32) int16 { return b*int16(c) ^ b>>(c&31) }, b, c)
			s := ops.Map2(func(c uint32, d int32) float64 { return float64(c) + float64(uint32(d)) }, c, d)
			t := ops.Reduce(func(a, b uint8) uint8 { return a + b }, a, 250)
			u := ops.InclusiveScan(func(a, b int16) int16 { return a + b }, b, 32767)`,
			"p: []int; q: []uint8; r: []int16; s: []float64; t: uint8; u: []int16"),
		// Rows of rows, mostly empty.
		written("EmptyRows", []string{"rows [][]float64 rows q", "x []int data n"}, `
			a := ops.Map(func(r []float64) []int { return ops.Map(func(t []float64) int { return ops.Reduce(func(a, b int) int { return a + b }, ops.Map(func(v float64) int { return int(v) }, t), len(t)) }, ops.Split(r, 3)) }, rows)
			b := ops.Map(func(v int) int { return ops.Reduce(func(a, b int) int { return a ^ b }, ops.Map(func(w int) int { return ops.Reduce(func(a, b int) int { return max(a, b) }, ops.Range(0, w, 1), v) }, ops.Range(0, v, 2)), 5) }, x)
			c := ops.Map(func(r []float64) float64 { return ops.Reduce(func(a, b float64) float64 { return max(a, b) }, ops.Concat(r, ops.Reverse(r)), -100) }, rows)
			d := ops.Flatten(ops.Map(func(v int) []int { return ops.Replicate(v, max(v, 0)&3) }, x))`,
			"a: [][]int; b: []int; c: []float64; d: []int"),
		written("Histograms", []string{"keys []int32 index n m", "x []int data n", "m []int data m", "width int tile"}, `
			bins := len(m)
			rows := ops.Map(func(v int) []int { return ops.Map(func(j int) int { return v*j + 1 }, ops.Range(0, width, 1)) }, x)
			a := ops.Histogram(func(a, b []int) []int { return ops.Map2(func(a, b int) int { return a + b }, a, b) }, bins, keys, rows, ops.Replicate(0, width))
			none := ops.Map(func(v int) []int { return ops.Map(func(j int) int { return j }, ops.Range(0, v&0, 1)) }, x)
			b := ops.Histogram(func(a, b []int) []int { return ops.Map2(func(a, b int) int { return a + b }, a, b) }, bins, keys, none, ops.Replicate(0, 0))
			c := ops.Histogram(func(a, b int) int { return max(a, b) }, bins, keys, x, -7)`,
			"a: [][]int; b: [][]int; c: []int"),
		// Products of matrices with rows and columns of any length, one among them.
		written("Tiles", []string{"a []float64 data n", "b []float64 data m", "k int tile", "n int tile"}, `
			left, right := ops.Split(a[:len(a)/k*k], k), ops.Split(b[:len(b)/n*n], n)
			c := ops.Map(func(row []float64) []float64 {
				return ops.Map(func(j int) float64 {
					return ops.Reduce(func(a, b float64) float64 { return a + b }, ops.Map2(func(y []float64, x float64) float64 { return x * y[j] }, right[:min(len(right), len(row))], row[:min(len(right), len(row))]), 0)
				}, ops.Range(0, n, 1))
			}, left)
			d := ops.Map(func(row []float64) []float64 {
				return ops.Map(func(t []float64) float64 {
					return ops.Reduce(func(a, b float64) float64 { return max(a, b) }, ops.Map(func(v float64) float64 { return v - t[0] }, row), -1)
				}, right)
			}, left)`, "c: [][]float64; d: [][]float64"),
	}
	for _, k := range kernels {
		k.Exact, k.NaN = true, true
	}
	// Quotients of roots, which vectors of 512 bits compute from an estimate: within 1.5 units of the exact quotient
	// for 1/√x and 2.5 for others, as plain Go's are within 1.5.
	roots := written("Roots", []string{"x []float64 special n", "y []float64 special n", "c []float32 special n", "d []float32 data n"}, `
			p := ops.Map(func(x float64) float64 { return 1 / math.Sqrt(x) }, x)
			q := ops.Map2(func(x, y float64) float64 { return x / math.Sqrt(y) }, x, y)
			r := ops.Map(func(y float64) float64 { return -3 / math.Sqrt(y*y+1) }, y)
			s := ops.Map2(func(c, d float32) float32 { return (c - d) / float32(math.Sqrt(float64(c))) }, c, d)
			t := ops.Map(func(c float32) float32 { return 1 / float32(math.Sqrt(float64(c))) }, c)
			u := ops.Map2(func(c, d float32) float32 { if d > 0 { return c / float32(math.Sqrt(float64(d))) }; return d }, c, d)
			v := ops.Map(func(c float32) float32 { return 1 / float32(math.Sqrt(float64(c*c+0x1p-125))) }, c)
			w := ops.Map2(func(x, y float64) float64 { return y / math.Sqrt(x*x+0x1p-1021) }, x, y)
			z := ops.Map(func(c float32) float32 { return 1 / float32(math.Sqrt(float64(c*c+0x1p-130))) }, c)`,
		"p: []float64; q: []float64; r: []float64; s: []float32; t: []float32; u: []float32; v: []float32; w: []float64; z: []float32")
	roots.Exact, roots.NaN, roots.ULPs = true, true, 4
	kernels = append(kernels, roots)
	// What one lane does wrong is an error.
	for _, k := range []*Kernel{
		written("WrongRead", []string{"x []float64 data n", "i []int special k"}, `
			a := ops.Map(func(i int) float64 {
				if i > 40 {
					return 1
				}
				return x[i]
			}, i)`, "a: []float64"),
		// Indices that are read far ahead of the checks of a loop that carries a sequence.
		written("WrongCarriedGather", []string{"x []float64 data n", "y []float64 data m", "i []int special n", "j []int32 index n m"}, `
			a, b, c := x, x, 0.0
			for t := range 3 {
				a = ops.Map2(func(a, b float64) float64 { return max(a, b) }, a, ops.Gather(y, i))
				b = ops.Map3(func(b, c float64, k int) float64 { return max(b, c+x[k]) }, b, ops.Gather(y, j), i)
				c = ops.Reduce(func(a, b float64) float64 { return max(a, b) }, ops.Gather(y, i), float64(t))
			}`, "a: []float64; b: []float64; c: float64"),
		written("WrongCarriedRows", []string{"w []float64 data n", "i []int32 special n", "o []int32 offsets r+1 n"}, `
			a := ops.Replicate(1.0, len(o)-1)
			for range 3 {
				a = ops.Map2(func(w []float64, i []int32) float64 {
					return ops.Reduce(func(a, b float64) float64 { return a + b }, ops.Map2(func(w, v float64) float64 { return w * v }, w, ops.Gather(a, i)), 0)
				}, ops.Nest(w, o), ops.Nest(i, o))
			}`, "a: []float64"),
		// Indices that a conversion changes.
		written("WrongNarrowed", []string{"x []float64 data n", "i []int special k", "j []int32 special k", "w []float64 data k"}, `
			a := ops.Map(func(i int) float64 { return x[uint8(i)] }, i)
			b := ops.Map(func(i int) float64 { return x[int8(i)&7] + x[uint32(i)>>28] }, i)
			c := ops.Reduce(func(a, b float64) float64 { return max(a, b) }, ops.Map2(func(w float64, j int32) float64 { return w * x[uint8(j)] }, w, j), 0)
			d := ops.Reduce(func(a, b float64) float64 { return a + b }, ops.Map2(func(w float64, j int32) float64 { return w * x[uint8(j)] }, w, j), 0)`,
			"a: []float64; b: []float64; c: float64; d: float64"),
		written("WrongPrivate", []string{"i []int32 data n"}, `
			a := ops.Map(func(k int32) int {
				var w [5]int
				for j := range w {
					w[j] = j
				}
				if k&1 == 0 {
					w[k/8] = -1
				}
				return w[0] ^ w[1]*3 ^ w[2]*5 ^ w[3]*7 ^ w[4]*9
			}, i)`, "a: []int"),
		written("WrongDivision", []string{"a []int special n", "d []int special n"}, `
			q := ops.Map2(func(a, d int) int {
				if a > 0 {
					return a / d
				}
				return a
			}, a, d)`, "q: []int"),
		written("WrongBins", []string{"keys []int data n", "x []int data n", "n int tile"}, `
			a := ops.Histogram(func(a, b int) int { return a + b }, n, keys, x, 1)
			b := ops.Histogram(func(a, b []int) []int { return ops.Map2(func(a, b int) int { return a + b }, a, b) }, n, keys, ops.Map(func(v int) []int { return ops.Map(func(j int) int { return v * j }, ops.Range(0, n, 1)) }, x), ops.Replicate(0, n))`,
			"a: []int; b: [][]int"),
		written("WrongShift", []string{"a []int special n", "s []int special n"}, `
			q := ops.Map2(func(a, s int) int {
				if a > 0 {
					return a << s
				}
				return a
			}, a, s)`, "q: []int"),
		written("WrongMake", []string{"x []int data n"}, `
			q := ops.Map(func(v int) int {
				w := make([]int, v+35)
				for j := range w {
					w[j] = j ^ v
				}
				return ops.Reduce(func(a, b int) int { return a + b }, w, len(w))
			}, x)`, "q: []int"),
		written("WrongSlice", []string{"x []int data n", "i []int data k"}, `
			q := ops.Map(func(v int) int {
				return ops.Reduce(func(a, b int) int { return a + b }, x[v:], v)
			}, i)`, "q: []int"),
	} {
		k.Fails, k.Exact = true, true
		kernels = append(kernels, k)
	}
	return kernels
}

// TestLanes runs kernels whose lanes differ in what they do, on extreme values.
func TestLanes(t *testing.T) { runWritten(t, lanes()) }
