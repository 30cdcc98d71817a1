package codegen

import (
	"context"
	"fmt"
	"slices"

	"github.com/surge-ndp/surge/codegen/target"
	"github.com/surge-ndp/surge/ops/form"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/selector"
)

// lowering is the constraint that a choice of code parameters of a form can be generated, which it finds out by
// lowering it: code that passes is kept, and printed later. When ctx is done, it no longer tries.
func (k *Kernel) lowering(done context.Context, f *form.Form, t target.Target) policy.Constraint {
	return policy.Constraint{
		Name: "lowering", Code: true,
		Doc: "The computation can be generated with these code parameters.",
		Reason: func(ctx policy.Context) string {
			if stopped(done) != nil {
				return "interrupted"
			}
			v := selector.Variant{Computation: f.Computation.Name, Form: f.Name, Schedule: ctx.Schedule.String(), Platform: t.Platform().Name}
			v.Policy = slices.Clone(ctx.Policy)
			code, err := k.code(v)
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

// Lowers returns "" if the code of a variant can be generated and is worth running on m, else the reason why not.
func (k *Kernel) Lowers(v selector.Variant, m policy.Machine) string {
	code, err := k.code(v)
	if err != nil {
		return err.Error()
	}
	return code.Unfit(m)
}

// code is the code of a variant, under the name that its function has in generated files.
func (k *Kernel) code(v selector.Variant) (target.Code, error) {
	if code := k.lowered[v.String()]; code != nil {
		return code, nil
	}
	t := Target(v.Platform)
	if t == nil {
		return nil, fmt.Errorf("there is no platform %s", v.Platform)
	}
	i, f, err := k.form(v)
	if err != nil {
		return nil, err
	}
	return t.Lower(f.Kernel, f.Computation, v, funcName(k.prefix(i), v), nil)
}
