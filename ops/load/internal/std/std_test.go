package std

import (
	"bytes"
	"cmp"
	"math"
	"math/bits"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"
	"unicode/utf8"

	stdbytes "github.com/surge-ndp/surge/ops/load/internal/std/bytes"
	stdcmp "github.com/surge-ndp/surge/ops/load/internal/std/cmp"
	stdmath "github.com/surge-ndp/surge/ops/load/internal/std/math"
	stdbits "github.com/surge-ndp/surge/ops/load/internal/std/math/bits"
	stdcmplx "github.com/surge-ndp/surge/ops/load/internal/std/math/cmplx"
	stdslices "github.com/surge-ndp/surge/ops/load/internal/std/slices"
	stdsort "github.com/surge-ndp/surge/ops/load/internal/std/sort"
	stdstrings "github.com/surge-ndp/surge/ops/load/internal/std/strings"
	stdutf8 "github.com/surge-ndp/surge/ops/load/internal/std/unicode/utf8"
)

var rng = rand.New(rand.NewPCG(16, 1))

// number is a float of any kind: of any size, special, or a small integer.
func number() float64 {
	special := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, math.SmallestNonzeroFloat64, 0x1p-1022, 0.5, 2}
	switch rng.IntN(4) {
	case 0:
		return special[rng.IntN(len(special))]
	case 1:
		return float64(rng.IntN(20) - 10)
	case 2:
		return rng.NormFloat64()
	}
	return math.Float64frombits(rng.Uint64())
}

func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
}

func TestMath(t *testing.T) {
	for range 200_000 {
		x, y, n := number(), number(), rng.IntN(4400)-2200
		for name, pair := range map[string][2]func(x, y float64) float64{
			"Dim": {stdmath.Dim, math.Dim}, "Remainder": {stdmath.Remainder, math.Remainder}, "Nextafter": {stdmath.Nextafter, math.Nextafter},
			"Logb":       {func(x, _ float64) float64 { return stdmath.Logb(x) }, func(x, _ float64) float64 { return math.Logb(x) }},
			"Ldexp":      {func(x, _ float64) float64 { return stdmath.Ldexp(x, n) }, func(x, _ float64) float64 { return math.Ldexp(x, n) }},
			"Nextafter3": {func(x, y float64) float64 { return float64(stdmath.Nextafter32(float32(x), float32(y))) }, func(x, y float64) float64 { return float64(math.Nextafter32(float32(x), float32(y))) }},
		} {
			if got, want := pair[0](x, y), pair[1](x, y); !same(got, want) {
				t.Fatalf("%s(%v, %v), n = %d: %v, not %v", name, x, y, n, got, want)
			}
		}
		i, f := stdmath.Modf(x)
		if wi, wf := math.Modf(x); !same(i, wi) || !same(f, wf) {
			t.Fatalf("Modf(%v): %v, %v, not %v, %v", x, i, f, wi, wf)
		}
		s, c := stdmath.Sincos(x)
		if ws, wc := math.Sincos(x); !same(s, ws) || !same(c, wc) {
			t.Fatalf("Sincos(%v): %v, %v, not %v, %v", x, s, c, ws, wc)
		}
		g, e := stdmath.Frexp(x)
		if wg, we := math.Frexp(x); !same(g, wg) || e != we {
			t.Fatalf("Frexp(%v): %v, %d, not %v, %d", x, g, e, wg, we)
		}
		if got, want := stdmath.Ilogb(x), math.Ilogb(x); got != want || stdmath.Signbit(x) != math.Signbit(x) {
			t.Fatalf("Ilogb(%v): %d, not %d", x, got, want)
		}
	}
}

func TestBits(t *testing.T) {
	for range 100_000 {
		x, y, carry := rng.Uint64()>>rng.IntN(64), rng.Uint64()>>rng.IntN(64), rng.Uint64N(2)
		if rng.IntN(4) == 0 {
			y = ^x
		}
		equal := func(name string, a, b, wa, wb uint64) {
			if a != wa || b != wb {
				t.Fatalf("%s(%d, %d, %d): %d, %d, not %d, %d", name, x, y, carry, a, b, wa, wb)
			}
		}
		both := func(name string, f, want func(x, y, c uint64) (uint64, uint64)) {
			a, b := f(x, y, carry)
			wa, wb := want(x, y, carry)
			equal(name, a, b, wa, wb)
		}
		both("Add64", stdbits.Add64, bits.Add64)
		both("Sub64", stdbits.Sub64, bits.Sub64)
		wide := func(f func(x, y, c uint) (uint, uint)) func(x, y, c uint64) (uint64, uint64) {
			return func(x, y, c uint64) (uint64, uint64) {
				a, b := f(uint(x), uint(y), uint(c))
				return uint64(a), uint64(b)
			}
		}
		narrow := func(f func(x, y, c uint32) (uint32, uint32)) func(x, y, c uint64) (uint64, uint64) {
			return func(x, y, c uint64) (uint64, uint64) {
				a, b := f(uint32(x), uint32(y), uint32(c))
				return uint64(a), uint64(b)
			}
		}
		both("Add", wide(stdbits.Add), wide(bits.Add))
		both("Sub", wide(stdbits.Sub), wide(bits.Sub))
		both("Add32", narrow(stdbits.Add32), narrow(bits.Add32))
		both("Sub32", narrow(stdbits.Sub32), narrow(bits.Sub32))
		both("Mul32", narrow(func(x, y, _ uint32) (uint32, uint32) { return stdbits.Mul32(x, y) }), narrow(func(x, y, _ uint32) (uint32, uint32) { return bits.Mul32(x, y) }))
	}
}

