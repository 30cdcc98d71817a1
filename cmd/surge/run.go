package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training"
	"github.com/surge-ndp/surge/training/input"
)

// runFlags are the flags of surge run.
type runFlags struct {
	dataFlags
	variants, out []string
	repeat        int
	plain, verify bool
	explain       bool
	beam          beamFlags
}

func (a *app) runCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run DIR",
		Short: "Run a kernel with the variant that suits its input",
		Long: `run compiles the kernels of the Go package in DIR (once: the result is kept in the cache), binds a
kernel to its input, chooses a variant for each of its computations, runs it and prints what was
chosen and why, the median time, and a checksum of each result. Nothing is written into DIR.

Inputs and what binds to the kernel's parameters come from --data and --bind, or else from surge.yaml
in DIR; see "surge help inputs" for what they take.`,
		Example: `  surge run ./examples/spmv
  surge run ./examples/spmv --data A=web.mtx.gz --verify
  surge run ./examples/spmv --data A=gen:powerlaw:rows=1M,avg=8 --threads 1
  surge run ./examples/spmv --variant 'independent>sequential/num_threads=2'
  surge run ./examples/scan --data S=s.npy --bind tileSize=4096 --out result=sums.npy
  surge run ./kernels -k Dot --bind x='random(1M)' --bind y='random(1M, seed=2)'`,
		Args:              oneDir,
		ValidArgsFunction: directories,
		RunE: func(cmd *cobra.Command, args []string) error {
			a.dir = args[0]
			cfg, err := a.configure(cmd, a.dir)
			if err != nil {
				return err
			}
			if f.beam.target != "" {
				return a.runBeam(cmd.Context(), cmd, cfg, &f)
			}
			if err := onlyBeam(cmd); err != nil {
				return err
			}
			return a.run(cmd.Context(), cmd, cfg, &f)
		},
	}
	f.add(cmd)
	flags := cmd.Flags()
	flags.StringArrayVar(&f.variants, "variant", nil, "force a variant: `ID|TEXT`, TEXT being a canonical text or parts of one; may be given for each computation")
	flags.IntVar(&f.repeat, "repeat", 10, "time `N` runs")
	flags.BoolVar(&f.explain, "explain", false, "print what a trained model weighed: each variant's decision value")
	flags.BoolVar(&f.plain, "plain", false, "time the kernel as plain Go, too, in turn with what was chosen")
	flags.BoolVar(&f.verify, "verify", false, "compare the results with those of the kernel as plain Go")
	flags.StringArrayVar(&f.out, "out", nil, "write a result to a file, `RESULT=FILE`: .npy or .txt")
	f.beam.add(cmd)
	return cmd
}

// The report of surge run, as programs read it.
type (
	runReport struct {
		Kernel      string           `json:"kernel"`
		Position    string           `json:"position"`
		Inputs      []loaded         `json:"inputs"`
		Arguments   []argument       `json:"arguments"`
		Decisions   []decisionReport `json:"decisions"`
		MedianNS    int64            `json:"median_ns"`
		MinNS       int64            `json:"min_ns"`
		MaxNS       int64            `json:"max_ns"`
		Repeat      int              `json:"repeat"`
		Batch       int              `json:"batch"`
		Bytes       int64            `json:"bytes"` // of arguments and results
		GBPerSecond float64          `json:"gb_per_second"`
		Results     []resultReport   `json:"results"`
		PlainNS     int64            `json:"plain_go_ns,omitempty"`
		Plain       *plainReport     `json:"against_plain_go,omitempty"`
		median      time.Duration
	}
	// plainReport are the medians of runs that were timed in turn: of plain Go, of what is bound, of binding and running.
	plainReport struct {
		PlainNS int64 `json:"plain_go_ns"`
		RunNS   int64 `json:"run_ns"`
		CallNS  int64 `json:"call_ns"`
	}
	decisionReport struct {
		Computation string                   `json:"computation"`
		Sequence    string                   `json:"sequence"`
		ID          string                   `json:"id"`
		Variant     string                   `json:"variant"`
		Selector    string                   `json:"selector"`
		Reason      string                   `json:"reason"`
		Features    map[string]harness.Float `json:"features"`
		Ranking     []rankedReport           `json:"ranking,omitempty"`
		decision    exec.Decision
	}
	rankedReport struct {
		ID      string        `json:"id"`
		Variant string        `json:"variant"`
		Value   harness.Float `json:"decision_value"`
	}
	resultReport struct {
		Name     string              `json:"name"`
		Type     string              `json:"type"`
		Checksum harness.Float       `json:"checksum"`
		File     string              `json:"file,omitempty"`
		Compared *harness.Comparison `json:"compared,omitempty"`
	}
)

