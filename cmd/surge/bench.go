package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
	"github.com/surge-ndp/surge/training"
)

// benchFlags are the flags of surge bench.
type benchFlags struct {
	dataFlags
	variants      []string
	rounds, limit int
	budget        time.Duration
	csv           string
	noVerify      bool
	resident      bool
}

func (a *app) benchCommand() *cobra.Command {
	var f benchFlags
	cmd := &cobra.Command{
		Use:   "bench DIR",
		Short: "Measure every variant of a kernel on an input",
		Long: `bench runs every valid variant of a kernel on one input and prints them by time, the fastest first,
with the one that surge run would choose. The variants take turns, round after round, so that a machine
that is slow for a while is slow for all of them; each is compared with plain Go before it is timed.
Those that are not near the best are dropped early: their times are of fewer rounds and stand below.
At the end the chosen variant runs against the best one, in turns.

Where a kernel is a chain of computations, the variant of one computation is varied while the others
run what is chosen for them: there is a table for each, and times are those of the whole kernel.

Ctrl-C prints what was measured until then.

See "surge help inputs" for what --data and --bind take.`,
		Example: `  surge bench ./examples/spmv
  surge bench ./examples/spmv --data A=web.mtx.gz --csv spmv.csv
  surge bench ./examples/spmv --variant vector_width_2=8 --limit 10
  surge bench ./examples/scan --variant Scan.2 --budget 30s`,
		Args:              oneDir,
		ValidArgsFunction: directories,
		RunE: func(cmd *cobra.Command, args []string) error {
			a.dir = args[0]
			// The variants of surge.yaml are those to run.
			cfg, err := a.configure(cmd, a.dir, "variant")
			if err != nil {
				return err
			}
			return a.bench(cmd.Context(), cmd, cfg, &f)
		},
	}
	f.add(cmd)
	flags := cmd.Flags()
	flags.StringArrayVar(&f.variants, "variant", nil, "measure only variants that agree with `TEXT`: a computation, a schedule, settings, …")
	flags.IntVar(&f.rounds, "rounds", 5, "give each variant `N` turns")
	flags.IntVar(&f.limit, "limit", 20, "print `N` rows of each table, 0 for all")
	flags.DurationVar(&f.budget, "budget", 0, "stop after this `TIME`, such as 30s, and print what was measured: the chosen variant in any case")
	flags.StringVar(&f.csv, "csv", "", "write all measurements to this `FILE`")
	flags.BoolVar(&f.resident, "resident", false, "leave arrays on the device between runs: times without copies")
	flags.BoolVar(&f.noVerify, "no-verify", false, "do not compare each variant with plain Go first")
	return cmd
}

// benchRow is the measurement of a variant, as programs read it.
type benchRow struct {
	Rank        int     `json:"rank,omitempty"`
	Computation string  `json:"computation"`
	ID          string  `json:"id"`
	Variant     string  `json:"variant"`
	Status      string  `json:"status"`
	Reason      string  `json:"reason,omitempty"`
	MedianNS    int64   `json:"median_ns,omitempty"`
	MinNS       int64   `json:"min_ns,omitempty"`
	Runs        int     `json:"runs"`
	Ratio       float64 `json:"ratio_to_best,omitempty"`
	Chosen      bool    `json:"chosen,omitempty"`
	Best        bool    `json:"best,omitempty"`
	v           selector.Variant
}

// duelReport is the chosen variant against the best one, measured in turns.
type duelReport struct {
	Computation string  `json:"computation"`
	ChosenNS    int64   `json:"chosen_ns"`
	BestNS      int64   `json:"best_ns"`
	Ratio       float64 `json:"ratio"`
}

// benchReport is what surge bench prints.
type benchReport struct {
	others     []decisionReport // computations of algorithms that were not chosen: no decision was made for them
	Kernel     string           `json:"kernel"`
	Position   string           `json:"position"`
	Inputs     []loaded         `json:"inputs"`
	Arguments  []argument       `json:"arguments"`
	Decisions  []decisionReport `json:"decisions"`
	Complete   bool             `json:"complete"`
	Variants   int              `json:"variants"`
	Rows       []benchRow       `json:"measurements"`
	Duels      []duelReport     `json:"chosen_against_best,omitempty"`
	SecondsRun float64          `json:"seconds"`
}

