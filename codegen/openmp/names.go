package openmp

import (
	"fmt"
	"strings"

	"github.com/surge-ndp/surge/codegen/kir"
)

// names gives things C identifiers of their own.
type names struct {
	of    map[any]string
	taken map[string]bool
}

func newNames() *names { return &names{of: map[any]string{}, taken: map[string]bool{}} }

// name returns the identifier of a thing that Go calls goName.
func (n *names) name(key any, goName string) string {
	if id, ok := n.of[key]; ok {
		return id
	}
	id := identifier(goName)
	for n.taken[id] || isReserved(id) {
		id += "_"
	}
	n.taken[id] = true
	n.of[key] = id
	return id
}

// piece is the variable that says where an array lies that has grown.
func (q *function) piece(a *kir.Array) string { return q.names.name(piece{a}, a.Name+"Piece") }

// piece is the key of that name.
type piece struct{ a *kir.Array }

// identifier makes a Go identifier one of C, in ASCII. Names of the prelude, of compilers and of the system begin in
// ways that it does not leave.
func identifier(goName string) string {
	var sb strings.Builder
	for _, r := range goName {
		if r < 0x80 {
			sb.WriteRune(r)
		} else {
			fmt.Fprintf(&sb, "u%x", r)
		}
	}
	id := sb.String()
	for _, prefix := range []string{"_", "surge_", "omp_"} {
		if strings.HasPrefix(id, prefix) {
			return "v_" + id
		}
	}
	return id
}

// isReserved reports whether a kernel's own names must not be n: a word of C or of the code around, or one in
// capitals, as the macros of headers are.
func isReserved(n string) bool {
	capital := func(c byte) bool { return c >= 'A' && c <= 'Z' }
	macro := len(n) > 1 && capital(n[0]) && (capital(n[1]) || n[1] == '_' || n[1] >= '0' && n[1] <= '9') && n[len(n)-1] != '_'
	return macro || n == "I" || reserved[n] || strings.HasSuffix(n, "_t")
}

// reserved are the keywords of C and its extensions, the functions and macros of its headers that printed code uses
// or that a compiler takes for its own, and the names that printed functions use themselves.
var reserved = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`auto bool break case char const continue default do double else enum extern float for goto if inline
		int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
		asm typeof alignas alignof static_assert thread_local constexpr nullptr true false linux unix main i386 errno
		malloc calloc realloc free abort exit memcpy memset memmove memcmp strlen abs labs llabs div ldiv random rand signgam
		fmod pow atan2 hypot copysign fabs rint tgamma lgamma isnan isinf sqrt floor ceil trunc exp log sin cos round exp2 expm1
		log2 log10 log1p tan asin acos atan sinh cosh tanh asinh acosh atanh cbrt erf erfc signbit j0 j1 jn y0 y1 yn
		fmodf powf fabsf floorf ceilf truncf sqrtf rintf roundf copysignf gamma drem fma fmaf fmin fmax fdim logb scalb significand
		at arena env e f run here mark turns next bad`) {
		m[w] = true
	}
	return m
}()
