package harness

import "slices"

// Registered returns the registered kernels, in the order in which they were.
func Registered() []*Kernel { return slices.Clone(registered) }

// Compare compares a result of a compiled run with that of plain Go, by the rule of [Comparison]. Both are values of the
// Go type that param says; n is the number of elements of the largest argument.
func Compare(got, want any, param Param, n int) Comparison {
	g, err := view(got)
	if err == nil {
		var w array
		if w, err = view(want); err == nil {
			return g.compare(w, param, n)
		}
	}
	return Comparison{Result: param.Name, Rule: "exact", First: -1, Got: err.Error()}
}
