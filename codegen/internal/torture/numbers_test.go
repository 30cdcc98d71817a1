package torture

import (
	"fmt"
	"strings"
	"testing"
)

// numbers are kernels on the numbers at which arithmetic is not what it is elsewhere: where it wraps around, is exact
// no more, or has a case of its own in Go, in C, or in what a device does.
func numbers() []*Kernel {
	var kernels []*Kernel
	integers := []Kind{"int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64"}
	each := func(name string, k Kind, params []string, body, result string) {
		text := strings.NewReplacer("TYPE", string(k), "$", "ops.")
		for i := range params {
			params[i] = text.Replace(params[i])
		}
		kernels = append(kernels, written(name+strings.ToUpper(string(k)), params, text.Replace(body), text.Replace(result)))
	}
	for _, k := range integers {
		two := func() []string { return []string{"x []TYPE special n", "y []TYPE special n"} }
		// Wrapping around: sums, products, quotients of the smallest number, its opposite, and what is made of constants.
		each("Wrap", k, two(), `
			z := $Map2(func(a, b TYPE) TYPE {
				q := TYPE(3)
				if b != 0 {
					q = a/b ^ a%b*3
				}
				return (a+b)*(a-b) ^ -a ^ q
			}, x, y)
			c := $Map2(func(a, b TYPE) TYPE {
				s, t := TYPE(1), TYPE(7)
				if a < b {
					s = 2
				}
				if a > b/2 {
					t = 9
				}
				return (s - t) / 2 + max(s, a) - min(t, b) + min(s, t) ^ ^s
			}, x, y)
			d := $Map2(func(a, b TYPE) bool {
				s, t := TYPE(1), TYPE(7)
				if a < b {
					s = 2
				}
				if a > b/2 {
					t = 9
				}
				return s-t > 5 && uint64(s-t) > 99 || float64(^s) > 1
			}, x, y)
			sum := $Reduce(func(a, b TYPE) TYPE { return a + b }, z, 1)
			product := $Reduce(func(a, b TYPE) TYPE { return a * b }, z, 1)
			largest := $Reduce(func(a, b TYPE) TYPE { return max(a, b) }, x, 0)
			least := $Reduce(func(a, b TYPE) TYPE { return min(a, b) }, y, 0)
			bits := $Reduce(func(a, b TYPE) TYPE { return a & b }, z, 1)
			s := $Scan(func(a, b TYPE) TYPE { return a + b }, x, 0)`,
			"z: []TYPE; c: []TYPE; d: []bool; sum: TYPE; product: TYPE; largest: TYPE; least: TYPE; bits: TYPE; s: []TYPE")
		// Shifts by as many bits as there are, and more; of constants, and by all kinds.
		each("Shift", k, append(two(), "n []uint8 special n", "m []int data n"), `
			l := $Map3(func(a TYPE, b uint8, c int) TYPE { return a<<(b&127) ^ TYPE(3)<<b ^ a<<uint(c&63) }, x, n, m)
			r := $Map3(func(a TYPE, b uint8, c int) TYPE { return a>>(b&127) + ^a>>(b&15) + a>>1 + (a-1)>>uint64(c&63) }, x, n, m)
			o := $Map2(func(a, b TYPE) TYPE { return a&^b | a>>3 ^ b<<5 }, x, y)`,
			"l: []TYPE; r: []TYPE; o: []TYPE")
		// From one type to another.
		var to []string
		for _, other := range append(integers, F32, F64) {
			to = append(to, fmt.Sprintf("ops.Map(func(a TYPE) %s { return %[1]s(a) }, x): []%[1]s", other))
		}
		to = append(to, "ops.Map2(func(a, b TYPE) bool { return int64(a) < int64(b) != (uint32(a) < uint32(b)) != (int8(a) < int8(b)) }, x, y): []bool")
		each("From", k, two(), "", strings.Join(to, "; "))
	}
	for _, k := range []Kind{F32, F64} {
		var to []string
		for _, other := range append(integers, F32, F64) {
			to = append(to, fmt.Sprintf("ops.Map(func(a TYPE) %s { return %[1]s(a) }, x): []%[1]s", other))
		}
		each("From", k, []string{"x []TYPE special n"}, "", strings.Join(to, "; "))
		// What min and max make of NaN and of zeros of both signs; comparisons; constants that are hard to write down.
		each("Special", k, []string{"x []TYPE special n", "y []TYPE special n"}, `
			lo := $Map2(func(a, b TYPE) TYPE { return 1 / min(a, b) }, x, y)
			hi := $Map2(func(a, b TYPE) TYPE { return 1 / max(a, b) }, x, y)
			flo := $Map2(func(a, b TYPE) TYPE { return 1 / TYPE(math.Min(float64(a), float64(b))) }, x, y)
			fhi := $Map2(func(a, b TYPE) TYPE { return 1 / TYPE(math.Max(float64(a), float64(b))) }, x, y)
			all := $Map2(func(a, b TYPE) int32 {
				n := int32(0)
				if a < b { n += 1 }
				if a <= b { n += 2 }
				if a == b { n += 4 }
				if !(a >= b) { n += 8 }
				if a != a { n += 16 }
				if math.IsNaN(float64(b)) { n += 32 }
				return n
			}, x, y)
			c := $Map2(func(a, b TYPE) TYPE {
				switch {
				case a > 1e30:
					return math.MaxFloat32
				case a > 100:
					return TYPE(math.Inf(1))
				case a < -1e30:
					return TYPE(math.Inf(-1))
				case a < -100:
					return -math.MaxFloat32
				case a != a:
					return TYPE(math.NaN())
				case a > 0.1:
					return 1e-37
				case a < -0.1:
					return 16777217
				}
				return TYPE(math.Copysign(0, float64(a))) / (b * 0.1)
			}, x, y)
			f := $Map(func(a TYPE) TYPE { return TYPE(math.Floor(float64(a))) + TYPE(math.Round(float64(a))) - TYPE(math.Trunc(float64(a))) * TYPE(math.RoundToEven(float64(a))) }, x)
			g := $Map2(func(a, b TYPE) TYPE { return TYPE(math.Copysign(float64(a), float64(b))) }, x, y)
			largest := $Reduce(func(a, b TYPE) TYPE { return max(a, b) }, x, -1)
			least := $Reduce(func(a, b TYPE) TYPE { return min(a, b) }, y, 1)`,
			"lo: []TYPE; hi: []TYPE; flo: []TYPE; fhi: []TYPE; all: []int32; c: []TYPE; f: []TYPE; g: []TYPE; largest: TYPE; least: TYPE")
	}
	kernels = append(kernels, written("Constants", []string{"x []int data n", "y []float64 special n"}, `
		a := ops.Map(func(v int) int { return v + math.MinInt64 }, x)
		b := ops.Map(func(v int) int64 { return min(int64(v), math.MinInt64+1) ^ math.MaxInt64 }, x)
		c := ops.Map(func(v int) uint64 { return uint64(v) ^ math.MaxUint64 - 1<<63 }, x)
		d := ops.Map(func(v int) int32 { return int32(v) * math.MinInt32 - math.MaxInt32 }, x)
		e := ops.Map(func(v int) int8 { return int8(v) + -128 }, x)
		f := ops.Map(func(v int) uint32 { return uint32(v) - math.MaxUint32 }, x)
		g := ops.Map(func(v float64) float64 {
			if v > 1 {
				return math.SmallestNonzeroFloat64
			}
			if v < -1 {
				return -math.MaxFloat64
			}
			return v * 5e-324
		}, y)
		h := ops.Map(func(v float64) float32 { return float32(v) * 1e-40 }, y)
		i := ops.Map(func(v float64) float64 { return math.Mod(v, 3) }, y)
		j := ops.Map(func(v float64) float64 { return math.Sqrt(v) + math.Abs(v) }, y)`,
		"a: []int; b: []int64; c: []uint64; d: []int32; e: []int8; f: []uint32; g: []float64; h: []float32; i: []float64; j: []float64"))
	return kernels
}

