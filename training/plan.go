package training

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training/fit"
	"github.com/surge-ndp/surge/training/input"
)

// Plan says what [Train] measures, and what it learns from that.
type Plan struct {
	// Session is the harness of the package; see [Open].
	Session *Session
	// Kernel is the name of the kernel, "" for the only one of the package.
	Kernel string
	// Platforms are trained one after the other, the host's first where it is among them; with several, which of them to
	// take is learned too. None stands for the host.
	Platforms []string
	// Learn are the inputs to learn from; Judge are those to judge the model by. Without the latter it is judged by
	// cross-validation.
	Learn, Judge []Case
	// Features are the names of the features that the model is to use beside the constant-time ones; see
	// [Trainer.Features].
	Features []string
	// Ranker is the kind of the model, one of fit.Rankers; "" for the best in cross-validation.
	Ranker string
	// Threads limits the number of workers; 0 is all.
	Threads int
	// Search measures a part of the variants on each input to learn from, instead of all.
	Search bool
	// Budget is the time for measuring inputs to learn from, by a search; 0 stands for no limit. What was measured when
	// it ends is what is learned from.
	Budget time.Duration
	// CompareSearch compares what a search would have found too, so that a replayed search can be judged.
	CompareSearch bool
	// Replay measures nothing, and learns from what is recorded of Learn and Judge, by their names; of all inputs for
	// none.
	Replay bool
	// Force allows that inputs are in both Learn and Judge, and installs a model that loses.
	Force bool
	// Measurements are the files that keep measurements: new ones go to the first, the others are only read. None stands
	// for the one in the cache directory of the session.
	Measurements []string
	// Model is the file that the models are installed in, beside those of other kernels, platforms and devices; "" for
	// none.
	Model string

	// Say is told in a line what a person wants to know at once: an input that is left out, and why; nil for nobody.
	Say func(text string)
	// Progress is told after each measurement how far training is; nil for nobody.
	Progress func(Progress)
	// Finish is called with each result as soon as it is complete, before its model is installed; an error ends training.
	// Nil stands for nothing to do.
	Finish func(*Trained) error

	// Single says that the plan is for the one input of Learn: its best variants, whatever the features, are the model. A
	// model in the file that was trained on several inputs is replaced with Force only.
	Single bool
}

// Progress is how far training is.
type Progress struct {
	// Stage is the part of training that is under way; nil between two.
	Stage *Stage
	// Name says what is measured: the name of an input, behind what is done with it unless it is measured for the first
	// time.
	Name string
	// State is that of the input.
	State TrainProgress
}

// Stage is a part of training that goes through inputs.
type Stage struct {
	// Inputs is how many there are, those of each pass counted.
	Inputs int
	// Parts is how many measurements of a computation each takes, 0 where that is open.
	Parts int
}

func (p *Plan) say(format string, args ...any) {
	if p.Say != nil {
		p.Say(fmt.Sprintf(format, args...))
	}
}

// stage begins a stage. The function that it returns tells about an input of it, or, without a state, ends it.
func (p *Plan) stage(inputs, parts int) func(name string, state *TrainProgress) {
	stage := &Stage{inputs, parts}
	return func(name string, state *TrainProgress) {
		switch {
		case p.Progress == nil:
		case state == nil:
			p.Progress(Progress{})
		default:
			p.Progress(Progress{stage, name, *state})
		}
	}
}

// platforms returns what is trained for.
func (p *Plan) platforms() []string {
	if len(p.Platforms) == 0 {
		return []string{selector.Host}
	}
	return p.Platforms
}

// thresholds is the kind of rankers that compare degrees of parallelism.
var thresholds = (*selector.Thresholds)(nil).Kind()

// few reports whether the plan measures paths only: thresholds need no more.
func (p *Plan) few() bool { return p.Ranker == thresholds && !p.Single }

