package training

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training/fit"
	"github.com/surge-ndp/surge/training/input"
)

// Case is an input to measure: a name for people, and how its arguments are made.
type Case struct {
	Name string
	Load func(ctx context.Context) ([]input.Value, error)
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

// TrainProgress is the state of measuring one input.
type TrainProgress struct {
	BenchProgress
	// Known says that the input was measured in an earlier run.
	Known bool
}

// Measure measures an input unless that was done in an earlier run, and returns its identity. What an earlier run
// began is continued. Errors are those of loading, of binding, of the harness and of the file that keeps the
// measurements.
func (t *Trainer) Measure(ctx context.Context, c Case, progress func(TrainProgress)) (id string, err error) {
	args, err := c.Load(ctx)
	if err != nil {
		return "", err
	}
	if id, err = contentHash(args); err != nil {
		return "", err
	}
	t.Names[id] = c.Name
	if t.done(id) {
		if progress != nil {
			progress(TrainProgress{Known: true})
		}
		return id, t.measureAlternatives(ctx, c, progress)
	}
	if !t.Deadline.IsZero() && time.Now().After(t.Deadline) {
		return "", ErrBudget
	}
	defer func(id string) {
		if failed := (*Error)(nil); errors.As(err, &failed) && failed.Code == CodeDevice {
			t.refused[id] = true
		}
	}(id)
	bound, err := t.Session.Bind(ctx, t.Kernel.Name, args, BindOptions{Threads: t.Threads, Platform: t.Platform, Features: true})
	if err != nil {
		return "", err
	}
	defer bound.Release(context.WithoutCancel(ctx))
	start := time.Now()
	defer func() { t.Spent += time.Since(start) }()
	var own RunOptions
	if len(t.Alternatives) > 0 {
		own.Variants = []string{t.Kernel.Name}
	}
	res, err := bound.Run(ctx, own)
	if err != nil {
		return "", err
	}
	for _, d := range res.Decisions {
		if err := t.checkFeatures(c.Name, d.Features); err != nil {
			return "", err
		}
	}
	for _, d := range res.Decisions {
		r := t.record(d.Computation, id)
		r.Name, r.Untrained = c.Name, d.Variant.String()
		r.Features = t.recorded(d.Features)
		if old := t.Store.find(r.Hash, r.Device, r.Computation, id); old == nil || !t.hasFeatures(old) {
			if err := t.Store.put(r); err != nil {
				return "", err
			}
		}
		if in := t.Store.find(r.Hash, r.Device, r.Computation, id); in.done >= t.wanted(r.Computation) {
			continue // only features were missing
		}
		if err := t.computation(ctx, bound, r, d.Variant, d.Features, progress); err != nil {
			return "", err
		}
	}
	return id, t.measureAlternatives(ctx, c, progress)
}

// checkFeatures reports a declared feature that is not a number: nothing can be learned from such an input.
func (t *Trainer) checkFeatures(name string, features []selector.Feature) error {
	for _, f := range features {
		if math.IsNaN(f.Value) || math.IsInf(f.Value, 0) {
			return &Error{Where: name, Code: CodeTraining, What: fmt.Sprintf("the feature %s of this input is %g", f.Name, f.Value), Why: "a model compares the features of inputs as numbers",
				Do: "let its function return a number for every input, also for an empty one; one that panics gives NaN"}
		}
	}
	return nil
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
		if in == nil || in.done < t.wanted(c.Name) || !t.hasFeatures(in) {
			return false
		}
	}
	return true
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

// computation measures the variants of one computation.
func (t *Trainer) computation(ctx context.Context, bound *Bound, r record, untrained selector.Variant, features []selector.Feature, progress func(TrainProgress)) error {
	var all []selector.Variant
	for _, v := range t.Variants {
		if v.Computation == r.Computation {
			all = append(all, v)
		}
	}
	wanted := t.wanted(r.Computation)
	put := t.recorder(r, progress)
	measured, err := bound.search(ctx, t.Strategy, untrained, features, SettleOptions{Variants: all, Prior: t.prior(r), Progress: func(p BenchProgress, fresh []time.Duration) error {
		if err := put(p, 0, fresh); err != nil {
			return err
		}
		if !t.Deadline.IsZero() && time.Now().After(t.Deadline) {
			return ErrBudget
		}
		return nil
	}})
	if err != nil {
		return err
	}
	if works := t.Store.find(r.Hash, r.Device, r.Computation, r.Input); !works.any() {
		return &Error{Where: r.Name, Code: CodeTraining, What: fmt.Sprintf("every variant of %s fails on this input", r.Computation), Why: works.firstReason(),
			Do: "run it with --verify to see more: surge run --verify"}
	}
	line := t.record(r.Computation, r.Input)
	line.Done = max(len(measured), wanted)
	return t.Store.put(line)
}

func (in *measuredInput) any() bool {
	for _, v := range in.variants {
		if v.status != Failed && len(v.times) > 0 {
			return true
		}
	}
	return false
}

func (in *measuredInput) firstReason() string {
	for _, text := range in.order {
		if v := in.variants[text]; v.reason != "" {
			return v.reason
		}
	}
	return ""
}

// prior returns what is known of an input's variants.
func (t *Trainer) prior(r record) map[string]Measurement {
	in := t.Store.find(r.Hash, r.Device, r.Computation, r.Input)
	prior := map[string]Measurement{}
	for text, v := range in.variants {
		m := Measurement{Status: v.status, Reason: v.reason}
		for _, ns := range v.times {
			m.Times = append(m.Times, time.Duration(ns))
		}
		if m.Status == OK && len(m.Times) == 0 {
			continue
		}
		prior[text] = m
	}
	return prior
}

// finalists is how many of the fastest variants of an input are in its final comparison.
const finalists = 4

// Finalists returns the variants of each computation that matter on every input: those that a model would choose among,
// and the best single one. They are what [Trainer.Compare] compares. Only what was measured before any comparison says
// which they are, so that they are the same when training is continued.
func (t *Trainer) Finalists(train []string) (map[string][]selector.Variant, error) {
	all := map[string][]selector.Variant{}
	for _, c := range t.Kernel.Computations {
		table, _, err := t.Store.table(t.Kernel.Hash, t.Device, c.Name, train, t.Variants, t.Kernel.Features, t.only, false)
		if err != nil {
			return nil, err
		}
		classes, _ := fit.Classes(table, selector.MaxClasses)
		if single := table.Single(); single >= 0 && !slices.Contains(classes, single) {
			classes = append(classes, single)
		}
		for _, v := range classes {
			all[c.Name] = append(all[c.Name], table.Variants[v])
		}
	}
	for _, a := range t.Alternatives {
		others, err := a.Finalists(train)
		if err != nil {
			return nil, err
		}
		maps.Copy(all, others)
	}
	return all, nil
}

// SearchFinalists returns what [Trainer.Finalists] would if a search had measured the inputs instead of all variants.
func (t *Trainer) SearchFinalists(train []string) (map[string][]selector.Variant, error) {
	s := *t
	s.Strategy, s.Alternatives = NewSearch(1), nil
	for _, a := range t.Alternatives {
		other := *a
		s.Alternatives = append(s.Alternatives, &other)
	}
	s.Replay(train)
	return s.Finalists(train)
}

// Compare makes pass number pass, below [ComparePasses] or [JudgePasses], of the final comparison on an input that
// was measured: the variants that matter, the fastest ones on this input and the one that is chosen without a model
// take turns, none is dropped, and their times in all passes take the place of earlier ones. A pass goes through all
// inputs before the next one begins: what a machine does to two threads changes from minute to minute, and an input
// that is measured in one minute only would tell about that minute. What is known from an earlier run is not measured
// again.
func (t *Trainer) Compare(ctx context.Context, c Case, id string, pass int, matter map[string][]selector.Variant, progress func(TrainProgress)) error {
	for _, a := range append([]*Trainer{t}, t.Alternatives...) {
		before := a.Spent
		if err := a.compare(ctx, c, id, pass, matter, progress); err != nil {
			return err
		}
		if a != t {
			t.Spent += a.Spent - before
		}
	}
	return nil
}

func (t *Trainer) compare(ctx context.Context, c Case, id string, pass int, matter map[string][]selector.Variant, progress func(TrainProgress)) error {
	wanted := map[string][]selector.Variant{}
	numbers := map[string]int{}
	for _, comp := range t.Kernel.Computations {
		in := t.Store.find(t.Kernel.Hash, t.Device, comp.Name, id)
		if in == nil {
			continue
		}
		set := in.finalists(matter[comp.Name])
		set = slices.DeleteFunc(set, func(v selector.Variant) bool { return in.statusOf(v) == Failed })
		// All or none: only variants that took turns are comparable.
		lacks := func(number, rounds int) bool {
			return slices.ContainsFunc(set, func(v selector.Variant) bool {
				m := in.variants[v.String()]
				return m == nil || m.number != number || len(m.final) < rounds || rounds > 0 && math.IsNaN(m.final[rounds-1])
			})
		}
		switch number := in.finals; {
		case number == 0 || lacks(number, 0):
			numbers[comp.Name], wanted[comp.Name] = number+1, set
		case lacks(number, (pass+1)*passRounds):
			numbers[comp.Name], wanted[comp.Name] = number, set
		}
	}
	if len(wanted) == 0 {
		if progress != nil {
			progress(TrainProgress{Known: true})
		}
		return nil
	}
	if !t.Deadline.IsZero() && time.Now().After(t.Deadline) {
		return ErrBudget
	}
	args, err := c.Load(ctx)
	if err != nil {
		return err
	}
	bound, err := t.Session.Bind(ctx, t.Kernel.Name, args, BindOptions{Threads: t.Threads, Platform: t.Platform})
	if err != nil {
		return err
	}
	defer bound.Release(context.WithoutCancel(ctx))
	start := time.Now()
	defer func() { t.Spent += time.Since(start) }()
	for _, comp := range t.Kernel.Computations {
		set := wanted[comp.Name]
		if len(set) == 0 {
			continue
		}
		if err := t.rounds(ctx, bound, record{Computation: comp.Name, Input: id, Final: numbers[comp.Name]}, pass, set, progress); err != nil {
			return err
		}
	}
	return nil
}

// rounds lets variants take turns for a pass of a comparison, and records each turn as a line like r.
func (t *Trainer) rounds(ctx context.Context, bound *Bound, r record, pass int, variants []selector.Variant, progress func(TrainProgress)) error {
	put := t.recorder(r, progress)
	_, err := bound.Settle(ctx, SettleOptions{Variants: variants, Keep: true, Verified: true, Rounds: passRounds, Precision: everyRound, Progress: func(p BenchProgress, fresh []time.Duration) error {
		return put(p, pass*passRounds+p.Round, fresh)
	}})
	return err
}

// recorder returns a function that records a measurement as a line like r, with its round in a comparison and the
// time that passed since the measurement before.
func (t *Trainer) recorder(r record, progress func(TrainProgress)) func(p BenchProgress, round int, fresh []time.Duration) error {
	last := time.Now()
	return func(p BenchProgress, round int, fresh []time.Duration) error {
		line := t.record(r.Computation, r.Input)
		line.Final, line.Duel, line.Round = r.Final, r.Duel, round
		line.Variant, line.Status, line.Reason, line.Took = p.Last.Variant.String(), p.Last.Status, p.Last.Reason, float64(time.Since(last))
		last = time.Now()
		for _, d := range fresh {
			line.Times = append(line.Times, float64(d))
		}
		if progress != nil {
			progress(TrainProgress{BenchProgress: p})
		}
		return t.Store.put(line)
	}
}

const (
	// ComparePasses is how many times a comparison goes through the inputs.
	ComparePasses = 5
	// JudgePasses is how many times comparisons go through those to judge by. A regret is more than the true one on
	// average, as the least of several measured times is less than that of the best variant; more rounds make that
	// less.
	JudgePasses = 2 * ComparePasses
	// passRounds is the number of rounds of a pass on one input.
	passRounds = 4
	// compareTimes is the number of rounds from which a variant counts as compared.
	compareTimes = 3
	// everyRound is a precision that is never reached, so that no round is saved: all inputs are to be known equally well.
	everyRound = 1e-9
)

func (in *measuredInput) statusOf(v selector.Variant) Status {
	if m := in.variants[v.String()]; m != nil {
		return m.status
	}
	return ""
}

// finalists returns the variants to compare on an input.
func (in *measuredInput) finalists(matter []selector.Variant) []selector.Variant {
	type timed struct {
		text string
		time float64
	}
	var fastest []timed
	for _, text := range in.order {
		if v := in.variants[text]; v.status == OK && len(v.times) > 0 {
			fastest = append(fastest, timed{text, lowerQuartile(v.times)})
		}
	}
	slices.SortStableFunc(fastest, func(a, b timed) int { return cmp.Compare(a.time, b.time) })
	texts := []string{in.Untrained}
	for _, f := range fastest[:min(finalists, len(fastest))] {
		texts = append(texts, f.text)
	}
	for _, v := range matter {
		texts = append(texts, v.String())
	}
	var set []selector.Variant
	for i, text := range texts {
		if v, err := selector.Parse(text); err == nil && !slices.Contains(texts[:i], text) {
			set = append(set, v)
		}
	}
	return set
}

// Learned is what [Trainer.Fit] gives.
type Learned struct {
	// Models has that of the kernel, and then those of its other algorithms.
	Models []*selector.Model
	// Judged has a judgement for each computation that was trained, that of the choice of the algorithm first if
	// there is one.
	Judged []*fit.Judgement
}

// Fit learns from the inputs train and judges on test; without test inputs the judgement is that of cross-validation.
func (t *Trainer) Fit(train, test []string) (*Learned, error) {
	l := &Learned{}
	m := &selector.Model{Kernel: t.Kernel.Name, Hash: t.Kernel.Hash, Platform: t.Platform, Device: t.Device}
	l.Models = append(l.Models, m)
	var names []string
	if len(t.Alternatives) > 0 {
		names = append(names, t.Kernel.Name+selector.AlgorithmNumber)
	}
	for _, c := range t.Kernel.Computations {
		names = append(names, c.Name)
	}
	for _, name := range names {
		table, hash, err := t.Store.table(t.Kernel.Hash, t.Device, name, train, t.Variants, t.Kernel.Features, t.only, true)
		if err != nil {
			return nil, err
		}
		tests, _, err := t.Store.table(t.Kernel.Hash, t.Device, name, test, table.Variants, t.Kernel.Features, nil, true)
		if err != nil {
			return nil, err
		}
		sets, err := t.featureSets(table, tests)
		if err != nil {
			return nil, err
		}
		j, err := fit.Learn(table, tests, sets, fit.Options{OrSingle: t.Features == nil, Ranker: t.Ranker})
		if err != nil {
			return nil, &Error{Where: t.Kernel.Name, Code: CodeTraining, What: err.Error(), Err: err}
		}
		t.setVersions(j.Classifier)
		j.Classifier.Summary.Measurements = hash
		j.Classifier.Summary.Seconds = t.Store.seconds(t.Kernel.Hash, t.Device, name, train, t.only)
		l.Judged = append(l.Judged, j)
		m.Computations = append(m.Computations, j.Classifier)
	}
	for _, a := range t.Alternatives {
		other, err := a.Fit(train, test)
		if err != nil {
			return nil, err
		}
		l.Models = append(l.Models, other.Models...)
		l.Judged = append(l.Judged, other.Judged...)
	}
	return l, nil
}

// setVersions notes which declared features a classifier was trained with.
func (t *Trainer) setVersions(c *selector.Classifier) {
	for i := range c.Features {
		for _, d := range t.Kernel.Features {
			if d.Name == c.Features[i].Name {
				c.Features[i].Version = d.Version
			}
		}
	}
}

// featureSets returns the sets of features to learn from: one where it is said which, and otherwise those that are
// asked for, and these with ready-made ones, from which cross-validation chooses.
func (t *Trainer) featureSets(train, test *fit.Table) ([][]string, error) {
	known := func(name string) bool {
		in := func(t *fit.Table) bool {
			return len(t.Inputs) == 0 || slices.ContainsFunc(t.Features, func(f selector.Feature) bool { return f.Name == name })
		}
		return in(train) && in(test)
	}
	var constant, optional, wanted []string
	for _, f := range train.Features {
		ready := slices.ContainsFunc(selector.ReadyMade[:], func(r selector.Feature) bool { return r.Name == f.Name })
		declared := slices.ContainsFunc(t.Kernel.Features, func(d harness.Feature) bool { return d.Name == f.Name })
		switch {
		case !known(f.Name):
		case !ready && !declared:
			constant = append(constant, f.Name)
		case declared || slices.Contains(t.Kernel.Requested, f.Name):
			wanted = append(wanted, f.Name)
		default:
			optional = append(optional, f.Name)
		}
	}
	if t.Features != nil {
		set := constant
		for _, name := range t.Features {
			if known(name) {
				set = append(set, name)
			}
		}
		return [][]string{set}, nil
	}
	base := append(constant, wanted...)
	sets := [][]string{base}
	for n := 1; n <= len(optional); n++ {
		if n != 2 { // the first alone, which is the most telling one, or all
			sets = append(sets, append(slices.Clone(base), optional[:n]...))
		}
	}
	return sets, nil
}

// seconds is how long the recorded runs on inputs took, all together.
func (m *Measurements) seconds(hash, device, computation string, inputs []string, only func(input, variant string) bool) float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	total := 0.0
	for _, id := range inputs {
		if in := m.inputs[inputKey{hash, device, computation, id}]; in != nil {
			for _, text := range in.order { // in order: sums of floats depend on it
				if only == nil || only(id, text) {
					total += in.variants[text].took / 1e9
				}
			}
		}
	}
	return total
}

