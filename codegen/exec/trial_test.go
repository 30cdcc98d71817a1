package exec

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/surge-ndp/surge/selector"
)

// TestTrial checks that the first runs of what is bound are tried against the kernel itself, and what is taken then.
func TestTrial(t *testing.T) {
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
		compiled, itself time.Duration
		tried            int // runs of the kernel itself among the first ones
		want             bool
	}{
		{"the kernel itself is faster", still, Plain{Exact: true}, 3 * time.Millisecond, 0, 3, true},
		{"compiled code is faster", still, Plain{Exact: true}, 0, 3 * time.Millisecond, 3, false},
		{"results are not the same to the bit", still, Plain{}, 3 * time.Millisecond, 0, 0, false},
		{"it may take long", still, Plain{Exact: true}, trialTime + 5*time.Millisecond, 0, 0, false},
		{"it could not be stopped soon", stoppable, Plain{Exact: true}, stoppableTime + 3*time.Millisecond, 0, 0, false},
		{"it may not end", stoppable, Plain{Exact: true, Open: true}, time.Millisecond, 0, 0, false},
	} {
		k := testKernel()
		k.Plain = c.plain
		var call Call
		call.Init(k, nil)
		if err := call.Choose(0, Feature(selector.Length, "elements", much)); err != nil {
			t.Fatal(err)
		}
		if may := call.RunsPlain(much); may != c.plain.Exact {
			t.Errorf("%s: may be tried: %v", c.name, may)
		}
		tried := 0
		for range trialTurns {
			plain := call.Plain(c.ctx)
			if plain {
				tried++
				time.Sleep(c.itself)
			} else {
				time.Sleep(c.compiled)
			}
			call.Ended(c.ctx)
		}
		if tried != c.tried {
			t.Errorf("%s: %d runs of the kernel itself", c.name, tried)
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
