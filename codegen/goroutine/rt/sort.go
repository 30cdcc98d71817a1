package rt

import (
	"math"
	"math/bits"
	"unsafe"
)

// Key is what [SortIndex] sorts by.
type Key interface {
	int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

const (
	// maxDigit bounds the bits of a radix digit: the counters of a digit stay in the first-level cache.
	maxDigit = 11
	// insertionLimit is up to how many keys are sorted by insertion.
	insertionLimit = 32
	// sortGrain is the least number of keys for each worker that takes part.
	sortGrain = 1 << 13
)

// SortIndex sets perm to the stable permutation of [0,n) that sorts the n keys in ascending order; NaN comes before all
// other keys, and the two zeros are equal. It sorts by radix: the number of passes depends on how far the keys are
// apart, not on their type. The threads of l take part; the result does not depend on them.
func SortIndex[K Key](w *Worker, l Loop, keys *K, perm *int, n int) {
	if n == 0 {
		return
	}
	mark := w.Mark()
	s := &sorter{n: n, from: Scratch[uint64](w, n), perm: unsafe.Slice(perm, n)}
	s.blocks = max(1, min(clampThreads(l.Threads), n/sortGrain))
	l.Schedule, l.Chunk = Static, 1
	normalise := normaliser(keys)
	if n <= insertionLimit {
		normalise(s.from, 0, n)
		s.insertion()
		w.Release(mark)
		return
	}
	s.low, s.high = Scratch[uint64](w, s.blocks), Scratch[uint64](w, s.blocks)
	s.normalise = normalise
	w.For(s.blocks, l, sortKeys, s)
	if w.Stopped() {
		return
	}
	low, high := s.low[0], s.high[0]
	for b := range s.blocks {
		low, high = min(low, s.low[b]), max(high, s.high[b])
	}
	width := bits.Len64(high - low)
	passes := max(1, (width+maxDigit-1)/maxDigit)
	digit := max(1, (width+passes-1)/passes)
	s.base, s.digits = low, 1<<digit
	s.counts = Scratch[int](w, s.blocks*s.digits)
	if passes > 1 {
		s.to, s.other = Scratch[uint64](w, n), Scratch[int](w, n)
		if passes%2 == 0 { // the last pass ends in perm
			s.perm, s.other = s.other, s.perm
		}
	}
	for pass := range passes {
		s.first, s.last, s.shift = pass == 0, pass == passes-1, uint(pass*digit)
		w.For(s.blocks, l, sortCount, s)
		if w.Stopped() {
			return
		}
		at := 0
		for d := range s.digits { // where each block puts its keys of each digit
			for b := range s.blocks {
				c := &s.counts[b*s.digits+d]
				*c, at = at, at+*c
			}
		}
		w.For(s.blocks, l, sortMove, s)
		if w.Stopped() {
			return
		}
		s.from, s.to = s.to, s.from
		s.perm, s.other = s.other, s.perm
	}
	w.Release(mark)
}

// sorter is one call of SortIndex. A pass reads (from, other) and writes (to, perm), and then they change places.
type sorter struct {
	n, blocks, digits int
	from, to          []uint64
	perm, other       []int
	low, high         []uint64 // of each block
	counts            []int    // of each block, digit by digit
	base              uint64
	shift             uint
	first, last       bool
	normalise         func(dst []uint64, lo, hi int)
}

func (s *sorter) block(b int) (lo, hi int) { return share(s.n, s.blocks, b) }

func (s *sorter) insertion() {
	for i := range s.n {
		k, j := s.from[i], i
		for ; j > 0 && s.from[j-1] > k; j-- {
			s.from[j], s.perm[j] = s.from[j-1], s.perm[j-1]
		}
		s.from[j], s.perm[j] = k, i
	}
}

func sortKeys(env any, _ *Worker, _, b, _ int) {
	s := env.(*sorter)
	lo, hi := s.block(b)
	s.normalise(s.from, lo, hi)
	low, high := s.from[lo], s.from[lo]
	for _, k := range s.from[lo:hi] {
		low, high = min(low, k), max(high, k)
	}
	s.low[b], s.high[b] = low, high
}

func sortCount(env any, _ *Worker, _, b, _ int) {
	s := env.(*sorter)
	lo, hi := s.block(b)
	counts := s.counts[b*s.digits:][:s.digits]
	clear(counts)
	for _, k := range s.from[lo:hi] {
		counts[(k-s.base)>>s.shift&uint64(len(counts)-1)]++
	}
}

func sortMove(env any, _ *Worker, _, b, _ int) {
	s := env.(*sorter)
	lo, hi := s.block(b)
	counts := s.counts[b*s.digits:][:s.digits]
	for i, k := range s.from[lo:hi] {
		c := &counts[(k-s.base)>>s.shift&uint64(len(counts)-1)]
		j := *c
		*c = j + 1
		if s.first {
			s.perm[j] = lo + i
		} else {
			s.perm[j] = s.other[lo+i]
		}
		if !s.last {
			s.to[j] = k
		}
	}
}

// normaliser returns the function that turns keys [lo,hi) into unsigned integers of the same order.
func normaliser[K Key](keys *K) func(dst []uint64, lo, hi int) {
	switch k := any(keys).(type) {
	case *int:
		return signed(k)
	case *int8:
		return signed(k)
	case *int16:
		return signed(k)
	case *int32:
		return signed(k)
	case *int64:
		return signed(k)
	case *uint:
		return unsigned(k)
	case *uint8:
		return unsigned(k)
	case *uint16:
		return unsigned(k)
	case *uint32:
		return unsigned(k)
	case *uint64:
		return unsigned(k)
	case *float32:
		return func(dst []uint64, lo, hi int) {
			for i, x := range unsafe.Slice(k, hi)[lo:] {
				u := math.Float32bits(x)
				switch {
				case x != x:
					u = 0
				case x == 0:
					u = 1 << 31
				case u>>31 != 0:
					u = ^u
				default:
					u |= 1 << 31
				}
				dst[lo+i] = uint64(u)
			}
		}
	case *float64:
		return func(dst []uint64, lo, hi int) {
			for i, x := range unsafe.Slice(k, hi)[lo:] {
				u := math.Float64bits(x)
				switch {
				case x != x:
					u = 0
				case x == 0:
					u = 1 << 63
				case u>>63 != 0:
					u = ^u
				default:
					u |= 1 << 63
				}
				dst[lo+i] = u
			}
		}
	}
	panic("rt: no order of this type")
}

func signed[K int | int8 | int16 | int32 | int64](keys *K) func(dst []uint64, lo, hi int) {
	return func(dst []uint64, lo, hi int) {
		for i, x := range unsafe.Slice(keys, hi)[lo:] {
			dst[lo+i] = uint64(int64(x)) ^ 1<<63
		}
	}
}

func unsigned[K uint | uint8 | uint16 | uint32 | uint64](keys *K) func(dst []uint64, lo, hi int) {
	return func(dst []uint64, lo, hi int) {
		for i, x := range unsafe.Slice(keys, hi)[lo:] {
			dst[lo+i] = uint64(x)
		}
	}
}
