package opencl

import (
	"fmt"
	"strings"
)

// reservedPrefixes begin the names of compilers, of extensions (which are macros), and of the prelude.
var reservedPrefixes = []string{"_", "cl_", "cles_", "surge_", "sub_group_"}

// isReserved reports whether a kernel's own names must not be n: a reserved word, the type of an image, or one in
// capitals, as the macros of OpenCL C, of drivers' headers and of the prelude are. Functions that printed code does
// not call may be hidden by variables.
func isReserved(n string) bool {
	capital := func(c byte) bool { return c >= 'A' && c <= 'Z' }
	macro := len(n) > 1 && capital(n[0]) && (capital(n[1]) || n[1] == '_' || n[1] >= '0' && n[1] <= '9') && n[len(n)-1] != '_'
	return macro || reserved[n] || strings.HasPrefix(n, "image") && strings.HasSuffix(n, "_t")
}

// reserved are keywords, types and functions of OpenCL C that printed code uses, and of C.
var reserved = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`auto bool break case char const continue default do double else enum extern float for goto half if inline
		int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
		uchar ushort uint ulong size_t ptrdiff_t intptr_t uintptr_t event_t sampler_t quad complex imaginary pipe generic vec_step
		typeof alignas alignof static_assert thread_local constexpr nullptr wchar_t asm linux unix main i386
		kernel global local constant private read_only write_only read_write true false
		barrier min max fma fmod pow atan2 hypot copysign fabs rint tgamma isnan as_long sqrt floor ceil trunc exp log sin cos round exp2 expm1
		log2 log10 log1p tan asin acos atan sinh cosh tanh asinh acosh atanh cbrt erf erfc z popcount clz rotate mul_hi
		get_group_id get_local_id get_num_groups get_sub_group_id get_num_sub_groups get_sub_group_local_id get_sub_group_size get_max_sub_group_size`) {
		m[w] = true
	}
	for _, t := range []string{"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double", "half", "bool"} {
		for _, n := range []string{"2", "3", "4", "8", "16"} {
			m[t+n] = true
		}
	}
	return m
}()

// Prelude is the OpenCL C that stands before the kernels of a variant: where a work-item stands, how a team shares a
// loop, and Go's arithmetic where C's is another or undefined. doubles says whether the variant computes with doubles.
//
// SURGE_BLOCKWISE says how the work-items of a team share a loop: it is 1 where each should read neighbouring
// elements (processors, for their caches), 0 where neighbouring work-items should (GPUs, for coalesced reads). OWN is
// where element i is of n that a work-item has for itself, by the same measure.
// DIVERGENT stands before loops and conditions in which the work-items of a group may go different ways, in kernels
// with barriers: it is always true.
func Prelude(doubles bool) string {
	text := base + integers()
	text += strings.NewReplacer("REAL", "float", "f64", "f32", "BITS", "uint").Replace(floats)
	if doubles {
		text = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" + text + strings.NewReplacer("REAL", "double", "BITS", "ulong").Replace(floats)
	}
	return text
}

const base = `#pragma OPENCL FP_CONTRACT OFF

#ifndef LOGICAL_WARP_SIZE
#define LOGICAL_WARP_SIZE 1
#endif
#ifndef SURGE_BLOCKWISE
#define SURGE_BLOCKWISE 0
#endif

#define GROUP_SIZE (BLOCK_SIZE_X * BLOCK_SIZE_Y)
#define GROUP ((long)get_group_id(0))
#define GROUPS ((long)get_num_groups(0))
#define ITEM ((long)(get_local_id(1) * BLOCK_SIZE_X + get_local_id(0)))
#define ITEMS ((long)GROUP_SIZE)
#define WARP (ITEM / LOGICAL_WARP_SIZE)
#define WARPS (ITEMS / LOGICAL_WARP_SIZE)
#define LANE (ITEM % LOGICAL_WARP_SIZE)
#define LANES ((long)LOGICAL_WARP_SIZE)
#define DIVERGENT if (ITEM < -__LINE__) {} else
#define GLOBAL (GROUP * ITEMS + ITEM)
#define GLOBALS (GROUPS * ITEMS)
#define OWN(i, n) (SURGE_BLOCKWISE ? GLOBAL * (n) + (i) : (i) * GLOBALS + GLOBAL)
#define SUBGROUP ((long)get_sub_group_id())
#define SUBGROUPS ((long)get_num_sub_groups())
#define SUBITEM ((long)get_sub_group_local_id())
#define SUBITEMS ((long)get_sub_group_size())
#define MAX_SUBITEMS ((long)get_max_sub_group_size())
#ifdef SUBGROUP_SIZE
#define SUBGROUPS_OF_SIZE __attribute__((intel_reqd_sub_group_size(SUBGROUP_SIZE)))
#else
#define SUBGROUPS_OF_SIZE
#endif

// The range [lo, hi) in runs of neighbours, one for each of n items: its bounds for item i, and how many are not empty.
static long surge_run(long lo, long hi, long n) { return max((hi - lo + n - 1) / n, 1L); }
static long surge_run_lo(long lo, long hi, long i, long n) { return min(hi, lo + i * surge_run(lo, hi, n)); }
static long surge_run_hi(long lo, long hi, long i, long n) { return min(hi, lo + (i + 1) * surge_run(lo, hi, n)); }
static long surge_run_count(long lo, long hi, long n) { long r = surge_run(lo, hi, n); return (hi - lo + r - 1) / r; }

// The same as the device likes it: in runs, or every n-th element.
static long surge_share_lo(long lo, long hi, long i, long n) { return SURGE_BLOCKWISE ? surge_run_lo(lo, hi, i, n) : lo + i; }
static long surge_share_hi(long lo, long hi, long i, long n) { return SURGE_BLOCKWISE ? surge_run_hi(lo, hi, i, n) : hi; }
static long surge_share_step(long n) { return SURGE_BLOCKWISE ? 1 : n; }
static long surge_share_count(long lo, long hi, long n) { return SURGE_BLOCKWISE ? surge_run_count(lo, hi, n) : min(hi - lo, n); }

// How many of the first n items of the grid are in a group of the given size, and how many groups these fill.
static long surge_team_count(long n, long group, long size) { return clamp(n - group * size, 0L, size); }
static long surge_teams_of(long n, long size) { return (n + size - 1) / size; }

// Eight neighbours at p, past the caches where the compiler can do that and a vector's place begins there; and how many
// elements of so many bytes there are from p to where a line of the caches begins.
#ifdef __has_builtin
#if __has_builtin(__builtin_nontemporal_store)
#define surge_stream(vector, p, x) do { if ((ulong)(p) % sizeof(vector) == 0) __builtin_nontemporal_store(x, (__global vector *)(p)); else vstore8(x, 0, p); } while (0)
#endif
#endif
#ifndef surge_stream
#define surge_stream(vector, p, x) vstore8(x, 0, p)
#endif
static long surge_to_line(ulong p, long bytes) { return (long)(-p % 64) / bytes; }

// Work-items in runs of n, the largest power of two that divides a and b: the number of an item's run, and its place.
static long surge_common(long a, long b) { return (a | b) & -(a | b); }
static long surge_run_number(long item, long n) { return (uint)item / (uint)n; }
static long surge_run_place(long item, long n) { return item & (n - 1); }

`

