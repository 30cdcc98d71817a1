package schedule

import (
	"fmt"

	"github.com/surge-ndp/surge/ops/fuse"
)

// table is Surge Table III: the strongest schedule of each operator. Operators that make a nested sequence span two
// levels. Operators that the paper does not have are marked.
var table = map[string]Schedule{
	"map":           {Independent},
	"gather":        {Independent},
	"scatter":       {Independent},
	"range":         {Independent},
	"replicate":     {Independent},
	"zip":           {Independent},
	"join":          {Independent},
	"striding":      {Independent},
	"reverse":       {Independent},
	"split":         {Independent, Independent},
	"cyclic":        {Independent, Independent},
	"nest":          {Independent, Independent},
	"reduce":        {Cooperative},
	"reduce_by_key": {Cooperative},
	"scan":          {Cooperative},
	// Not in the paper: a scan that includes the current element has the dependences of a scan.
	"inclusive_scan": {Cooperative},
	// Not in the paper: several elements may fall into one bin, and a sort has to see all keys.
	"histogram":   {Cooperative},
	"sort_by_key": {Cooperative},
	// Not in the paper: a loop that updates arrays where they lie, whose turns do not need each other.
	"update": {Independent},
}

// Strongest constructs the strongest schedule of a sequence: level by level, the element that every operator of the
// level allows. One cooperative operator makes its level cooperative, and an operator that the table does not have
// makes it sequential, which is right for every operator.
func Strongest(seq fuse.Sequence) Schedule {
	s := make(Schedule, len(seq))
	for depth, level := range seq {
		for _, op := range level.Ops {
			elements, ok := table[op]
			if !ok {
				elements = Schedule{Sequential}
			}
			// A two-level operator also bounds the level inside it.
			for i, e := range elements {
				if depth+i < len(s) {
					s[depth+i] = max(s[depth+i], e)
				}
			}
		}
	}
	return s
}

// rewrite returns s itself and every schedule that the rewrite rules, applied to one element at a time, make of it
// from depth on, in the order in which a tree whose branches are "keep" and "make sequential" has its leaves: strong
// outer levels come first (Surge Figure 2(a)).
func rewrite(s Schedule, depth int) []Schedule {
	if depth == len(s) {
		return []Schedule{append(Schedule{}, s...)}
	}
	all := rewrite(s, depth+1)
	if s[depth] != Sequential {
		weaker := append(Schedule{}, s...)
		weaker[depth] = Sequential
		all = append(all, rewrite(weaker, depth+1)...)
	}
	return all
}

// Constraint is one rule of a platform about which schedules it can implement (Surge section 3.2, platform-specific
// pruning).
type Constraint struct {
	// Name is short and fit for a table: parallel_levels.
	Name string
	// Doc is one sentence for a person.
	Doc string
	// Reason returns why the platform cannot implement the schedule, or "" when this rule does not object.
	Reason func(seq fuse.Sequence, s Schedule) string
}

// OneElement is a constraint for every platform: sequential code at the top level of a kernel has one element.
var OneElement = Constraint{
	Name: "one_element",
	Doc:  "Sequential code at the top level of a kernel has one element.",
	Reason: func(seq fuse.Sequence, s Schedule) string {
		for d := range s {
			if s[d].Parallel() && seq[d].HasTrait(fuse.TraitOnce) {
				return fmt.Sprintf("level %d has one element, sequential code: there is nothing to divide", d+1)
			}
		}
		return ""
	},
}

// Candidate is a semantically valid schedule. Pruned is "" when the platform can implement it, or else the reason of
// the first constraint that objects.
type Candidate struct {
	Schedule Schedule
	Pruned   string
}

// Enumerate returns the strongest schedule of a sequence and all weaker ones, each with the reason why it was pruned,
// if it was. The all-sequential schedule is always among them.
func Enumerate(seq fuse.Sequence, constraints []Constraint) []Candidate {
	var candidates []Candidate
	for _, s := range rewrite(Strongest(seq), 0) {
		c := Candidate{Schedule: s}
		for _, rule := range constraints {
			if c.Pruned = rule.Reason(seq, s); c.Pruned != "" {
				break
			}
		}
		candidates = append(candidates, c)
	}
	return candidates
}