func (a *app) run(ctx context.Context, cmd *cobra.Command, cfg *kernelConfig, f *runFlags) error {
	if f.repeat < 1 {
		return cfg.wrongFlag(cmd, "repeat", fmt.Sprintf("%d: want at least one run", f.repeat))
	}
	outs, err := split(cmd, "out", f.out, "result=y.npy")
	if err != nil {
		return err
	}
	for _, o := range outs {
		if ext := filepath.Ext(o.Value); ext != ".npy" && ext != ".txt" {
			return usage(cmd, problem{File: o.Value, Code: "format", What: fmt.Sprintf("results are not written as %q", ext), Fix: "use a name that ends in .npy or .txt"})
		}
	}
	p, err := a.prepare(ctx, cmd, cfg, &f.dataFlags, f.variants)
	if err != nil {
		return err
	}
	defer p.session.Close()
	if err := checkOuts(outs, p.kernel); err != nil {
		return err
	}
	res, err := p.bound.Run(ctx, training.RunOptions{Warmup: 1, Repeat: f.repeat, Verify: f.verify, Values: len(outs) > 0})
	if err != nil {
		return err
	}
	r := a.reportRun(p, res)
	if f.plain {
		times, err := p.bound.AgainstPlain(ctx, f.repeat, plainBudget)
		if err != nil {
			return err
		}
		plain, bound, call := times.Medians()
		r.Plain = &plainReport{int64(plain), int64(bound), int64(call)}
	}
	var failed error
	if !res.Verified() {
		wrong := problem{Code: "wrong", What: "the results of " + p.kernel.Name + " differ from those of plain Go by more than the tolerance"}
		if f.unchecked {
			wrong.Fix = "run without --unchecked: the input may be at fault"
		} else {
			wrong.Why = "a variant that reorders floating-point operations differs by rounding, not by this much, unless its operator is not associative"
			wrong.Fix = "if the operators of the kernel are associative, " + a.reportIt()
		}
		if flaws := packageMathFlaws(res.Comparisons); flaws != "" {
			wrong.Why = "package math is wrong for some numbers on this processor, for which lanes and devices give the right value: " + flaws
			wrong.Fix = "run with --variant sequential, which calls package math and agrees with plain Go for such numbers too; if no such number occurs, " + a.reportIt()
		}
		failed = wrong
	}
	if failed == nil {
		for _, o := range outs {
			i := slices.IndexFunc(p.kernel.Results, func(q harness.Param) bool { return q.Name == o.Name })
			if err := input.Write(o.Value, res.Values[i]); err != nil {
				return err
			}
			r.Results[i].File = o.Value
		}
	}
	if a.json {
		if err := a.printJSON(r); err != nil {
			return err
		}
		return failed
	}
	a.printRun(r, f.explain)
	return failed
}

// plainBudget is how long plain Go and what was chosen are timed in turn.
const plainBudget = 10 * time.Second

// checkOuts finds results of --out that the kernel does not have, and places that cannot be written, before anything
// runs.
func checkOuts(outs []input.Entry, k *harness.KernelInfo) error {
	var all []string
	for _, r := range k.Results {
		all = append(all, r.Name)
	}
	for _, o := range outs {
		if !slices.Contains(all, o.Name) {
			p := unknown("unknown-result", "result", o.Name, all)
			p.What = fmt.Sprintf("kernel %s has no result %q", k.Name, o.Name)
			return p
		}
		if info, err := os.Stat(filepath.Dir(o.Value)); err != nil || !info.IsDir() {
			return problem{File: o.Value, Code: "write", What: "the directory " + filepath.Dir(o.Value) + " does not exist", Fix: "make it first"}
		}
	}
	return nil
}

func (a *app) reportRun(p *prepared, res *training.RunResult) *runReport {
	r := &runReport{Kernel: p.kernel.Name, Position: inDir(a.dir, p.kernel.Pos), Inputs: p.inputs, Arguments: p.args,
		Decisions: reportDecisions(p, res.Decisions), median: res.Median(), MinNS: int64(res.Min()), MaxNS: int64(slices.Max(res.Times)),
		Repeat: len(res.Times), Batch: res.Batch, Bytes: res.ArgumentBytes + res.ResultBytes, PlainNS: int64(res.PlainTime)}
	r.MedianNS = int64(r.median)
	if r.median > 0 {
		r.GBPerSecond = float64(r.Bytes) / float64(r.median)
	}
	for i, q := range p.kernel.Results {
		result := resultReport{Name: q.Name, Type: q.Type, Checksum: harness.Float(res.Checksums[i])}
		if i < len(res.Comparisons) {
			result.Compared = &res.Comparisons[i]
		}
		r.Results = append(r.Results, result)
	}
	return r
}

func reportDecisions(p *prepared, decisions []exec.Decision) []decisionReport {
	var all []decisionReport
	for _, d := range decisions {
		if d.Computation == "" { // it did not run, as the loop around it had no turn
			continue
		}
		r := decisionReport{Computation: d.Computation, ID: d.Variant.ID(), Variant: d.Variant.String(), Selector: d.Selector, Reason: d.Reason,
			Features: map[string]harness.Float{}, decision: d}
		for _, f := range d.Features {
			r.Features[f.Name] = harness.Float(f.Value)
		}
		for _, x := range d.Ranking() {
			r.Ranking = append(r.Ranking, rankedReport{x.Variant.ID(), x.Variant.String(), harness.Float(x.Value)})
		}
		if r.Sequence = p.sequence(d.Computation); d.Variant.Equal(selector.OnPlatform(p.kernel.Name, d.Variant.Platform)) {
			r.Sequence = "the platform"
		}
		all = append(all, r)
	}
	return all
}

