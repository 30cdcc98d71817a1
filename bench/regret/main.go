// Regret measures how well trained models choose on inputs that they have not seen, and what training costs: the
// table of Surge section 6.1 (Table VII: features, inputs, size of the space, variants), with the mean and the worst
// regret against exhaustive measurement, for the model, for each kind of ranker that it could be, for the choice
// without one, and for always the same variant; and what a decision takes.
//
// For each kernel it runs surge train on one set of inputs and judges on another, and then replays the training with
// a search instead of exhaustion: what part of the measuring time that takes, and what its model is worth on the same
// inputs. A second table compares the kinds of rankers, and thresholds that are tuned by a few runs of each path.
//
//	go run ./bench/regret -mtx ../shared/data/mtx
//	go run ./bench/regret -short
//
// With -short there are fewer and smaller inputs of five programs, for some ten minutes.
//
// Without -mtx, SpMV is trained on generated matrices only. The whole table takes some forty minutes; -limit says how
// long at most, and what is not done by then has no row. With -long there are more and larger inputs. Measurements
// are kept in -dir, so that an interrupted run continues where it was, and a finished one only prints its table
// again.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
)

// options are the flags.
type options struct {
	mtx, only, dir, out   string
	files, samples, tests int
	long, short           bool
	limit                 time.Duration
}

func main() {
	var o options
	flag.StringVar(&o.mtx, "mtx", "", "folder of Matrix Market files: two thirds of those that are taken are learned from, the others judged by")
	flag.IntVar(&o.files, "files", 0, "take this many of them, spread evenly over their sizes (default 54, with -long 90)")
	flag.IntVar(&o.samples, "samples", 0, "samples of the generated inputs to learn from; of SpMV a quarter of that for each of five families, of Reduction, which is quick, half as many more, of the larger kernels a half or a third (default 108, with -long 216)")
	flag.IntVar(&o.tests, "tests", 24, "samples of the generated inputs to judge by; of SpMV a quarter of that for each family")
	flag.StringVar(&o.only, "only", "", "only kernels whose name contains this")
	flag.StringVar(&o.dir, "dir", "", "keep measurements, models and reports here (default regret in the user's cache directory)")
	flag.StringVar(&o.out, "o", "", "also write the table to this file, as Markdown")
	flag.BoolVar(&o.short, "short", false, "five programs with few and small inputs, for some ten minutes")
	flag.BoolVar(&o.long, "long", false, "more and larger inputs, and no limit unless -limit says one: hours")
	flag.DurationVar(&o.limit, "limit", time.Hour, "end after this time, with the rows that there are by then")
	flag.Parse()
	set := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { set[f.Name] = true })
	if o.long && !set["limit"] {
		o.limit = 24 * time.Hour
	}
	if o.files < 0 || o.files == 1 || o.samples < 0 || o.samples == 1 || o.tests < 2 {
		fmt.Fprintln(os.Stderr, "regret: -files, -samples and -tests want at least 2: some to learn from, others to judge by")
		os.Exit(2)
	}
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "regret: %q is no flag, and there are no other arguments\n", flag.Arg(0))
		os.Exit(2)
	}
	if o.short && (o.long || o.mtx != "") {
		fmt.Fprintln(os.Stderr, "regret: -short takes its inputs from generators, neither -long nor -mtx")
		os.Exit(2)
	}
	if o.files == 0 {
		o.files = map[bool]int{false: 54, true: 90}[o.long]
	}
	if o.samples == 0 {
		o.samples = map[bool]int{false: 108, true: 216}[o.long]
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "regret:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	begin := time.Now()
	if o.dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		if o.dir = filepath.Join(cache, "surge", "regret"); o.short {
			o.dir += "-short"
		}
	}
	if err := os.MkdirAll(o.dir, 0o777); err != nil {
		return err
	}
	surge := filepath.Join(o.dir, "surge")
	if text, err := exec.CommandContext(ctx, "go", "build", "-o", surge, "./cmd/surge").CombinedOutput(); err != nil {
		return fmt.Errorf("go build ./cmd/surge: %w\n%s", err, text)
	}
	all, err := studies(o)
	if err != nil {
		return err
	}
	if all, err = named(all, o.only); err != nil {
		return err
	}
	t := table.NewWriter()
	t.AppendHeader(table.Row{"computation", "features", "inputs", "space", "variants", "ranker", "regret", "worst", "within 2 %", "compared again", "svm", "tree", "threshold", "untrained", "single", "1-NN", "oracle of model's", "training", "decision", "search: time", "regret", "worst"})
	kinds := newRankers()
	limited, cancel := context.WithDeadline(ctx, begin.Add(o.limit))
	defer cancel()
	for _, s := range all {
		if limited.Err() != nil {
			fmt.Fprintf(os.Stderr, "%s: not begun\n", s.kernel)
			continue
		}
		start := time.Now()
		fmt.Fprintf(os.Stderr, "%s: training (%s so far)\n", s.kernel, start.Sub(begin).Round(time.Second))
		full, err := s.train(limited, surge, o.dir, "--force", "--compare-search")
		var searched *outcome
		if err == nil {
			searched, err = s.train(limited, surge, o.dir, "--replay", "--active", "--force")
		}
		var few *outcome
		if err == nil {
			few, err = s.train(limited, surge, o.dir, "--replay", "--active", "--force", "--method", "threshold")
		}
		if limited.Err() != nil {
			fmt.Fprintf(os.Stderr, "%s: not done within %s; the same command continues\n", s.kernel, time.Since(begin).Round(time.Second))
			continue
		}
		if err != nil {
			return err
		}
		if full.Overlap > 0 {
			return fmt.Errorf("%s: %d inputs to judge by are also learned from: their regret says nothing", s.kernel, full.Overlap)
		}
		if err := s.rows(t, full, searched); err != nil {
			return err
		}
		kinds.add(full, few)
		if full.Why != "" {
			fmt.Fprintf(os.Stderr, "%s: the model would not be installed: %s\n", s.kernel, full.Why)
		}
		fmt.Fprintf(os.Stderr, "%s: done in %s; report in %s\n", s.kernel, time.Since(start).Round(time.Second), full.Report)
	}
	fmt.Println(t.Render())
	fmt.Printf("%s in all. Regret is the chosen variant's time over the best one's, less 1, on inputs that were not learned from,\n"+
		"± its standard error: of the mean over the inputs, of the worst over the passes that it was measured in. Choices that look more than 5 %% worse than the best\n"+
		"are compared again with it, head to head, and that counts: the column says how many, and their mean regret before and after. training is the measuring time\n"+
		"for the inputs to learn from; search is training that measures a part of the variants, its time as a part of that; the comparison of what then matters, which both need, is not counted.\n", time.Since(begin).Round(time.Second))
	fmt.Println(kinds.Render())
	fmt.Print(rankersNote)
	if o.out != "" {
		return os.WriteFile(o.out, []byte(t.RenderMarkdown()+"\n\n"+kinds.RenderMarkdown()+"\n"), 0o666)
	}
	return nil
}
