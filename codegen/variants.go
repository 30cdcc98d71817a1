package codegen

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/surge-ndp/surge/codegen/target"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/selector"
)

// Variants says which of the codes of each computation generated files have. A number that is positive is how many:
// those that are most likely taken, and besides them the one that uses the fewest resources.
type Variants int

const (
	// AllVariants are all that the search space has.
	AllVariants Variants = 0
	// ModelVariants are those that a model, or the choice without training, can take on some input and some machine.
	ModelVariants Variants = -1
)

// ParseVariants reads what [Variants.String] writes: model, all, or a number.
func ParseVariants(text string) (Variants, error) {
	switch text {
	case "all":
		return AllVariants, nil
	case "model":
		return ModelVariants, nil
	}
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return Variants(n), nil
	}
	return 0, fmt.Errorf("%q is neither model nor all nor a number from 1", text)
}

func (v Variants) String() string {
	switch v {
	case AllVariants:
		return "all"
	case ModelVariants:
		return "model"
	}
	return strconv.Itoa(int(v))
}

// vectorClasses are the widths in bits of the widest vectors of the machines that programs run on: of those without
// any, of those with AVX2 and of those with AVX-512.
var vectorClasses = [...]int{0, 256, 512}

// trainedFirst is more than the inputs of which the choice without training is asked for.
const trainedFirst = 1 << 40

// Codes returns the codes of computation c of k that generated files have on a platform, in the order of the search
// space, and how many they do not have.
func (p *Program) Codes(k *Kernel, platform string, c *fuse.Computation) (some []selector.Code, omitted int, err error) {
	codes := k.Codes(platform, c.Name)
	if p.opt.Variants == AllVariants || len(codes) == 0 || int(p.opt.Variants) >= len(codes) {
		return codes, 0, nil
	}
	likely, err := p.likelihood(k, c, codes)
	if err != nil {
		return nil, 0, err
	}
	order := make([]int, 0, len(codes)) // the likeliest first, the others in the order of the space
	for i := range codes {
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(likely[j], likely[i]) })
	taken := make([]bool, len(codes))
	taken[plainest(codes, likely)] = true
	for rank, i := range order {
		if p.opt.Variants == ModelVariants && likely[i] > 0 || rank < int(p.opt.Variants) {
			taken[i] = true
		}
	}
	if k.Of != nil { // runs that have to be reproducible take one that computes in the order of the source
		for i, code := range slices.Backward(codes) {
			if code.InOrder() {
				taken[i] = true
				break
			}
		}
	}
	for i, code := range codes {
		if taken[i] {
			some = append(some, code)
		}
	}
	return some, len(codes) - len(some), nil
}

// plainest returns which of the codes with the fewest resources is the likeliest: the last one, or one that takes
// another number of elements at a time.
func plainest(codes []selector.Code, likely []int) int {
	best := len(codes) - 1
	for i := range codes {
		if likely[i] > likely[best] && codes[i].Unrolls(&codes[len(codes)-1]) {
			best = i
		}
	}
	return best
}

// likelihood returns for each code of a computation how often it is taken: those that a model takes before all
// others, then by the inputs for which the choice without training takes it, on all machines together.
func (p *Program) likelihood(k *Kernel, c *fuse.Computation, codes []selector.Code) ([]int, error) {
	bits, err := vectorBits(p.opt.Context, k, codes)
	if err != nil {
		return nil, err
	}
	likely := make([]int, len(codes))
	for _, f := range k.Forms[slices.Index(k.Fused.Computations, c)].All {
		in := question(f.Computation)
		in.Platform = codes[0].Platform
		for _, class := range vectorClasses {
			var at []int
			in.Codes = nil
			for i, code := range codes {
				if code.Form == f.Name && bits[i].needed <= class {
					code.Halves = bits[i].widest > class
					at, in.Codes = append(at, i), append(in.Codes, code)
				}
			}
			if class > 0 && !slices.ContainsFunc(at, func(i int) bool { return bits[i].needed > 0 }) {
				continue // as on a machine without vectors
			}
			for j, n := range selector.Reach(in) {
				likely[at[j]] += n
			}
		}
	}
	of, name := k, c.Name
	if k.Of != nil {
		of, name = k.Of, k.like(c)
	}
	for _, m := range p.opt.Models {
		if m.Kernel != of.Source.Name || m.Hash != of.Hash {
			continue
		}
		for _, cl := range m.Classifiers(name) {
			cl = cl.Renamed(c.Name)
			for i := range codes {
				if slices.ContainsFunc(cl.Variants, codes[i].Realises) {
					likely[i] += trainedFirst
				}
			}
		}
	}
	return likely, nil
}

// question is what is asked of the choice without training about a computation in some form, without codes and with
// features that have no values.
func question(c *fuse.Computation) selector.Input {
	in := selector.Input{Computation: c.Name, Strided: c.Sequence.Strided()}
	for _, l := range c.Costs() {
		in.Costs = append(in.Costs, selector.LevelCost{Operations: l.Operations, Runs: l.Runs, Scalarised: l.Scalarised, Stepped: l.Stepped, Masked: l.Masked, Guessed: l.Guessed})
	}
	for _, f := range c.Features {
		in.Features = append(in.Features, selector.Feature{Name: f.Name, Unit: f.Unit})
	}
	return in
}

// vectorWidths are the widths in bits of the widest vectors of a code, and of those that it needs.
type vectorWidths struct{ widest, needed int }

// vectorBits returns the widths of the vectors of each code.
func vectorBits(ctx context.Context, k *Kernel, codes []selector.Code) ([]vectorWidths, error) {
	bits := make([]vectorWidths, len(codes))
	for i, code := range codes {
		if err := stopped(ctx); err != nil {
			return nil, err
		}
		lowered, err := k.code(code.Variant)
		if err != nil {
			return nil, fmt.Errorf("codegen: %s: %w", code.Variant, err)
		}
		if v, ok := lowered.(target.Vectors); ok {
			bits[i].widest, bits[i].needed = v.VectorBits()
		}
	}
	return bits, nil
}
