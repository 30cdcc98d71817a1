// Standard library

package constructs

import (
	"bytes"
	"cmp"
	"math"
	"math/bits"
	"math/cmplx"
	"slices"
	"sort"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/surge-ndp/surge/ops"
)

// Population counts bits.
//
// Construct: math/bits: OnesCount, LeadingZeros, TrailingZeros, Len, of every width
//
//surge:kernel
func Population(a []uint64, b []uint16) ([]int, []int) {
	return ops.Map(func(x uint64) int {
			return bits.OnesCount64(x) + bits.LeadingZeros64(x)<<8 + bits.TrailingZeros64(x)<<16 + bits.Len(uint(x))<<24
		}, a), ops.Map(func(x uint16) int {
			y := uint8(x >> 3)
			return bits.OnesCount16(x) + bits.LeadingZeros8(y)<<8 + bits.TrailingZeros16(x)<<16 + bits.Len8(y)<<24
		}, b)
}

// Turned changes the order of bits.
//
// Construct: math/bits: RotateLeft, Reverse, ReverseBytes
//
//surge:kernel
func Turned(a []uint32, by []int8) []uint32 {
	return ops.Map2(func(x uint32, n int8) uint32 {
		return bits.RotateLeft32(x, int(n)) ^ bits.Reverse32(x) ^ bits.ReverseBytes32(x+1) ^ uint32(bits.RotateLeft8(uint8(x), -int(n)))
	}, a, by)
}

// WideProducts multiplies and adds numbers of two words.
//
// Construct: math/bits: Add, Sub, Mul, with their two results
//
//surge:kernel
func WideProducts(a, b []uint64) []uint64 {
	return ops.Map2(func(x, y uint64) uint64 {
		hi, lo := bits.Mul64(x, y|1<<63)
		lo, carry := bits.Add64(lo, x, 0)
		hi, _ = bits.Add64(hi, y, carry)
		d, borrow := bits.Sub64(lo, hi, 0)
		return hi ^ (d - borrow)
	}, a, b)
}

// Apart takes numbers apart.
//
// Construct: math: the bits of numbers, Modf, Frexp, Ldexp, Ilogb, Signbit, Nextafter, Remainder, Dim
//
//surge:kernel
func Apart(x, y []float64) []float64 {
	return ops.Map2(func(a, b float64) float64 {
		whole, rest := math.Modf(a)
		f, e := math.Frexp(b)
		v := math.Ldexp(f, e-2) + math.Dim(whole, rest) + math.Remainder(a, b)
		if math.Signbit(a) {
			v = math.Nextafter(v, b)
		}
		return math.Float64frombits(math.Float64bits(v)&^1) + float64(math.Ilogb(a))
	}, x, y)
}

// RuneTotals decodes runes.
//
// Construct: unicode/utf8: DecodeRune, RuneCount, RuneLen, Valid and others
//
//surge:kernel
func RuneTotals(rows [][]byte) ([]int, []rune) {
	return ops.Map(utf8.RuneCount, rows), ops.Map(func(p []byte) rune {
		sum := rune(0)
		for i := 0; i < len(p); {
			r, size := utf8.DecodeRune(p[i:])
			sum += r * rune(utf8.RuneLen(r))
			i += size
		}
		if utf8.Valid(p) {
			sum = -sum
		}
		return sum
	}, rows)
}

// Positions searches in what is sorted.
//
// Construct: sort: Search, SearchInts, SearchFloat64s, Find
//
//surge:kernel
func Positions(sorted []float64, x []float64) []int {
	return ops.Map(func(v float64) int {
		return sort.SearchFloat64s(sorted, v) + 1000*sort.Search(len(sorted), func(i int) bool { return sorted[i] > v })
	}, x)
}

// Ascending sorts a copy.
//
// Construct: slices.Sort, slices.Reverse, sort.Ints and sort.Float64s of a slice that the function made, slices.Clone
//
//surge:kernel
func Ascending(x []float64, y []int) ([]float64, []int) {
	sorted := slices.Clone(x)
	slices.Sort(sorted)
	down := slices.Clone(y)
	sort.Ints(down)
	slices.Reverse(down)
	return sorted, down
}

