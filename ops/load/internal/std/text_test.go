package std

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	stdbits "github.com/surge-ndp/surge/ops/load/internal/std/math/bits"
	stdslices "github.com/surge-ndp/surge/ops/load/internal/std/slices"
	stdstrings "github.com/surge-ndp/surge/ops/load/internal/std/strings"
	stdtime "github.com/surge-ndp/surge/ops/load/internal/std/time"
	stdutf8 "github.com/surge-ndp/surge/ops/load/internal/std/unicode/utf8"
)

// TestSortFunc checks that equal elements end in the order in which packages slices and sort put them, for patterns
// that reach all parts of the algorithm.
func TestSortFunc(t *testing.T) {
	for range 8_000 {
		n := rng.IntN(60)
		if rng.IntN(4) == 0 {
			n = rng.IntN(3000)
		}
		keys, pattern := 1+rng.IntN(n+1), rng.IntN(8)
		if rng.IntN(3) == 0 {
			keys = 1 + rng.IntN(4)
		}
		ps := make([]pair, n)
		for i := range ps {
			k := rng.IntN(keys)
			switch pattern {
			case 0:
				k = i
			case 1:
				k = n - i
			case 2:
				k = i % keys
			case 3:
				k = min(i, n-i)
			case 4:
				k = i ^ 1
			case 5:
				k = i * i % (n + 1)
			}
			ps[i] = pair{k, i}
		}
		for range rng.IntN(4) {
			if n > 0 {
				ps[rng.IntN(n)].key = rng.IntN(keys)
			}
		}
		got, want, byIndex := slices.Clone(ps), slices.Clone(ps), slices.Clone(ps)
		stdslices.SortFunc(got, order)
		slices.SortFunc(want, order)
		sort.Slice(byIndex, func(i, j int) bool { return byIndex[i].key < byIndex[j].key })
		if !slices.Equal(got, want) || !slices.Equal(byIndex, want) {
			t.Fatalf("SortFunc(%v): %v, not %v", ps, got, want)
		}
	}
	// What makes quicksort bad: each comparison decides the order of what it compares, to the disadvantage of the pivot.
	worst := func(sort func(x []pair, cmp func(a, b pair) int)) []pair {
		n := 2000
		x, value, solid, candidate := make([]pair, n), make([]int, n), 0, 0
		for i := range x {
			x[i], value[i] = pair{0, i}, n
		}
		sort(x, func(a, b pair) int {
			if value[a.at] == n && value[b.at] == n {
				if a.at == candidate {
					value[a.at] = solid
				} else {
					value[b.at] = solid
				}
				solid++
			}
			if value[a.at] == n {
				candidate = a.at
			} else if value[b.at] == n {
				candidate = b.at
			}
			return cmp.Compare(value[a.at], value[b.at])
		})
		return x
	}
	got := worst(func(x []pair, cmp func(a, b pair) int) { stdslices.SortFunc(x, cmp) })
	if want := worst(func(x []pair, cmp func(a, b pair) int) { slices.SortFunc(x, cmp) }); !slices.Equal(got, want) {
		t.Fatalf("the worst order: %v, not %v", got, want)
	}
}

