// Errors

package constructs

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
)

// Weighed takes weights by their numbers, until one of them is wrong.
//
// Construct: an error returned out of a loop that fills a slice: the first wrong turn decides
//
//surge:kernel
func Weighed(x []float64, at []int, limit float64) ([]float64, error) {
	out := make([]float64, len(at))
	for i, k := range at {
		if k == -1 {
			return nil, errCycle
		}
		if x[k] > limit {
			return out[:i], fmt.Errorf("weight %d, %v, is over %v", i, x[k], limit)
		}
		if x[k] < -limit {
			panic("a weight is far too small")
		}
		out[i] = x[k] / 2
	}
	return out, nil
}

// InputsWeighed has no wrong number, one at the first or the last place, or several of any kind.
func InputsWeighed(n int, r *rand.Rand) []any {
	x := []float64{1, 2, 3, 100, -100}
	at := make([]int, n)
	for i := range at {
		at[i] = r.IntN(3)
	}
	wrong := []int{-1, 3, 4, 5, -2}
	switch how := r.IntN(5); {
	case n == 0 || how == 0:
	case how == 1:
		at[0] = wrong[r.IntN(len(wrong))]
	case how == 2:
		at[n-1] = wrong[r.IntN(len(wrong))]
	default:
		for range 1 + n/8 {
			at[r.IntN(n)] = wrong[r.IntN(len(wrong))]
		}
	}
	return []any{x, at, 50.0}
}

// Normed divides rows by their sums.
//
// Construct: an error returned out of an inner loop, and one of a function of a row that is passed up
//
//surge:kernel
func Normed(rows [][]float64) ([]float64, []float64, error) {
	sums, most := make([]float64, len(rows)), make([]float64, len(rows))
	for i, row := range rows {
		for _, v := range row {
			if v < -8 {
				return nil, nil, errCycle
			}
			sums[i] += v
		}
		m, err := mostOf(row)
		if err != nil {
			return nil, nil, fmt.Errorf("row %d: %w", i, err)
		}
		most[i] = m / sums[i]
	}
	return sums, most, nil
}

func mostOf(row []float64) (float64, error) {
	if len(row) == 0 {
		return 0, errCycle
	}
	most := row[0]
	for _, v := range row[1:] {
		if v > 1e20 {
			return 0, fmt.Errorf("%v is no number", v)
		}
		most = max(most, v)
	}
	return most, nil
}

// InputsNormed has rows of which none, one or several are wrong.
func InputsNormed(n int, r *rand.Rand) []any {
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = make([]float64, 1+r.IntN(6))
		for j := range rows[i] {
			rows[i][j] = float64(r.IntN(65)-30) / 4
		}
	}
	for range r.IntN(3) {
		if n > 0 {
			i := []int{0, n - 1, r.IntN(n)}[r.IntN(3)]
			rows[i] = [][]float64{{-9}, {1, 2, 1e30}, {}}[r.IntN(3)]
		}
	}
	return []any{rows}
}

// EvenHalves computes shares by a function that fails, and goes on without it.
//
// Construct: a function with such a loop, whose error is returned, or makes up for nothing
//
//surge:kernel
func EvenHalves(x []int, by []int) ([]int, []int, error) {
	halves, err := evenHalves(x)
	if err != nil {
		halves = nil
	}
	out := make([]int, len(by))
	for i, k := range by {
		out[i] = x[k%max(len(x), 1)] + len(halves)
	}
	checked, err := evenHalves(by)
	return out, checked, err
}

func evenHalves(x []int) ([]int, error) {
	out := make([]int, len(x))
	for i, v := range x {
		if v%2 != 0 {
			return nil, errCycle
		}
		out[i] = v / 2
	}
	return out, nil
}

// InputsEvenHalves has even numbers, with odd ones among them or not.
func InputsEvenHalves(n int, r *rand.Rand) []any {
	x, by := make([]int, n), make([]int, n)
	for i := range x {
		x[i], by[i] = 2*r.IntN(50), 2*r.IntN(50)
	}
	for _, s := range [][]int{x, by} {
		if n > 0 && r.IntN(3) == 0 {
			s[[]int{0, n - 1, r.IntN(n)}[r.IntN(3)]]++
		}
	}
	return []any{x, by}
}

// Tripled multiplies by three what may be.
//
// Construct: nil returned out of a loop that fills the slice which is returned else
//
//surge:kernel
func Tripled(x []int32) []int32 {
	out := make([]int32, len(x))
	for i, v := range x {
		if v == 7 || v < -1 {
			return nil
		}
		out[i] = 3 * v
	}
	return out
}