// RowMedians sorts each row.
//
// Construct: sorting a copy of each row
//
//surge:kernel
func RowMedians(rows [][]float32) []float32 {
	return ops.Map(func(row []float32) float32 {
		if len(row) == 0 {
			return 0
		}
		s := slices.Clone(row)
		slices.Sort(s)
		return s[len(s)/2]
	}, rows)
}

type candidate struct {
	ID    int32
	Score float64
}

// Ranking sorts structs by their fields.
//
// Construct: slices.SortFunc, slices.SortStableFunc with cmp.Compare
//
//surge:kernel
func Ranking(ids []int32, scores []float64) []int32 {
	s := make([]candidate, len(ids))
	for i, id := range ids {
		s[i] = candidate{id, scores[i]}
	}
	slices.SortFunc(s, func(a, b candidate) int {
		if c := cmp.Compare(b.Score, a.Score); c != 0 {
			return c
		}
		return cmp.Compare(a.ID, b.ID)
	})
	return ops.Map(func(c candidate) int32 { return c.ID }, s)
}

// Closest looks numbers up.
//
// Construct: slices: BinarySearch, Index, Contains, Min, Max, Equal, Compare, IsSorted, and those with a function
//
//surge:kernel
func Closest(rows [][]int32, x int32) []int {
	return ops.Map(func(row []int32) int {
		if len(row) == 0 || slices.Contains(row, x) {
			return slices.Index(row, x)
		}
		if slices.IsSorted(row) {
			i, found := slices.BinarySearch(row, x)
			if found {
				return i
			}
			return -i
		}
		if slices.ContainsFunc(row, func(v int32) bool { return v < 0 }) {
			return int(slices.Max(row))
		}
		return int(slices.Min(row)) + slices.Compare(row, rows[0])
	}, rows)
}

// Spectrum computes with complex numbers.
//
// Construct: math/cmplx: Abs, Phase, Polar, Rect, Conj, Exp, Log, Sqrt, Pow, Sin, Cos, IsNaN, IsInf
//
//surge:kernel
func Spectrum(x []complex128, turn float64) ([]float64, []complex128) {
	return ops.Map(func(z complex128) float64 {
			r, theta := cmplx.Polar(z)
			return r + theta + cmplx.Abs(cmplx.Sqrt(z))
		}, x), ops.Map(func(z complex128) complex128 {
			if cmplx.IsNaN(z) || cmplx.IsInf(z) {
				return 0
			}
			w := cmplx.Rect(1, turn) * cmplx.Conj(z)
			if cmplx.Abs(w) > 2 {
				w /= complex(cmplx.Abs(w), 0)
			}
			return cmplx.Exp(w) + cmplx.Sin(w)*cmplx.Cos(w) + cmplx.Pow(w+2, 2)
		}, x)
}

// Mentions looks for words.
//
// Construct: strings and bytes: Index, Contains, Count, HasPrefix, HasSuffix, IndexByte, Compare
//
//surge:kernel
func Mentions(lines [][]byte, word []byte) []int {
	return ops.Map(func(line []byte) int {
		n := bytes.Count(line, word) + 10*bytes.Index(line, word)
		if bytes.HasPrefix(line, word) || strings.HasSuffix(string(line), "ing") {
			n += 1000
		}
		return n + cmp.Or(bytes.Compare(line, word), bytes.IndexByte(line, 'a'))
	}, lines)
}

// Medians sorts an array of its own, as a slice.
//
// Construct: arrays: slices.Sort(a[:]) and other functions of the standard library that update an array through a slice
//
//surge:kernel
func Medians(x []float64) []float64 {
	return ops.Map(func(i int) float64 {
		var window [5]float64
		for k := range window {
			window[k] = x[min(max(i+k-2, 0), len(x)-1)]
		}
		slices.Sort(window[:])
		return window[2]
	}, ops.Range(0, len(x), 1))
}

type result struct {
	group int
	value float64
}

// Leaders sorts by less, which compares elements at two places, and by a function of two elements: equal ones end in
// the order in which Go puts them.
//
// Construct: sort.Slice, and slices.SortFunc with equal elements
//
//surge:kernel
func Leaders(x []float64, groups int) ([]float64, []int) {
	groups = 1 + groups&3
	r := make([]result, len(x))
	for i, v := range x {
		r[i] = result{i % groups, v}
	}
	slices.SortFunc(r, func(a, b result) int { return cmp.Compare(b.group, a.group) })
	order := make([]int, len(r))
	for i := range order {
		order[i] = i
	}
	sort.Slice(order, func(i, j int) bool { return r[order[i]].group < r[order[j]].group })
	return ops.Map(func(e result) float64 { return e.value }, r), order
}

