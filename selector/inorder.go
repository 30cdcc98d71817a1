package selector

import (
	"errors"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/selector/param"
)

// InOrder is the ranker of runs that have to give the same bits whatever the machine: of the codes it leaves those in
// which each element is computed as the source says, sums from their beginning to their end: the nest itself, whose
// elements threads may share, but of which none is computed by several of them, by lanes, or with several sums at once.
// Among these it asks [Untrained]. Where a kernel has several algorithms it takes the kernel itself.
type InOrder struct{}

// Name implements [Ranker].
func (InOrder) Name() string { return "in order" }

// Rank implements [Ranker].
func (InOrder) Rank(in Input) ([]Choice, error) {
	switch in.Question {
	case OfAlgorithms:
		if len(in.Codes) == 0 {
			return nil, errors.New("there is no algorithm")
		}
		return []Choice{{Variant: in.Codes[0].Variant, Reason: "the kernel itself, as results have to be the same bits"}}, nil
	case OfTargets:
		return Untrained{}.Rank(in)
	}
	var kept []Code
	var at []int
	for i, c := range in.Codes {
		if c.InOrder() {
			kept, at = append(kept, c), append(at, i)
		}
	}
	if len(kept) == 0 {
		return nil, errors.New("no variant computes its elements in the order of the source")
	}
	in.Codes = kept
	choices, err := Untrained{}.Rank(in)
	for i := range choices {
		if code := choices[i].Code; code >= 0 {
			choices[i].Code = at[code]
		}
	}
	return choices, err
}

// InOrder reports whether code computes each element as the source does. Only settings that are known not to matter
// pass: another one, of which nobody has thought here, is not taken.
func (c Code) InOrder() bool {
	if c.Form != Nest || c.Platform != Host || strings.Contains(c.Schedule, "cooperative") {
		return false
	}
	return !slices.ContainsFunc(c.Policy, func(s Setting) bool {
		switch {
		case param.NumThreads.Is(s), param.EnableNesting.Is(s), param.OmpSchedule.Is(s), param.ChunkSize.Is(s), param.SharedChunk.Is(s), param.StoreAlgo.Is(s):
			return false
		case param.Unroll.Is(s):
			return param.Unroll.Value(s) != 1
		case param.ExecutionResource.Is(s):
			return param.ExecutionResource.Value(s) != param.Pool
		}
		return true
	})
}
