package policy

import (
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/schedule"
	"github.com/surge-ndp/surge/selector/param"
)

// Infer returns the parameters of a schedule (Surge section 3.3): G, the platform's global ones, and then the local
// ones of Algorithm 1, level by level. The schedule has one element a level of the sequence.
func Infer(platform *Platform, seq fuse.Sequence, s schedule.Schedule) []Inferred {
	var global []Inferred
	for i := range platform.Parameters {
		if p := &platform.Parameters[i]; p.Scope() == param.Whole {
			global = append(global, Inferred{Param: p, Name: p.SettingName(0)})
		}
	}
	return append(global, getParameters(platform, seq, s, 1)...)
}

// getParameters is the paper's GET-PARAMETERS(E, B, s); depth numbers the first level of seq for the subscripts.
func getParameters(platform *Platform, seq fuse.Sequence, s schedule.Schedule, depth int) []Inferred {
	if len(seq) == 0 {
		return nil
	}
	t := parameterSet(platform, seq[0], s[0], depth)
	return append(t, getParameters(platform, seq[1:], s[1:], depth+1)...)
}

// parameterSet is the paper's parameter-set[O, s, B].
func parameterSet(platform *Platform, level fuse.Level, e schedule.Element, depth int) []Inferred {
	var set []Inferred
	for i := range platform.Parameters {
		if p := &platform.Parameters[i]; p.Scope() == param.Level && p.Applies(level, e) {
			set = append(set, Inferred{Param: p, Depth: depth, Name: p.SettingName(depth)})
		}
	}
	return set
}
