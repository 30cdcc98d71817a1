package vec

import (
	"bytes"
	"math"
	"math/big"
	"math/rand"
	"os"
	"slices"
	"testing"

	"github.com/surge-ndp/surge/codegen/goroutine/vec/internal/gen"
)

// guard is the number of poisoned elements on both sides of a tested stretch of memory.
const guard = 3

var random = rand.New(rand.NewSource(1))

// has tells whether a vector type may be used.
func has(size, lanes int) bool { return !built || slices.Contains(Lanes(size), lanes) }

// need skips a test of a vector type that this CPU lacks.
func need(t *testing.T, size, lanes int) {
	if !has(size, lanes) {
		t.Skipf("%d lanes of %d bytes are not native here: %v %s", lanes, size, Lanes(size), Reason())
	}
}

// rounds runs f often enough to meet all pairs of adversarial values.
func rounds(f func()) {
	for range 400 {
		f()
	}
	// Both ways of the operations that prefer an AVX-512 instruction.
	if old := avx512Off(); old {
		for range 200 {
			f()
		}
		avx512On()
	}
}

// values returns n random values, many of them adversarial.
func values[T number](n int) []T {
	s := make([]T, n)
	for i := range s {
		s[i] = value[T]()
	}
	return s
}

func value[T number]() (x T) {
	pick := random.Intn(16)
	switch p := any(&x).(type) {
	case *float64:
		switch {
		case pick < 8:
			special := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -1.5, 2.5, math.Inf(1), math.Inf(-1), math.NaN(), math.SmallestNonzeroFloat64,
				-math.SmallestNonzeroFloat64, math.MaxFloat64, -math.MaxFloat64, 1 << 31, -1 << 31, 1<<31 - 1, 1 << 52, -1 << 63, 1 << 63, 1<<53 + 2}
			*p = special[random.Intn(len(special))]
		case pick < 12:
			*p = random.NormFloat64() * math.Pow(10, float64(random.Intn(20)-10))
		default:
			*p = math.Float64frombits(random.Uint64())
		}
	case *float32:
		switch {
		case pick < 8:
			special := []float32{0, float32(math.Copysign(0, -1)), 1, -1, 0.5, -1.5, 2.5, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()),
				math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, math.MaxFloat32, -math.MaxFloat32, 1 << 31, -1 << 31, 1 << 24, -1 << 63, 1 << 63}
			*p = special[random.Intn(len(special))]
		case pick < 12:
			*p = float32(random.NormFloat64() * math.Pow(10, float64(random.Intn(20)-10)))
		default:
			*p = math.Float32frombits(random.Uint32())
		}
	case *int64:
		special := []int64{0, 1, -1, math.MaxInt64, math.MinInt64, math.MaxInt32, math.MinInt32, 1 << 32, 1<<53 + 1, 1<<62 + 1}
		if *p = int64(random.Uint64()); pick < 8 {
			*p = special[random.Intn(len(special))]
		}
	case *int32:
		special := []int32{0, 1, -1, math.MaxInt32, math.MinInt32, 1<<24 + 1}
		if *p = int32(random.Uint32()); pick < 8 {
			*p = special[random.Intn(len(special))]
		}
	}
	return x
}

// shifts returns shift counts around the width of an element, and wild ones.
func shifts[T int32 | int64](n int) []T {
	s := make([]T, n)
	for i := range s {
		if s[i] = T(random.Intn(70)); random.Intn(8) == 0 {
			s[i] = T(random.Uint64())
		}
	}
	return s
}

func bools(n int) []bool {
	p, s := random.Intn(5), make([]bool, n)
	for i := range s {
		s[i] = random.Intn(4) < p
	}
	return s
}

func count(s []bool) (n int) {
	for _, b := range s {
		n += int(bit(b))
	}
	return n
}

func indexes[I int32 | int64](n, limit int) []I {
	s := make([]I, n)
	for i := range s {
		s[i] = I(random.Intn(limit))
	}
	return s
}

// equal compares lanes bit by bit; all NaNs are the same.
func equal[T comparable](t *testing.T, name string, got []T, want func(k int) T, operands ...any) {
	t.Helper()
	for k, g := range got {
		if w := want(k); !identical(g, w) {
			t.Fatalf("%s: lane %d is %v, want %v\noperands %v", name, k, g, w, operands)
		}
	}
}

func identical[T comparable](a, b T) bool {
	switch x := any(a).(type) {
	case float64:
		y := any(b).(float64)
		return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y
	case float32:
		y := any(b).(float32)
		return math.Float32bits(x) == math.Float32bits(y) || x != x && y != y
	}
	return a == b
}

// halving reduces s like the halving tree that the reductions document.
func halving[T number](s []T, f func(a, b T) T) T {
	s = slices.Clone(s)
	for h := len(s) / 2; h > 0; h /= 2 {
		for k := range h {
			s[k] = f(s[k], s[k+h])
		}
	}
	return s[0]
}

// poison is the value of guards.
func poison[T number]() (x T) {
	switch p := any(&x).(type) {
	case *float64:
		*p = math.NaN()
	case *float32:
		*p = float32(math.NaN())
	default:
		x-- // all ones
	}
	return x
}

// guarded returns s between guards; the array ends right behind the last guard.
func guarded[T number](s []T) []T {
	r := make([]T, guard+len(s)+guard)
	for i := range r {
		r[i] = poison[T]()
	}
	copy(r[guard:], s)
	return r
}

func untouched[T number](t *testing.T, s []T, n int) {
	t.Helper()
	for i, x := range s {
		if (i < guard || i >= guard+n) && !identical(x, poison[T]()) {
			t.Fatalf("guard at %d of %d overwritten with %v", i-guard, n, x)
		}
	}
}

func guardedBools(s []bool) []bool {
	return slices.Concat([]bool{true, false, true}, s, []bool{true, false, true})
}

func untouchedBools(t *testing.T, s []bool, n int) {
	t.Helper()
	if !slices.Equal(s, guardedBools(s[guard:guard+n])) {
		t.Fatalf("guards of bools overwritten: %v", s)
	}
}

// exactFMA32 is a*b + c rounded once, by exact arithmetic.
func exactFMA32(a, b, c float32) float32 {
	if s := float64(a)*float64(b) + float64(c); s == 0 || s-s != 0 {
		return float32(s)
	}
	x := func(f float32) *big.Float { return new(big.Float).SetPrec(1200).SetFloat64(float64(f)) }
	p := x(a)
	p.Mul(p, x(b)).Add(p, x(c))
	r, _ := p.Float32()
	return r
}

// TestGenerated checks that the generated files are those that internal/gen writes.
func TestGenerated(t *testing.T) {
	files, err := gen.Files()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not up to date: run go generate (%v)", name, err)
		}
	}
}

// TestScalar checks the unchecked scalar accesses.
func TestScalar(t *testing.T) {
	s := []float32{1, 2, 3}
	*Elem(Ptr(s), 1) = 7
	if *Elem(Ptr(s), 1) != 7 || s[1] != 7 || Ptr([]int32(nil)) != nil {
		t.Fatal(s)
	}
}

// TestNative checks that the answers about this CPU go together.
func TestNative(t *testing.T) {
	t.Log(Native(), Lanes(4), Lanes(8), Reason())
	if Native() != (Reason() == "") || Native() != (len(Lanes(8)) > 0) || Native() != (len(Lanes(4)) > 1) || len(Lanes(2)) > 0 {
		t.Fatal("contradictory answers")
	}
	Clear()
}
