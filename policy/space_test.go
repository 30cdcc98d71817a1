package policy

import (
	"slices"
	"testing"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/schedule"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
	"pgregory.net/rapid"
)

// The parameters of a platform small enough to count by hand.
var (
	desks  = param.Int("desks", param.Whole)
	stamps = param.Int("stamps", param.Level)
	clerk  = param.Enum("clerk", param.Level, writer, stamper)
	pace   = param.Int("pace", param.Level)
)

type worker string

const (
	writer  worker = "writer"
	stamper worker = "stamper"
)

// desk is that platform: clerks (a code parameter) may use stamps (a launch parameter).
func desk() *Platform {
	stamped := func(p param.Policy, depth int) bool { return clerk.At(p, depth) == stamper }
	parallel := func(_ fuse.Level, e schedule.Element) bool { return e.Parallel() }
	return &Platform{
		Name: "desk",
		Parameters: []Parameter{
			Of(desks, Entry[int]{PerMachine: true, Values: func(m Machine, _ fuse.Sequence, _ int) []int { return []int{1, m.Cores} }}),
			Of(stamps, Entry[int]{Applies: parallel, Active: stamped, Values: Fixed(3, 4, 5)}),
			Of(clerk, Entry[worker]{Code: true, Applies: parallel, Values: Fixed(writer, stamper)}),
			Of(pace, Entry[int]{Code: true, Applies: func(_ fuse.Level, e schedule.Element) bool { return !e.Parallel() }, Values: Fixed(1, 2)}),
		},
		Constraints: []Constraint{
			{Name: "few", Reason: func(c Context) string {
				for d := range c.Sequence {
					if stamps.At(c.Policy, d+1) == 5 {
						return "five stamps are too many"
					}
				}
				return ""
			}},
			{Name: "slow", Code: true, Reason: func(c Context) string {
				if desks.Anywhere(c.Policy) {
					panic("a code constraint sees a launch parameter")
				}
				if pace.At(c.Policy, 1) == 2 {
					return "no hurry"
				}
				return ""
			}},
		},
	}
}

var mapReduce = fuse.Sequence{{Ops: []string{"map"}}, {Ops: []string{"reduce"}}}

func TestCounts(t *testing.T) {
	asked := map[string]int{}
	veto := Constraint{Name: "generator", Reason: func(c Context) string {
		key := c.Schedule.String()
		key += "," + c.Policy.String()
		asked[key]++
		if c.Schedule.String() == "independent>sequential" && pace.At(c.Policy, 2) == 2 {
			return "cannot hurry"
		}
		return ""
	}}
	sp := Enumerate("K.1", "nest", mapReduce, desk(), Machine{Cores: 4}, []Constraint{veto})
	// I>C: desks 2 × (stamps 3 × clerk 2)²; I>S, S>C: 2 × 3 × 2 × pace 2; S>S: 2 × 2 × 2.
	if want := 72 + 24 + 24 + 8; sp.Product != want {
		t.Errorf("product %d, want %d", sp.Product, want)
	}
	// A level is a writer (1) or a stamper with 3 values: 2 × 4 × 4, 2 × 4 × 2 twice, 8.
	if want := 32 + 16 + 16 + 8; sp.Distinct != want {
		t.Errorf("distinct %d, want %d", sp.Distinct, want)
	}
	pruned := map[string]int{}
	total := 0
	for _, p := range sp.Pruned {
		pruned[p.Constraint] += p.Count
		total += p.Count
		if p.Reason == "" || p.Example.Computation != "K.1" {
			t.Errorf("%+v", p)
		}
	}
	// few: I>C 2 × (16 − 9), I>S 2 × 1 (writer and stamper, pace 1), S>C 2 × 1; slow: half of S>C and S>S; generator:
	// half of I>S.
	for name, want := range map[string]int{"few": 18, "slow": 12, "generator": 8} {
		if pruned[name] != want {
			t.Errorf("pruned by %s: %d, want %d", name, pruned[name], want)
		}
	}
	if sp.Size() != sp.Distinct-total || len(sp.Valid()) != sp.Size() {
		t.Errorf("%d valid, %d listed, %d distinct, %d pruned", sp.Size(), len(sp.Valid()), sp.Distinct, total)
	}
	valid := 0
	for _, s := range sp.Schedules {
		valid += s.Valid
	}
	if valid != sp.Size() {
		t.Errorf("schedules have %d valid points, the space %d", valid, sp.Size())
	}
	for key, n := range asked {
		if n != 1 {
			t.Errorf("the extra constraint was asked %d times about %s", n, key)
		}
	}
	// I>C 4, I>S 4, S>C 2 and S>S 2 code assignments pass the platform's own rules.
	if len(asked) != 4+4+2+2 {
		t.Errorf("the extra constraint was asked about %d codes", len(asked))
	}
}

