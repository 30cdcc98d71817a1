package selector

import (
	"slices"

	"github.com/surge-ndp/surge/selector/param"
)

// Code is a variant whose launch settings are open: its Policy holds the settings that change the generated code and
// no others, and Launch says what is to be added. One Code is one generated function.
type Code struct {
	Variant
	Launch []Launch
	// Halves says that its vectors of the widest numbers are computed as two of half the width, which the machine has.
	Halves bool
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
		return p.Opens(l) && (p.Scope() == param.Whole || l.Depth() == depth)
	})
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

// Unrolls reports whether two codes differ in nothing but how many elements they take at a time.
func (code *Code) Unrolls(other *Code) bool {
	if code.Form != other.Form || code.Platform != other.Platform || code.Schedule != other.Schedule || len(code.Policy) != len(other.Policy) {
		return false
	}
	for i, s := range code.Policy {
		if o := other.Policy[i]; s != o && !(param.Unroll.Is(s) && s.Name == o.Name) {
			return false
		}
	}
	return true
}
