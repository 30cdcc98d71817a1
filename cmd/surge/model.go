package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training"
	"github.com/surge-ndp/surge/training/input"
)

// noModel is the --model that stands for none.
const noModel = "none"

// modelFile reads a model file: the one that is named, or the one where surge train puts it, if it is there. What is
// wrong with the latter is a warning. There is no text if no models are used.
func (a *app) modelFile(name string) (path string, text []byte, models []*selector.Model, err error) {
	none := func(err error) (string, []byte, []*selector.Model, error) { return path, nil, nil, err }
	path = name
	switch name {
	case noModel:
		return none(nil)
	case "":
		path = filepath.Join(a.dir, training.ModelName)
	}
	text, err = training.ReadModelFile(path)
	if err == nil && text == nil {
		if name == "" {
			return none(nil)
		}
		return none(problem{File: path, Code: "model", What: "there is no such model file", Fix: "surge train " + a.dir + " -o " + path})
	}
	if err == nil {
		models, err = selector.ParseModels(text)
	}
	switch {
	case err != nil && name == "":
		a.progress(path + " is not used: " + err.Error())
		return none(nil)
	case err != nil:
		return none(brokenModel(path, err))
	}
	return path, text, models, nil
}

// useModel hands a model file to the harness.
func (a *app) useModel(ctx context.Context, session *training.Session, name string) error {
	path, text, models, err := a.modelFile(name)
	if err != nil || text == nil {
		return err
	}
	notes, err := session.UseModel(ctx, text)
	if err != nil {
		return err
	}
	why := map[string][]string{}
	for _, kernel := range slices.Sorted(maps.Keys(notes)) {
		why[notes[kernel]] = append(why[notes[kernel]], kernel)
	}
	for _, note := range slices.Sorted(maps.Keys(why)) {
		a.progress(fmt.Sprintf("%s is not used for %s: %s", path, joinAnd(why[note]), note))
	}
	a.sayForeign(path, models, session.Describe().Kernels)
	return nil
}

// brokenModel is the error for a model file that is used as surge train wrote it, or not at all.
func brokenModel(path string, err error) error {
	return problem{File: path, Code: "model", What: err.Error(), Why: "a model file is used as surge train wrote it, or not at all", Fix: "train again; --replay does without measuring"}
}

// sayForeign says that a model file is of other kernels than all of a package.
func (a *app) sayForeign(path string, models []*selector.Model, kernels []harness.KernelInfo) {
	var of, have []string
	for _, k := range kernels {
		have = append(have, k.Name)
	}
	for _, m := range models {
		if slices.Contains(have, m.Kernel) {
			return
		}
		of = append(of, m.Kernel)
	}
	slices.Sort(of)
	a.progress(fmt.Sprintf("%s is not used: it is for %s, and %s has %s", path, joinAnd(slices.Compact(of)), a.dir, joinAnd(have)))
}

// choosable reports whether the model file has a model that chooses the platform.
func (a *app) choosable(name string) bool {
	if name == noModel || a.platform != platformAuto {
		return false
	}
	text, err := training.ReadModelFile(cmp.Or(name, filepath.Join(a.dir, training.ModelName)))
	if err != nil || text == nil {
		return false
	}
	models, err := selector.ParseModels(text) // what is wrong with it is said where it is used
	return err == nil && slices.ContainsFunc(models, func(m *selector.Model) bool { return m.Platform == selector.PlatformChoice })
}

func joinAnd(names []string) string {
	text := ""
	for i, name := range names {
		switch {
		case i == 0:
		case i == len(names)-1:
			text += " and "
		default:
			text += ", "
		}
		text += name
	}
	return text
}

