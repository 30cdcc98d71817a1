// Errors

package constructs

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/surge-ndp/surge/ops"
)

// Checked fails by an index when it is given a bad number.
//
// Construct: a panic of Go itself, which becomes an error
//
//surge:kernel
func Checked(x []int32, by int32) []int32 {
	return ops.Map(func(v int32) int32 { return v / by }, x)
}

// Status returns a number in place of an error.
//
// Construct: a number as a result in place of an error with a text of its own
//
//surge:kernel
func Status(x []float64) (float64, int) {
	if len(x) == 0 {
		return 0, 1
	}
	return ops.Reduce(func(a, b float64) float64 { return a + b }, x, 0), 0
}

// Root fails with a text of its own.
//
// Construct: panic under a condition, which becomes an error with its text
//
//surge:kernel
func Root(x []float64, limit int) []float64 {
	if limit < -90 {
		panic("the limit is too low")
	}
	return ops.Map(func(v float64) float64 {
		switch {
		case v > 1000:
			panic("the number is too large")
		case v < 0:
			return 0
		}
		r := v
		for i := 0; i < 4; i++ {
			r = (r + v/(r+1)) / 2
		}
		if r != r {
			panic("no root")
		}
		return r
	}, x)
}

// The errors of Solved.
var (
	ErrSingular = errors.New("singular")
	errSize     = errors.New("not two by two")
)

func inverse(m []float64) (a, b, c, d float64, err error) {
	if len(m) < 4 {
		return 0, 0, 0, 0, errSize
	}
	det := m[0]*m[3] - m[1]*m[2]
	if det == 0 {
		return 0, 0, 0, 0, ErrSingular
	}
	return m[3] / det, -m[1] / det, -m[2] / det, m[0] / det, nil
}

// Solved returns errors, its own and those of a function that it calls.
//
// Construct: results of type error: nil, package-level errors, and errors.New with a constant text
//
//surge:kernel
func Solved(m, x []float64, steps int) (float64, float64, error) {
	if steps < -50 {
		return 0, 0, errors.New("too few steps")
	}
	a, b, c, d, err := inverse(m)
	if err != nil {
		return 0, 0, err
	}
	s := ops.Reduce(func(p, q float64) float64 { return p + q }, x, 0)
	return a*s + b, c*s + d, nil
}

// Ratio returns errors that wrap others.
//
// Construct: fmt.Errorf with %w, and errors.Join, of constants and of errors that the kernel knows
//
//surge:kernel
func Ratio(x, y []float64) (float64, error) {
	sum := func(v []float64) float64 { return ops.Reduce(func(a, b float64) float64 { return a + b }, v, 0) }
	switch d := sum(y); {
	case len(x) == 0 && len(y) == 0:
		return 0, errors.Join(ErrSingular, errSize)
	case d == 0:
		return 0, fmt.Errorf("ratio of %d sums: %w", 2, ErrSingular)
	default:
		return sum(x) / d, nil
	}
}

// Sums fails at the first number that it does not take.
//
// Construct: fmt.Errorf with numbers that the kernel computes: integers, floats, booleans, of any verb
//
//surge:kernel
func Sums(x []float64, small []float32, n []int64, u []uint64) (float64, error) {
	total := 0.0
	for i, v := range x {
		if v != v || math.IsInf(v, 0) || v < -1e6 || v == 0 && math.Signbit(v) {
			return total, fmt.Errorf("x[%d] = %v (%g, %.3f, %+8.2e, negative: %t)", i, v, v, v, v, v < 0)
		}
		total += v
	}
	for i, v := range small {
		if !(v < 1e6) {
			return total, fmt.Errorf("number %d of %d is %v: %x", i, len(small), v, v)
		}
		total += float64(v)
	}
	for i := range n {
		if v := n[i]; v == math.MaxInt64 || v == math.MinInt64 {
			return total, fmt.Errorf("n[%d]: %d, %x, %c, %q, %U, %08b", i, v, v, 'a'+i, 'A'+rune(i), i, uint8(i))
		}
	}
	for i, v := range u {
		if v > 1<<63 {
			return total, fmt.Errorf("u[%v]: %d, %#x of %T", i, v, v, v)
		}
	}
	return total, nil
}

// InputsSums puts numbers of all kinds at any place.
func InputsSums(n int, r *rand.Rand) []any {
	x, small, ints, u := make([]float64, n), make([]float32, n), make([]int64, n), make([]uint64, n)
	for i := range n {
		x[i], small[i], ints[i], u[i] = r.NormFloat64(), r.Float32(), r.Int64()/2, r.Uint64()/2
	}
	if n > 0 {
		at := r.IntN(n)
		switch r.IntN(12) {
		case 0:
			x[at] = math.NaN()
		case 1:
			x[at], x[n-1] = math.Copysign(0, -1), math.Inf(1)
		case 2:
			x[at], small[at] = math.Inf(-1), float32(math.Inf(1))
		case 3:
			x[at] = -math.MaxFloat64
		case 4:
			small[at], ints[at] = float32(math.NaN()), math.MaxInt64
		case 5:
			small[at] = math.MaxFloat32
		case 6:
			ints[at], u[at] = math.MinInt64, math.MaxUint64
		case 7:
			ints[at] = math.MaxInt64
		case 8:
			u[at] = math.MaxUint64
		}
	}
	return []any{x, small, ints, u}
}