func (a *app) bench(ctx context.Context, cmd *cobra.Command, cfg *kernelConfig, f *benchFlags) error {
	switch {
	case f.rounds < 1:
		return cfg.wrongFlag(cmd, "rounds", fmt.Sprintf("%d: want at least one", f.rounds))
	case f.limit < 0:
		return cfg.wrongFlag(cmd, "limit", fmt.Sprintf("%v: want no less than 0", f.limit))
	case f.budget < 0:
		return cfg.wrongFlag(cmd, "budget", fmt.Sprintf("%v: want no less than 0", f.budget))
	}
	if f.csv != "" {
		if err := checkWritable(f.csv, "--csv"); err != nil {
			return err
		}
	}
	p, err := a.prepare(ctx, cmd, cfg, &f.dataFlags, nil)
	if err != nil {
		return err
	}
	defer p.session.Close()
	// What would be chosen, and whether the kernel runs at all.
	res, err := p.bound.Run(ctx, training.RunOptions{})
	if err != nil {
		return err
	}
	variants, err := p.session.Variants(ctx, p.kernel.Name)
	if err != nil {
		return err
	}
	if f.threads > 0 {
		variants = slices.DeleteFunc(variants, func(v selector.Variant) bool { return param.NumThreads.Or(v.Policy, 0, 1) > f.threads })
	}
	if variants, err = filter(f.variants, variants, p.session.Describe().GOMAXPROCS); err != nil {
		return err
	}
	for _, d := range res.Decisions {
		// What is chosen is measured even where it is not among the measured points of the space.
		if len(f.variants) == 0 && !slices.ContainsFunc(variants, d.Variant.Equal) {
			variants = append(variants, d.Variant)
		}
	}
	r := &benchReport{Kernel: p.kernel.Name, Position: inDir(a.dir, p.kernel.Pos), Inputs: p.inputs, Arguments: p.args,
		Decisions: reportDecisions(p, res.Decisions), Variants: len(variants)}
	for _, v := range variants { // of other algorithms
		if r.order(v.Computation) < 0 {
			r.others = append(r.others, decisionReport{Computation: v.Computation, Sequence: p.sequence(v.Computation)})
		}
	}
	if !a.json {
		a.printInputs(r.Kernel, r.Position, r.Inputs, r.Arguments)
	}
	start := time.Now()
	measured, ended, err := a.measure(ctx, p.bound, variants, f)
	if err != nil {
		return err
	}
	r.Complete = ended == nil
	r.rank(measured)
	if r.Complete {
		if err := a.duel(ctx, p.bound, r, f); err != nil {
			if ended = ctx.Err(); ended == nil {
				return err
			}
		}
	}
	r.SecondsRun = time.Since(start).Seconds()
	if f.csv != "" {
		if err := training.WriteFile(f.csv, r.csv()); err != nil {
			return problem{File: f.csv, Code: "write", What: err.Error()}
		}
	}
	if a.json {
		if err := a.printJSON(r); err != nil {
			return err
		}
	} else {
		a.printBench(r, f)
	}
	if errors.Is(ended, context.Canceled) {
		return ended
	}
	return nil
}

// measure runs the bench. When it is interrupted or out of time it returns what there is, and the reason as ended.
func (a *app) measure(ctx context.Context, bound *training.Bound, variants []selector.Variant, f *benchFlags) (_ []training.Measurement, ended, err error) {
	show := a.benchProgress(len(variants), f.rounds)
	all, err := bound.Bench(ctx, training.BenchOptions{Variants: variants, Rounds: f.rounds, NoVerify: f.noVerify, Resident: f.resident, Budget: f.budget,
		Progress: func(p training.BenchProgress) { show(&p) }})
	show(nil)
	if ended = ctx.Err(); ended == nil && errors.Is(err, context.DeadlineExceeded) {
		ended = err
	}
	if ended != nil {
		return all, ended, nil
	}
	return all, nil, err
}

