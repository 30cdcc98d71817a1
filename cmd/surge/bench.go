package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/selector"
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
	r := &benchReport{Kernel: p.kernel.Name, Position: inDir(a.dir, p.kernel.Pos), Inputs: p.inputs, Arguments: p.args}
	show := a.benchProgress()
	report, ended := training.Bench(ctx, training.BenchPlan{Bound: p.bound, Variants: f.variants, Rounds: f.rounds, NoVerify: f.noVerify, Resident: f.resident, Budget: f.budget,
		Begin: func([]exec.Decision) {
			if !a.json {
				a.printInputs(r.Kernel, r.Position, r.Inputs, r.Arguments)
			}
		},
		Progress: func(p training.BenchProgress) { show(&p) }})
	show(nil)
	if report == nil {
		return ended
	}
	r.fill(p, report)
	// What was measured is printed, too, if the file cannot be written.
	written := ""
	if f.csv != "" {
		if err := training.WriteFile(f.csv, r.csv()); err == nil {
			written = f.csv
		} else if ended == nil {
			ended = problem{File: f.csv, Code: "write", What: err.Error(), Fix: "make room, or name another file with --csv"}
		}
	}
	if a.json {
		if err := a.printJSON(r); err != nil {
			return err
		}
	} else {
		a.printBench(r, f.limit, written)
	}
	return ended
}

// fill takes what was measured into the report.
func (r *benchReport) fill(p *prepared, of *training.BenchReport) {
	r.Decisions, r.Variants, r.Complete, r.SecondsRun = reportDecisions(p, of.Decisions), of.Variants, of.Complete, of.Time.Seconds()
	for _, m := range of.Ranked {
		v := m.Variant
		if !slices.ContainsFunc(r.computations(), func(d decisionReport) bool { return d.Computation == v.Computation }) {
			r.others = append(r.others, decisionReport{Computation: v.Computation, Sequence: p.sequence(v.Computation)}) // of another algorithm
		}
		r.Rows = append(r.Rows, benchRow{Rank: m.Rank, Computation: v.Computation, ID: v.ID(), Variant: v.String(), Status: string(m.Status), Reason: m.Reason,
			MedianNS: int64(m.Median), MinNS: int64(m.Min), Runs: len(m.Times), Ratio: m.Ratio, Chosen: m.Chosen, Best: m.Best, v: v})
	}
	for _, d := range of.Duels {
		r.Duels = append(r.Duels, duelReport{d.Computation, int64(d.Chosen), int64(d.Best), float64(d.Chosen) / float64(d.Best)})
	}
}

// benchProgress shows how far a bench is: a bar on a terminal, a line now and then elsewhere. A nil state ends it.
func (a *app) benchProgress() func(*training.BenchProgress) {
	if terminalWidth(a.err) > 0 {
		bar := progressbar.NewOptions(1, progressbar.OptionSetWriter(a.err), progressbar.OptionSetWidth(30),
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

// printBench prints tables of at most limit rows, and which file has all of them.
func (a *app) printBench(r *benchReport, limit int, csv string) {
	for _, d := range r.computations() {
		var rows []benchRow
		for _, b := range r.Rows {
			if b.Computation == d.Computation {
				rows = append(rows, b)
			}
		}
		if len(rows) > 0 {
			a.printf("\n")
			a.printComputation(d, rows, limit)
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
	if csv != "" {
		a.printf("all measurements are in %s\n", csv)
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
	return strings.TrimPrefix(strings.TrimPrefix(v.String(), v.Computation+"/"), selector.Nest+"/")
}
