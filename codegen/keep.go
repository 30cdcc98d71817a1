package codegen

import (
	"slices"

	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/selector"
)

// Keep leaves those of the codes of search space i that keep has, as if the kernel had no others: tests that cannot
// compile them all compile some.
func (k *Kernel) Keep(i int, keep func(selector.Variant) bool) {
	s := k.Spaces[i]
	k.Spaces[i] = policy.Enumerate(s.Computation, s.Form, s.Sequence, s.Platform, s.Machine, []policy.Constraint{{
		Name: "sample", Code: true, Doc: "Only a sample of the codes is tested.",
		Reason: func(ctx policy.Context) string {
			v := selector.Variant{Computation: s.Computation, Form: s.Form, Schedule: ctx.Schedule.String(), Platform: s.Platform.Name}
			v.Policy = slices.Clone(ctx.Policy)
			if !keep(v) {
				return "not in the sample"
			}
			return k.Lowers(v, s.Machine)
		}}})
}

// KeepEvery leaves every n-th code of each search space, and the last, which is the plainest. Where they begin differs
// from space to space, so that many kernels have codes of all kinds among them.
func (p *Program) KeepEvery(n int) {
	at := 0
	for _, k := range p.Kernels {
		for i, s := range k.Spaces {
			kept := map[string]bool{}
			codes := s.Codes()
			for j, c := range codes {
				if at++; at%n == 0 || j == len(codes)-1 {
					kept[c.Variant.String()] = true
				}
			}
			k.Keep(i, func(v selector.Variant) bool { return kept[v.String()] })
		}
	}
}
