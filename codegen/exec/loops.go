package exec

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Loops runs loops of a kernel that stays whole on several threads, where the turns have nothing to do with each other.
// See the note on parallel loops in package load.
type Loops struct {
	ctx     context.Context
	threads int
	left    atomic.Bool
	quick   []quick // of each loop
	tallied int     // elements of the tallies of the next loop
	runs    int     // of loops
	shared  bool    // whether any of them had several threads
	of      *worth  // what the call adds to, nil for nothing
}

// quick is what is known of a loop that runs again and again, in another one.
type quick struct {
	turns int // so many took less time than starting threads is worth
	runs  int // since that was measured
}

const (
	// soloTime is about how long a loop runs on one thread before others join it: what is short is not worth it.
	soloTime = 20 * time.Microsecond
	// leastWake and mostWake bound what is taken for the time that a thread takes to wake up: microseconds on a machine
	// of one's own, a tenth of a millisecond on one that is shared.
	leastWake, mostWake = 10 * time.Microsecond, 500 * time.Microsecond
	// chunkShare is how many chunks of what is left each thread would take.
	chunkShare = 4
	// tallyTime is how long an element of a tally takes that a thread has of its own, at most.
	tallyTime = 2 * time.Nanosecond
	// quickRuns is how often a loop runs on one thread because it was quick, before that is measured again.
	quickRuns = 8
)

// wake is about how many nanoseconds other threads took to join, in the loops before.
var wake atomic.Int64

// woke notes how long a thread took to join.
func woke(took time.Duration) {
	took = min(max(took, leastWake), mostWake)
	wake.Store((7*max(wake.Load(), int64(leastWake)) + int64(took)) / 8)
}

// joinTime is how long the rest of a loop takes at least for others to join: twice as long as they take to wake up, and
// to make and add up what tallies they have.
func (l *Loops) joinTime() time.Duration {
	return 2 * (max(time.Duration(wake.Load()), leastWake) + time.Duration(l.tallied)*tallyTime)
}

// NewLoops returns what runs the loops of a call, on so many threads.
func NewLoops(ctx context.Context, threads int) *Loops {
	return &Loops{ctx: ctx, threads: threads}
}

// left is the panic that ends a kernel of which a loop was left.
type left struct{}

// Do runs the kernel with parallel loops, and reports whether it came to its end: if not, what it returned means
// nothing, and the kernel itself is to be run. The error is that of the context.
func (l *Loops) Do(kernel func()) (done bool, err error) {
	begin := time.Now()
	defer func() {
		if recover() != nil { // the kernel itself says what it was
			done = false
		}
		if done = done && !l.left.Load(); !done {
			err = l.ctx.Err()
		}
		l.ended(time.Since(begin))
	}()
	kernel()
	return true, nil
}

// Leave ends all loops, as a turn would leave one of them.
func (l *Loops) Leave() { panic(left{}) }

// Run runs the turns of a loop, which has a number, from one number to before another one, in chunks. It returns when
// all are done, or panics where a turn did, or left the loop.
func (l *Loops) Run(loop, from, to int, chunk func(from, to int)) {
	for loop >= len(l.quick) {
		l.quick = append(l.quick, quick{})
	}
	if l.runs++; l.vain() {
		l.left.Store(true)
	}
	switch q, n := &l.quick[loop], to-from; {
	case n <= 0 || l.left.Load():
	case n <= q.turns && q.runs < quickRuns: // it takes longer to look at the context
		q.runs++
		chunk(from, to)
	case l.threads == 1 || n == 1:
		l.chunk(from, to, chunk)
	default:
		begin, first := time.Now(), from
		from = l.solo(begin, from, to, chunk)
		*q = quick{}
		took := time.Since(begin)
		switch {
		case from >= to && took <= soloTime:
			q.turns = n
		case from >= to:
		case took*time.Duration(to-from) < l.joinTime()*time.Duration(from-first): // as far as the first turns tell
			l.chunk(from, to, chunk)
		default:
			l.shared = true
			l.share(from, to, chunk)
		}
	}
	l.tallied = 0
	if l.left.Load() {
		panic(left{})
	}
}

// solo runs the first turns of a loop, until that has taken as long as starting threads is worth. It returns where it
// stopped.
func (l *Loops) solo(begin time.Time, from, to int, chunk func(from, to int)) int {
	for n := 1; from < to && !l.left.Load(); n *= 2 {
		next := from + min(n, to-from)
		l.chunk(from, next, chunk)
		from = next
		if time.Since(begin) > soloTime {
			break
		}
	}
	return from
}