func (a *app) modelCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "model",
		Short: "Look at a trained model",
		Long:  `model shows or checks a model file that surge train wrote. It is text; do not edit it: it has a checksum.`,
		Args:  a.noSuchCommand,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(&cobra.Command{
		Use:     "show FILE",
		Short:   "Print what a model file holds; of a directory, its " + training.ModelName,
		Example: "  surge model show examples/spmv/" + training.ModelName,
		Args:    oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := a.configure(cmd, ""); err != nil {
				return err
			}
			models, err := readModels(args[0])
			if err != nil {
				return err
			}
			return a.showModels(models)
		},
	}, &cobra.Command{
		Use:   "check FILE [DIR]",
		Short: "Say whether a model file is in order, and whether it fits a package's kernels and this machine",
		Example: `  surge model check examples/spmv/surge.model
  surge model check examples/spmv/surge.model ./examples/spmv`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 {
				return nil
			}
			return oneFile(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := a.configure(cmd, ""); err != nil {
				return err
			}
			models, err := readModels(args[0])
			if err != nil {
				return err
			}
			path := args[0]
			if info, err := os.Stat(path); err == nil && info.IsDir() {
				path, args = filepath.Join(path, training.ModelName), append(args, path)
			}
			switch {
			case len(args) > 1:
				a.dir = args[1]
				return a.checkModels(cmd.Context(), path, models)
			case a.json:
				return a.printJSON(checkReport{File: path, Models: len(models)})
			}
			a.printf("%s is in order: %s\n", path, plural(len(models), "model"))
			return nil
		},
	})
	return cmd
}

// oneFile demands exactly one argument, a file.
func oneFile(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usage(cmd, problem{Code: "usage", What: fmt.Sprintf("one file is wanted, and there are %d arguments", len(args)), Fix: "name it, for example: " + cmd.CommandPath() + " " + training.ModelName})
	}
	return nil
}

func readModels(path string) ([]*selector.Model, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, training.ModelName)
	}
	text, err := input.ReadFile(path, training.MaxModelBytes)
	if err != nil {
		return nil, problem{File: path, Code: "model", What: "this model file cannot be read: " + err.Error(), Fix: "check the path; surge train writes model files"}
	}
	models, err := selector.ParseModels(text)
	if err != nil {
		return nil, brokenModel(path, err)
	}
	return models, nil
}

func (a *app) showModels(models []*selector.Model) error {
	if a.json {
		return a.printJSON(models)
	}
	for i, m := range models {
		if i > 0 {
			a.printf("\n")
		}
		a.printf("kernel %s  hash %s\nplatform %s  %s\n", m.Kernel, m.Hash, m.Platform, m.Device)
		for _, c := range m.Computations {
			s := c.Summary
			a.printf("\n%s  trained on %s, judged on %s, %s measured; mean regret %s, worst %s; without the model %s\n", c.Computation, plural(s.Inputs, "input"), count(s.Tests),
				plural(s.Measured, "variant"), percent(s.Regret), percent(s.Worst), percent(s.Untrained))
			t := newColumns("", "", "")
			for _, f := range c.Features {
				scale := "linear"
				if f.Log {
					scale = "logarithmic"
				}
				t.row("feature", f.Name, fmt.Sprintf("%.4g to %.4g %s, %s", f.Low, f.High, f.Unit, scale))
			}
			for _, v := range c.Variants {
				t.row("variant", v.ID(), short(v))
			}
			t.row("ranker", c.Machine.Kind(), c.Machine.Describe())
			for _, l := range c.Leaves() {
				t.row("leaf", l.Variant.ID(), cmp.Or(l.Where, "all inputs"))
			}
			t.row("from", "", fmt.Sprintf("%.1f s of runs, measurements %s", s.Seconds, s.Measurements))
			t.print(a.out, "  ")
		}
	}
	return nil
}

// checkReport is what surge model check prints.
type checkReport struct {
	File    string        `json:"file"`
	Models  int           `json:"models"`
	Kernels []fittedModel `json:"kernels,omitempty"`
}