// text is bytes of which most are runes.
func text() []byte {
	var p []byte
	for range rng.IntN(6) {
		switch rng.IntN(4) {
		case 0:
			p = append(p, byte(rng.IntN(256)))
		case 1:
			p = append(p, byte('a'+rng.IntN(26)))
		default:
			p = utf8.AppendRune(p, rune(rng.IntN(0x110000)>>rng.IntN(12)))
		}
	}
	if len(p) > 0 && rng.IntN(3) == 0 {
		p = p[:rng.IntN(len(p))]
	}
	return p
}

func TestUTF8(t *testing.T) {
	for r := rune(-5); r < 0x110010; r++ {
		if stdutf8.RuneLen(r) != utf8.RuneLen(r) || stdutf8.ValidRune(r) != utf8.ValidRune(r) {
			t.Fatalf("RuneLen(%#x): %d, not %d", r, stdutf8.RuneLen(r), utf8.RuneLen(r))
		}
	}
	for range 300_000 {
		p := text()
		s := string(p)
		r, n := stdutf8.DecodeRune(p)
		if wr, wn := utf8.DecodeRune(p); r != wr || n != wn {
			t.Fatalf("DecodeRune(%x): %#x, %d, not %#x, %d", p, r, n, wr, wn)
		}
		r, n = stdutf8.DecodeLastRuneInString(s)
		if wr, wn := utf8.DecodeLastRune(p); r != wr || n != wn {
			t.Fatalf("DecodeLastRune(%x): %#x, %d, not %#x, %d", p, r, n, wr, wn)
		}
		if stdutf8.FullRune(p) != utf8.FullRune(p) || stdutf8.FullRuneInString(s) != utf8.FullRuneInString(s) {
			t.Fatalf("FullRune(%x): %v", p, stdutf8.FullRune(p))
		}
		if stdutf8.RuneCount(p) != utf8.RuneCount(p) || stdutf8.RuneCountInString(s) != utf8.RuneCountInString(s) {
			t.Fatalf("RuneCount(%x): %d", p, stdutf8.RuneCount(p))
		}
		if stdutf8.Valid(p) != utf8.Valid(p) || stdutf8.ValidString(s) != utf8.ValidString(s) {
			t.Fatalf("Valid(%x): %v", p, stdutf8.Valid(p))
		}
		if len(p) > 0 && stdutf8.RuneStart(p[0]) != utf8.RuneStart(p[0]) {
			t.Fatalf("RuneStart(%x)", p[0])
		}
	}
}

func TestSearch(t *testing.T) {
	for range 20_000 {
		a := make([]int, rng.IntN(20))
		f := make([]float64, len(a))
		for i := range a {
			a[i], f[i] = rng.IntN(15), number()
		}
		if stdsort.IntsAreSorted(a) != sort.IntsAreSorted(a) || stdsort.Float64sAreSorted(f) != sort.Float64sAreSorted(f) {
			t.Fatal(a, f)
		}
		slices.Sort(a)
		sort.Float64s(f)
		x, y := rng.IntN(17)-1, number()
		if stdsort.SearchInts(a, x) != sort.SearchInts(a, x) || stdsort.SearchFloat64s(f, y) != sort.SearchFloat64s(f, y) || !stdsort.Float64sAreSorted(f) {
			t.Fatal(a, x, f, y)
		}
		above := func(i int) bool { return a[i] >= x }
		order := func(i int) int { return x - a[i] }
		i, found := stdsort.Find(len(a), order)
		if j, has := sort.Find(len(a), order); i != j || found != has || stdsort.Search(len(a), above) != sort.Search(len(a), above) {
			t.Fatal(a, x)
		}
	}
}

type pair struct{ key, at int }

