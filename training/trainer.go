package training

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training/input"
)

// Case is an input to measure: a name for people, and how its arguments are made.
type Case struct {
	Name string
	Load func(ctx context.Context) ([]input.Value, error)
}

// CaseOf is the case of inputs that are read, and bound to the parameters of a kernel.
func CaseOf(k *input.Kernel, c input.Case, opts input.Options) Case {
	return Case{Name: c.Name, Load: func(ctx context.Context) ([]input.Value, error) {
		args, _, err := input.NewSet(opts).Bind(ctx, k, c.Data, c.Bind)
		return input.Values(args), err
	}}
}

// Identify loads the input and returns what identifies it by its content.
func (c Case) Identify(ctx context.Context) (string, error) {
	args, err := c.Load(ctx)
	if err != nil {
		return "", err
	}
	return contentHash(args)
}

// Trainer measures the variants of a kernel on a platform and learns from the measurements.
type Trainer struct {
	Session  *Session
	Kernel   *harness.KernelInfo
	Platform string
	Device   string
	Variants []selector.Variant
	// Store keeps the measurements.
	Store *Measurements
	// Names has the names of the inputs by their content hash.
	Names map[string]string
	// Features are the names of the features that the model is to use beside the constant-time ones. Nil leaves that to
	// training: those that the package declares or asks for, and of the ready-made ones what turns out to be worth it.
	Features []string
	// Ranker is the kind of classifier to learn, one of fit.Rankers; "" for the one that is the best in cross-validation.
	Ranker string
	// Alternatives are the trainers of the other algorithms for the kernel; they share the store.
	Alternatives []*Trainer
	// Strategy decides what is measured on an input; nil stands for every variant.
	Strategy Strategy
	// Few lets [Trainer.Measure] measure nothing, and note the paths for [Trainer.MeasurePaths], which thresholds are
	// content with: Fit learns from these. Noting notes them beside measuring.
	Few, Noting bool
	// Deadline is when measuring ends with ErrBudget; zero stands for never.
	Deadline time.Time
	// Threads limits the number of workers; 0 is all.
	Threads int
	// Spent is the time that measuring took, in this run.
	Spent time.Duration

	only    func(input, variant string) bool // what a replayed search has measured
	refused map[string]bool                  // inputs that the device does not take
}

// ErrBudget is the error of [Trainer.Measure] when its deadline has passed. What was measured is kept.
var ErrBudget = errors.New("the budget is spent")

// Strategy chooses the variants that are measured on an input, given what was measured on earlier ones.
type Strategy interface {
	// Pick returns the variants to measure next on an input, none when it is done. known has the best time of each variant
	// that was measured on this input, in nanoseconds, by canonical text.
	Pick(computation string, features []selector.Feature, all []selector.Variant, known map[string]float64) []selector.Variant
}

// NewTrainer prepares training of a kernel. The session must not use a model: its choices are those without one.
func NewTrainer(ctx context.Context, s *Session, kernel, platform string, store *Measurements) (*Trainer, error) {
	info, err := s.Kernel(kernel)
	if err != nil {
		return nil, err
	}
	all, err := s.Variants(ctx, info.Name)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(v selector.Variant) bool {
		// Models choose variants of the kernel's own computations; another algorithm is trained as the kernel that it is.
		own := slices.ContainsFunc(info.Computations, func(c harness.ComputationInfo) bool { return c.Name == v.Computation })
		return v.Platform != platform || !own
	})
	t := &Trainer{Session: s, Kernel: info, Platform: platform, Device: info.Devices[platform], Variants: all, Store: store, Names: map[string]string{}, refused: map[string]bool{}}
	if t.Device == "" || len(all) == 0 {
		return nil, &Error{Where: info.Name, Code: CodeTraining, What: "no variant for the platform " + platform + " runs on this machine"}
	}
	for _, name := range info.Alternatives {
		a, err := NewTrainer(ctx, s, name, platform, store)
		if err != nil {
			return nil, err
		}
		t.Alternatives = append(t.Alternatives, a)
	}
	return t, nil
}

// recorded returns features as the measurements hold them.
func (t *Trainer) recorded(features []selector.Feature) []harness.Feature {
	var all []harness.Feature
	for _, f := range features {
		g := harness.Feature{Name: f.Name, Unit: f.Unit, Value: harness.Float(f.Value), Cost: harness.Float(f.Cost)}
		for _, d := range t.Kernel.Features {
			if d.Name == f.Name {
				g.Version = d.Version
			}
		}
		all = append(all, g)
	}
	return all
}

func (t *Trainer) record(computation, id string) record {
	return record{Kernel: t.Kernel.Name, Hash: t.Kernel.Hash, Device: t.Device, Computation: computation, Input: id}
}

// done reports whether all computations were measured on the input.
func (t *Trainer) done(id string) bool {
	for _, c := range t.Kernel.Computations {
		in := t.Store.find(t.Kernel.Hash, t.Device, c.Name, id)
		if in == nil || !t.has(in, c.Name) || !t.hasFeatures(in) {
			return false
		}
	}
	return true
}

// has reports whether what is wanted of a computation on an input is known.
func (t *Trainer) has(in *measuredInput, computation string) bool {
	if (t.Few || t.Noting) && len(in.Paths) == 0 {
		return false
	}
	return t.Few || in.done >= t.wanted(computation)
}

// hasFeatures reports whether all features of an input are known that are declared now.
func (t *Trainer) hasFeatures(in *measuredInput) bool {
	has := func(name, version string) bool {
		return slices.ContainsFunc(in.Features, func(f harness.Feature) bool { return f.Name == name && f.Version == version })
	}
	for _, f := range t.Kernel.Features {
		if !has(f.Name, f.Version) {
			return false
		}
	}
	return true
}

// wanted is how many variants an input has to have been asked for to be done: all of them, or any number where a
// strategy decides.
func (t *Trainer) wanted(computation string) int {
	if t.Strategy != nil {
		return 1
	}
	n := 0
	for _, v := range t.Variants {
		if v.Computation == computation {
			n++
		}
	}
	return n
}

// Overlap returns the names of inputs that are in both lists: their content is the same.
func (t *Trainer) Overlap(train, test []string) []string {
	var both []string
	for _, id := range test {
		if slices.Contains(train, id) {
			both = append(both, t.Names[id])
		}
	}
	return both
}

// Known reports whether an input was measured in an earlier run, how many variants were tried on it and how long that
// took.
func (t *Trainer) Known(id string) (done bool, tried int, spent time.Duration) {
	if !t.done(id) {
		return false, 0, 0
	}
	for _, comp := range t.Kernel.Computations {
		tried += len(t.Store.find(t.Kernel.Hash, t.Device, comp.Name, id).order)
		spent += time.Duration(1e9 * t.Store.seconds(t.Kernel.Hash, t.Device, comp.Name, []string{id}, nil))
	}
	return true, tried, spent
}
