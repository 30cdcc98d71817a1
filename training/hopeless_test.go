package training

import (
	"slices"
	"testing"
	"time"

	"github.com/surge-ndp/surge/selector"
)

// rounds gives every variant the times of one round after the other, in microseconds, and returns the numbers of
// those that are still measured after each.
func rounds(t *testing.T, turns [][]float64, after func(b *bench, round int)) [][]int {
	t.Helper()
	b := &bench{bound: &Bound{}, opt: BenchOptions{Rounds: 9, Hopeless: 5}, all: make([]Measurement, len(turns)), best: map[string]*Measurement{}}
	for i := range b.all {
		b.all[i] = Measurement{Variant: selector.Variant{Computation: "K.1"}, Status: OK}
		b.left = append(b.left, &b.all[i])
	}
	var left [][]int
	for round := 1; round <= len(turns[0]); round++ {
		var now []int
		for i := range b.all {
			m := &b.all[i]
			if !slices.Contains(b.left, m) {
				continue
			}
			run := time.Duration(turns[i][round-1] * float64(time.Microsecond))
			m.Times = append(m.Times, run)
			m.took(round, []time.Duration{run})
			m.Median = median(m.Times)
			if best := b.best["K.1"]; best == nil || m.Median < best.Median {
				b.best["K.1"] = m
			}
		}
		after(b, round)
		for i := range b.all {
			if slices.Contains(b.left, &b.all[i]) {
				now = append(now, i)
			}
		}
		left = append(left, now)
	}
	return left
}

// One turn that waited for another program drops nothing, a second one in a row does.
func TestHopelessTwice(t *testing.T) {
	turns := [][]float64{
		{10, 10, 10, 10}, // the best
		{900, 11, 11, 11},
		{11, 900, 11, 11},
		{900, 900, 11, 11},
		{30, 900, 900, 11},
	}
	want := [][]int{{0, 1, 2, 3, 4}, {0, 1, 2, 4}}
	if got := rounds(t, turns, func(b *bench, round int) { b.drop(round) }); !slices.EqualFunc(got[:2], want, slices.Equal) || !slices.Equal(got[3], []int{0, 1, 2}) {
		t.Errorf("bench: left %v", got)
	}
	opt := &SettleOptions{Precision: 0.01}
	// From the third round on, confidence drops what is slower in every one of them.
	if got := rounds(t, turns, func(b *bench, round int) { b.settle(round, opt) }); !slices.EqualFunc(got[:2], want, slices.Equal) || slices.Contains(got[3], 3) || slices.Contains(got[3], 4) {
		t.Errorf("settle: left %v", got)
	}
}

// The best stays, whatever its turns are like later on: there is nothing to measure instead.
func TestTheBestStays(t *testing.T) {
	turns := [][]float64{{10, 10, 10, 90, 90}, {900, 900, 900, 900, 900}}
	if got := rounds(t, turns, func(b *bench, round int) { b.drop(round) }); !slices.Equal(got[4], []int{0}) {
		t.Errorf("left %v", got)
	}
}
