package kernels

import (
	"bytes"
	"cmp"
	"math"
	"math/bits"
	"math/cmplx"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/surge-ndp/surge/ops"
)

// Carries adds, subtracts and multiplies numbers of two words.
//
//surge:kernel
func Carries(a, b []uint64, c, d []uint32) ([]uint64, []uint32) {
	return ops.Map2(func(x, y uint64) uint64 {
			lo, carry := bits.Add64(x, y, 1)
			hi, _ := bits.Add64(y, ^x, carry)
			diff, borrow := bits.Sub64(lo, hi, 0)
			return diff ^ borrow<<7
		}, a, b), ops.Map2(func(x, y uint32) uint32 {
			s, carry := bits.Add32(x, y<<9, 0)
			t, borrow := bits.Sub32(x, y, carry)
			hi, lo := bits.Mul32(s, t)
			return hi + 3*lo + borrow
		}, c, d)
}

// Floats takes numbers apart.
//
//surge:kernel
func Floats(x, y []float64, n []int) ([]float64, []float64, []int) {
	return ops.Map2(func(x, y float64) float64 {
			whole, frac := math.Modf(x)
			f, e := math.Frexp(y)
			return whole + math.Dim(frac, y) + math.Ldexp(f, e+3) + math.Inf(e)
		}, x, y), ops.Map2(func(x, y float64) float64 {
			if math.Signbit(x) {
				return math.Nextafter(x, y)
			}
			return math.Remainder(x, y)
		}, x, y), ops.Map2(func(x float64, n int) int {
			if math.IsInf(x, n) {
				return n
			}
			return math.Ilogb(x)
		}, x, n)
}

// Runes counts and adds up the runes of each row.
//
//surge:kernel
func Runes(rows [][]byte) ([]int, []int32, []bool) {
	return ops.Map(utf8.RuneCount, rows), ops.Map(func(p []byte) int32 {
		sum := rune(0)
		for len(p) > 0 && sum < 1<<20 {
			r, size := utf8.DecodeRune(p)
			sum += r
			if size > 1 {
				sum++
			}
			if len(p) == size {
				return sum
			}
			break
		}
		r, _ := utf8.DecodeLastRune(p)
		return sum + 3*r
	}, rows), ops.Map(func(p []byte) bool { return utf8.Valid(p) || utf8.FullRune(p) }, rows)
}

// Searches finds numbers in sorted ones.
//
//surge:kernel
func Searches(sorted []int, x []int, f []float64) ([]int, []int) {
	found := ops.Map(func(v int) int {
		i := sort.Search(len(sorted), func(i int) bool { return sorted[i] >= v })
		if i < len(sorted) && sorted[i] == v {
			return i
		}
		return ^sort.SearchInts(sorted, v+1)
	}, x)
	return found, ops.Map(func(v float64) int { return sort.SearchFloat64s(f, v) }, f)
}

// Sorted sorts copies, in short runs and in long ones.
//
//surge:kernel
func Sorted(x []float64, n int) ([]float64, []int) {
	sorted := slices.Clone(x)
	slices.Sort(sorted)
	many := make([]int, 40+n*n%7)
	for i := range many {
		many[i] = (i*37 + n) % 50
	}
	sort.Ints(many)
	slices.Reverse(many)
	return sorted, many
}

type scored struct {
	ID    int32
	Score float64
}

// Ranked sorts each row's pairs by score, the first of equal ones first.
//
//surge:kernel
func Ranked(rows [][]float64, limit float64) ([]int32, []int) {
	return ops.Map(func(row []float64) int32 {
			s := make([]scored, len(row))
			for i, v := range row {
				s[i] = scored{int32(i), v}
			}
			slices.SortFunc(s, func(a, b scored) int { return -cmp.Compare(a.Score, b.Score) })
			sum := int32(0)
			for i := range s {
				sum = sum*7 + s[i].ID
			}
			return sum
		}, rows), ops.Map(func(row []float64) int {
			i, found := slices.BinarySearch(row, limit)
			if found {
				return -1 - i
			}
			j, _ := slices.BinarySearchFunc(row, limit, func(a, b float64) int { return cmp.Compare(a, b) })
			return i + 10*j
		}, rows)
}

// Extremes looks through rows that are not empty.
//
//surge:kernel
func Extremes(rows [][]float64, v float64) ([]float64, []int, []bool) {
	return ops.Map(func(row []float64) float64 {
			far := slices.MaxFunc(row, func(a, b float64) int { return cmp.Compare(math.Abs(a-v), math.Abs(b-v)) })
			near := slices.MinFunc(row, func(a, b float64) int { return cmp.Compare(math.Abs(a-v), math.Abs(b-v)) })
			return slices.Max(row) - slices.Min(row) + far*near
		}, rows), ops.Map(func(row []float64) int {
			return 10*slices.Index(row, v) + slices.IndexFunc(row, func(a float64) bool { return a > v }) + slices.Compare(row, rows[0])
		}, rows), ops.Map(func(row []float64) bool {
			return slices.Contains(row, v) != slices.ContainsFunc(row, func(a float64) bool { return a < v }) ||
				slices.Equal(row, rows[0]) || slices.IsSorted(row)
		}, rows)
}

// Words looks for a part of each row in it.
//
//surge:kernel
func Words(rows [][]byte, k int) ([]int, []bool) {
	return ops.Map(func(row []byte) int {
			part := row[len(row)/2:]
			n := bytes.Index(row, part) + 10*bytes.Count(row, part) + 100*bytes.LastIndex(row, part)
			return cmp.Or(k, n) + strings.Count(string(row), "a")*1000 + bytes.IndexByte(row, 7) + bytes.Compare(row, part)
		}, rows), ops.Map(func(row []byte) bool {
			s := string(row)
			return strings.HasPrefix(s, "\x07") || strings.HasSuffix(s, s[len(s)/2:]) && !strings.Contains(s, "b") && bytes.Equal(row, rows[0])
		}, rows)
}

// Turns turns and scales numbers as complex ones.
//
//surge:kernel
func Turns(x, y []float64) ([]float64, []bool) {
	return ops.Map2(func(a, b float64) float64 {
			z := complex(a, b)
			r, theta := cmplx.Polar(cmplx.Conj(z))
			return r*theta - imag(cmplx.Conj(z))
		}, x, y), ops.Map2(func(a, b float64) bool {
			return cmplx.IsNaN(complex(a, b)) || cmplx.IsInf(complex(b, a))
		}, x, y)
}
