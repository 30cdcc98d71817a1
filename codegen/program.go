package codegen

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/surge-ndp/surge/codegen/goroutine"
	"github.com/surge-ndp/surge/codegen/kir/pass"
	"github.com/surge-ndp/surge/codegen/lower"
	"github.com/surge-ndp/surge/codegen/target"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/selector"
)

// Form is the only form there is yet: the nest as the source has it.
const Form = "nest"

// Options of [Compile].
type Options struct {
	Machine   policy.Machine // what the search spaces are pruned by
	Platforms []string       // nil: all
	// Code names the platforms that [Program.Generated] writes code for besides that of the host.
	Code []string
	// Context, if there is one, ends [Compile] and [Program.Generated] early, with its error: both take seconds where there
	// are many kernels.
	Context context.Context
}

// Program is a compiled package.
type Program struct {
	Package *load.Package
	Kernels []*Kernel

	code []string        // platforms besides the host's with code
	ctx  context.Context // ends what takes long
}

// Kernel is a compiled kernel.
type Kernel struct {
	Source *load.Kernel
	Fused  *fuse.Kernel
	Stages []fuse.Stage
	// Alternatives are other algorithms for the kernel (surge:variant-of): kernels themselves, which follow in
	// [Program.Kernels].
	Alternatives []*Kernel
	// Placements are where the fields of parameters and results lie that hold structs.
	Placements []Placement
	Hash       string // 16 hex digits over the fused IR without positions, and features that it does not imply: what models and measurements are kept for
	// Spaces are the search spaces, platform by platform and computation by computation.
	Spaces []*policy.Space

	lowered map[string]target.Code // what [Kernel.code] gives, by variant
}

// Compile fuses the kernels of pkg and enumerates their search spaces. The error joins one *[fuse.Unsupported] for every
// kernel that cannot be compiled.
func Compile(pkg *load.Package, opt Options) (*Program, error) {
	p := &Program{Package: pkg, code: opt.Code, ctx: opt.Context}
	var errs []error
	for _, src := range pkg.Kernels {
		if err := stopped(p.ctx); err != nil {
			return nil, err
		}
		k := &Kernel{Source: src, lowered: map[string]target.Code{}}
		fused, err := fuse.Compile(src.Func, func(s fuse.Stage) { k.Stages = append(k.Stages, s) })
		if err != nil {
			errs = append(errs, err)
			continue
		}
		k.Fused, k.Hash = fused, hash(fused)
		columns := ""
		if others := extensions(opt.Code); len(others) > 0 {
			columns = "the code for " + others[0].Label() + " takes columns"
		}
		k.placeStructs(columns)
		err = k.realisable()
		if err != nil && len(fused.InPlace) > 0 {
			k.placeStructs("the kernel can be compiled with columns only")
			err = k.realisable()
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		for _, t := range targets {
			if !wanted(opt.Platforms, t.Platform().Name) {
				continue
			}
			for i, c := range fused.Computations {
				extra := []policy.Constraint{k.lowering(p.ctx, i, t)}
				k.Spaces = append(k.Spaces, policy.Enumerate(c.Name, Form, c.Sequence, t.Platform(), opt.Machine, extra))
			}
		}
		p.Kernels = append(p.Kernels, k)
	}
	if err := stopped(p.ctx); err != nil { // what it stopped looks pruned
		return nil, err
	}
	for _, k := range p.Kernels {
		for _, other := range p.Kernels {
			if other.Source.VariantOf == k.Source.Name {
				k.Alternatives = append(k.Alternatives, other)
			}
		}
	}
	return p, errors.Join(errs...)
}

// stopped is the error of a context that ends long work, nil where there is none.
func stopped(ctx context.Context) error {
	if ctx == nil {
		return nil
	}
	return ctx.Err()
}

// realisable refuses a kernel that not even the sequential schedule can be generated for.
func (k *Kernel) realisable() error {
	for _, c := range k.Fused.Computations {
		sequential := strings.TrimSuffix(strings.Repeat("sequential>", len(c.Sequence)), ">")
		v := selector.Variant{Computation: c.Name, Form: Form, Schedule: sequential, Platform: selector.Host}
		_, err := goroutine.Lower(k.Fused, c, v, "f", nil)
		if err == nil {
			_, err = goroutine.Inspector(k.Fused, c, "f")
		}
		for i := range c.Stmt.Dst {
			if err == nil {
				_, err = lower.RowOffsets(k.Fused, c, i)
			}
		}
		if err != nil {
			return &fuse.Unsupported{Pos: c.Stmt.Pos, Code: "unsupported", What: err.Error(),
				Why: "no schedule of computation " + c.Name + " can be generated", Fix: "simplify the nest; see the package documentation for what is compiled"}
		}
	}
	return nil
}

// Only returns the program with some of its kernels.
func (p *Program) Only(ks ...*Kernel) *Program {
	return &Program{Package: p.Package, Kernels: ks, code: p.code, ctx: p.ctx}
}

func hash(k *fuse.Kernel) string {
	g := k.Func.Clone()
	g.Pos = ir.Pos{}
	ir.Walk(g.Body, func(s *ir.Stmt) { s.Pos = ir.Pos{} })
	text := g.String()
	for _, c := range k.Computations {
		for _, f := range c.Features {
			if f.Total != nil { // without it, the ratio of the same tiles was another number
				text += fmt.Sprintf("\n%s %s by %s/%s", c.Name, f.Name, f.Length, f.Total)
			}
		}
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// Space returns the search space of a computation on a platform, or nil.
func (k *Kernel) Space(platform, computation string) *policy.Space {
	for _, s := range k.Spaces {
		if s.Platform.Name == platform && s.Computation == computation {
			return s
		}
	}
	return nil
}

// find returns the kernel and the computation that a variant is for.
func (p *Program) find(v selector.Variant) (*Kernel, int, error) {
	var names []string
	for _, k := range p.Kernels {
		for i, c := range k.Fused.Computations {
			if c.Name == v.Computation {
				return k, i, nil
			}
			names = append(names, c.Name)
		}
	}
	return nil, 0, fmt.Errorf("there is no computation %s; there are %s", v.Computation, strings.Join(names, ", "))
}

// Code returns the Go source of the function of one variant.
func (p *Program) Code(v selector.Variant) (string, error) {
	k, i, err := p.find(v)
	if err != nil {
		return "", err
	}
	g := newKernelFile(k)
	return g.variant(i, v)
}

// KernelStage is the kernel IR of a variant as text, after lowering or after a pass.
type KernelStage struct{ Name, Doc, Text string }

// KernelIR returns the kernel IR of one variant, stage by stage: what lowering yields, and what each pass of the platform makes of it.
func (p *Program) KernelIR(v selector.Variant) (stages []KernelStage, err error) {
	k, i, err := p.find(v)
	if err != nil {
		return nil, err
	}
	err = k.stages(k.Fused.Computations[i], v, func(stage, doc string, code fmt.Stringer) {
		stages = append(stages, KernelStage{stage, doc, code.String()})
	})
	return stages, err
}

// stages lowers a variant of computation c and shows each stage to observe.
func (k *Kernel) stages(c *fuse.Computation, v selector.Variant, observe pass.Observer) error {
	t := Target(v.Platform)
	if t == nil {
		return fmt.Errorf("there is no platform %s", v.Platform)
	}
	_, err := t.Lower(k.Fused, c, v, v.Computation, observe)
	return err
}