// sequence returns the expression sequence of a computation of the kernel or of one of its other algorithms.
func (p *prepared) sequence(computation string) string {
	for _, k := range p.session.Describe().Kernels {
		for _, c := range k.Computations {
			if c.Name == computation {
				return c.Sequence
			}
		}
	}
	return ""
}

// printRun prints the report for people: a label, then what belongs to it.
func (a *app) printRun(r *runReport, explain bool) {
	a.printInputs(r.Kernel, r.Position, r.Inputs, r.Arguments)
	for _, d := range r.Decisions {
		a.printf("\n%s  %s\n", d.Computation, d.Sequence)
		t := newColumns("", "")
		t.row("variant", d.ID+"  "+d.Variant)
		t.row("chosen", "by the "+d.Selector+" selector: "+d.Reason)
		if d.Selector == "forced" {
			t.rows[len(t.rows)-1][1] = d.Reason
		}
		if text := features(d.decision); text != "" {
			t.row("features", text)
		}
		for i, x := range d.Ranking {
			if explain {
				t.row(first(i, "ranking"), fmt.Sprintf("%d. %s  decision value %.3f  %s", i+1, x.ID, float64(x.Value), short(d.decision.Ranking()[i].Variant)))
			}
		}
		t.print(a.out, "  ")
	}
	a.printf("\n")
	t := newColumns("", "")
	runs := plural(r.Repeat, "run")
	if r.Batch > 1 {
		runs += " of " + count(r.Batch) + " each"
	}
	t.row("time", fmt.Sprintf("%s  median of %s (%s to %s)", duration(r.median), runs, duration(time.Duration(r.MinNS)), duration(time.Duration(r.MaxNS))))
	if r.GBPerSecond > 0 {
		t.row("rate", fmt.Sprintf("%s GB/s  (%s of arguments and results)", digits(r.GBPerSecond), size(r.Bytes)))
	}
	for _, q := range r.Results {
		text := fmt.Sprintf("%s %s  checksum %.17g", q.Name, q.Type, float64(q.Checksum))
		if q.File != "" {
			text += "  written to " + q.File
		}
		t.row("result", text)
	}
	for _, q := range r.Results {
		if q.Compared != nil {
			t.row("verify", comparison(q.Compared))
		}
	}
	if p := r.Plain; p != nil {
		text := fmt.Sprintf("%s; bound %s, bound and run %s, timed in turn, each with new results", duration(time.Duration(p.PlainNS)), duration(time.Duration(p.RunNS)), duration(time.Duration(p.CallNS)))
		t.row("plain Go", text)
	} else if r.PlainNS > 0 {
		text := duration(time.Duration(r.PlainNS))
		if r.median > 0 {
			text += "  (" + digits(float64(r.PlainNS)/float64(r.MedianNS)) + " times as long)"
		}
		t.row("plain Go", text)
	}
	t.print(a.out, "")
}

func (a *app) printInputs(kernel, position string, inputs []loaded, args []argument) {
	a.printf("kernel  %s  (%s)\n", kernel, position)
	for i, in := range inputs {
		a.printf("%-6s  %s = %s: %s\n", first(i, "data"), in.Name, in.Spec, in.What)
	}
	t := newColumns("", "", "", "")
	for i, arg := range args {
		t.row(fmt.Sprintf("%-6s", first(i, "inputs")), arg.Name, arg.Value, arg.Expr)
	}
	t.print(a.out, "")
}

// first is the label of a list, which stands at its first line only.
func first(i int, label string) string {
	if i > 0 {
		return ""
	}
	return label
}

func features(d exec.Decision) string {
	var parts []string
	for _, f := range d.Features {
		text := strconv.FormatFloat(f.Value, 'g', 4, 64)
		if f.Value == math.Trunc(f.Value) && math.Abs(f.Value) < 1<<53 {
			text = count(int64(f.Value))
		}
		parts = append(parts, strings.TrimSpace(fmt.Sprintf("%s = %s %s", f.Name, text, f.Unit)))
	}
	return strings.Join(parts, ", ")
}

// packageMathFlaws says what package math gets wrong that may be why results differ, "" if nothing.
func packageMathFlaws(cs []harness.Comparison) string {
	for _, c := range cs {
		if c.Flaws != "" {
			return c.Flaws
		}
	}
	return ""
}

// comparison says how a result compares with plain Go's.
func comparison(c *harness.Comparison) string {
	text := c.Result + " agrees with plain Go"
	if !c.OK {
		text = c.Result + " DIFFERS from plain Go"
		if c.First >= 0 {
			text += fmt.Sprintf(" in %s of %s elements, first at %d: %s, want %s", count(c.Bad), count(c.Count), c.First, c.Got, c.Want)
		} else {
			text += fmt.Sprintf(": %s, want %s", c.Got, c.Want)
		}
	}
	return fmt.Sprintf("%s: largest error %.2g absolute, %.2g relative (tolerance: %s)", text, float64(c.MaxAbsolute), float64(c.MaxRelative), c.Rule)
}
