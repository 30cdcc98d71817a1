package codegen

import (
	"context"
	"fmt"
	"slices"

	"github.com/surge-ndp/surge/codegen/target"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/selector"
)

// lowering is the constraint that a choice of code parameters of computation i can be generated, which it finds out
// by lowering it: code that passes is kept, and printed later. When ctx is done, it no longer tries.
func (k *Kernel) lowering(done context.Context, i int, t target.Target) policy.Constraint {
	return policy.Constraint{
		Name: "lowering", Code: true,
		Doc: "The computation can be generated with these code parameters.",
		Reason: func(ctx policy.Context) string {
			if stopped(done) != nil {
				return "interrupted"
			}
			v := selector.Variant{Computation: k.Fused.Computations[i].Name, Form: Form, Schedule: ctx.Schedule.String(), Platform: t.Platform().Name}
			v.Policy = slices.Clone(ctx.Policy)
			code, err := k.code(i, v)
			if err != nil {
				return err.Error()
			}
			if reason := code.Unfit(ctx.Machine); reason != "" {
				return reason
			}
			k.lowered[v.String()] = code
			return ""
		},
	}
}

// Lowers returns "" if the code of a variant of computation c can be generated and is worth running on m, else the
// reason why not.
func (k *Kernel) Lowers(c *fuse.Computation, v selector.Variant, m policy.Machine) string {
	code, err := k.code(slices.Index(k.Fused.Computations, c), v)
	if err != nil {
		return err.Error()
	}
	return code.Unfit(m)
}

// code is the code of a variant of computation i, under the name that its function has in generated files.
func (k *Kernel) code(i int, v selector.Variant) (target.Code, error) {
	if code := k.lowered[v.String()]; code != nil {
		return code, nil
	}
	t := Target(v.Platform)
	if t == nil {
		return nil, fmt.Errorf("there is no platform %s", v.Platform)
	}
	return t.Lower(k.Fused, k.Fused.Computations[i], v, funcName(k.prefix(i), v), nil)
}
