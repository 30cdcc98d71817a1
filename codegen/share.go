package codegen

import (
	"slices"
	"strings"

	"github.com/surge-ndp/surge/codegen/goroutine"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/schedule"
	"github.com/surge-ndp/surge/selector"
)

// provider returns the code of computation c whose function runs v. A variant that does not divide the outermost level
// among workers is, but for a call, one that does on a single thread, so both have one function: the other variant's.
// Scans, histograms and sorts are left out, which do other things when they are divided.
func provider(c *fuse.Computation, codes []selector.Code, v selector.Variant) selector.Variant {
	switch c.Stmt.Op.(type) {
	case *ir.Map, *ir.Reduce, *ir.Scatter:
	default:
		return v
	}
	_, inner, _ := strings.Cut(v.Schedule, ">")
	resource := goroutine.Pool
	switch on, parallel := v.Get("execution_resource_1"); {
	case on == goroutine.Lane:
		resource += "+" + goroutine.Lane
	case parallel:
		return v
	}
	alone := func(policy []selector.Setting) []selector.Setting {
		return slices.DeleteFunc(slices.Clone(policy), func(s selector.Setting) bool { return s.Name == "execution_resource_1" })
	}
	unrolled := func(policy []selector.Setting) []selector.Setting { // a level inside which another one lies has no unroll when it is divided
		return slices.DeleteFunc(alone(policy), func(s selector.Setting) bool { return s.Name == "unroll_1" && s.Value == "1" })
	}
	sorted := func(policy []selector.Setting) []selector.Setting {
		policy = unrolled(policy)
		slices.SortFunc(policy, func(a, b selector.Setting) int { return strings.Compare(a.Name, b.Name) })
		return policy
	}
	own := sorted(v.Policy)
	for i := range codes {
		o := codes[i].Variant
		first, rest, _ := strings.Cut(o.Schedule, ">")
		on, _ := o.Get("execution_resource_1")
		if o.Platform == v.Platform && on == resource && rest == inner && first != schedule.Sequential.String() && slices.Equal(sorted(o.Policy), own) {
			return o
		}
	}
	return v
}

// Functions returns how many functions the codes of a space of k have.
func (k *Kernel) Functions(space *policy.Space) int {
	codes := space.Codes()
	if space.Platform.Name != selector.Host {
		return len(codes)
	}
	n := 0
	for _, c := range k.Fused.Computations {
		if c.Name != space.Computation {
			continue
		}
		for i := range codes {
			if provider(c, codes, codes[i].Variant).Equal(codes[i].Variant) {
				n++
			}
		}
	}
	return n
}
