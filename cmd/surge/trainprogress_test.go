package main

import (
	"bytes"
	"regexp"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training"
)

// What measuring takes on is estimated from what is measured: inputs that were known take no time.
func TestTimeLeft(t *testing.T) {
	for _, c := range []struct {
		done         float64
		known, total int
		want         string
	}{
		{0, 0, 1, ""},
		{3, 3, 9, ""},
		{0.25, 0, 1, "; about 30s left"},
		{1, 0, 3, "; about 20s left"},
		{1.25, 0, 2, "; about 6s left"},
		{3, 0, 3, "; about 0s left"},
		{3, 2, 5, "; about 20s left"},
	} {
		if got := timeLeft(10*time.Second, c.done, c.known, c.total); got != c.want {
			t.Errorf("%g of %d, %d known: %q, want %q", c.done, c.total, c.known, got, c.want)
		}
	}
}

// The time that is left does not grow where everything takes as long as before: neither when the next computation
// begins nor behind inputs that were known.
func TestTimeLeftShrinks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		show := (&app{err: &out}).trainProgress(10, 2)
		for i := range 10 {
			name := strconv.Itoa(i)
			if i < 4 {
				show(name, &training.TrainProgress{Known: true})
				continue
			}
			for _, computation := range []string{"K.1", "K.2"} {
				for done := range 20 {
					time.Sleep(time.Second)
					last := &training.Measurement{Variant: selector.Variant{Computation: computation}}
					show(name, &training.TrainProgress{BenchProgress: training.BenchProgress{Done: done + 1, Total: 20, Last: last}})
				}
			}
		}
		before := time.Duration(1 << 62)
		all := regexp.MustCompile(`about (\S+) left`).FindAllStringSubmatch(out.String(), -1)
		for _, m := range all {
			left, err := time.ParseDuration(m[1])
			if err != nil || left > before+time.Second {
				t.Errorf("%s is left after %s", left, before)
			}
			before = left
		}
		if len(all) < 40 {
			t.Errorf("only %d estimates:\n%s", len(all), out.String())
		}
	})
}
