package exec

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/surge-ndp/surge/selector"
)

// TestNextTrial checks that a side that was taken while another program had a processor is tried again, a while later,
// if both took about as long, and never if not. Time is what the sides sleep.
func TestNextTrial(t *testing.T) { synctest.Test(t, nextTrialTest) }

func nextTrialTest(t *testing.T) {
	if !tryable {
		t.Skip("compiled code and plain Go may differ in bits here")
	}
	ctx := context.Background()
	const much = 1e9
	for _, c := range []struct {
		name                   string
		busy, idle             time.Duration // what compiled code takes at first, and after that; plain Go takes 10 ms
		before, after, further bool          // whether plain Go is taken then, and after many more turns
	}{
		{"compiled code had to wait", 12 * time.Millisecond, 6 * time.Millisecond, true, false, false},
		{"compiled code is slower", 12 * time.Millisecond, 12 * time.Millisecond, true, true, true},
		{"compiled code is slower later", 9 * time.Millisecond, 12 * time.Millisecond, false, true, true},
		{"compiled code was much slower", 20 * time.Millisecond, 6 * time.Millisecond, true, true, true},
	} {
		k := testKernel()
		k.Plain = Plain{Exact: true}
		var bound Call
		bound.Init(k, []Option{Threads(2)})
		if err := bound.Choose(0, Feature(selector.Length, "elements", much)); err != nil {
			t.Fatal(err)
		}
		bound.RunsPlain(much)
		for way, turn := range map[string]func(d time.Duration) bool{
			"calls": func(d time.Duration) bool {
				turn := k.Turn(ctx, nil, much, 0)
				defer turn.End()
				if turn.Plain {
					d = 10 * time.Millisecond
				}
				time.Sleep(d)
				return turn.Plain
			},
			"runs": func(d time.Duration) bool {
				plain := bound.Plain(ctx)
				if plain {
					d = 10 * time.Millisecond
				}
				time.Sleep(d)
				bound.Ended(ctx)
				return plain
			},
		} {
			for i, want := range []bool{c.before, c.after, c.further} {
				d, n := c.idle, 10*restTurns
				if i == 0 {
					d, n = c.busy, 3*restTurns
				}
				plain := 0
				for range n {
					if turn(d) {
						plain++
					}
				}
				if settled := turn(d); settled != want {
					t.Errorf("%s, %s, %d. stretch: plain Go is taken: %v", c.name, way, i, settled)
				}
				if wrong := map[bool]int{true: n - plain, false: plain}[want]; i == 2 && wrong > 2*trialBlocks {
					t.Errorf("%s, %s: %d turns of %d are of the slower side", c.name, way, wrong, n)
				}
			}
		}
	}
}
