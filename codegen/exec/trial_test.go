package exec

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/surge-ndp/surge/selector"
)

// TestTrial checks that the first runs of what is bound are tried against the kernel itself, and what is taken then.
// Time is what the sides sleep, so that nothing else that the machine does takes part.
func TestTrial(t *testing.T) { synctest.Test(t, trialTest) }

func trialTest(t *testing.T) {
	if !tryable {
		t.Skip("compiled code and plain Go may differ in bits here")
	}
	still := context.Background()
	stoppable, stop := context.WithCancel(still)
	defer stop()
	const much = 1e9
	for _, c := range []struct {
		name             string
		ctx              context.Context
		plain            Plain
		work             float64
		compiled, itself time.Duration
		slower           int // runs of the side that takes longer, before the other one is taken
		want             bool
	}{
		{"the kernel itself is faster", still, Plain{Exact: true}, much, 3 * time.Millisecond, 0, 3, true},
		{"compiled code is faster", still, Plain{Exact: true}, much, time.Millisecond, 2 * time.Millisecond, 3, false},
		{"compiled code is much faster", still, Plain{Exact: true}, much, time.Millisecond, 20 * time.Millisecond, 1, false},
		{"the kernel itself is much faster", still, Plain{Exact: true}, much, 20 * time.Millisecond, 0, 2, true},
		{"it calls the same functions", still, Plain{Ordered: true}, much, 3 * time.Millisecond, 0, 3, true},
		{"it takes long, and lanes save little", still, Plain{Exact: true}, much, trialTime + 5*time.Millisecond, trialTime / 2, 3, true},
		{"it takes longer, and does the same on two threads", still, Plain{Exact: true, Alike: true}, much, 3 * patience, patience / 5, 2, true},
		{"it takes long, and has little to do", still, Plain{Exact: true}, much / 10, trialTime + 5*time.Millisecond, trialTime / 2, 3, true},
		{"nothing is known of what it costs", still, Plain{Exact: true, Unbounded: true}, 0, 3 * time.Millisecond, 0, 3, true},
		{"elements would be copied", still, Plain{Exact: true, Copies: true}, much, 3 * time.Millisecond, 0, 0, false},
		{"results are not the same to the bit", still, Plain{}, much, 3 * time.Millisecond, 0, 0, false},
		{"it takes long, and nothing is known of it", still, Plain{Exact: true, Unbounded: true}, 0, trialTime + 5*time.Millisecond, trialTime / 2, 3, true},
		{"it may take long", still, Plain{Exact: true}, 10 * much, 2 * patience / manyLanes, 0, 0, false},
		{"it may take long, as nobody knows how often loops turn", still, Plain{Exact: true, Open: true}, much / 10, 2 * patience / manyLanes, 0, 0, false},
		{"it may take long, and nothing bounds it", still, Plain{Exact: true, Unbounded: true}, 0, 2 * patience / manyLanes, 0, 0, false},
		{"it could not be stopped soon", stoppable, Plain{Exact: true}, much, stoppableTime + 3*time.Millisecond, 0, 0, false},
		{"it may not end", stoppable, Plain{Exact: true, Open: true}, much, time.Millisecond, 0, 0, false},
	} {
		k := testKernel()
		k.Plain = c.plain
		var call Call
		call.Init(k, []Option{Threads(2)})
		if err := call.Choose(0, Feature(selector.Length, "elements", much)); err != nil {
			t.Fatal(err)
		}
		if may := call.RunsPlain(c.work); may != ((c.plain.Exact || c.plain.Ordered) && !c.plain.Copies) {
			t.Errorf("%s: may be tried: %v", c.name, may)
		}
		var turns [2]int
		for i := 0; i < 1000 && call.trial.on; i++ {
			if call.Plain(c.ctx) {
				turns[original]++
				time.Sleep(max(c.itself, blockTime))
			} else {
				turns[compiled]++
				time.Sleep(c.compiled)
			}
			call.Ended(c.ctx)
		}
		slower := original
		if c.want {
			slower = compiled
		}
		want := c.slower
		if c.want && c.compiled <= coldTime {
			want++ // a first run, which does not count
		}
		if turns[slower] != want {
			t.Errorf("%s: %d runs of compiled code, %d of the kernel itself", c.name, turns[compiled], turns[original])
		}
		for range 3 {
			if got := call.Plain(c.ctx); got != c.want {
				t.Errorf("%s: afterwards %v", c.name, got)
			}
			call.Ended(c.ctx)
		}
		if said := strings.Contains(call.Decisions()[0].Reason, "runs take the kernel itself"); said != c.want {
			t.Errorf("%s: %q", c.name, call.Decisions()[0].Reason)
		}
	}
}