// InputsTripled has a seven, or none.
func InputsTripled(n int, r *rand.Rand) []any {
	x := make([]int32, n)
	for i := range x {
		x[i] = int32(r.IntN(7))
	}
	if n > 0 && r.IntN(2) == 0 {
		x[[]int{0, n - 1, r.IntN(n)}[r.IntN(3)]] = 7
	}
	return []any{x}
}

// SquareSums adds up what may be added.
//
// Construct: an error returned out of a loop that accumulates
//
//surge:kernel
func SquareSums(x []int32) (int64, int32, error) {
	var sum int64
	var most int32
	for i, v := range x {
		if v < -1 {
			return 0, 0, fmt.Errorf("number %d is negative", i)
		}
		if v > 60 {
			return sum, most, errCycle
		}
		sum += int64(v) * int64(v)
		most = max(most, v)
	}
	return sum, most, nil
}

// Approved computes what it has looked through before.
//
// Construct: a loop that only looks whether something is wrong, and an error that is always the same
//
//surge:kernel
func Approved(x, limits []float64) ([]float64, int, error) {
	for i, v := range x {
		if v != v || v < -7 {
			return nil, -1, errCycle
		}
		if i > 0 && x[i-1] > v+15 {
			return nil, -1, errCycle
		}
	}
	out := make([]float64, len(limits))
	for i, limit := range limits {
		if limit < -7.5 {
			return nil, -1, errCycle
		}
		out[i] = limit * 3
	}
	return out, len(x), nil
}

// InputsApproved has numbers that are in order, or of which one is not.
func InputsApproved(n int, r *rand.Rand) []any {
	x, limits := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], limits[i] = float64(r.IntN(30)-14)/2, float64(r.IntN(30)-14)/2
	}
	for _, s := range [][]float64{x, limits} {
		if n > 1 && r.IntN(3) == 0 {
			s[[]int{0, n - 1, r.IntN(n)}[r.IntN(3)]] = []float64{-8, math.NaN(), 40}[r.IntN(3)]
		}
	}
	return []any{x, limits}
}

var errFar = errors.New("too far")

func near(v float64) error {
	if v > 50 {
		return errFar
	}
	return nil
}

// Before returns what comes before a number that is too large.
//
// Construct: an early return of a part of the input, with an error that may be nil
//
//surge:kernel
func Before(x []float64) ([]float64, error) {
	out := make([]float64, len(x))
	for i, v := range x {
		if v > 9 {
			return x[:i], near(v)
		}
		out[i] = 2 * v
	}
	return out, nil
}

// Tapered divides each number of a row by the sum up to it.
//
// Construct: a loop that makes rows, leaves some out by continue, and returns an error
//
//surge:kernel
func Tapered(rows [][]int32) ([][]int32, error) {
	out := make([][]int32, len(rows))
	for i, row := range rows {
		if len(row) == 0 {
			continue
		}
		sum, shares := int32(0), make([]int32, len(row))
		for j, x := range row {
			if sum += x; sum == 0 {
				return nil, fmt.Errorf("row %d has the sum 0 at %d", i, j)
			}
			shares[j] = 100 * x / sum
		}
		if sum < 0 {
			out[i] = shares[:1]
			continue
		}
		out[i] = shares
	}
	return out, nil
}

// Slopes are the differences between the rows before and behind each.
//
// Construct: a loop that checks rows and returns an error, before others read elements that a row may lack
//
//surge:kernel
func Slopes(rows [][]float32, radius int) ([][]float32, int, error) {
	for _, row := range rows {
		if len(row) != len(rows[0]) {
			return nil, 0, errCycle
		}
	}
	slopes := make([][]float32, len(rows))
	for y, row := range rows {
		up, down := rows[max(y-1, 0)], rows[min(y+1, len(rows)-1)]
		slopes[y] = make([]float32, len(row))
		for x := range row {
			slopes[y][x] = (down[x] - up[x]) / 2
		}
	}
	out, steep := make([][]float32, len(rows)), 0
	for y, row := range rows {
		out[y] = make([]float32, len(row))
		for x := range row {
			for k := max(y-radius, 0); k < min(y+radius, len(rows)); k++ {
				out[y][x] += slopes[k][x]
			}
			if out[y][x] > 1 {
				steep++
			}
		}
	}
	return out, steep, nil
}

// InputsSlopes has rows of one length, and others.
func InputsSlopes(n int, r *rand.Rand) []any {
	rows := make([][]float32, n%12)
	for y := range rows {
		rows[y] = make([]float32, n%7+r.IntN(20)/19)
		for x := range rows[y] {
			rows[y][x] = float32(r.IntN(9))
		}
	}
	return []any{rows, 1 + n%3}
}
