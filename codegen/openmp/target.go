package openmp

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/pass"
	"github.com/surge-ndp/surge/codegen/openmp/omprt"
	"github.com/surge-ndp/surge/codegen/target"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
)

// Target compiles kernels to C with OpenMP.
var Target target.Extension = platform{}

type platform struct{}

func (platform) Platform() *policy.Platform { return Platform }

func (platform) Label() string { return "OpenMP" }

func (platform) RunTime() string { return "github.com/surge-ndp/surge/codegen/openmp/omprt" }

// code is a lowered variant.
type code struct{ *kir.Func }

func (platform) Lower(k *fuse.Kernel, c *fuse.Computation, v selector.Variant, name string, observe pass.Observer) (target.Code, error) {
	for _, s := range v.Policy {
		if param.Simdlen.Is(s) {
			name += "_simd" + s.Value
		}
	}
	f, err := Lower(k, c, v, name, observe)
	if err != nil {
		return nil, err
	}
	return code{f}, nil
}

func (c code) Verify() error { return kir.Verify(c.Func) }

func (c code) Unfit(policy.Machine) string { return "" }

func (platform) Source(c target.Code, doc string) string {
	f := c.(code).Func
	u := NewUnit("frame", fieldsUsed(f))
	return u.Frame() + "\n" + u.Print(f, doc).Source
}

func (platform) Limit(*policy.Machine, bool) {}

func (platform) Ready() (accelerated bool, err error) {
	if _, missing := omprt.Compiler(); missing != nil {
		return false, missing
	}
	return false, nil
}

func (platform) Here(bool) target.Report {
	cc, err := omprt.Compiler()
	if err != nil {
		offer := target.Offer{Name: "compiler", What: err.What, Fix: err.Fix}
		if !err.OpenMP {
			return target.Report{Offers: []target.Offer{offer}}
		}
		offer.Name = "OpenMP"
		return target.Report{Offers: []target.Offer{{Name: "compiler", There: true, What: err.Compiler}, offer}}
	}
	return target.Report{Runs: true, Offers: []target.Offer{
		{Name: "compiler", There: true, What: cc.Name + " (CC names another)"},
		{Name: "OpenMP", There: true, What: cc.Flags},
	}}
}

func (platform) CheckEnvironment() error { return nil }

// fieldsUsed lists the fields of the frame that a function uses, in the order of their first use.
func fieldsUsed(f *kir.Func) []Field {
	var fields []Field
	seen := map[string]bool{}
	add := func(fd Field) {
		if !seen[fd.Name] {
			seen[fd.Name] = true
			fields = append(fields, fd)
		}
	}
	array := func(a *kir.Array) {
		if a != nil && a.Space == kir.Global {
			add(Field{a.Name, a.Kind, false})
		}
	}
	kir.Walk(f.Body, func(s kir.Stmt) {
		array(kir.ArrayOf(s))
		if r, ok := s.(*kir.Result); ok {
			add(Field{r.Name, r.X.Type().Kind, true})
		}
	}, func(x kir.Expr) {
		array(kir.ArrayOf(x))
		switch x := x.(type) {
		case *kir.Ref:
			if x.V.Host {
				add(Field{x.V.Name, x.V.T.Kind, true})
			}
		case *kir.Routine:
			for _, a := range x.Args {
				array(a.A)
			}
		}
	})
	return fields
}