// Kinds counts kinds of characters.
//
// Construct: unicode: IsLetter, IsUpper, IsLower, IsDigit, IsNumber, IsPunct, IsSpace, IsControl, ToUpper, ToLower
//
//surge:kernel
func Kinds(lines []string) []int {
	return ops.Map(func(line string) int {
		n := 0
		for _, r := range line {
			switch {
			case unicode.IsLetter(r):
				n += 1 + int(unicode.ToUpper(r)-unicode.ToLower(r))
				if unicode.IsUpper(r) {
					n += 1000
				} else if unicode.IsLower(r) {
					n += 2000
				}
			case unicode.IsDigit(r), unicode.IsNumber(r):
				n += 10
			case unicode.IsSpace(r), unicode.IsPunct(r), unicode.IsControl(r):
				n += 100
			}
		}
		return n
	}, lines)
}

// Initials collects characters.
//
// Construct: utf8.AppendRune, utf8.EncodeRune
//
//surge:kernel
func Initials(lines []string) []int {
	return ops.Map(func(line string) int {
		out := make([]byte, 0, 4*len(line))
		start := true
		for _, r := range line {
			if unicode.IsSpace(r) || r == '-' {
				start = true
				continue
			}
			if start {
				out = utf8.AppendRune(out, unicode.ToUpper(r))
				start = false
			}
		}
		sum := 0
		for _, b := range out {
			sum = 31*sum + int(b)
		}
		return sum
	}, lines)
}

// Values takes settings apart.
//
// Construct: strings: Cut, CutPrefix, CutSuffix, TrimSpace, Trim, TrimLeft, TrimRight, TrimPrefix, TrimSuffix,
// TrimFunc, IndexAny, IndexRune, IndexFunc
//
//surge:kernel
func Values(lines []string) []int {
	return ops.Map(func(line string) int {
		key, value, found := strings.Cut(line, "e")
		if !found {
			return -len(key)
		}
		value = strings.Trim(strings.TrimSpace(value), "ab")
		if rest, ok := strings.CutPrefix(value, "c"); ok {
			value = rest
		}
		value = strings.TrimSuffix(value, "d")
		return len(strings.TrimFunc(value, unicode.IsDigit)) + 100*strings.IndexAny(key, "xyz") + 10000*strings.IndexRune(line, 'k')
	}, lines)
}

// Busy adds up durations.
//
// Construct: methods of time.Duration: Seconds, Minutes, Hours, Milliseconds, Microseconds, Nanoseconds, Round,
// Truncate, Abs
//
//surge:kernel
func Busy(from, to []time.Duration) ([]float64, []int64) {
	d := ops.Map2(func(a, b time.Duration) time.Duration { return (b - a).Abs() }, from, to)
	return ops.Map(func(d time.Duration) float64 { return d.Seconds() + d.Round(time.Minute).Hours() }, d),
		ops.Map(func(d time.Duration) int64 { return d.Milliseconds() + int64(d.Truncate(time.Second)) }, d)
}

// Typical takes the median of what is first.
//
// Construct: functions of the standard library that update a part of an array or of a slice that the function made:
// slices.Sort(a[:n])
//
//surge:kernel
func Typical(rows [][]int32) []int32 {
	return ops.Map(func(row []int32) int32 {
		var first [9]int32
		n := fillNine(&first, row)
		slices.Sort(first[:n])
		if n == 0 {
			return 0
		}
		return first[n/2]
	}, rows)
}

func fillNine(to *[9]int32, from []int32) int {
	n := min(len(to), len(from))
	for i := range n {
		to[i] = from[i]
	}
	return n
}

// Quotients divides two words by one.
//
// Construct: math/bits: Div, Rem, of every width
//
//surge:kernel
func Quotients(x []uint64) []uint64 {
	return ops.Map(func(v uint64) uint64 {
		q, r := bits.Div64(v>>32, v, 1<<40|1)
		return q + r + bits.Rem64(v, v, 77) + uint64(bits.Rem32(uint32(v), 5, 9))
	}, x)
}