func order(a, b pair) int { return cmp.Compare(a.key, b.key) }

// TestSlices compares with package slices. What is not defined there is not compared: how SortFunc orders equal
// elements.
func TestSlices(t *testing.T) {
	for range 20_000 {
		n := rng.IntN(8)
		if rng.IntN(4) == 0 {
			n = rng.IntN(400)
		}
		f, g, ps := make([]float64, n), make([]float64, n), make([]pair, n)
		for i := range f {
			f[i], g[i], ps[i] = number(), number(), pair{rng.IntN(n), i}
		}
		if rng.IntN(3) == 0 {
			copy(g, f[:rng.IntN(n+1)])
		}
		v := number()
		if n > 0 && rng.IntN(2) == 0 {
			v = f[rng.IntN(n)]
		}
		above := func(x float64) bool { return x > v }
		if a, b := stdslices.Index(f, v), slices.Index(f, v); a != b || stdslices.Contains(f, v) != (b >= 0) {
			t.Fatalf("Index(%v, %v): %d, not %d", f, v, a, b)
		}
		if a, b := stdslices.IndexFunc(f, above), slices.IndexFunc(f, above); a != b || stdslices.ContainsFunc(f, above) != (b >= 0) {
			t.Fatalf("IndexFunc(%v, %v): %d, not %d", f, v, a, b)
		}
		if n > 0 {
			if a, b := stdslices.Min(f), slices.Min(f); !same(a, b) {
				t.Fatalf("Min(%v): %v, not %v", f, a, b)
			}
			if a, b := stdslices.Max(f), slices.Max(f); !same(a, b) {
				t.Fatalf("Max(%v): %v, not %v", f, a, b)
			}
			if stdslices.MinFunc(ps, order) != slices.MinFunc(ps, order) || stdslices.MaxFunc(ps, order) != slices.MaxFunc(ps, order) {
				t.Fatalf("MinFunc, MaxFunc(%v)", ps)
			}
		}
		if stdslices.Equal(f, g) != slices.Equal(f, g) || stdslices.Compare(f, g) != slices.Compare(f, g) ||
			stdslices.EqualFunc(f, g, same) != slices.EqualFunc(f, g, same) || stdslices.CompareFunc(f, g, stdcmp.Compare) != slices.CompareFunc(f, g, cmp.Compare) {
			t.Fatalf("Equal, Compare(%v, %v)", f, g)
		}
		if stdslices.IsSorted(f) != slices.IsSorted(f) || stdslices.IsSortedFunc(ps, order) != slices.IsSortedFunc(ps, order) {
			t.Fatalf("IsSorted(%v)", f)
		}
		a, b := stdslices.Clone(ps), slices.Clone(ps)
		stdslices.SortStableFunc(a, order)
		slices.SortStableFunc(b, order)
		if !slices.Equal(a, b) {
			t.Fatalf("SortStableFunc(%v): %v", ps, a)
		}
		i, found := stdslices.BinarySearchFunc(a, n/2, func(p pair, k int) int { return cmp.Compare(p.key, k) })
		if j, has := slices.BinarySearchFunc(a, n/2, func(p pair, k int) int { return cmp.Compare(p.key, k) }); i != j || found != has {
			t.Fatalf("BinarySearchFunc(%v, %d): %d, %v", a, n/2, i, found)
		}
		stdslices.Reverse(a)
		slices.Reverse(b)
		if !slices.Equal(a, b) {
			t.Fatalf("Reverse: %v", a)
		}
		sorted, want := stdslices.Clone(f), slices.Clone(f)
		stdslices.Sort(sorted)
		slices.Sort(want)
		for i := range sorted {
			if stdcmp.Compare(sorted[i], want[i]) != 0 { // zeros of both signs are equal
				t.Fatalf("Sort(%v): %v", f, sorted)
			}
		}
		i, found = stdslices.BinarySearch(sorted, v)
		if j, has := slices.BinarySearch(sorted, v); i != j || found != has {
			t.Fatalf("BinarySearch(%v, %v): %d, %v", sorted, v, i, found)
		}
		stdsort.Float64s(g)
		if !sort.Float64sAreSorted(g) {
			t.Fatal(g)
		}
		x, y := number(), number()
		if stdcmp.Compare(x, y) != cmp.Compare(x, y) || stdcmp.Less(x, y) != cmp.Less(x, y) {
			t.Fatal(x, y)
		}
	}
}

// near compares complex numbers up to some units in the last place of the larger part.
func near(a, b complex128) bool {
	size := max(math.Abs(real(b)), math.Abs(imag(b)))
	part := func(x, y float64) bool {
		return same(x, y) || x == y || math.Abs(x-y) <= 1e-13*size && !math.IsInf(size, 0)
	}
	return part(real(a), real(b)) && part(imag(a), imag(b))
}