// check refuses a plan that cannot be carried out, before anything is measured, and returns its kernel.
func (p *Plan) check() (*harness.KernelInfo, error) {
	if p.Session == nil {
		return nil, &Error{Code: CodePlan, What: "the plan has no session", Do: "open one for the package, with Open"}
	}
	k, err := p.Session.Kernel(p.Kernel)
	if err != nil {
		return nil, err
	}
	wrong := func(what, do string) error { return &Error{Where: k.Name, Code: CodePlan, What: what, Do: do} }
	if kinds := fit.Rankers(); p.Ranker != "" && !slices.Contains(kinds, p.Ranker) {
		return nil, wrong(fmt.Sprintf("there is no ranker %q that is learned", p.Ranker), "name "+strings.Join(kinds, " or ")+", or none for the better one")
	}
	if err := fit.Available(p.Ranker); err != nil {
		return nil, &Error{Code: CodeSolver, What: "this surge cannot train: " + err.Error(), Err: err,
			Do: "--method tree needs none; or CGO_ENABLED=1 go install github.com/surge-ndp/surge/cmd/surge@latest"}
	}
	switch {
	case p.Ranker == thresholds && len(p.Features) > 0:
		return nil, wrong("thresholds are to be learned, and features are named", "leave the features out: degrees of parallelism are compared, which are made of lengths")
	case p.Threads < 0:
		return nil, wrong(fmt.Sprintf("%d threads are wanted", p.Threads), "give a number of threads, or 0 for all cores")
	case p.Budget < 0:
		return nil, wrong(fmt.Sprintf("the budget is %s", p.Budget), "give a time, or 0 for no limit")
	case len(p.Learn) == 0 && !p.Replay:
		return nil, noInputs()
	case slices.ContainsFunc(append(slices.Clone(p.Learn), p.Judge...), func(c Case) bool { return c.Load == nil }) && !p.Replay:
		return nil, wrong("an input cannot be loaded", "give each case a function that makes its arguments")
	}
	if p.Single {
		return k, p.checkSingle(k)
	}
	return k, p.checkFeatures(k)
}

// checkSingle refuses what is no plan for one input, and takes the features from it: one input tells nothing apart.
func (p *Plan) checkSingle(k *harness.KernelInfo) error {
	p.Features = []string{}
	if len(p.Learn) != 1 || len(p.Judge) > 0 {
		return &Error{Where: k.Name, Code: CodePlan, What: fmt.Sprintf("there are %s to learn from and %d to judge by", plural(len(p.Learn), "input"), len(p.Judge)),
			Why: "tuning finds the best variant for one input", Do: "name one, or train"}
	}
	if p.Force || p.Model == "" {
		return nil
	}
	text, err := ReadModelFile(p.Model)
	if err != nil || text == nil {
		return nil // installing says what is wrong with it
	}
	models, _ := selector.ParseModels(text) // one that is broken is replaced
	for _, m := range models {
		for _, c := range m.Computations {
			if c.Summary.Inputs > 1 && m.Platform == p.platforms()[0] && m.Kernel == k.Name {
				return &Error{Where: p.Model, Code: CodeModel, What: fmt.Sprintf("there is a model of %s that was trained on %d inputs", m.Kernel, c.Summary.Inputs),
					Do: "replace it with --force, or name another file with -o"}
			}
		}
	}
	return nil
}

func noInputs() *Error {
	return &Error{Code: CodeInputs, What: "there are no inputs to learn from", Do: "name some: --data 'A=matrices/*.mtx', or a section train: in surge.yaml"}
}

// checkFeatures refuses features that the kernel does not have.
func (p *Plan) checkFeatures(k *harness.KernelInfo) error {
	var names []string
	for _, ready := range selector.ReadyMade {
		names = append(names, ready.Name)
	}
	for _, d := range k.Features {
		names = append(names, d.Name)
	}
	for _, name := range p.Features {
		if slices.Contains(names, name) {
			continue
		}
		return &Error{Code: CodeFeature, What: fmt.Sprintf("unknown feature %q", name), Do: selector.Suggest(name, names),
			Why: "there are ready-made features, and functions of the package that are declared by //surge:feature " + k.Name}
	}
	return nil
}