// TestTrialWaits checks that a first turn that waited for something else does not end a trial.
func TestTrialWaits(t *testing.T) {
	in := tried{Plain{Exact: true, Open: true}, 1e6, 2, manyLanes}
	var of trial
	for i, d := range []time.Duration{patience, 3 * time.Millisecond} {
		if ended, _ := of.took(context.Background(), d, &in); ended || of.itself() != (i > 0) {
			t.Errorf("turn %d of %v: ended %v, the kernel itself next %v", i, d, ended, of.itself())
		}
	}
}

// TestTrialBlocks checks that short turns of a side follow each other, that the best one counts, and that turns of the
// slower side are few: behind the first blocks of both, what they lose is a small part of all.
func TestTrialBlocks(t *testing.T) {
	ctx := context.Background()
	const turns = 10 // in a block
	for _, c := range []struct {
		compiled, itself time.Duration // least times of a turn
		want             bool
	}{
		{blockTime / turns, blockTime / turns * 9 / 10, true}, {blockTime / turns, blockTime / turns, false},
		{blockTime / turns, blockTime / turns / 3, true}, {blockTime / turns / 2, blockTime / turns, false},
		{2 * blockTime, blockTime * 18 / 10, true}, {9 * blockTime, 4 * blockTime, true}, {4 * blockTime, 9 * blockTime, false},
	} {
		least := [2]time.Duration{c.compiled, c.itself}
		best := min(c.compiled, c.itself)
		of := trial{warm: true}
		var all, lost time.Duration // behind the first block of each side
		var sides []int
		var blocks [2]int
		for ended, itself := false, false; !ended; {
			side, d := of.side, least[of.side]
			if of.spent == 0 { // the first turn of a block is slow
				sides, blocks[side] = append(sides, side), blocks[side]+1
				d += d / 4
			}
			if blocks[compiled]+blocks[original] > 2 {
				all, lost = all+d, lost+max(0, least[side]-best)
			}
			if ended, itself = of.took(ctx, d, &tried{}); ended && itself != c.want {
				t.Errorf("%v: the kernel itself is taken: %v", least, itself)
			}
		}
		if sides[0] != compiled || sides[1] != original || min(blocks[0], blocks[1]) != trialBlocks {
			t.Errorf("%v: blocks of the sides %v", least, sides)
		}
		if float64(lost) > lostShare*float64(all)+float64(blockTime)*lostShare*2 {
			t.Errorf("%v: %v of %v are lost", least, lost, all)
		}
	}
}

// TestTurn checks what calls do that bind and run a kernel once: few operations are the kernel's own, and what takes
// less time for about as many operations is remembered, for each number of threads. Time is what the sides sleep.
func TestTurn(t *testing.T) { synctest.Test(t, turnTest) }