func TestTrim(t *testing.T) {
	words := []string{"", " ", "a", "ab", "b", "\t\n", " ", "é", "ab ", "\xff", "aa", "ıſ", "ȺΣς", "\uFFFD", "𐐀İ"}
	some := func() string {
		s := ""
		for range rng.IntN(5) {
			s += words[rng.IntN(len(words))]
		}
		return s
	}
	odd := func(r rune) rune {
		if r%3 == 0 {
			return -1
		}
		return r*7 + 1000*(r%2)
	}
	for range 100_000 {
		a, b, r := some(), words[rng.IntN(len(words))], rune(rng.IntN(0x200))
		equal := func(name string, got, want any) {
			if got != want {
				t.Fatalf("%s(%q, %q, %q): %v, not %v", name, a, b, r, got, want)
			}
		}
		for name, f := range map[string][2]func(s, u string) string{
			"Trim": {stdstrings.Trim, strings.Trim}, "TrimLeft": {stdstrings.TrimLeft, strings.TrimLeft}, "TrimRight": {stdstrings.TrimRight, strings.TrimRight},
			"TrimPrefix": {stdstrings.TrimPrefix, strings.TrimPrefix}, "TrimSuffix": {stdstrings.TrimSuffix, strings.TrimSuffix},
			"TrimSpace": {func(s, _ string) string { return stdstrings.TrimSpace(s) }, func(s, _ string) string { return strings.TrimSpace(s) }},
			"ToUpper":   {func(s, _ string) string { return stdstrings.ToUpper(s) }, func(s, _ string) string { return strings.ToUpper(s) }},
			"ToLower":   {func(s, _ string) string { return stdstrings.ToLower(s) }, func(s, _ string) string { return strings.ToLower(s) }},
			"Map":       {func(s, _ string) string { return stdstrings.Map(odd, s) }, func(s, _ string) string { return strings.Map(odd, s) }},
			"Repeat":    {func(s, u string) string { return stdstrings.Repeat(s, len(u)) }, func(s, u string) string { return strings.Repeat(s, len(u)) }},
			"TrimFunc":  {func(s, _ string) string { return stdstrings.TrimFunc(s, unicode.IsLetter) }, func(s, _ string) string { return strings.TrimFunc(s, unicode.IsLetter) }},
		} {
			equal(name, f[0](a, b), f[1](a, b))
		}
		list := func(parts []string) string { return fmt.Sprintf("%q", parts) }
		equal("Split", list(stdstrings.Split(a, b)), list(strings.Split(a, b)))
		equal("Split", list(stdstrings.Split(a, a[:min(len(a), 1)])), list(strings.Split(a, a[:min(len(a), 1)])))
		equal("Fields", list(stdstrings.Fields(a)), list(strings.Fields(a)))
		equal("FieldsFunc", list(stdstrings.FieldsFunc(a, unicode.IsLetter)), list(strings.FieldsFunc(a, unicode.IsLetter)))
		elems := []string{a, b, a}[:rng.IntN(4)]
		equal("Join", stdstrings.Join(elems, b), strings.Join(elems, b))
		equal("IndexRune", stdstrings.IndexRune(a, r), strings.IndexRune(a, r))
		equal("ContainsRune", stdstrings.ContainsRune(a, r), strings.ContainsRune(a, r))
		equal("IndexAny", stdstrings.IndexAny(a, b), strings.IndexAny(a, b))
		equal("ContainsAny", stdstrings.ContainsAny(a, b), strings.ContainsAny(a, b))
		equal("IndexFunc", stdstrings.IndexFunc(a, unicode.IsLetter), strings.IndexFunc(a, unicode.IsLetter))
		equal("ContainsFunc", stdstrings.ContainsFunc(a, unicode.IsLetter), strings.ContainsFunc(a, unicode.IsLetter))
		equal("LastIndexByte", stdstrings.LastIndexByte(a, byte(r)), strings.LastIndexByte(a, byte(r)))
		type cut struct {
			before, after string
			found         bool
		}
		three := func(before, after string, found bool) cut { return cut{before, after, found} }
		two := func(rest string, found bool) cut { return cut{rest, "", found} }
		equal("Cut", three(stdstrings.Cut(a, b)), three(strings.Cut(a, b)))
		equal("CutPrefix", two(stdstrings.CutPrefix(a, b)), two(strings.CutPrefix(a, b)))
		equal("CutSuffix", two(stdstrings.CutSuffix(a, b)), two(strings.CutSuffix(a, b)))
	}
	for range 100_000 {
		r := rune(rng.IntN(0x120000)-10) >> rng.IntN(12)
		p, q := make([]byte, 4), make([]byte, 4)
		n, m := stdutf8.EncodeRune(p, r), utf8.EncodeRune(q, r)
		if n != m || string(p) != string(q) || string(stdutf8.AppendRune([]byte("x"), r)) != string(utf8.AppendRune([]byte("x"), r)) {
			t.Fatalf("EncodeRune(%#x): %x, not %x", r, p[:n], q[:m])
		}
	}
}