// Replay lets the trainer's strategy search among recorded measurements of inputs, without timing anything: Fit then
// knows no others. It returns the part of the measuring time that the search took of that for all, of all algorithms
// for the kernel.
func (t *Trainer) Replay(inputs []string) float64 {
	picked := map[[2]string]bool{}
	for _, id := range inputs {
		for _, c := range t.Kernel.Computations {
			in := t.Store.find(t.Kernel.Hash, t.Device, c.Name, id)
			if in == nil {
				continue
			}
			var all []selector.Variant
			for _, text := range in.order {
				if v, err := selector.Parse(text); err == nil {
					all = append(all, v)
				}
			}
			var features []selector.Feature
			for _, f := range in.Features {
				features = append(features, selector.Feature{Name: f.Name, Unit: f.Unit, Value: float64(f.Value)})
			}
			known := map[string]float64{}
			for {
				next := t.Strategy.Pick(c.Name, features, all, known)
				if len(known) == 0 {
					known[in.Untrained] = in.recorded(in.Untrained)
				} else if len(next) == 0 {
					break
				}
				for _, v := range next {
					known[v.String()] = in.recorded(v.String())
				}
			}
			for text := range known {
				picked[[2]string{id, text}] = true
			}
		}
	}
	algorithm := t.Kernel.Name + selector.AlgorithmNumber + "/"
	t.only = func(input, variant string) bool {
		return picked[[2]string{input, variant}] || strings.HasPrefix(variant, algorithm)
	}
	for _, a := range t.Alternatives {
		a.Strategy = t.Strategy
		a.Replay(inputs)
	}
	// What matters in the end is compared on every input.
	if matter, err := t.Finalists(inputs); err == nil {
		for _, id := range inputs {
			for _, vs := range matter {
				for _, v := range vs {
					picked[[2]string{id, v.String()}] = true
				}
			}
		}
	}
	part, all := 0.0, 0.0
	for _, a := range append([]*Trainer{t}, t.Alternatives...) {
		for _, c := range a.Kernel.Computations {
			part += t.Store.seconds(a.Kernel.Hash, a.Device, c.Name, inputs, a.only)
			all += t.Store.seconds(a.Kernel.Hash, a.Device, c.Name, inputs, nil)
		}
	}
	return part / all
}

