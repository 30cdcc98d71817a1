package vec

import (
	"fmt"
	"math"
	"testing"
	"unsafe"
)

// levels runs a test for every instruction set that this CPU has.
func levels(t *testing.T, f func(t *testing.T)) {
	best := level
	defer func() { level = best }()
	for l := uint8(levelPortable); l <= best; l++ {
		level = l
		t.Run([]string{"portable", "AVX2", "AVX512"}[l], f)
	}
}

// lengths are the strip lengths that tests try.
func lengths() []int {
	var n []int
	for k := range 71 {
		n = append(n, k)
	}
	return append(n, 127, 128, 255, 256, 257, 300, 511, 1000)
}

// numbers returns n numbers whose sums are exact in any order.
func numbers[T number](n int) []T {
	s := make([]T, n)
	for i := range s {
		s[i] = T(random.Intn(201) - 100)
	}
	return s
}

// address is the address of the first element of s, nil if there is none.
func address[T any](s []T) *T {
	if len(s) == 0 {
		return nil
	}
	return &s[0]
}

func testGather[T number, I int32 | int64](t *testing.T, f func(dst, base *T, idx *I, n int)) {
	t.Helper()
	base := values[T](500)
	for _, n := range lengths() {
		idx := indexes[I](n, len(base))
		dst := guarded(make([]T, n))
		f(&dst[guard], &base[0], address(idx), n)
		equal(t, fmt.Sprint("gather of ", n), dst[guard:guard+n], func(k int) T { return base[idx[k]] })
		untouched(t, dst, n)
	}
	f(nil, nil, nil, 0)
}

func TestGatherStrip(t *testing.T) {
	levels(t, func(t *testing.T) {
		testGather(t, GatherStripF64)
		testGather(t, GatherStripF32)
		testGather(t, GatherStripI64)
		testGather(t, GatherStripI32)
		testGather(t, GatherStripF64I64)
		testGather(t, GatherStripF32I64)
		testGather(t, GatherStripI64I64)
		testGather(t, GatherStripI32I64)
	})
}

func testDot[T float64 | float32](t *testing.T, f func(a, base *T, idx *int32, n int) T) {
	t.Helper()
	base := numbers[T](500)
	for _, n := range lengths() {
		idx, a := indexes[int32](n, len(base)), guarded(numbers[T](n))
		var want T
		for k := range n {
			want += a[guard+k] * base[idx[k]]
		}
		if got := f(&a[guard], &base[0], address(idx), n); got != want {
			t.Fatalf("product of %d terms: %v, want %v", n, got, want)
		}
		if n > 0 {
			a[guard+random.Intn(n)] = T(math.NaN())
			if got := f(&a[guard], &base[0], address(idx), n); got == got {
				t.Fatalf("product of %d terms with a NaN: %v", n, got)
			}
		}
	}
	if got := f(nil, nil, nil, 0); got != 0 {
		t.Fatalf("product of nothing: %v", got)
	}
}

func TestDotGather(t *testing.T) {
	levels(t, func(t *testing.T) {
		testDot(t, DotGatherF64)
		testDot(t, DotGatherF32)
	})
}

func testScan[T number](t *testing.T, inclusive bool, f func(dst, src *T, n int, seed T) T) {
	t.Helper()
	for _, n := range lengths() {
		for shift := range 3 {
			src := guarded(append(make([]T, shift), numbers[T](n)...))[shift:]
			seed := numbers[T](1)[0]
			want, sum := make([]T, n), seed
			for k := range n {
				want[k] = sum
				if sum += src[guard+k]; inclusive {
					want[k] = sum
				}
			}
			dst := guarded(make([]T, n))
			got := f(&dst[guard], &src[guard], n, seed)
			equal(t, fmt.Sprint("scan of ", n), dst[guard:guard+n], func(k int) T { return want[k] })
			untouched(t, dst, n)
			place := f(&src[guard], &src[guard], n, seed)
			equal(t, fmt.Sprint("scan in place of ", n), src[guard:guard+n], func(k int) T { return want[k] })
			if got != sum || place != sum {
				t.Fatalf("scan of %d: sum %v, in place %v, want %v", n, got, place, sum)
			}
		}
	}
	if got := f(nil, nil, 0, 7); got != 7 {
		t.Fatalf("scan of nothing: %v", got)
	}
}

