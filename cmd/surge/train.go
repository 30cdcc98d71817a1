package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/surge-ndp/surge/ops/load"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training"
	"github.com/surge-ndp/surge/training/fit"
	"github.com/surge-ndp/surge/training/input"
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
	tune             bool // the input of surge run is the only one
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
clearly better on inputs that it has not seen, in cross-validation. --method says which. --method threshold compares
degrees of parallelism with thresholds, as surge inspect --thresholds shows: it is tuned with a few runs of one variant
for each way to use threads and lanes, which takes a small part of the time, and decides for inputs of any size.

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
  surge train ./examples/spmv --budget 5m --active
  surge train ./examples/spmv --data A=gen:uniform:rows=1e2..1e6,per_row=2..60 --method threshold`,
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
	flags.StringVar(&f.ranker, "method", "", "learn a model of this `KIND`: svm, tree or threshold (default svm or tree, whichever is better in cross-validation)")
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
		return cfg.wrongFlag(cmd, "method", fmt.Sprintf("%q: want %s", f.ranker, strings.Join(kinds, " or ")))
	}
	if err := fit.Available(f.ranker); err != nil {
		return problem{Code: "no-solver", What: "this surge cannot train: " + err.Error(),
			Fix: "--method tree needs none; or CGO_ENABLED=1 go install github.com/surge-ndp/surge/cmd/surge@latest"}
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
	if !f.dryRun {
		if err := a.checkOutputs(f); err != nil {
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
	params, err := session.Inputs(kernel)
	if err != nil {
		return err
	}
	if err := cfg.checkTrain(f, params, train); err != nil {
		return err
	}
	p := training.Plan{Session: session, Kernel: kernel.Name, Platforms: platforms, Features: featureNames(f.features), Ranker: f.ranker, Threads: f.threads,
		Search: f.active, Budget: f.budget, CompareSearch: f.compareSearch, Replay: f.replay, Force: f.force, Single: f.tune,
		Measurements: f.measurements, Model: a.modelPath(f), Say: a.progress, Progress: a.trainStages()}
	read := input.Options{Cache: a.inputCache()}
	for _, c := range train {
		p.Learn = append(p.Learn, training.CaseOf(params, c, read))
	}
	for _, c := range test {
		p.Judge = append(p.Judge, training.CaseOf(params, c, read))
	}
	if f.dryRun {
		return a.dryRun(ctx, p)
	}
	p.Finish = func(t *training.Trained) error { return writePage(t, f) }
	r, err := training.Train(ctx, p)
	if err != nil {
		if ctx.Err() != nil {
			a.progress("what was measured is kept: the same command continues")
		}
		return err
	}
	var reports []*trainReport
	for _, t := range r.Trained {
		reports = append(reports, reportTraining(t, f))
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

// modelPath is the file that the model is installed in.
func (a *app) modelPath(f *trainFlags) string {
	return cmp.Or(f.output, filepath.Join(a.dir, training.ModelName))
}

// featureNames are the names that --features lists, nil where it leaves them to training.
func featureNames(text string) []string {
	switch text {
	case "auto":
		return nil
	case "none":
		return []string{}
	}
	return strings.Split(text, ",")
}

// dryRun says what would be measured and what that would take.
func (a *app) dryRun(ctx context.Context, p training.Plan) error {
	all, err := training.Estimates(ctx, p)
	if err != nil {
		return err
	}
	for _, e := range all {
		a.printf("%s: %s to learn from, %s to judge by, %s of the search space\n", e.Kernel, plural(e.Learn, "input"), plural(e.Judge, "input"), plural(e.Variants, "variant"))
		a.printf("%s measured already\n", plural(e.Known, "input"))
		if e.Measure > 0 {
			a.printf("%s to measure: about %s (%s)\n", plural(e.Measure, "input"), duration(e.Time), e.About)
		}
	}
	return nil
}

// checkOutputs refuses to write the model or the report in the place of something else, before anything is measured.
func (a *app) checkOutputs(f *trainFlags) error {
	model, measurements := a.modelPath(f), f.measurements
	if len(measurements) == 0 {
		path, err := training.MeasurementsPath(a.cache, a.dir)
		if err != nil {
			return err
		}
		measurements = []string{path}
	}
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