// recorded is the time of a variant as a search sees it, 0 where it failed or was given up.
func (in *measuredInput) recorded(text string) float64 {
	v := in.variants[text]
	if v == nil || v.status != OK || len(v.times) == 0 {
		return 0
	}
	return lowerQuartile(v.times)
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

// Recorded returns the identities of inputs that were measured before and whose names end in one of the given names;
// all for none. It is how training is replayed without inputs.
func (t *Trainer) Recorded(names []string) ([]string, error) {
	if len(t.Store.recordedOn(t.Kernel.Hash, t.Device)) == 0 {
		// Replaying what another machine measured is fine: the model is for that one.
		if devices := t.Store.devicesOf(t.Kernel.Hash, t.Platform); len(devices) == 1 {
			t.Device = devices[0]
		} else if len(devices) > 1 {
			return nil, &Error{Where: t.Kernel.Name, Code: CodeMeasurements, What: fmt.Sprintf("the measurements are of %d other devices", len(devices)), Why: strings.Join(devices, "; "), Do: "replay those of one device"}
		}
	}
	ids, recorded := t.Store.recorded(t.Kernel.Hash, t.Device)
	var found []string
	for i, id := range ids {
		t.Names[id] = recorded[i]
		if len(names) == 0 || slices.Contains(names, recorded[i]) {
			found = append(found, id)
		}
	}
	if len(found) == 0 {
		versions, _ := t.Store.other(t.Kernel.Name, t.Kernel.Hash, t.Device)
		e := &Error{Where: t.Kernel.Name, Code: CodeMeasurements, What: "no measurements of these inputs are recorded",
			Do: "leave --replay out, to measure them, or name the file that has them with --measurements"}
		if versions > 0 {
			e.Why = fmt.Sprintf("%s recorded for another version of the kernel (its hash is now %s)", plural(versions, "input"), t.Kernel.Hash)
		}
		return nil, e
	}
	return found, nil
}

func (m *Measurements) recordedOn(hash, device string) []string {
	ids, _ := m.recorded(hash, device)
	return ids
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
