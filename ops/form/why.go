package form

import (
	"fmt"
	"slices"
	"strings"
)

// Why says why there is no form of a name that a rule with an argument, applied to a form, would have; "" where the
// rules say nothing about it.
func (f *Forms) Why(name string) string {
	for _, no := range f.Refused {
		argument, found := strings.CutPrefix(name, no.Name())
		if argument == "" && found || no.Argument == "" && strings.HasPrefix(argument, ".") && !strings.Contains(argument, "+") {
			return no.Reason
		}
	}
	return ""
}

// WhyNot says why a part of a variant's text names a form that no computation has, of those that the text may mean; ""
// if none does.
func WhyNot(all []*Forms, text string) string {
	parts := strings.Split(text, "/")
	named := func(f *Forms) bool { return slices.Contains(parts, f.All[0].Computation.Name) }
	if slices.ContainsFunc(all, named) {
		all = slices.DeleteFunc(slices.Clone(all), func(f *Forms) bool { return !named(f) })
	}
	for _, part := range parts {
		if slices.ContainsFunc(all, func(f *Forms) bool { return f.Find(part) != nil }) {
			continue
		}
		for _, f := range all {
			if why := f.Why(part); why != "" {
				return fmt.Sprintf("%s does not apply to %s: %s", part, f.All[0].Computation.Name, why)
			}
		}
	}
	return ""
}