// errNegative is wrapped by what Account returns.
var errNegative = errors.New("negative")

func withdraw(balance, amount int64, by int) (int64, error) {
	if amount < 0 {
		return balance, fmt.Errorf("amount %d: %w", amount, errNegative)
	}
	if balance < amount {
		return balance, fmt.Errorf("%d is more than the balance of %d", amount, balance)
	}
	if by > 900 {
		return balance, errSize
	}
	return balance - amount, nil
}

// Account wraps the error of a function that it calls, whichever that is.
//
// Construct: an error chosen while the kernel runs, which others wrap by %w or errors.Join, and errors.Is of it
//
//surge:kernel
func Account(balances, amounts []int64) (rest int64, wrong int, err error) {
	n := min(len(balances), len(amounts))
	for i := 0; i < n; i++ {
		left, err := withdraw(balances[i], amounts[i], i)
		if errors.Is(err, errNegative) {
			wrong++
		}
		if err != nil && wrong > 2 {
			return rest, wrong, errors.Join(fmt.Errorf("row %d of %d: %w", i, n, err), ErrSingular)
		}
		rest += left
	}
	defaulted := error(nil)
	if rest > 1000 {
		_, defaulted = withdraw(rest, -rest, n)
	} else if rest < -1000 {
		defaulted = errors.New("rest of " + strconv.Itoa(int(rest)) + ": " + fmt.Sprint(rest%7, wrong > 1))
	}
	if defaulted != nil {
		err = fmt.Errorf("after %d rows: %w (%v)", n, defaulted, errSize)
	}
	if errors.Is(err, ErrSingular) {
		wrong = -1
	}
	return rest, wrong, err
}

// A RangeError says which element is out of range.
type RangeError struct {
	Index int
	Value float64
}

func (e *RangeError) Error() string { return fmt.Sprintf("element %d is %g", e.Index, e.Value) }

// A Code is an error by its number.
type Code uint8

func (c Code) Error() string { return fmt.Sprintf("code %d", uint8(c)) }

// Ranged returns errors of types of its own.
//
// Construct: errors of types of the module: the address of a literal of numbers, numbers with a method Error
//
//surge:kernel
func Ranged(x []float64, limit float64, wait time.Duration) ([]float64, error) {
	for i, v := range x {
		switch {
		case v > 50:
			return nil, &RangeError{Index: i, Value: v}
		case v < -90:
			return nil, Code(i)
		case v == 0 && i > 40:
			return nil, fmt.Errorf("after %v, at %v: %w", wait, struct{ I, Of int }{i, len(x)}, &RangeError{i, limit})
		}
	}
	return ops.Map(func(v float64) float64 { return v / 2 }, x), nil
}

// FieldsOf cuts a line in two, and finds the first row whose cells are wrong.
//
// Construct: errors that operators make, as elements of a sequence; parts of a string returned from inside a loop
//
//surge:kernel
func FieldsOf(line, sep string, rows [][]int) (head, tail string, err error) {
	errs := ops.Map(func(r []int) error {
		for j, v := range r {
			if v < -95 {
				return fmt.Errorf("cell %d is %d: %w", j, v, errNegative)
			}
		}
		if len(r) > 40 {
			return errSize
		}
		return nil
	}, rows)
	for i, e := range errs {
		if e != nil {
			return "", "", fmt.Errorf("row %d of %d: %w", i, len(rows), e)
		}
	}
	for i := 0; i+len(sep) <= len(line); i++ {
		if strings.HasPrefix(line[i:], sep) || line[i]%16 == 3 {
			return line[:i], line[min(i+len(sep), len(line)):], nil
		}
	}
	return line, "", errors.New("no separator")
}

// Decimals reads numbers.
//
// Construct: errors that say text which the kernel computes, %q and %s of strings and of structs that hold them: the
// kernel itself makes them, as plain Go
//
//surge:kernel
func Decimals(fields []string) ([]int, error) {
	out := make([]int, len(fields))
	for i, f := range fields {
		n, err := decimal(f)
		if errors.Is(err, errSize) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("field %d: %w", i, err)
		}
		out[i] = n
	}
	return out, nil
}

func decimal(f string) (n int, err error) {
	if len(f) > 9 {
		return 0, fmt.Errorf("%q: %w", f, errSize)
	}
	for j := 0; j < len(f); j++ {
		if f[j] < '!' || f[j] > 'z' {
			return 0, fmt.Errorf("%q is no number, by %s", f, f[j:])
		}
		n = n*10 + int(f[j]-'0')
	}
	return n, nil
}

var errBelow = errors.New("the first number is negative")

// Relative divides numbers by the first one.
//
// Construct: an error that an element decides about, before a loop
//
//surge:kernel
func Relative(x []float64) ([]float64, error) {
	if len(x) > 0 && x[0] < 0 {
		return nil, errBelow
	}
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = v / x[0]
	}
	return out, nil
}
