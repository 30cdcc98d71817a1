package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/ops/load"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training"
	"github.com/surge-ndp/surge/training/fit"
	trainingreport "github.com/surge-ndp/surge/training/report"
)

// trainFlags are the flags of surge train.
type trainFlags struct {
	kernel           string
	data, test, bind []string
	features         string
	ranker           string
	measurements     []string
	output, report   string
	samples, threads int
	testSamples      int
	budget           time.Duration
	active           bool
	dryRun, force    bool
	replay           bool
	compareSearch    bool
	tune             bool    // the input of surge run is the only one
	part             float64 // what a replayed search takes of the measuring time
}

func (a *app) trainCommand() *cobra.Command {
	var f trainFlags
	cmd := &cobra.Command{
		Use:   "train DIR",
		Short: "Measure the variants on your inputs, and learn which suits which",
		Long: `train measures the variants of a kernel on many inputs and learns from that which variant suits which
input. The model that results, DIR/surge.model, is a text file; surge run and bench use it from then on,
and surge generate makes programs carry it.

--data names inputs to learn from: a file, a pattern, a directory, or something generated. Ranges LOW..HIGH
in generators and in --bind are sampled together, --samples times, always in the same way. --test names
other inputs, to judge the model by; without any, every part of the inputs is judged by a model
that was learned from the others. A section train: in surge.yaml can hold all of this.

--active measures only a part of the variants on each input: what did well on similar inputs, a few at random,
and what differs from the best in one setting. It does not choose among the inputs. With --budget the same is
done, on as many inputs as there is time for.

Every run is written to a measurement file at once. After Ctrl-C, the same command continues.
Measurements of several machines or runs can be merged: --measurements may be given several times.

A model is a support vector machine for every pair of variants (svm) or a decision tree (tree): svm, unless the tree is
clearly better on inputs that it has not seen, in cross-validation. --ranker says which.

The choice that is made without a model is always measured too. Where always the same variant does better than
choosing by features, the model is that variant, unless --features names some. A model that is worse than the choice
without a model, or on the inputs to judge by worse than always the same variant, is not installed.

With --platform auto, where there is a GPU or --device names one, and with --platform all, every platform is
trained, and then which of them to take: once for arrays on the host, which are copied to the device and back
in every run, and once for arrays that stay on the device. Where the platform is left open, that decides.

Features that cost nothing to infer are always used: lengths, aspect ratios, average row lengths, load imbalance. Beside them
are functions of your package that are declared by //surge:feature KERNEL, and, for rows of different lengths,
row_length_deviation, row_length_maximum and empty_row_share, from a sample of the rows. --features auto takes
those that are declared or asked for by //surge:features, and others if they are worth more than they cost.`,
		Example: `  surge train ./examples/spmv --data 'A=matrices/*.mtx' --test 'A=others/*.mtx'
  surge train ./examples/spmv --data A=gen:powerlaw:rows=1e3..1e6,avg=1..200 --samples 40
  surge train ./examples/reduction -k Reduction --data S=gen:uniform:n=1e3..1e7 --bind tileSize=64..1Mi
  surge train ./examples/spmv --dry-run
  surge train ./examples/spmv --budget 5m --active`,
		Args:              oneDir,
		ValidArgsFunction: directories,
		RunE: func(cmd *cobra.Command, args []string) error {
			a.dir = args[0]
			cfg, err := a.configure(cmd, a.dir, "budget")
			if err != nil {
				return err
			}
			return a.train(cmd.Context(), cmd, cfg, &f)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.kernel, "kernel", "k", "", "take the kernel `NAME`, where the package has several")
	flags.StringArrayVar(&f.data, "data", nil, "inputs to learn from, `NAME=SPECS`: files, patterns, directories, gen:… with ranges; may be repeated")
	flags.StringArrayVar(&f.test, "test", nil, "inputs to judge the model by, `NAME=SPECS`")
	flags.StringArrayVar(&f.bind, "bind", nil, "what a parameter is, `PARAM=EXPR`, where EXPR may have ranges LOW..HIGH")
	flags.IntVar(&f.samples, "samples", 24, "sample ranges `N` times")
	flags.StringVar(&f.features, "features", "auto", "choose by these `NAMES` beside the constant-time features: functions declared by surge:feature, ready-made ones, none, or auto")
	flags.StringVar(&f.ranker, "ranker", "", "learn a model of this `KIND`, svm or tree (default the one that is better in cross-validation)")
	flags.IntVar(&f.testSamples, "test-samples", 0, "sample the ranges of --test, or without it those of --data again, `N` times, for inputs to judge by")
	flags.DurationVar(&f.budget, "budget", 0, "measure for at most this `TIME`, such as 10m, and learn from what there is")
	flags.BoolVar(&f.active, "active", false, "measure a part of the variants on each input, searched for, instead of all: a quarter of the time or less")
	flags.StringVarP(&f.output, "output", "o", "", "write the model to this `FILE` (default "+training.ModelName+" in DIR)")
	flags.StringVar(&f.report, "report", "", "write the report to this `FILE` (default in the cache directory; its name is printed)")
	flags.StringArrayVar(&f.measurements, "measurements", nil, "keep measurements in this `FILE` (default in the cache directory); read others too")
	flags.BoolVar(&f.replay, "replay", false, "measure nothing: learn from the measurements that are recorded")
	flags.BoolVar(&f.compareSearch, "compare-search", false, "compare what a search would have found too, so that --replay --active can say what it is worth")
	flags.BoolVar(&f.dryRun, "dry-run", false, "say what would be measured and how long it would take, and do nothing")
	flags.BoolVar(&f.force, "force", false, "train although training and test inputs overlap; install the model although it loses")
	flags.IntVar(&f.threads, "threads", 0, "use at most `N` threads (default all cores)")
	return cmd
}

// mostSamples is far more than can be measured, and few enough to be listed.
const mostSamples = 100000

func (a *app) train(ctx context.Context, cmd *cobra.Command, cfg *kernelConfig, f *trainFlags) error {
	platforms, err := a.runnable(a.choosable(f.output))
	if err != nil {
		return err
	}
	if kinds := fit.Rankers(); f.ranker != "" && !slices.Contains(kinds, f.ranker) {
		return cfg.wrongFlag(cmd, "ranker", fmt.Sprintf("%q: want %s", f.ranker, strings.Join(kinds, " or ")))
	}
	if err := fit.Available(f.ranker); err != nil {
		return problem{Code: "no-solver", What: "this surge cannot train: " + err.Error(),
			Fix: "--ranker tree needs none; or CGO_ENABLED=1 go install github.com/surge-ndp/surge/cmd/surge@latest"}
	}
	if f.budget < 0 || f.budget == 0 && cmd.Flags().Changed("budget") {
		return usage(cmd, problem{Code: "usage", What: fmt.Sprintf("--budget is %s, and has to be more than nothing", f.budget), Fix: "leave it out to measure everything"})
	}
	switch {
	case f.samples < 1:
		return cfg.wrongFlag(cmd, "samples", fmt.Sprintf("%d: want at least one", f.samples))
	case f.testSamples < 0:
		return cfg.wrongFlag(cmd, "test-samples", fmt.Sprintf("%d: want no less than 0", f.testSamples))
	case f.threads < 0:
		return cfg.wrongFlag(cmd, "threads", fmt.Sprintf("%d: want a number of threads, or 0 for all cores", f.threads))
	}
	if f.samples > mostSamples || f.testSamples > mostSamples {
		return usage(cmd, problem{Code: "usage", What: fmt.Sprintf("--samples and --test-samples want at most %d: each is an input, on which every variant is measured", mostSamples)})
	}
	if err := load.CheckDir(a.dir); err != nil {
		return err
	}
	if !cmd.Flags().Changed("samples") && cfg.Train.Samples > 0 {
		f.samples = cfg.Train.Samples
	}
	train, test, err := a.trainCases(cmd, cfg, f)
	if err != nil {
		return err
	}
	if len(train) == 0 && !f.replay {
		return problem{Code: "no-inputs", What: "there are no inputs to learn from", Fix: "name some: --data 'A=matrices/*.mtx', or a section train: in " + configName}
	}
	paths := slices.Clone(f.measurements)
	if len(paths) == 0 {
		path, err := training.MeasurementsPath(a.cache, a.dir)
		if err != nil {
			return err
		}
		paths = []string{path}
	}
	if !f.dryRun {
		if err := a.checkOutputs(f, paths); err != nil {
			return err
		}
	}
	session, err := training.Open(ctx, a.dir, training.Options{CacheDir: a.cache, NoSIMD: a.noSIMD, Platforms: platforms, Kernel: f.kernel, Progress: a.progress})
	if err != nil {
		return err
	}
	defer session.Close()
	kernel, err := pick(session.Describe().Kernels, f.kernel)
	if err != nil {
		return err
	}
	if err := cfg.checkTrain(f, kernel, train); err != nil {
		return err
	}
	readOnly, read := f.replay || f.dryRun, paths
	if _, err := os.Stat(paths[0]); err != nil && readOnly && (f.dryRun || len(f.measurements) == 0) {
		read = paths[1:] // nothing was measured yet
	}
	store, err := training.OpenMeasurements(read, readOnly)
	if err != nil {
		return err
	}
	defer store.Close()
	for _, w := range store.Warnings {
		a.progress(w)
	}
	var cs []training.Case
	var ids []string
	if !f.replay {
		for _, c := range append(slices.Clone(train), test...) {
			cs = append(cs, a.load(cfg, session, kernel, c))
		}
		if f.dryRun || len(test) > 0 {
			if ids, err = a.identify(ctx, cs, len(train), f); err != nil {
				return err
			}
		}
	}
	var trained []*trainedOn
	for _, platform := range platforms {
		if len(platforms) > 1 {
			a.progress("training for the platform " + platform)
		}
		on, err := a.trainOn(ctx, session, kernel, platform, store, train, test, cs, ids, f, len(platforms))
		var none *training.Error
		if len(trained) > 0 && errors.As(err, &none) && none.Code == training.CodeTraining {
			a.progress("the platform " + platform + " is left out: " + none.What) // no variant runs, or none on these inputs
			continue
		}
		if err != nil {
			return err
		}
		if on != nil {
			trained = append(trained, on)
		}
	}
	if f.dryRun {
		return nil
	}
	var reports []*trainReport
	for _, on := range trained {
		r := on.report()
		r.SearchPart = f.part
		if err := a.finishTraining(r, on.learned, paths[0], f, len(trained) > 1); err != nil {
			return err
		}
		reports = append(reports, r)
	}
	if len(trained) > 1 {
		more, err := a.trainChoice(ctx, trained, paths[0], f)
		if err != nil {
			return err
		}
		reports = append(reports, more...)
	}
	if a.json && len(reports) == 1 {
		return a.printJSON(reports[0])
	} else if a.json {
		return a.printJSON(reports)
	}
	for i, r := range reports {
		if i > 0 {
			a.printf("\n")
		}
		a.printTraining(r)
	}
	return nil
}

// checkOutputs refuses to write the model or the report in the place of something else, before anything is measured.
func (a *app) checkOutputs(f *trainFlags, measurements []string) error {
	model := cmp.Or(f.output, filepath.Join(a.dir, training.ModelName))
	taken := func(path, flag, by string) error {
		return problem{File: path, Code: "write", What: "this file is also that of the " + by, Why: "one would take the place of the other", Fix: "name another file with " + flag}
	}
	for _, path := range measurements {
		if sameFile(model, path) {
			return taken(model, "-o", "measurements")
		}
		if f.report != "" && sameFile(f.report, path) {
			return taken(f.report, "--report", "measurements")
		}
	}
	if f.report != "" && sameFile(f.report, model) {
		return taken(f.report, "--report", "model")
	}
	if err := checkWritable(model, "-o"); err != nil {
		return err
	}
	if old, err := training.ReadModelFile(model); err != nil {
		return problem{File: model, Code: "model", What: err.Error()}
	} else if len(old) > 0 && !selector.IsModelFile(old) {
		return problem{File: model, Code: "model", What: "there is a file that is no model file", Why: "the model would take its place", Fix: "name another file with -o, or remove this one"}
	}
	if f.report != "" {
		return checkWritable(f.report, "--report")
	}
	return nil
}

// trainedOn is what was measured and learned on one platform.
type trainedOn struct {
	trainer     *training.Trainer
	learned     *training.Learned
	train, test []string                 // identities of inputs
	cases       map[string]training.Case // by identity; empty if nothing was measured
}

func (on *trainedOn) report() *trainReport {
	t := on.trainer
	return &trainReport{Kernel: t.Kernel.Name, Hash: t.Kernel.Hash, Platform: t.Platform, Device: t.Device, Train: len(on.train), Test: len(on.test), Seconds: t.Spent.Seconds(), Installed: true, Overlap: len(t.Overlap(on.train, on.test)),
		Foreign: t.Device != t.Kernel.Devices[t.Platform]}
}

// trainOn measures the cases cs of train and test and learns from them, on one platform of several. For a dry run,
// which needs what identifies them, it returns nil.
func (a *app) trainOn(ctx context.Context, session *training.Session, kernel *harness.KernelInfo, platform string, store *training.Measurements, train, test []trainCase, cs []training.Case, ids []string, f *trainFlags, platforms int) (*trainedOn, error) {
	t, err := training.NewTrainer(ctx, session, kernel.Name, platform, store)
	if err != nil {
		return nil, err
	}
	t.Threads = f.threads
	if err := trainFeatures(t, f.features); err != nil {
		return nil, err
	}
	for _, one := range append([]*training.Trainer{t}, t.Alternatives...) {
		one.Ranker = f.ranker
	}
	on := &trainedOn{trainer: t, cases: map[string]training.Case{}}
	if f.replay {
		if on.train, on.test, err = a.replayed(t, train, test); err == nil && f.active {
			t.Strategy = training.NewSearch(1)
			f.part = t.Replay(on.train)
			a.progress(fmt.Sprintf("the search takes %s of the measuring time", percent(f.part)))
		}
	} else {
		if f.active || f.budget > 0 {
			t.Strategy = training.NewSearch(1)
		}
		if f.dryRun {
			a.dryRun(t, ids[:len(train)], ids[len(train):], f.budget/time.Duration(platforms))
			return nil, nil
		}
		on.train, on.test, err = a.measureAll(ctx, t, cs, len(train), f, f.budget/time.Duration(platforms), on.cases)
	}
	if err != nil {
		return nil, err
	}
	if both := t.Overlap(on.train, on.test); len(both) > 0 && !f.force {
		return nil, overlap(both)
	}
	if on.learned, err = t.Fit(on.train, on.test); err == nil && !f.replay {
		on.learned, err = a.repeatDoubtful(ctx, t, on.learned, on.cases, on.train, on.test)
	}
	return on, err
}

// overlap is the error for inputs to judge by, named, that are also learned from.
func overlap(both []string) error {
	return problem{Code: "overlap", What: fmt.Sprintf("%s to judge by %s also among those to learn from: %s", plural(len(both), "input"), map[bool]string{true: "is", false: "are"}[len(both) == 1], strings.Join(both[:min(3, len(both))], ", ")),
		Why: "a model is judged by inputs that it has not seen, and these have the same content", Fix: "take them out of --data or --test, or use --force"}
}

// trainChoice compares the platforms with each other, and learns which to take: for arrays on the host, and for arrays
// that stay on the device.
func (a *app) trainChoice(ctx context.Context, trained []*trainedOn, store string, f *trainFlags) ([]*trainReport, error) {
	p := &training.Platforms{}
	for _, on := range trained {
		p.Trainers = append(p.Trainers, on.trainer)
	}
	host := trained[0]
	show := a.trainProgress(training.ComparePasses*(len(host.train)+len(host.test)), 0)
	for pass := range training.ComparePasses {
		for _, id := range append(slices.Clone(host.train), host.test...) {
			if c, ok := host.cases[id]; ok {
				show(fmt.Sprintf("comparing the platforms %d, %s", pass+1, c.Name), &training.TrainProgress{})
				if err := p.Compare(ctx, c, id, pass); err != nil {
					show("", nil)
					return nil, a.interrupted(ctx, err)
				}
			}
		}
	}
	show("", nil)
	learned, err := p.Fit(host.train, host.test)
	if err != nil {
		return nil, err
	}
	var reports []*trainReport
	for i, l := range learned {
		r := host.report()
		r.Platform, r.Device, r.Seconds = p.Choices()[i], p.Device(), 0
		if i == 0 {
			r.Seconds = p.Spent.Seconds()
		}
		if err := a.finishTraining(r, l, store, f, true); err != nil {
			return nil, err
		}
		reports = append(reports, r)
	}
	return reports, nil
}

// finishTraining completes the report, installs the model and writes the report's page. several says that there are
// reports for several platforms.
func (a *app) finishTraining(r *trainReport, l *training.Learned, store string, f *trainFlags, several bool) error {
	r.Measurements = store
	for _, j := range l.Judged {
		c := trainedReport{Computation: j.Train.Computation, Space: len(j.Train.Variants), HeldOut: j.HeldOut, Ranker: j.Classifier.Machine.Kind(),
			Seconds: j.Classifier.Summary.Seconds, Rejected: j.Rejected, FeatureCost: j.Cost}
		c.Explored, c.Timed = j.Train.Explored()
		for _, again := range j.Repeated() {
			c.Repeated = append(c.Repeated, againReport{again.Name, again.Table, again.Duel})
		}
		for _, s := range j.Classifier.Features {
			c.Features = append(c.Features, s.Name)
		}
		for _, v := range j.Classifier.Variants {
			c.Variants = append(c.Variants, v.String())
		}
		c.Methods = reportMethods(j.Methods)
		r.Computations = append(r.Computations, c)
		r.TrainingSeconds += j.Classifier.Summary.Seconds
	}
	// What tune keeps is the best of its one input by definition: another rank there is noise.
	if lost := fit.Lost(l.Judged); lost != nil && !f.tune {
		r.Installed = false
		r.Why = fmt.Sprintf("for %s its mean regret is %s, and %s of %s is better", lost.What, percent(lost.Model), percent(lost.Other), map[string]string{fit.ByUntrained: "the choice without a model", fit.BySingle: "always the same variant"}[lost.To])
	} else if !f.tune {
		r.NoGain = noGain(l.Judged)
	}
	for _, total := range fit.Totals(l.Judged) {
		tr := totalReport{Kernel: total.Kernel, Computations: total.Computations}
		tr.Methods = reportMethods(total.Methods)
		r.Totals = append(r.Totals, tr)
		at := 0
		for i := range r.Computations {
			if c := &r.Computations[i]; strings.HasPrefix(c.Computation, total.Kernel+".") && c.Computation != total.Kernel+selector.AlgorithmNumber {
				c.Share = total.Shares[at]
				at++
			}
		}
	}
	r.Report = cmp.Or(f.report, filepath.Join(filepath.Dir(store), r.Kernel+"-report.html"))
	if ext := filepath.Ext(r.Report); several {
		r.Report = strings.TrimSuffix(r.Report, ext) + "-" + r.Platform + ext
	}
	html, err := trainingreport.HTML(trainingreport.Page{Kernel: r.Kernel, Hash: r.Hash, Platform: r.Platform, Device: r.Device, Seconds: r.Seconds, Judged: l.Judged, Totals: fit.Totals(l.Judged)})
	if err != nil {
		return err
	}
	if err := writeFile(r.Report, html); err != nil {
		return problem{File: r.Report, Code: "write", What: err.Error(), Fix: "make room, or name another file with --report; no measurement is lost, and no model is installed: run the same command with --replay"}
	}
	if r.Installed || f.force {
		if err := a.install(l, f, r); err != nil {
			return err
		}
	}
	return nil
}

// install writes the model file, whole or not at all.
func (a *app) install(l *training.Learned, f *trainFlags, r *trainReport) error {
	r.Model = cmp.Or(f.output, filepath.Join(a.dir, training.ModelName))
	old, err := training.ReadModelFile(r.Model)
	if err != nil {
		return problem{File: r.Model, Code: "model", What: err.Error()}
	}
	text := old
	for _, m := range l.Models {
		merged, why, err := training.MergeModel(text, m)
		if err != nil {
			return err
		}
		if why != "" {
			a.progress(r.Model + " is replaced: " + why)
		}
		text = merged
	}
	if err := writeFile(r.Model, text); err != nil {
		return problem{File: r.Model, Code: "write", What: err.Error(), Fix: "make room, or name another file with -o; the file that was there is unchanged, and no measurement is lost: run the same command with --replay"}
	}
	r.Installed = true
	return nil
}
