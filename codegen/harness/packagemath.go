package harness

import (
	"math"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
)

// packageMath lists what package math itself gets wrong on some processors: on amd64, where Log and Exp are assembly
// code. What calls it, plain Go and variants without lanes, is wrong there, and lanes are right, so that a comparison
// finds a difference.
var packageMath = []struct {
	function string
	wrong    func() bool // whether this build's function is wrong
	what     string
}{
	{"Log", func() bool { return math.Log(leastFloat) > -744 }, "math.Log takes numbers below 2.2e-308 for larger ones: that of 5e-324 is -744.44, and it gives -709.09"},
	{"Exp", func() bool { return math.Exp(largeExponent) > math.MaxFloat64 }, "math.Exp gives +Inf from 709.44 on: the largest finite value is that of 709.78"},
}

// Variables, so that the compiler computes nothing of them.
var leastFloat, largeExponent = math.SmallestNonzeroFloat64, 709.7

// flaws says what of the functions of package math that a kernel calls is wrong on this processor, as far as what is
// chosen does not call them itself; "" for nothing.
func (k *Kernel) flaws(chosen []Decision) string {
	if !slices.ContainsFunc(chosen, func(d Decision) bool { return computesItself(d.Variant) }) {
		return ""
	}
	var found []string
	for _, m := range packageMath {
		if slices.Contains(k.Math, m.function) && m.wrong() {
			found = append(found, m.what)
		}
	}
	return strings.Join(found, "; ")
}

// computesItself reports whether a variant computes functions of package math without calling them: on lanes or on a
// device.
func computesItself(variant string) bool {
	v, err := selector.Parse(variant)
	if err != nil {
		return false
	}
	return v.Platform != selector.Host || slices.ContainsFunc(v.Policy, func(s selector.Setting) bool {
		return param.ExecutionResource.Is(s) && param.ExecutionResource.Value(s).Has(param.Lane)
	})
}
