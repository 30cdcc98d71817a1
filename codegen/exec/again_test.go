package exec

import (
	"errors"
	"testing"
)

// TestGoesOn: plain Go may go on where a slice is cut beyond its length, but not where bounds go down, or are negative,
// and not with a destination.
func TestGoesOn(t *testing.T) {
	cut := Site{Op: "slice", Arg: "x[:n]"}
	for name, c := range map[string]struct {
		err  error
		opts []Option
		want bool
	}{
		"beyond the length":  {err: cut.Bounds(-1, 0, 5, 3), want: true},
		"a destination":      {err: cut.Bounds(-1, 0, 5, 3), opts: []Option{Into(make([]float64, 3))}},
		"bounds that fall":   {err: cut.Bounds(-1, 6, 5, 3)},
		"a negative bound":   {err: cut.Bounds(-1, -1, 5, 3)},
		"rows of a sequence": {err: Site{Op: "Nest", Arg: "rows"}.Bounds(1, 0, 5, 3)},
		"another error":      {err: errors.New("another one")},
	} {
		if got := GoesOn(c.err, c.opts); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
