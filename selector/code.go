package selector

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/selector/param"
)

// Launch is a parameter that is an argument of generated code, not part of it.
type Launch struct {
	Name string
	// Values are those that the search space measures, the default first where nothing else decides. Nil means that
	// the values depend on the machine that runs the program: [ThreadCounts].
	Values []string
}

// Code is a variant whose launch settings are open: its Policy holds the settings that change the generated code and
// no others, and Launch says what is to be added. One Code is one generated function.
type Code struct {
	Variant
	Launch []Launch
}

// Host is the name of the platform of the processors that the program itself runs on, in Go: every kernel has code
// for it.
const Host = "goroutine"

// launches reports whether the codes' launches set a parameter, at a depth unless it is one of the whole computation.
func launches(codes []Code, p *param.Key, depth int) bool {
	return slices.ContainsFunc(codes, func(c Code) bool { return c.Launches(p, depth) })
}

// Launches reports whether a launch of the code sets a parameter, at a depth unless it is one of the whole computation.
func (code *Code) Launches(p *param.Key, depth int) bool {
	return slices.ContainsFunc(code.Launch, func(l Launch) bool {
		s := Setting{Name: l.Name}
		return p.Is(s) && (p.Scope() == param.Whole || s.Depth() == depth)
	})
}

// ThreadCounts returns the thread counts that are worth trying on a machine of that many cores, ascending: the powers
// of two below it, and cores itself.
func ThreadCounts(cores int) []int {
	var counts []int
	for n := 1; n < cores; n *= 2 {
		counts = append(counts, n)
	}
	return append(counts, max(cores, 1))
}

// values returns the values of p on a machine of that many cores.
func (p Launch) values(cores int) []string {
	if p.Values != nil {
		return p.Values
	}
	counts := ThreadCounts(cores)
	values := make([]string, len(counts))
	for i, n := range counts {
		values[i] = strconv.Itoa(n)
	}
	return values
}

// pools returns how many levels of the policy use the pool of workers.
func pools(policy []Setting) int {
	n := 0
	for i := range policy {
		if onPool(policy[i]) {
			n++
		}
	}
	return n
}

// onPlatform returns the codes of a platform.
func onPlatform(codes []Code, platform string) []Code {
	other := func(c Code) bool { return c.Platform != platform }
	if !slices.ContainsFunc(codes, other) {
		return codes
	}
	return slices.DeleteFunc(slices.Clone(codes), other)
}

// onPool reports whether a setting divides a level among threads: the pool of workers, or a team.
func onPool(s Setting) bool {
	return param.ExecutionResource.Is(s) && param.ExecutionResource.Value(s).Threads()
}

// lanesAt returns how many elements of the level at depth a code computes at once, 0 if it does not use lanes there.
func lanesAt(code *Code, depth int) int {
	for _, s := range code.Policy {
		if n, l := param.Lanes(s); l == depth {
			return n
		}
	}
	return 0
}

// FillLaunch returns the complete variant of code: each launch parameter gets its value from launch, in any order, or
// else its default (all cores, the first value in the list; nested regions on when two levels use the pool). It
// reports an error when launch names a parameter that the code does not have, a value that it cannot have, or values
// that do not go together. A value that is a whole number need not be among the measured ones.
func FillLaunch(code Code, cores int, launch ...Setting) (Variant, error) {
	for _, s := range launch {
		if err := code.check(s, cores); err != nil {
			return Variant{}, err
		}
	}
	v := code.fill(cores, launch)
	return v, launchConflict(v)
}

// fill completes code without checks.
func (code *Code) fill(cores int, launch param.Policy) Variant {
	complete := make([]Setting, len(code.Launch), 8)
	for i := range code.Launch {
		p := &code.Launch[i]
		value, ok := launch.Get(p.Name)
		if !ok {
			value = code.defaultOf(p, launch, cores)
		}
		complete[i] = Setting{Name: p.Name, Value: value}
	}
	return code.With(complete)
}