func turnTest(t *testing.T) {
	if !tryable {
		t.Skip("compiled code and plain Go may differ in bits here")
	}
	still := context.Background()
	stoppable, stop := context.WithCancel(still)
	defer stop()
	const much, more = 1e6, 5e6
	k := testKernel()
	k.Plain = Plain{Exact: true}
	call := func(ctx context.Context, k *Kernel, work float64, compiled time.Duration, opts ...Option) bool {
		turn := k.Turn(ctx, opts, work, 0)
		defer turn.End()
		if turn.Plain && (work > k.setup() || k.Plain.Unbounded) {
			compiled = blockTime
		}
		time.Sleep(compiled)
		return turn.Plain
	}
	if !call(still, k, 100, 0) {
		t.Error("few operations are compiled")
	}
	sides := ""
	for range 100 * trialBlocks {
		sides += map[bool]string{false: "c", true: "p"}[call(still, k, much, 3*time.Millisecond)]
	}
	if !strings.HasPrefix(sides, "ccp") || strings.Count(sides, "c") != 1+trialBlocks || k.trialOf(much, 0).settled.Load() != itselfIsTaken {
		t.Errorf("%s: more than %d calls are compiled", sides, 1+trialBlocks)
	}
	unbounded := testKernel()
	unbounded.Plain = Plain{Exact: true, Open: true, Unbounded: true}
	few := 0
	for range 100 * trialBlocks {
		if call(still, unbounded, 1, 3*time.Millisecond) {
			few++
		}
	}
	if few != 99*trialBlocks-1 {
		t.Errorf("%d calls of few elements run the kernel itself, though nothing bounds its work", few)
	}
	for name, got := range map[string]bool{
		"many more operations":        call(still, k, more, 0),
		"another number of threads":   call(still, k, much, 0, Threads(1)),
		"a variant":                   call(still, k, much, 0, Variant("sequential")),
		"a destination":               call(still, k, much, 0, Into([]float64{1})),
		"results that are not exact":  call(still, testKernel(), much, 0),
		"much that cannot be stopped": call(stoppable, k, 2*stoppableWork, 0),
		"nothing bounds the work":     unbounded.RunsPlain(still, nil, 1, 0),
		"it may never end":            call(stoppable, unbounded, 1, 0),
	} {
		if got {
			t.Errorf("%s: the kernel itself", name)
		}
	}
	if runtime.GOMAXPROCS(0) > 1 && !call(still, k, much, 0, Threads(2)) {
		t.Error("what was found for two threads is not known for them")
	}
	var text strings.Builder
	if call(still, k, much, 0, Explain(&text)); !strings.Contains(text.String(), "took less time than compiled code in earlier calls") {
		t.Errorf("explained as %q", text.String())
	}
	other := testKernel()
	other.Plain = k.Plain
	long := other.Turn(still, nil, much, 0)
	for range 100 { // calls in between do not wait, and do not count
		if short := other.Turn(still, nil, much, 0); short.of != nil || short.Plain {
			t.Fatal("two calls measure at a time")
		}
	}
	long.End()
	if n := testing.AllocsPerRun(100, func() {
		turn := k.Turn(still, nil, much, 0)
		turn.End()
	}); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

// TestApart checks that results of plain Go which share memory with an argument, or with an earlier result, are copied,
// and no others.
func TestApart(t *testing.T) {
	x, rows := []int{1, 2, 3, 4}, [][]int{{5, 6}, {7, 8}}
	own := []int{1, 2}
	for _, c := range []struct {
		name   string
		result []int
		copied bool
	}{
		{"an argument", x, true}, {"a part of one", x[1:3], true}, {"a row of one", rows[1], true},
		{"memory of its own", own, false}, {"nothing", nil, false}, {"no elements", x[:0], false},
	} {
		got := Apart(c.result, Flat("x", x), Ragged("rows", rows))
		if !slices.Equal(got, c.result) || (got == nil) != (c.result == nil) {
			t.Errorf("%s: %v is %v", c.name, c.result, got)
		}
		if len(got) > 0 && (&got[0] != &c.result[0]) != c.copied {
			t.Errorf("%s: copied %v", c.name, !c.copied)
		}
	}
}

// TestOwnRows checks that rows are copied, each into a part of its own that has no room to grow.
func TestOwnRows(t *testing.T) {
	x := []int{1, 2, 3, 4}
	rows := [][]int{x[:2], x[1:4], nil, x}
	got := OwnRows(rows)
	for i, row := range rows {
		if !slices.Equal(got[i], row) || cap(got[i]) != len(row) {
			t.Errorf("row %d: %v, want %v", i, got[i], row)
		}
	}
	for i := range got {
		for j := range got[i] {
			got[i][j] = 10*i + j
		}
	}
	if want := [][]int{{0, 1}, {10, 11, 12}, {}, {30, 31, 32, 33}}; !slices.EqualFunc(got, want, slices.Equal[[]int]) || !slices.Equal(x, []int{1, 2, 3, 4}) {
		t.Errorf("%v of %v", got, x)
	}
}

// TestStringViews checks that packed strings are taken apart again.
func TestStringViews(t *testing.T) {
	type name string
	for _, want := range [][]name{{}, {""}, {"a", "", "bcd", ""}} {
		data, offsets := PackStrings(want)
		if got := StringViews[name](data, offsets); !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := StringViews[string](nil, nil); len(got) != 0 {
		t.Errorf("%q", got)
	}
}