// TestComplex compares with package math/cmplx: all numbers where that is exact, else those of moderate size, and
// special ones.
func TestComplex(t *testing.T) {
	moderate := func() float64 {
		x := number()
		if a := math.Abs(x); a > 1e-300 && a < 1e-5 || a > 100 && !math.IsInf(x, 0) {
			return rng.NormFloat64()
		}
		return x
	}
	for range 100_000 {
		x, y, z := complex(number(), number()), complex(moderate(), moderate()), complex(moderate(), moderate())
		if y == 0 && math.IsNaN(real(z)) && math.IsInf(imag(z), 0) {
			continue // Pow panics
		}
		for name, pair := range map[string][2]complex128{
			"Sqrt": {stdcmplx.Sqrt(x), cmplx.Sqrt(x)}, "Log": {stdcmplx.Log(x), cmplx.Log(x)}, "Conj": {stdcmplx.Conj(x), cmplx.Conj(x)},
			"Exp": {stdcmplx.Exp(y), cmplx.Exp(y)}, "Sin": {stdcmplx.Sin(y), cmplx.Sin(y)}, "Cos": {stdcmplx.Cos(y), cmplx.Cos(y)},
			"Log10": {stdcmplx.Log10(y), cmplx.Log10(y)}, "Pow": {stdcmplx.Pow(y, z), cmplx.Pow(y, z)},
			"Abs": {complex(stdcmplx.Abs(x), stdcmplx.Phase(x)), complex(cmplx.Abs(x), cmplx.Phase(x))},
			"NaN": {stdcmplx.NaN(), cmplx.NaN()}, "Inf": {stdcmplx.Inf(), cmplx.Inf()},
			"Rect": {stdcmplx.Rect(real(y), imag(y)), cmplx.Rect(real(y), imag(y))},
		} {
			if name == "Sqrt" && min(math.Abs(real(x)), math.Abs(imag(x))) < 0x1p-1020 && max(math.Abs(real(x)), math.Abs(imag(x))) < 0x1p-1000 {
				continue // the standard one loses the bits of a denormal
			}
			if !near(pair[0], pair[1]) {
				t.Errorf("%s(%v, %v, %v): %v, not %v", name, x, y, z, pair[0], pair[1])
			}
		}
		if stdcmplx.IsNaN(x) != cmplx.IsNaN(x) || stdcmplx.IsInf(x) != cmplx.IsInf(x) {
			t.Errorf("IsNaN, IsInf(%v)", x)
		}
		if t.Failed() {
			return
		}
	}
}

// TestText compares with packages strings and bytes.
func TestText(t *testing.T) {
	word := func(n int) string {
		p := make([]byte, rng.IntN(n))
		for i := range p {
			p[i] = "ab\xc3\xa4"[rng.IntN(4)]
		}
		return string(p)
	}
	for range 100_000 {
		a, b := word(12), word(4)
		x, y, c := []byte(a), []byte(b), byte('a'+rng.IntN(3))
		equal := func(name string, got, fromBytes, want any) {
			if got != want || fromBytes != want {
				t.Fatalf("%s(%q, %q): %v and %v, not %v", name, a, b, got, fromBytes, want)
			}
		}
		equal("HasPrefix", stdstrings.HasPrefix(a, b), stdbytes.HasPrefix(x, y), strings.HasPrefix(a, b))
		equal("HasSuffix", stdstrings.HasSuffix(a, b), stdbytes.HasSuffix(x, y), strings.HasSuffix(a, b))
		equal("Index", stdstrings.Index(a, b), stdbytes.Index(x, y), strings.Index(a, b))
		equal("LastIndex", stdstrings.LastIndex(a, b), stdbytes.LastIndex(x, y), strings.LastIndex(a, b))
		equal("Contains", stdstrings.Contains(a, b), stdbytes.Contains(x, y), strings.Contains(a, b))
		equal("IndexByte", stdstrings.IndexByte(a, c), stdbytes.IndexByte(x, c), strings.IndexByte(a, c))
		equal("Count", stdstrings.Count(a, b), stdbytes.Count(x, y), strings.Count(a, b))
		equal("Compare", stdstrings.Compare(a, b), stdbytes.Compare(x, y), strings.Compare(a, b))
		equal("Equal", stdbytes.Equal(x, y), stdbytes.Equal(y, x), bytes.Equal(x, y))
		if i, j := rng.IntN(2), rng.IntN(3); stdcmp.Or(i, j) != cmp.Or(i, j) {
			t.Fatal(i, j)
		}
	}
}