// open opens the files of measurements, the first of which it names: to read, unless something is measured. The first
// need not exist where it is the cache directory's, or nothing is learned.
func (p *Plan) open(learns bool) (path string, m *Measurements, err error) {
	files := p.Measurements
	if len(files) == 0 {
		files = []string{filepath.Join(p.Session.builder.cache.dir, measurementsName)}
	}
	readOnly, read := p.Replay || !learns, files
	if _, err := os.Stat(files[0]); err != nil && readOnly && (!learns || len(p.Measurements) == 0) {
		read = files[1:] // nothing was measured yet
	}
	if m, err = OpenMeasurements(read, readOnly); err != nil {
		return "", nil, err
	}
	for _, w := range m.Warnings {
		p.say("%s", w)
	}
	return files[0], m, nil
}

// trainer prepares training for one of the platforms.
func (p *Plan) trainer(ctx context.Context, k *harness.KernelInfo, platform string, store *Measurements) (*Trainer, error) {
	t, err := NewTrainer(ctx, p.Session, k.Name, platform, store)
	if err != nil {
		return nil, err
	}
	for _, one := range append([]*Trainer{t}, t.Alternatives...) {
		one.Ranker, one.Features = p.Ranker, p.Features
	}
	t.Threads = p.Threads
	if !p.Replay && (p.Search || p.Budget > 0) && !p.few() {
		t.Strategy = NewSearch(1)
	}
	return t, nil
}

// identify loads every input once, before anything is measured, and returns what identifies each, "" for one that is
// left out. It refuses inputs to judge by that are also among those to learn from, and either kind where all are left
// out. tell says that what is left out is told: measuring would say so too.
func (p *Plan) identify(ctx context.Context, tell bool) (learn, judge []string, err error) {
	var both []string
	kind := func(cases []Case) (ids []string, err error) {
		var skipped []error
		for _, c := range cases {
			id, err := c.Identify(ctx)
			if ofOneInput(err) {
				if skipped = append(skipped, err); tell {
					p.leaveOut(c.Name, err)
				}
			} else if err != nil {
				return nil, err
			} else if slices.Contains(learn, id) {
				both = append(both, c.Name)
			}
			ids = append(ids, id)
		}
		if len(skipped) == len(cases) {
			return nil, errors.Join(skipped...)
		}
		return ids, nil
	}
	if learn, err = kind(p.Learn); err != nil {
		return nil, nil, err
	}
	if judge, err = kind(p.Judge); err != nil {
		return nil, nil, err
	}
	if len(both) > 0 && !p.Force {
		return nil, nil, overlap(both)
	}
	return learn, judge, nil
}

// overlap is the error for inputs to judge by, named, that are also learned from.
func overlap(both []string) error {
	is := "are"
	if len(both) == 1 {
		is = "is"
	}
	return &Error{Code: CodeOverlap, What: fmt.Sprintf("%s to judge by %s also among those to learn from: %s", plural(len(both), "input"), is, strings.Join(both[:min(3, len(both))], ", ")),
		Why: "a model is judged by inputs that it has not seen, and these have the same content", Do: "take them out of --data or --test, or use --force"}
}

// leaveOut tells about an input that is left out: the others are worth measuring.
func (p *Plan) leaveOut(name string, err error) {
	what, code := err.Error(), ""
	var unreadable *input.Error
	var wrong *exec.Error
	var failing *Error
	switch {
	case errors.As(err, &unreadable):
		what, code = unreadable.What, unreadable.Code
	case errors.As(err, &wrong):
		bare := *wrong
		bare.Pos = ""
		what, code = strings.TrimSuffix(bare.Error(), " ["+bare.Code+"]"), bare.Code
	case errors.As(err, &failing):
		what, code = failing.What, failing.Code
	}
	p.say("%s is left out: %s [%s]", name, what, code)
}

// ofOneInput reports whether an error is that of one input, and not of what all are bound to.
func ofOneInput(err error) bool {
	var unreadable *input.Error
	var wrong *exec.Error
	var failing *Error
	return errors.As(err, &unreadable) && unreadable.Code != input.CodeUnknownData && unreadable.Code != input.CodeUnknownParameter || errors.As(err, &wrong) ||
		errors.As(err, &failing) && (failing.Code == CodeTraining || failing.Code == CodeDevice)
}