// TestDivision compares the divisions of two words by one, and where they panic.
func TestDivision(t *testing.T) {
	divide := func(f func(hi, lo, y uint64) (uint64, uint64), hi, lo, y uint64) (q, r uint64, panics bool) {
		defer func() { panics = recover() != nil }()
		q, r = f(hi, lo, y)
		return q, r, false
	}
	narrow := func(f func(hi, lo, y uint32) (uint32, uint32)) func(hi, lo, y uint64) (uint64, uint64) {
		return func(hi, lo, y uint64) (uint64, uint64) {
			q, r := f(uint32(hi), uint32(lo), uint32(y))
			return uint64(q), uint64(r)
		}
	}
	rem := func(f func(hi, lo, y uint64) uint64) func(hi, lo, y uint64) (uint64, uint64) {
		return func(hi, lo, y uint64) (uint64, uint64) { return 0, f(hi, lo, y) }
	}
	rem32 := func(f func(hi, lo, y uint32) uint32) func(hi, lo, y uint64) (uint64, uint64) {
		return func(hi, lo, y uint64) (uint64, uint64) { return 0, uint64(f(uint32(hi), uint32(lo), uint32(y))) }
	}
	for range 50_000 {
		hi, lo, y := rng.Uint64()>>rng.IntN(64), rng.Uint64()>>rng.IntN(64), rng.Uint64()>>rng.IntN(64)
		if rng.IntN(20) == 0 {
			y = 0
		}
		for name, f := range map[string][2]func(hi, lo, y uint64) (uint64, uint64){
			"Div64": {stdbits.Div64, bits.Div64}, "Div32": {narrow(stdbits.Div32), narrow(bits.Div32)},
			"Rem64": {rem(stdbits.Rem64), rem(bits.Rem64)}, "Rem32": {rem32(stdbits.Rem32), rem32(bits.Rem32)},
		} {
			q, r, p := divide(f[0], hi, lo, y)
			if wq, wr, wp := divide(f[1], hi, lo, y); q != wq || r != wr || p != wp {
				t.Fatalf("%s(%d, %d, %d): %d, %d, %v, not %d, %d, %v", name, hi, lo, y, q, r, p, wq, wr, wp)
			}
		}
	}
}

func TestDuration(t *testing.T) {
	of := []int64{0, 1, -1, 5, 1000, 1 << 40, 3_600_000_000_000, 90_000_000_000, math.MaxInt64, math.MinInt64, math.MaxInt64 - 1, math.MinInt64 + 1}
	for range 50_000 {
		x, m := of[rng.IntN(len(of))], of[rng.IntN(len(of))]
		if rng.IntN(2) == 0 {
			x, m = rng.Int64()>>rng.IntN(64), rng.Int64()>>rng.IntN(64)
		}
		d, want := stdtime.Duration(x), time.Duration(x)
		if d.Seconds() != want.Seconds() || d.Minutes() != want.Minutes() || d.Hours() != want.Hours() {
			t.Fatalf("%d: %v, %v, %v", x, d.Seconds(), d.Minutes(), d.Hours())
		}
		for name, pair := range map[string][2]int64{
			"Nanoseconds": {d.Nanoseconds(), want.Nanoseconds()}, "Microseconds": {d.Microseconds(), want.Microseconds()},
			"Milliseconds": {d.Milliseconds(), want.Milliseconds()}, "Abs": {int64(d.Abs()), int64(want.Abs())},
			"Truncate": {int64(d.Truncate(stdtime.Duration(m))), int64(want.Truncate(time.Duration(m)))},
			"Round":    {int64(d.Round(stdtime.Duration(m))), int64(want.Round(time.Duration(m)))},
		} {
			if pair[0] != pair[1] {
				t.Fatalf("%s(%d, %d): %d, not %d", name, x, m, pair[0], pair[1])
			}
		}
	}
}