func TestCanonicalOrder(t *testing.T) {
	sp := Enumerate("K.1", "nest", mapReduce, desk(), Machine{Cores: 4}, nil)
	found := false
	for _, v := range sp.Valid() {
		found = found || v.String() == "K.1/nest/independent>cooperative/desk/desks=4,stamps_1=3,clerk_1=stamper,clerk_2=writer"
	}
	if !found {
		t.Error("variants are not in canonical order")
	}
	// The example of a pruned point is printed in the same order as a valid one.
	for _, p := range sp.Pruned {
		if p.Constraint == "few" && p.Example.String() != "K.1/nest/independent>cooperative/desk/desks=1,clerk_1=writer,stamps_2=5,clerk_2=stamper" {
			t.Errorf("example %s", p.Example)
		}
	}
}

func TestCodes(t *testing.T) {
	sp := Enumerate("K.1", "nest", mapReduce, desk(), Machine{Cores: 4}, nil)
	codes := sp.Codes()
	if len(codes) != 4+4+2+2 {
		t.Fatalf("%d codes", len(codes))
	}
	var one selector.Code
	for _, c := range codes {
		if c.String() == "K.1/nest/independent>cooperative/desk/clerk_1=stamper,clerk_2=writer" {
			one = c
		}
	}
	want := []selector.Launch{{Name: "desks"}, {Name: "stamps_1", Values: []string{"3", "4"}}}
	if len(one.Launch) != 2 || one.Launch[0].Values != nil || one.Launch[1].Name != want[1].Name ||
		!slices.Equal(one.Launch[1].Values, want[1].Values) {
		t.Errorf("launch parameters %+v, want %+v", one.Launch, want)
	}
	for _, c := range codes {
		for _, s := range c.Policy {
			if s.Name == "desks" || s.Name == "stamps_1" {
				t.Errorf("code %s has a launch setting", c)
			}
		}
	}
}

// Every valid point is distinct, parses back, and obeys the constraints; with random value lists and vetoes the counts
// add up.
func TestEnumerateAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := desk()
		n := rapid.IntRange(1, 4).Draw(t, "stamps")
		p.Parameters[1].Values = Fixed([]string{"2", "3", "4", "5"}[:n]...)
		modulus := rapid.IntRange(1, 5).Draw(t, "modulus")
		veto := Constraint{Name: "veto", Reason: func(c Context) string {
			if len(c.Policy)%modulus == 0 {
				return "unlucky"
			}
			return ""
		}}
		levels := rapid.SliceOfN(rapid.SampledFrom([]string{"map", "reduce", "scan"}), 0, 3).Draw(t, "levels")
		var seq fuse.Sequence
		for _, op := range levels {
			seq = append(seq, fuse.Level{Ops: []string{op}})
		}
		sp := Enumerate("K.1", "nest", seq, p, Machine{Cores: 2}, []Constraint{veto})
		total := 0
		for _, r := range sp.Pruned {
			total += r.Count
		}
		seen := map[string]bool{}
		for _, v := range sp.Valid() {
			text := v.String()
			if back, err := selector.Parse(text); err != nil || !back.Equal(v) || seen[text] {
				t.Fatalf("%s: %v, seen before: %t", text, err, seen[text])
			}
			seen[text] = true
		}
		if total+sp.Size() != sp.Distinct || sp.Distinct > sp.Product || len(seen) != sp.Size() {
			t.Fatalf("product %d, distinct %d, pruned %d, valid %d, different %d", sp.Product, sp.Distinct, total, sp.Size(), len(seen))
		}
	})
}

func TestElementBytes(t *testing.T) {
	for _, c := range []struct {
		kinds [][]string // by level
		want  int
	}{
		{[][]string{nil}, 0},
		{[][]string{{"bool"}}, 1},
		{[][]string{{"float32", "bool", "int32"}}, 4},
		{[][]string{{"float32", "int"}}, 8},
		{[][]string{{"float32"}, {"float64"}}, 4},
		{[][]string{nil, {"int32"}, {"float64"}}, 4}, // rows of rows
		{[][]string{nil, nil}, 0},
	} {
		var seq fuse.Sequence
		for _, kinds := range c.kinds {
			seq = append(seq, fuse.Level{Kinds: kinds})
		}
		if got := ElementBytes(seq, 1); got != c.want {
			t.Errorf("%v: %d, want %d", c.kinds, got, c.want)
		}
	}
}

// TestReason: a schedule of which no point is left says why, by the rule that most points got to.
func TestReason(t *testing.T) {
	codegen := Constraint{Name: "generator", Reason: func(c Context) string {
		if c.Schedule[1] == schedule.Cooperative {
			return "no code for that"
		}
		return ""
	}}
	hasty := desk()
	hasty.Constraints = append(hasty.Constraints, Constraint{Name: "no_stampers", Code: true, Reason: func(c Context) string {
		if clerk.At(c.Policy, 1) == stamper {
			return "no stampers here"
		}
		return ""
	}})
	sp := Enumerate("K.1", "nest", mapReduce, hasty, Machine{Cores: 2}, []Constraint{codegen})
	for _, part := range sp.Schedules {
		want := ""
		if part.Schedule[1] == schedule.Cooperative {
			want = "no code for that"
		}
		if part.Reason != want || (part.Valid == 0) != (want != "") {
			t.Errorf("%s: %d points, reason %q, want %q", part.Schedule, part.Valid, part.Reason, want)
		}
	}
}