// fittedModel says whether a kernel of the package is run by one of the models on a platform.
type fittedModel struct {
	Kernel   string `json:"kernel"`
	Platform string `json:"platform"`
	Used     bool   `json:"used"`
	Why      string `json:"why_not,omitempty"` // "" where it has no model
}

// checkModels says for each kernel of the package whether one of the models is used.
func (a *app) checkModels(ctx context.Context, path string, models []*selector.Model) error {
	platforms := []string{selector.Host}
	if slices.ContainsFunc(models, func(m *selector.Model) bool { return m.Platform != selector.Host }) {
		platforms = readyPlatforms()
	}
	session, err := training.Open(ctx, a.dir, training.Options{CacheDir: a.cache, NoSIMD: a.noSIMD, Platforms: platforms, Progress: a.progress})
	if err != nil {
		return err
	}
	defer session.Close()
	r := checkReport{File: path, Models: len(models)}
	fits := 0
	for _, m := range session.Fits(models) {
		if m.Used {
			fits++
		}
		r.Kernels = append(r.Kernels, fittedModel(m))
	}
	if err := a.printCheck(&r); err != nil {
		return err
	}
	if fits == 0 {
		return problem{File: path, Code: "model", What: "none of its models fits " + a.dir + " on this machine", Fix: "surge train " + a.dir}
	}
	return nil
}

func (a *app) printCheck(r *checkReport) error {
	if a.json {
		return a.printJSON(r)
	}
	t := newColumns("", "", "")
	for _, k := range r.Kernels {
		switch {
		case k.Used:
			t.row(k.Kernel, k.Platform, "the model is used")
		case k.Why != "":
			t.row(k.Kernel, k.Platform, "not used: "+k.Why)
		default:
			t.row(k.Kernel, k.Platform, "has no model here")
		}
	}
	t.print(a.out, "")
	return nil
}

// tuneCommand is training with one input.
func (a *app) tuneCommand() *cobra.Command {
	var f trainFlags
	cmd := &cobra.Command{
		Use:   "tune DIR",
		Short: "Find the best variant for one input, now, and use it from then on",
		Long: `tune measures every variant of a kernel on one input, that of surge.yaml or of --data, and stores the best as a
model that chooses it always. It is surge train with a single input: for several kinds of inputs, train.`,
		Example: `  surge tune ./examples/spmv
  surge tune ./examples/spmv --data A=web.mtx.gz -o web.model
  surge tune ./examples/spmv --dry-run`,
		Args:              oneDir,
		ValidArgsFunction: directories,
		RunE: func(cmd *cobra.Command, args []string) error {
			a.dir = args[0]
			cfg, err := a.configure(cmd, a.dir, "budget")
			if err != nil {
				return err
			}
			data, err := split(cmd, "data", f.data, "A=web.mtx")
			if err != nil {
				return err
			}
			// The one input: what run would take. It is judged on itself, so it cannot lose by much.
			cfg.Train, f.data, f.samples = trainConfig{}, nil, 1
			cfg.Data = input.Merge(cfg.Data, data)
			f.tune, f.features = true, "none" // one input tells nothing apart
			return a.train(cmd.Context(), cmd, cfg, &f)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.kernel, "kernel", "k", "", "take the kernel `NAME`, where the package has several")
	flags.StringArrayVar(&f.data, "data", nil, "the input, `NAME=SPEC`")
	flags.StringArrayVar(&f.bind, "bind", nil, "what a parameter is, `PARAM=EXPR`")
	flags.DurationVar(&f.budget, "budget", 0, "measure for at most this `TIME`, such as 30s")
	flags.StringVarP(&f.output, "output", "o", "", "write the model to this `FILE` (default "+training.ModelName+" in DIR)")
	flags.IntVar(&f.threads, "threads", 0, "use at most `N` threads (default all cores)")
	flags.BoolVar(&f.dryRun, "dry-run", false, "say what would be measured and how long it would take, and do nothing")
	flags.BoolVar(&f.force, "force", false, "replace a model that was trained on several inputs")
	return cmd
}