const floats = `
static REAL surge_min_f64(REAL a, REAL b) { return isnan(a) || isnan(b) ? (REAL)NAN : a < b || (a == b && signbit(a)) ? a : b; }
static REAL surge_max_f64(REAL a, REAL b) { return isnan(a) || isnan(b) ? (REAL)NAN : a > b || (a == b && signbit(b)) ? a : b; }
static REAL surge_fmin_f64(REAL a, REAL b) { return a == -INFINITY || b == -INFINITY ? -(REAL)INFINITY : surge_min_f64(a, b); }
static REAL surge_fmax_f64(REAL a, REAL b) { return a == INFINITY || b == INFINITY ? (REAL)INFINITY : surge_max_f64(a, b); }
static long surge_i64_of_f64(REAL x) { return x >= (REAL)-0x1p63 && x < (REAL)0x1p63 ? (long)x : LONG_MIN; }
static int surge_i32_of_f64(REAL x) { return x > (REAL)-2147483649.0 && x < (REAL)0x1p31 ? (int)x : INT_MIN; }
static short surge_i16_of_f64(REAL x) { return (short)surge_i32_of_f64(x); }
static char surge_i8_of_f64(REAL x) { return (char)surge_i32_of_f64(x); }
static ulong surge_u64_of_f64(REAL x) { return x < (REAL)0x1p63 ? (ulong)surge_i64_of_f64(x) : (ulong)surge_i64_of_f64(x - (REAL)0x1p63) | 0x8000000000000000UL; }
static uint surge_u32_of_f64(REAL x) { return (uint)surge_i64_of_f64(x); }
static ushort surge_u16_of_f64(REAL x) { return (ushort)surge_i32_of_f64(x); }
static uchar surge_u8_of_f64(REAL x) { return (uchar)surge_i32_of_f64(x); }
static BITS surge_order_f64(REAL x)
{
	BITS u = as_BITS(x), sign = (BITS)1 << (8 * sizeof(x) - 1);
	return isnan(x) ? 0 : u & sign ? (u == sign ? sign : ~u) : u | sign;
}
`

// integers are division and shifts of every integer type: the quotient of the smallest number and -1 wraps around,
// and a shift by the width or more shifts everything out.
func integers() string {
	var sb strings.Builder
	for _, t := range []struct {
		name, c, u string
		bits       int
		signed     bool
	}{
		{"i8", "char", "uchar", 8, true}, {"i16", "short", "ushort", 16, true}, {"i32", "int", "uint", 32, true}, {"i64", "long", "ulong", 64, true},
		{"u8", "uchar", "uchar", 8, false}, {"u16", "ushort", "ushort", 16, false}, {"u32", "uint", "uint", 32, false}, {"u64", "ulong", "ulong", 64, false},
	} {
		out := "0"
		if t.signed {
			fmt.Fprintf(&sb, "static %[1]s surge_div_%[2]s(%[1]s a, %[1]s b) { return b == -1 ? (%[1]s)(0 - (%[3]s)a) : (%[1]s)(a / b); }\n", t.c, t.name, t.u)
			fmt.Fprintf(&sb, "static %[1]s surge_rem_%[2]s(%[1]s a, %[1]s b) { return b == -1 ? 0 : (%[1]s)(a %% b); }\n", t.c, t.name)
			out = "a < 0 ? -1 : 0"
		}
		fmt.Fprintf(&sb, "static %[1]s surge_shl_%[2]s(%[1]s a, ulong n) { return n < %[4]d ? (%[1]s)((%[3]s)a << n) : 0; }\n", t.c, t.name, t.u, t.bits)
		fmt.Fprintf(&sb, "static %[1]s surge_shr_%[2]s(%[1]s a, ulong n) { return n < %[3]d ? (%[1]s)(a >> n) : (%[1]s)(%[4]s); }\n", t.c, t.name, t.bits, out)
	}
	return sb.String()
}