// deviceNames are kernels with names that mean something in OpenCL C, or in the headers of a driver: keywords, types,
// functions, macros, and what the code that stands before kernels defines.
func deviceNames() []*Kernel {
	lists := [][]string{
		{"global", "kernel", "local", "constant", "private", "half"}, {"barrier", "min_", "float4", "uint", "ulong", "get_global_id"},
		{"NULL", "M_PI", "CLK_LOCAL_MEM_FENCE", "INT_MAX", "FLT_MAX", "CHAR_BIT"}, {"GROUP", "LANES", "BLOCK_SIZE_X", "GRAIN_SIZE_1", "SURGE_BLOCKWISE", "GLOBAL"},
		{"surge_run", "surge_fail", "status", "z", "groups_1", "len_x"}, {"read_only", "pipe", "generic", "vec_step", "image2d_t", "event_t"},
		{"signed", "unsigned", "volatile", "restrict", "inline", "register"}, {"convert_int", "as_long", "isnan", "signbit", "clamp", "sqrt"},
		{"__global", "__kernel", "_Bool", "__OPENCL_VERSION__", "_", "cl_khr_fp64"}, {"typeof", "asm", "linux", "unix", "main", "alignas"},
		{"CL_VERSION_1_2", "FP_FAST_FMA", "HUGE_VALF", "INFINITY", "MAXFLOAT", "DBL_MAX"}, {"size_t", "bool_", "double", "short", "char", "long"},
		{"ops_", "über", "ue9", "é", "größe", "x_1"}, {"nullptr", "constexpr", "complex", "imaginary", "quad", "wchar_t"},
		{"memory_order", "atomic_int", "CLK_GLOBAL_MEM_FENCE", "cl_mem_fence_flags", "atomic_cmpxchg", "printf"}, {"struct_", "union", "enum", "typedef", "extern", "sizeof"},
		{"i386", "X86", "NDEBUG", "ITEM", "REAL", "EOF"}, {"abs", "mul24", "select_", "any", "all", "sign"},
	}
	var kernels []*Kernel
	for i, l := range lists {
		if l[4] == "_" {
			l[4] = "__"
		}
		text := strings.NewReplacer("$0", l[0], "$1", l[1], "$2", l[2], "$3", l[3], "$4", l[4], "$5", l[5])
		params := []string{l[0] + " []float64 data n", l[1] + " []float64 data n", l[2] + " [][]int32 rows q", l[3] + " int scalar", l[4] + " []int32 index k n"}
		kernels = append(kernels, written(fmt.Sprintf("K%c105", 'A'+i), params, text.Replace(`
			$5 := ops.Map2(func($0, $1 float64) float64 {
				$3 := math.Sqrt(math.Abs($0 * $1))
				for $4 := 0; $4 < 3; $4++ {
					$3 += min($1, $0)
				}
				return $3
			}, $0, $1)
			rows$5 := ops.Map(func($1 []int32) []int32 {
				$0 := ops.Scan(func($3, $4 int32) int32 { return $3 + $4 }, $1, int32($3))
				return $0
			}, $2)
			scan$5 := ops.Scan(func($2, $1 float64) float64 { return max($2, $1) }, $0, 0)
			sum$5 := ops.Reduce(func($5, $4 float64) float64 { return max($5, $4) }, ops.Gather($5, $4), float64($3&7))`),
			text.Replace("$5: []float64; rows$5: [][]int32; scan$5: []float64; sum$5: float64")))
	}
	for _, name := range []string{"Kernel", "main", "barrier", "sqrt", "global"} { // a kernel is a function there
		kernels = append(kernels, written(name, []string{"x []float64 data n"}, "", "ops.Map(func(v float64) float64 { return math.Sqrt(math.Abs(v)) }, x): []float64"))
	}
	return kernels
}

