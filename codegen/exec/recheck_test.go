package exec

import "testing"

// TestChecksAgain checks that checks that are made again report what fails, and nothing else.
func TestChecksAgain(t *testing.T) {
	s := Sites("K", [][3]string{{"k.go:1:1", "Op", "x"}})[0]
	for _, c := range []struct {
		got  error
		want error
	}{
		{s.InLength(3, 3), nil}, {s.InLength(3, 4), s.Length(3, 4)},
		{s.InBounds(-1, 0, 0, 0), nil}, {s.InBounds(-1, 1, 2, 2), nil}, {s.InBounds(2, -1, 2, 2), s.Bounds(2, -1, 2, 2)},
		{s.InBounds(2, 2, 1, 2), s.Bounds(2, 2, 1, 2)}, {s.InBounds(2, 1, 3, 2), s.Bounds(2, 1, 3, 2)},
		{s.InNonneg(0), nil}, {s.InNonneg(-1), s.Nonneg(-1)},
	} {
		if (c.got == nil) != (c.want == nil) || c.got != nil && c.got.Error() != c.want.Error() {
			t.Errorf("%v, want %v", c.got, c.want)
		}
	}
}

// TestRecovered checks that a panic of a kernel that runs as it is ends that run alone.
func TestRecovered(t *testing.T) {
	run := func(end bool) (ok bool) {
		defer Recovered(&ok)
		if end {
			panic("end")
		}
		return true
	}
	if !run(false) || run(true) {
		t.Error("a run without a panic is not ok, or one with a panic is")
	}
}
