package selector

import (
	"fmt"

	"github.com/surge-ndp/surge/selector/param"
)

// Launch is a parameter that is an argument of generated code, not part of it. Where its values depend on the machine
// they are [ThreadCounts].
type Launch = param.Launch

// ThreadCounts returns the thread counts that are worth trying on a machine of that many cores, ascending: the powers
// of two below it, and cores itself.
func ThreadCounts(cores int) []int {
	var counts []int
	for n := 1; n < cores; n *= 2 {
		counts = append(counts, n)
	}
	return append(counts, max(cores, 1))
}

// valuesOf returns the values of a launch parameter on a machine of that many cores.
func valuesOf(l Launch, cores int) []string {
	if l.Values != nil {
		return l.Values
	}
	counts := ThreadCounts(cores)
	values := make([]string, len(counts))
	for i, n := range counts {
		values[i] = param.NumThreads.Format(n)
	}
	return values
}

// FillLaunch returns the complete variant of code: each launch parameter gets its value from launch, in any order, or
// else its default (all cores, the first value in the list; nested regions on when two levels use the pool). It
// reports an error when launch names a parameter that the code does not have, a value that it cannot have, or values
// that do not go together. A value that is a whole number need not be among the measured ones.
func FillLaunch(code Code, cores int, launch ...Setting) (Variant, error) {
	for _, s := range launch {
		if err := takes([]Code{{Launch: code.Launch}}, s, cores); err != nil {
			return Variant{}, fmt.Errorf("variant %s: %w", code.Variant, err)
		}
	}
	v := code.fill(cores, launch)
	return v, launchConflict(v)
}

// fill completes code without checks.
func (code *Code) fill(cores int, launch param.Policy) Variant {
	complete := make(param.Policy, len(code.Launch), 8)
	for i := range code.Launch {
		p := &code.Launch[i]
		value, ok := launch.Get(p.Name)
		if !ok {
			value = code.defaultOf(p, launch, cores)
		}
		complete[i] = p.Setting(value)
	}
	return code.With(complete)
}

func (code *Code) defaultOf(p *Launch, launch param.Policy, cores int) string {
	switch {
	case p.Values == nil:
		return param.NumThreads.Format(max(cores, 1))
	case param.EnableNesting.Opens(*p) && len(p.Values) > 1:
		return param.EnableNesting.Format(pools(code.Policy) > 1)
	case param.OmpSchedule.Opens(*p) && p.Values[0] == param.OmpSchedule.Format(param.Static):
		// A chained scan hands its chunks out in order; with one thread every schedule does.
		if param.ScanAlgo.At(code.Policy, p.Depth()) == param.Chained && len(p.Values) > 1 {
			if param.NumThreads.Or(launch, 0, cores) > 1 {
				return p.Values[1]
			}
		}
	}
	return p.Values[0]
}

// launchConflict reports launch settings that do not go together. The platform's table prunes the same points, and
// also points that run but only repeat another one, which a user may force.
func launchConflict(v Variant) error {
	n := pools(v.Policy)
	if nesting, ok := param.EnableNesting.Get(v.Policy, 0); ok && nesting != (n > 1) {
		return fmt.Errorf("%s: %d of the variant's levels use the pool, and regions nest when two do", param.EnableNesting.With(0, nesting), n)
	}
	if param.NumThreads.Or(v.Policy, 0, 1) == 1 {
		return nil
	}
	for _, s := range v.Policy {
		if !param.ScanAlgo.Is(s) || param.ScanAlgo.Value(s) != param.Chained {
			continue
		}
		if param.OmpSchedule.At(v.Policy, s.Depth()) == param.Static {
			return fmt.Errorf("%s: a chained scan on several threads hands its chunks out in order, so its schedule is dynamic or guided, not static", s)
		}
	}
	return nil
}