// share runs turns on all threads. Chunks get smaller towards the end, so that threads end at the same time.
func (l *Loops) share(from, to int, chunk func(from, to int)) {
	var next atomic.Int64
	next.Store(int64(from))
	work := func() {
		for !l.left.Load() {
			at := next.Load()
			left := int64(to) - at
			if left <= 0 {
				return
			}
			end := at + max(left/int64(chunkShare*l.threads), 1)
			if next.CompareAndSwap(at, end) {
				l.chunk(int(at), int(end), chunk)
			}
		}
	}
	var others sync.WaitGroup
	begin := time.Now()
	for range min(l.threads, to-from) - 1 {
		others.Go(func() {
			woke(time.Since(begin))
			work()
		})
	}
	work()
	others.Wait()
}

// chunk runs some turns, unless the context is done. A panic is that of [Loops.Run].
func (l *Loops) chunk(from, to int, chunk func(from, to int)) {
	done := false
	defer func() {
		if !done {
			l.left.Store(true)
			recover()
		}
	}()
	if l.ctx.Err() == nil {
		chunk(from, to)
		done = true
	}
}

// Parts are what chunks of a loop append to a slice.
type Parts[T any] struct {
	mu   sync.Mutex
	list []part[T]
}

type part[T any] struct {
	from int
	s    []T
}

// PartsOf returns no parts, of elements as those of a slice.
func PartsOf[S ~[]T, T any](S) *Parts[T] { return &Parts[T]{} }

// Empty is what a chunk appends to.
func (p *Parts[T]) Empty() []T { return nil }

// Add adds what a chunk appended that begins with a turn.
func (p *Parts[T]) Add(from int, s []T) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.list = append(p.list, part[T]{from, s})
}

// Behind is a slice with all behind it that was appended, in the order of the turns.
func (p *Parts[T]) Behind(s []T) []T {
	slices.SortFunc(p.list, func(a, b part[T]) int { return cmp.Compare(a.from, b.from) })
	n := 0
	for _, q := range p.list {
		n += len(q.s)
	}
	s = slices.Grow(s, n)
	for _, q := range p.list {
		s = append(s, q.s...)
	}
	return s
}

// Total is what chunks of a loop make of an integer.
type Total[T Integer] struct {
	mu           sync.Mutex
	first, value T
}

// Integer are the types of integers.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// TotalOf returns a total that begins with a value, as each chunk does.
func TotalOf[T Integer](first T) *Total[T] { return &Total[T]{first: first, value: first} }

// First is what a chunk begins with.
func (t *Total[T]) First() T { return t.first }

// Value is the total.
func (t *Total[T]) Value() T { return t.value }

// Add adds what a chunk has added up.
func (t *Total[T]) Add(x T) { t.with(func() { t.value += x }) }

// Or sets the bits that a chunk has set.
func (t *Total[T]) Or(x T) { t.with(func() { t.value |= x }) }

// Xor changes the bits that a chunk has changed.
func (t *Total[T]) Xor(x T) { t.with(func() { t.value ^= x }) }

// Max is for the greatest value of a chunk.
func (t *Total[T]) Max(x T) { t.with(func() { t.value = max(t.value, x) }) }

// Min is for the least value of a chunk.
func (t *Total[T]) Min(x T) { t.with(func() { t.value = min(t.value, x) }) }

func (t *Total[T]) with(f func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f()
}

// Tally is a slice of integers to whose elements the turns of a loop add. The first thread has the slice itself, the
// others have one of their own each.
type Tally[T Integer] struct {
	mu     sync.Mutex
	s      []T
	free   [][]T
	others [][]T
}

// TallyOf returns a tally of a slice, for the next loop.
func TallyOf[S ~[]T, T Integer](l *Loops, s S) *Tally[T] {
	l.tallied += len(s)
	return &Tally[T]{s: s, free: [][]T{s}}
}

// Take returns what a chunk adds to.
func (t *Tally[T]) Take() []T {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := len(t.free) - 1; n >= 0 {
		s := t.free[n]
		t.free = t.free[:n]
		return s
	}
	s := make([]T, len(t.s))
	t.others = append(t.others, s)
	return s
}

// Give is for what a chunk has added to.
func (t *Tally[T]) Give(s []T) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.free = append(t.free, s)
}

// AddUp adds what the other threads have to the slice.
func (t *Tally[T]) AddUp() {
	for _, s := range t.others {
		for i, x := range s {
			t.s[i] += x
		}
	}
}