// With returns the variant that has the code's settings and those of launch, in canonical order. It checks nothing:
// launch holds every launch parameter once, in the order of code.Launch.
func (code *Code) With(launch []Setting) Variant {
	v := code.Variant
	v.Policy = make([]Setting, 0, len(code.Policy)+len(launch))
	c := 0
	for _, s := range launch {
		for l := s.Depth(); c < len(code.Policy) && code.Policy[c].Depth() < l; c++ {
			v.Policy = append(v.Policy, code.Policy[c])
		}
		v.Policy = append(v.Policy, s)
	}
	v.Policy = append(v.Policy, code.Policy[c:]...)
	return v
}

func (code *Code) defaultOf(p *Launch, launch param.Policy, cores int) string {
	setting := Setting{Name: p.Name}
	switch {
	case p.Values == nil:
		return strconv.Itoa(max(cores, 1))
	case param.EnableNesting.Is(setting) && len(p.Values) > 1:
		return param.EnableNesting.Format(pools(code.Policy) > 1)
	case param.OmpSchedule.Is(setting) && p.Values[0] == string(param.Static):
		// A chained scan hands its chunks out in order; with one thread every schedule does.
		if param.ScanAlgo.At(code.Policy, setting.Depth()) == param.Chained && len(p.Values) > 1 {
			if param.NumThreads.Or(launch, 0, cores) > 1 {
				return p.Values[1]
			}
		}
	}
	return p.Values[0]
}

// check reports whether code can be launched with s.
func (code *Code) check(s Setting, cores int) error {
	for _, p := range code.Launch {
		if p.Name != s.Name {
			continue
		}
		values := p.values(cores)
		numbers := true
		for _, v := range values {
			if v == s.Value {
				return nil
			}
			_, err := strconv.Atoi(v)
			numbers = numbers && err == nil
		}
		n, err := strconv.Atoi(s.Value)
		switch {
		case p.Values == nil && err == nil && n > cores:
			return fmt.Errorf("%s: this machine has %d cores", s, cores)
		case !numbers, err != nil, strconv.Itoa(n) != s.Value, n < 0, n == 0 && p.Values == nil:
			return fmt.Errorf("%s: %s is one of %s%s", s, s.Name, strings.Join(values, ", "), orNumber(numbers))
		}
		return nil
	}
	names := make([]string, 0, len(code.Launch)+len(code.Policy))
	for _, p := range code.Launch {
		names = append(names, p.Name)
	}
	for _, p := range code.Policy {
		names = append(names, p.Name)
	}
	return fmt.Errorf("%s: variant %s has no such launch parameter%s", s, code.Variant, didYouMean(s.Name, names))
}

func orNumber(numbers bool) string {
	if numbers {
		return ", or another positive whole number"
	}
	return ""
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

// Realises reports whether v is the code with launch settings added, which need not be among those that its lists
// allow.
func (code *Code) Realises(v Variant) bool {
	if code.Form != v.Form || code.Schedule != v.Schedule || code.Platform != v.Platform || code.Computation != v.Computation {
		return false
	}
	settings := 0
	for i := range code.Policy {
		if value, ok := v.Policy.Get(code.Policy[i].Name); !ok || value != code.Policy[i].Value {
			return false
		}
		settings++
	}
	for i := range code.Launch {
		if _, ok := v.Policy.Get(code.Launch[i].Name); ok {
			settings++
		}
	}
	return settings == len(v.Policy)
}

// Admits reports whether v is the code with launch settings added that its lists allow.
func (code *Code) Admits(v Variant) bool {
	if code.Form != v.Form || code.Schedule != v.Schedule || code.Platform != v.Platform || code.Computation != v.Computation ||
		len(v.Policy) != len(code.Policy)+len(code.Launch) {
		return false
	}
	for i := range code.Policy {
		if value, ok := v.Policy.Get(code.Policy[i].Name); !ok || value != code.Policy[i].Value {
			return false
		}
	}
	for i := range code.Launch {
		value, ok := v.Policy.Get(code.Launch[i].Name)
		if !ok || code.Launch[i].Values != nil && !slices.Contains(code.Launch[i].Values, value) {
			return false
		}
	}
	return true
}