// duel measures the chosen variant of each computation against the best one, in turns: in the table the chosen one may
// have been dropped early, at another time of the machine.
func (a *app) duel(ctx context.Context, bound *training.Bound, r *benchReport, f *benchFlags) error {
	for _, d := range r.Decisions {
		var pair []selector.Variant
		for _, b := range r.Rows {
			if b.Computation == d.Computation && b.Chosen != b.Best {
				pair = append(pair, b.v)
			}
		}
		if len(pair) != 2 {
			continue
		}
		measured, err := bound.Bench(ctx, training.BenchOptions{Variants: pair, Rounds: max(f.rounds, 7), NoVerify: true, Resident: f.resident, Hopeless: math.MaxInt32})
		if err != nil {
			return err
		}
		best, chosen := measured[0], measured[1]
		if pair[0].String() == d.Variant {
			best, chosen = chosen, best
		}
		if best.Median > 0 && chosen.Median > 0 {
			r.Duels = append(r.Duels, duelReport{d.Computation, int64(chosen.Median), int64(best.Median), float64(chosen.Median) / float64(best.Median)})
		}
	}
	return nil
}

// benchProgress shows how far a bench is: a bar on a terminal, a line now and then elsewhere. A nil state ends it.
func (a *app) benchProgress(variants, rounds int) func(*training.BenchProgress) {
	if terminalWidth(a.err) > 0 {
		bar := progressbar.NewOptions(variants*rounds, progressbar.OptionSetWriter(a.err), progressbar.OptionSetWidth(30),
			progressbar.OptionShowCount(), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
		return func(p *training.BenchProgress) {
			if p == nil {
				_ = bar.Finish()
				return
			}
			bar.ChangeMax(max(p.Total, p.Done, 1))
			text := fmt.Sprintf("round %d of %d", p.Round, p.Rounds)
			if p.Best != nil {
				text += ", best " + duration(p.Best.Median)
			}
			bar.Describe(text)
			_ = bar.Set(p.Done)
		}
	}
	told := time.Now()
	return func(p *training.BenchProgress) {
		if p == nil || p.Best == nil || time.Since(told) < 5*time.Second {
			return
		}
		told = time.Now()
		a.progress(fmt.Sprintf("round %d of %d, %s of %s measurements, best %s", p.Round, p.Rounds, count(p.Done), count(p.Total), duration(p.Best.Median)))
	}
}

// rank sorts the measurements of each computation: first those that were measured to the end, by time, then those that
// were dropped, whose few times are of other rounds, then those that failed. What was not reached is left out.
func (r *benchReport) rank(measured []training.Measurement) {
	chosen := map[string]bool{}
	for _, d := range r.Decisions {
		chosen[d.Variant] = true
	}
	for _, m := range measured {
		if m.Median == 0 && m.Status == training.Dropped && len(m.Times) == 0 && !r.Complete {
			continue
		}
		text := m.Variant.String()
		r.Rows = append(r.Rows, benchRow{Computation: m.Variant.Computation, ID: m.Variant.ID(), Variant: text, Status: string(m.Status), Reason: m.Reason,
			MedianNS: int64(m.Median), MinNS: int64(m.Min), Runs: len(m.Times), Chosen: chosen[text], v: m.Variant})
	}
	class := func(b benchRow) int {
		switch {
		case b.Status == string(training.Failed):
			return 3
		case b.MedianNS == 0:
			return 2
		case b.Status == string(training.Dropped) && r.Complete:
			return 1
		}
		return 0
	}
	slices.SortStableFunc(r.Rows, func(x, y benchRow) int {
		return cmp.Or(r.order(x.Computation)-r.order(y.Computation), class(x)-class(y), cmp.Compare(x.MedianNS, y.MedianNS))
	})
	best := map[string]int64{}
	rank := map[string]int{}
	for i := range r.Rows {
		row := &r.Rows[i]
		if class(*row) > 1 {
			continue
		}
		if best[row.Computation] == 0 {
			best[row.Computation], row.Best = row.MedianNS, true
		}
		rank[row.Computation]++
		row.Rank = rank[row.Computation]
		row.Ratio = float64(row.MedianNS) / float64(best[row.Computation])
	}
}

// order is the place of a computation in the report, -1 if it has none: first those of the algorithm that was chosen.
func (r *benchReport) order(computation string) int {
	return slices.IndexFunc(r.computations(), func(d decisionReport) bool { return d.Computation == computation })
}

func (r *benchReport) computations() []decisionReport {
	return append(slices.Clip(r.Decisions), r.others...)
}

func (r *benchReport) csv() []byte {
	var buf bytes.Buffer
	w := csv.NewWriter(&buf)
	_ = w.Write([]string{"computation", "rank", "id", "status", "median_ns", "min_ns", "runs", "ratio_to_best", "chosen", "best", "variant", "reason"})
	for _, b := range r.Rows {
		_ = w.Write([]string{b.Computation, strconv.Itoa(b.Rank), b.ID, b.Status, strconv.FormatInt(b.MedianNS, 10), strconv.FormatInt(b.MinNS, 10),
			strconv.Itoa(b.Runs), strconv.FormatFloat(b.Ratio, 'f', 4, 64), strconv.FormatBool(b.Chosen), strconv.FormatBool(b.Best), b.Variant, b.Reason})
	}
	w.Flush()
	return buf.Bytes()
}

func (a *app) printBench(r *benchReport, f *benchFlags) {
	for _, d := range r.computations() {
		var rows []benchRow
		for _, b := range r.Rows {
			if b.Computation == d.Computation {
				rows = append(rows, b)
			}
		}
		if len(rows) > 0 {
			a.printf("\n")
			a.printComputation(d, rows, f.limit)
			for _, duel := range r.Duels {
				if duel.Computation == d.Computation {
					a.printf("  chosen against best, in turns: %s / %s = %.2f\n", duration(time.Duration(duel.ChosenNS)), duration(time.Duration(duel.BestNS)), duel.Ratio)
				}
			}
		}
	}
	a.printf("\n%s of %s measured in %.1f s", count(len(r.Rows)), plural(r.Variants, "variant"), r.SecondsRun)
	if !r.Complete {
		a.printf("; it ended early: times may be of a single run")
	}
	a.printf("\n")
	if f.csv != "" {
		a.printf("all measurements are in %s\n", f.csv)
	}
}

func (a *app) printComputation(d decisionReport, rows []benchRow, limit int) {
	states := map[string]int{}
	var reasons []string
	for _, b := range rows {
		states[b.Status]++
		if b.Status == string(training.Failed) && !slices.Contains(reasons, b.Reason) {
			reasons = append(reasons, b.Reason)
		}
	}
	a.printf("%s  %s: %s", d.Computation, d.Sequence, plural(len(rows), "variant"))
	if n := states[string(training.Dropped)]; n > 0 {
		a.printf(", %s dropped early", count(n))
	}
	if n := states[string(training.Failed)]; n > 0 {
		a.printf(", %s FAILED", count(n))
	}
	a.printf("\n")
	for _, reason := range reasons {
		a.printf("  failed: %s\n", strings.ReplaceAll(reason, "\n", " "))
	}
	t := newColumns(">#", ">time", ">ratio", "", "id", "variant")
	hidden := 0
	for i, b := range rows {
		if limit > 0 && i >= limit && !b.Chosen {
			hidden++
			continue
		}
		rank, elapsed, ratio := "-", "-", "-"
		if b.Rank > 0 {
			rank, elapsed, ratio = strconv.Itoa(b.Rank), duration(time.Duration(b.MedianNS)), strconv.FormatFloat(b.Ratio, 'f', 2, 64)
		}
		var marks []string
		if b.Best {
			marks = append(marks, "best")
		}
		if b.Chosen {
			marks = append(marks, "chosen")
		}
		if b.Status != string(training.OK) {
			marks = append(marks, b.Status)
		}
		t.row(rank, elapsed, ratio, strings.Join(marks, " "), b.ID, short(b.v))
	}
	t.print(a.out, "  ")
	if hidden > 0 {
		a.printf("  … %s more: --limit 0 shows all\n", count(hidden))
	}
}

// short is a variant without what all variants of a table have in common.
func short(v selector.Variant) string {
	return strings.TrimPrefix(v.String(), v.Computation+"/"+v.Form+"/")
}