// teams are kernels in which the work-items of a workgroup work together on a level below one that each of them runs.
func teams() []*Kernel {
	return []*Kernel{
		// The bins of one histogram, updated by one work-item of those that compute what goes into them.
		written("HistOfSums", []string{"x []int32 data n", "y []int32 data m"}, `
			keys := ops.Map(func(v int32) int { return int(v & 3) }, x)
			sums := ops.Map(func(v int32) int32 { return ops.Reduce(func(a, b int32) int32 { return a ^ b }, y, v) }, x)
			h := ops.Histogram(func(a, b int32) int32 { return a + b }, 5, keys, ops.Map(func(v int32) int32 {
				return ops.Reduce(func(a, b int32) int32 { return a + b }, ops.Map(func(w int32) int32 { return w * v }, y), 0)
			}, x), 1)`, "h: []int32; sums: []int32"),
		// Rows that are bins, to which the lanes of a team add, each at places of its own: of numbers that are there, of
		// sums, and by a combining function that has no neutral element.
		written("HistOfRows", []string{"x []int32 data n", "width int tile", "y []int32 data m"}, `
			rows := ops.Split(x[:len(x)/width*width], width)
			keys := ops.Map(func(i int) int { return i * i % 5 }, ops.Range(0, len(rows), 1))
			plain := ops.Histogram(func(a, b []int32) []int32 { return ops.Map2(func(a, b int32) int32 { return a + b }, a, b) }, 5, keys, rows, ops.Replicate(int32(7), width))
			sums := ops.Histogram(func(a, b []int32) []int32 { return ops.Map2(func(a, b int32) int32 { return a ^ b }, a, b) }, 5, keys, ops.Map(func(r []int32) []int32 {
				return ops.Map(func(v int32) int32 { return ops.Reduce(func(a, b int32) int32 { return a + b }, ops.Map(func(w int32) int32 { return w * v }, y), v) }, r)
			}, rows), ops.Replicate(int32(0), width))
			odd := ops.Histogram(func(a, b []int32) []int32 { return ops.Map2(func(a, b int32) int32 { return a + b + a*b }, a, b) }, 5, keys, rows, ops.Replicate(int32(2), width))`,
			"plain: [][]int32; sums: [][]int32; odd: [][]int32"),
		// What one work-item stores is read by the others, turn after turn.
		written("ReadByAll", []string{"x []int32 data n", "width int tile"}, `
			y := ops.Map(func(t []int32) int32 {
				sums := ops.InclusiveScan(func(a, b int32) int32 { return a + b }, ops.Map(func(u []int32) int32 {
					return ops.Reduce(func(a, b int32) int32 { return a + b }, u, 0)
				}, ops.Split(t, 3)), 1)
				return ops.Reduce(func(a, b int32) int32 { return a ^ b }, ops.Map(func(u []int32) int32 {
					return ops.Reduce(func(a, b int32) int32 { return a + b }, ops.Map(func(v int32) int32 { return v * sums[len(sums)-1-len(u)%len(sums)] }, u), 0)
				}, ops.Split(t, 5)), 0)
			}, ops.Split(x, width))
			z := ops.Map(func(t []int32) int32 {
				return ops.Reduce(func(a, b int32) int32 { return a ^ b }, ops.Map(func(u []int32) int32 {
					s := ops.Scan(func(a, b int32) int32 { return a + b }, u, 1)
					return ops.Reduce(func(a, b int32) int32 { return max(a, b) }, ops.Map2(func(a, b int32) int32 { return a - b }, s, ops.Reverse(s)), 0)
				}, ops.Split(t, 4)), 0)
			}, ops.Split(x, width))`, "y: []int32; z: []int32"),
		// Scratch memory that the next turn of a loop writes again.
		written("Again", []string{"x []int32 data n", "width int tile"}, `
			y := ops.Map(func(t []int32) int32 {
				s := ops.Scan(func(a, b int32) int32 { return a + b }, t, 1)
				u := ops.Map(func(v int32) int32 { return v * v ^ 3 }, s)
				return ops.Reduce(func(a, b int32) int32 { return a ^ b }, ops.Map2(func(a, b int32) int32 { return a - b }, u, ops.Reverse(u)), 0)
			}, ops.Split(x, width))
			z := ops.Map(func(t []int32) []int32 {
				s := ops.Scan(func(a, b int32) int32 { return a + b }, t, 1)
				return ops.Map2(func(a, b int32) int32 { return a - b }, s, ops.Reverse(s))
			}, ops.Split(x, width))`, "y: []int32; z: [][]int32"),
		// What all work-items of a workgroup read: a sequence, elements of it by index, a column beside rows, and with a
		// combining function that has no neutral element.
		written("Bodies", []string{"x []int32 data n", "y []int32 data m", "idx []int32 index k m"}, `
			pull := ops.Map(func(v int32) int32 {
				return ops.Reduce(func(a, b int32) int32 { return a + b }, ops.Map2(func(w int32, i int) int32 { return (w - v) * (w ^ int32(i)) }, y, ops.Range(0, len(y), 1)), v)
			}, x)
			far := ops.Map(func(v int32) int32 {
				return ops.Reduce(func(a, b int32) int32 { if b > a { return b }; return a }, ops.Map(func(w int32) int32 { return (w - v) * (w - v) }, ops.Gather(y, idx)), -1)
			}, x)
			nearest := ops.Map(func(v int32) ops.Pair[int32, int] {
				return ops.Reduce(func(a, b ops.Pair[int32, int]) ops.Pair[int32, int] {
					if b.First < a.First || b.First == a.First && b.Second < a.Second {
						return b
					}
					return a
				}, ops.Map2(func(w int32, i int) ops.Pair[int32, int] { return ops.Pair[int32, int]{First: (w - v) * (w - v), Second: i} }, y, ops.Range(0, len(y), 1)), ops.Pair[int32, int]{First: 1 << 30, Second: -1})
			}, x)`, "pull: []int32; far: []int32; ops.Map(func(p ops.Pair[int32, int]) int { return p.Second }, nearest): []int"),
		// Sorts by the grid and by a workgroup, of rows and in a loop.
		written("Orders", []string{"x []int32 data n", "k []int32 data n", "width int tile"}, `
			keys, y := ops.SortByKey(k, x)
			rows := ops.Map(func(r []int32) []int32 { s, _ := ops.SortByKey(r, r); return s }, ops.Split(x, width))
			s := int32(1)
			for range 3 {
				z, _ := ops.SortByKey(ops.Map(func(v int32) int32 { return v * s }, x), x)
				s = ops.Reduce(func(a, b int32) int32 { return a + b }, ops.Map2(func(v int32, i int) int32 { return v * int32(i) }, z, ops.Range(0, len(x), 1)), s)
			}`, "keys: []int32; y: []int32; rows: [][]int32; s: int32"),
		written("Centroids", []string{"x []int32 data n", "y []int32 data m", "width int tile"}, `
			columns := ops.Transpose(ops.Split(y[:len(y)/4*4], 4))
			z := ops.Map(func(v int32) int32 {
				d := ops.Map(func(j int) int32 {
					return ops.Reduce(func(a, b int32) int32 { return a + b }, ops.Map(func(c []int32) int32 { return (c[j] - v) * (c[j] ^ v) }, columns), 0)
				}, ops.Range(0, len(y)/4, 1))
				return ops.Reduce(func(a, b int32) int32 { return min(a, b) }, d, 1<<30)
			}, x)`, "z: []int32"),
		written("Product", []string{"x []int32 data n", "y []int32 data m", "width int tile"}, `
			z := ops.Map(func(row []int32) []int32 {
				return ops.Map(func(column []int32) int32 {
					return ops.Reduce(func(a, b int32) int32 { return a + b }, ops.Map(func(i int) int32 {
						if i < len(column) {
							return row[i] * column[i]
						}
						return row[i]
					}, ops.Range(0, len(row), 1)), 0)
				}, ops.Split(y, width))
			}, ops.Split(x, width))
			w := ops.Map(func(v int32) int32 {
				s := int32(0)
				if v > 3 {
					s = ops.Reduce(func(a, b int32) int32 { return a + b }, ops.Map(func(w int32) int32 { return w * v }, y), 0)
				}
				return ops.Reduce(func(a, b int32) int32 { return a + b }, ops.Map(func(w int32) int32 { return w / (v*v + 1) }, y), s)
			}, x)`, "z: [][]int32; w: []int32"),
	}
}