func TestScan(t *testing.T) {
	levels(t, func(t *testing.T) {
		testScan(t, false, ScanAddF64)
		testScan(t, false, ScanAddF32)
		testScan(t, false, ScanAddI64)
		testScan(t, false, ScanAddI32)
		testScan(t, true, ScanAddInclusiveF64)
		testScan(t, true, ScanAddInclusiveF32)
		testScan(t, true, ScanAddInclusiveI64)
		testScan(t, true, ScanAddInclusiveI32)
		testScan(t, false, ScanAddStreamF64)
		testScan(t, false, ScanAddStreamF32)
		testScan(t, false, ScanAddStreamI64)
		testScan(t, false, ScanAddStreamI32)
		testScan(t, true, ScanAddInclusiveStreamF64)
		testScan(t, true, ScanAddInclusiveStreamF32)
		testScan(t, true, ScanAddInclusiveStreamI64)
		testScan(t, true, ScanAddInclusiveStreamI32)
	})
}

// TestScanInfinite checks that an infinity or a NaN spoils what comes after it and nothing before.
func TestScanInfinite(t *testing.T) {
	levels(t, func(t *testing.T) {
		for at := range 40 {
			src, dst := make([]float64, 40), make([]float64, 40)
			for k := range src {
				src[k] = 1
			}
			src[at] = math.Inf(1)
			ScanAddF64(&dst[0], &src[0], len(src), 0)
			for k, x := range dst {
				if want := float64(k); k <= at && x != want || k > at && !math.IsInf(x, 1) {
					t.Fatalf("infinity at %d: %v", at, dst)
				}
			}
		}
	})
}

func testStream[T number](t *testing.T, f func(dst, src *T, n int)) {
	t.Helper()
	for _, n := range lengths() {
		src := values[T](n)
		dst := guarded(make([]T, n))
		f(&dst[guard], address(src), n)
		equal(t, fmt.Sprint("copy of ", n), dst[guard:guard+n], func(k int) T { return src[k] })
		untouched(t, dst, n)
	}
	f(nil, nil, 0)
}

func TestStream(t *testing.T) {
	levels(t, func(t *testing.T) {
		testStream(t, StreamF64)
		testStream(t, StreamF32)
		testStream(t, StreamI64)
		testStream(t, StreamI32)
		for off := range 70 { // any alignment
			src, dst := make([]byte, 700), make([]byte, 700)
			random.Read(src)
			stream(unsafe.Pointer(&dst[off]), unsafe.Pointer(&src[3]), 600)
			if string(dst[off:off+600]) != string(src[3:603]) || dst[off+600] != 0 {
				t.Fatal("copy at offset", off)
			}
		}
	})
}

func testCheck[I int32 | int64](t *testing.T, f func(idx *I, n, limit int) int) {
	t.Helper()
	for _, n := range lengths() {
		for _, limit := range []int{1, 50, math.MaxInt32, 1 << 31, 1 << 40, math.MaxInt64} {
			idx := indexes[I](n, min(limit, math.MaxInt32))
			if got := f(address(idx), n, limit); got != -1 {
				t.Fatalf("check of %d below %d: %d", n, limit, got)
			}
			for range 3 {
				if n == 0 {
					break
				}
				at := random.Intn(n)
				for _, bad := range []I{-1, -1 << 31, I(min(limit, math.MaxInt32))} {
					if int(bad) >= 0 && int(bad) < limit {
						continue
					}
					old := idx[at]
					idx[at] = bad
					if got := f(address(idx), n, limit); got != at {
						t.Fatalf("check of %d below %d with %d at %d: %d", n, limit, bad, at, got)
					}
					idx[at] = old
				}
			}
		}
		for _, limit := range []int{0, -5} {
			want := 0
			if n == 0 {
				want = -1
			}
			if got := f(address(make([]I, n)), n, limit); got != want {
				t.Fatalf("check of %d below %d: %d", n, limit, got)
			}
		}
	}
}

func TestCheckIndex(t *testing.T) {
	levels(t, func(t *testing.T) {
		testCheck(t, CheckIndexI32)
		testCheck(t, CheckIndexI64)
	})
}
