package codegen

import (
	"slices"
	"strings"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/schedule"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
)

// provider returns the code among those of a computation whose function runs v. A variant that does not divide the
// outermost level among workers is, but for a call, one that does on a single thread, so both have one function: the
// other variant's. Scans, histograms and sorts are left out, which do other things when they are divided.
func (k *Kernel) provider(codes []selector.Code, v selector.Variant) selector.Variant {
	_, f, err := k.form(v)
	if err != nil {
		return v
	}
	switch f.Computation.Stmt.Op.(type) {
	case *ir.Map, *ir.Reduce, *ir.Scatter:
	default:
		return v
	}
	_, inner, _ := strings.Cut(v.Schedule, ">")
	resource := param.Pool
	switch on, parallel := param.ExecutionResource.Get(v.Policy, 1); {
	case on == param.Lane:
		resource = param.Pool.And(param.Lane)
	case parallel:
		return v
	}
	alone := func(policy param.Policy) param.Policy {
		return slices.DeleteFunc(slices.Clone(policy), func(s selector.Setting) bool { return param.ExecutionResource.Is(s) && s.Depth() == 1 })
	}
	unrolled := func(policy param.Policy) param.Policy { // a level inside which another one lies has no unroll when it is divided
		return slices.DeleteFunc(alone(policy), func(s selector.Setting) bool { return s == param.Unroll.With(1, 1) })
	}
	sorted := func(policy param.Policy) param.Policy {
		policy = unrolled(policy)
		slices.SortFunc(policy, func(a, b selector.Setting) int { return strings.Compare(a.Name, b.Name) })
		return policy
	}
	own := sorted(v.Policy)
	for i := range codes {
		o := codes[i].Variant
		first, rest, _ := strings.Cut(o.Schedule, ">")
		on := param.ExecutionResource.At(o.Policy, 1)
		if o.Form == v.Form && o.Platform == v.Platform && on == resource && rest == inner && first != schedule.Sequential.String() && slices.Equal(sorted(o.Policy), own) {
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
	for i := range codes {
		if k.provider(codes, codes[i].Variant).Equal(codes[i].Variant) {
			n++
		}
	}
	return n
}