// TestNumbers runs kernels on extreme numbers.
func TestNumbers(t *testing.T) { runWritten(t, numbers()) }

// TestOpenCLFixed runs kernels that were written for a purpose on an OpenCL device, a few codes each.
func TestOpenCLFixed(t *testing.T) {
	needDevice(t)
	for _, set := range []struct {
		name    string
		kernels []*Kernel
	}{{"numbers", numbers()}, {"names", deviceNames()}, {"teams", teams()}, {"fixed", fixed()}} {
		t.Run(set.name, func(t *testing.T) {
			if testing.Short() && set.name != "teams" {
				t.Skip("long: a driver compiles each code")
			}
			if testing.Short() {
				set.kernels = set.kernels[:len(set.kernels)/3]
			}
			runWith(t, set.kernels, Options{PerPackage: 100, Portable: true, Platform: "opencl", Codes: 1, Args: []string{"-sizes=0,1,33,100", "-few"}})
		})
	}
}

// TestOclgrindTeams runs all codes of kernels for teams under Oclgrind, which counts the local memory of all kernels
// of a program for each.
func TestOclgrindTeams(t *testing.T) {
	checker := needOclgrind(t)
	runWith(t, teams(), Options{PerPackage: 100, Portable: true, Platform: "opencl", Under: append(checker, "--local-mem-size", "131072"), Args: []string{"-sizes=33", "-few", "-budget=1s"}})
}
