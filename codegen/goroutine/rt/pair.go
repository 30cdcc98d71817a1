package rt

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/codegen/goroutine/vec"
)

// pair is two launches whose outermost loops share chunks: each chunk is executed by the first one's body and at once
// by the second one's, so that what both read comes from a cache the second time. The second one's function begins;
// where it comes to its loop, the first one's function runs; where that comes to its loop, which is over the same
// iterations, both loops are one.
type pair struct {
	first *Launch
	state pairState

	n      int  // iterations
	loop   Loop // of both: the chunks are the second one's, which may have partial results
	second half
	lead   half

	spent [2]atomic.Int64 // nanoseconds in sampled chunks of first and second
}

type half struct {
	body Body
	env  any
}

type pairState uint8

const (
	begun  pairState = iota // neither has come to its loop
	inside                  // the second one has, and the first one's function runs
	over                    // both have
)

// samplePairs is the number of chunks of which one is timed: that costs less than a chunk of short iterations takes.
const samplePairs = 16

// RunAfter implements [exec.Follower]: it runs first and then l, in chunks that they share if l's variant says so,
// and both divide their outermost level among as many threads. share is the part of the time that is first's.
func (l *Launch) RunAfter(ctx context.Context, first exec.Launch, frame any) (shared bool, share float64, err error) {
	lead, ok := first.(*Launch)
	if !ok || l.shared == 0 || !lead.outermost || lead.Threads != l.Threads || lead.form != l.form { // another form has other elements
		return false, 0, nil
	}
	p := &l.pair
	p.first, p.state, lead.frame, l.frame = lead, begun, frame, frame
	p.spent[0].Store(0)
	p.spent[1].Store(0)
	own := l.Loops[0]
	l.Loops[0] = Loop{Schedule: Dynamic, Chunk: l.shared, Threads: l.Threads, Nested: own.Nested, shared: true}
	err = Run(ctx, l.Threads, l, enterPair)
	l.Loops[0] = own
	p.lead, p.second = half{}, half{}
	a, b := float64(p.spent[0].Load()), float64(p.spent[1].Load())
	if a+b > 0 {
		share = a / (a + b)
	}
	return true, share, err
}

func enterPair(env any, w *Worker) {
	l := env.(*Launch)
	w.pair = &l.pair
	defer func() { w.pair = nil }()
	l.fn(l.frame, w, l)
}

// join is For for the outermost loops of a pair.
func (w *Worker) join(n int, l Loop, body Body, env any) (done bool) {
	p := w.pair
	switch p.state {
	case begun:
		p.n, p.loop, p.second, p.state = n, l, half{body, env}, inside
		p.first.fn(p.first.frame, w, p.first)
		alone := p.state == inside // the first one had nothing to divide
		p.state = over
		return !alone
	case inside:
		p.lead, p.state = half{body, env}, over
		w.For(p.n, p.loop, pairBody, p)
		return true
	}
	return false
}

func pairBody(env any, w *Worker, chunk, lo, hi int) {
	p := env.(*pair)
	mark := w.Mark()
	timed := chunk%samplePairs == 0
	var start, between time.Time
	if timed {
		start = time.Now()
	}
	p.lead.body(p.lead.env, w, chunk, lo, hi)
	w.Release(mark)
	if w.Stopped() {
		return
	}
	if timed {
		between = time.Now()
	}
	vec.ClearUpper()
	p.second.body(p.second.env, w, chunk, lo, hi)
	if timed {
		p.spent[0].Add(int64(between.Sub(start)))
		p.spent[1].Add(int64(time.Since(between)))
	}
}
