package schedule

import (
	"slices"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/fuse"
	"pgregory.net/rapid"
)

// sequence builds levels from operators: "map", "reduce+scan".
func sequence(levels ...string) fuse.Sequence {
	var seq fuse.Sequence
	for _, l := range levels {
		seq = append(seq, fuse.Level{Ops: strings.Split(l, "+")})
	}
	return seq
}

func texts(all []Schedule) []string {
	var names []string
	for _, s := range all {
		names = append(names, s.String())
	}
	return names
}

// Figure 2(a): SpMV's strongest schedule and the three that rewriting gives.
func TestSpMV(t *testing.T) {
	seq := sequence("map", "reduce")
	if got := Strongest(seq).String(); got != "independent>cooperative" {
		t.Errorf("strongest %s", got)
	}
	want := []string{"independent>sequential", "sequential>cooperative", "sequential>sequential"}
	if got := texts(rewrite(Strongest(seq), 0)[1:]); !slices.Equal(got, want) {
		t.Errorf("weaker %v, want %v", got, want)
	}
	var all []string
	for _, c := range Enumerate(seq, nil) {
		all = append(all, c.Schedule.String())
	}
	if !slices.Equal(all, append([]string{"independent>cooperative"}, want...)) {
		t.Errorf("enumerated %v", all)
	}
}

// Table III, line by line.
func TestTable(t *testing.T) {
	for ops, want := range map[string]string{
		"map gather scatter range replicate zip join striding reverse": "independent",
		"split cyclic nest":         "independent>independent",
		"reduce reduce_by_key scan": "cooperative",
		"inclusive_scan":            "cooperative",
	} {
		for _, op := range strings.Fields(ops) {
			if s, ok := table[op]; !ok || s.String() != want {
				t.Errorf("%s: %s, %t, want %s", op, s, ok, want)
			}
		}
	}
}

func TestStrongest(t *testing.T) {
	for _, c := range []struct {
		seq  fuse.Sequence
		want string
	}{
		{sequence(), "none"},
		{sequence("map"), "independent"},
		{sequence("map+scatter"), "independent"},
		{sequence("map+reduce"), "cooperative"},
		{sequence("map", "map+scan", "map"), "independent>cooperative>independent"},
		{sequence("nest", "reduce"), "independent>cooperative"},
		{sequence("split"), "independent"},
		{sequence("map+unheard_of", "reduce"), "sequential>cooperative"},
	} {
		if got := Strongest(c.seq).String(); got != c.want {
			t.Errorf("%s: %s, want %s", c.seq, got, c.want)
		}
	}
}

func TestPruningKeepsReasons(t *testing.T) {
	seq := sequence("map", "map", "reduce")
	rule := Constraint{Name: "two", Doc: "At most two parallel levels.", Reason: func(_ fuse.Sequence, s Schedule) string {
		if s.ParallelLevels() > 2 {
			return "three parallel levels"
		}
		return ""
	}}
	second := Constraint{Name: "no", Reason: func(fuse.Sequence, Schedule) string { return "second rule" }}
	all := Enumerate(seq, []Constraint{rule})
	if len(all) != 8 || all[0].Pruned != "three parallel levels" {
		t.Errorf("%v", all)
	}
	for _, c := range all[1:] {
		if c.Pruned != "" {
			t.Errorf("%s pruned: %s", c.Schedule, c.Pruned)
		}
	}
	all = Enumerate(seq, []Constraint{rule, second})
	if all[0].Pruned != "three parallel levels" || all[7].Pruned != "second rule" {
		t.Errorf("the first reason is kept: %v", all)
	}
}

func TestParse(t *testing.T) {
	for _, text := range []string{"independent>cooperative", "sequential", "none"} {
		s, err := Parse(text)
		if err != nil || s.String() != text {
			t.Errorf("%q: %s, %v", text, s, err)
		}
	}
	_, err := Parse("independent>paralel")
	if err == nil || !strings.Contains(err.Error(), `level 2: schedule element "paralel"`) {
		t.Errorf("error %v", err)
	}
	for _, text := range []string{"", ">", "independent>", "none>none", "Independent"} {
		if _, err := Parse(text); err == nil {
			t.Errorf("%q parses", text)
		}
	}
}

var anySchedule = rapid.Custom(func(t *rapid.T) Schedule {
	return rapid.SliceOfN(rapid.SampledFrom([]Element{Independent, Cooperative, Sequential}), 0, 5).Draw(t, "schedule")
})

// strongerThan is the paper's strength relation: s is stronger than t if t can be obtained from s by one or more steps
// of the rewrite rules. It is a strict partial order; schedules of different depths are unrelated.
func strongerThan(s, t Schedule) bool {
	if len(s) != len(t) {
		return false
	}
	weaker := false
	for i := range s {
		if s[i] == t[i] {
			continue
		}
		if t[i] != Sequential {
			return false
		}
		weaker = true
	}
	return weaker
}

// Strength is a strict partial order; rewriting gives exactly what is weaker, each once; text round-trips.
func TestStrength(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anySchedule.Draw(t, "s")
		if strongerThan(s, s) {
			t.Fatal("stronger than itself")
		}
		if back, err := Parse(s.String()); err != nil || !slices.Equal(back, s) {
			t.Fatalf("%s came back as %s, %v", s, back, err)
		}
		weaker := rewrite(s, 0)[1:]
		if want := 1<<s.ParallelLevels() - 1; len(weaker) != want {
			t.Fatalf("%d weaker schedules, want %d", len(weaker), want)
		}
		seen := map[string]bool{}
		for _, w := range weaker {
			if !strongerThan(s, w) || strongerThan(w, s) || seen[w.String()] {
				t.Fatalf("%s among the weaker of %s", w, s)
			}
			seen[w.String()] = true
			for _, v := range rewrite(w, 0)[1:] {
				if !strongerThan(s, v) {
					t.Fatalf("not transitive: %s, %s, %s", s, w, v)
				}
			}
		}
		if other := anySchedule.Draw(t, "other"); strongerThan(s, other) != seen[other.String()] {
			t.Fatalf("%s and %s", s, other)
		}
	})
}
