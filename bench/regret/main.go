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
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/selector"
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

// study is a kernel with the inputs to learn from and those to judge by.
type study struct {
	dir, kernel string
	data, test  []string
	bind        []string
	samples     int // of ranges, to learn from
	tests       int // to judge by
}

func studies(o options) ([]study, error) {
	if o.short {
		return shortStudies(), nil
	}
	spmv := study{dir: "./examples/spmv", kernel: "SpMV", samples: max(o.samples/4, 1), tests: max(o.tests/4, 1)}
	most := "1e5"
	if o.long {
		most = "5e5"
	}
	// Rows of random lengths, few of them very long, in no order and more or less in order of their lengths; rows of
	// random lengths around one; neighbours on lines; equal rows.
	rows := ":rows=30.." + most
	for _, family := range []string{"powerlaw" + rows + ",avg=2..60,exponent=0.7..3", "powerlaw" + rows + ",avg=2..60,exponent=0.7..3,sorted=0..1",
		"scattered" + rows + ",avg=2..60", "banded" + rows + ",half=1..30", "uniform" + rows + ",per_row=2..60"} {
		spmv.data, spmv.test = append(spmv.data, "A=gen:"+family), append(spmv.test, "A=gen:"+family)
	}
	if o.mtx != "" {
		train, test, err := split(o.mtx, o.files)
		if err != nil {
			return nil, err
		}
		spmv.data, spmv.test = append(spmv.data, train...), append(spmv.test, test...)
	}
	flat := func(dir, kernel, most string, bind ...string) study {
		if o.long {
			most = "1e7"
		}
		data := []string{"S=gen:uniform:n=1e3.." + most + ",seed=11"}
		return study{dir: dir, kernel: kernel, data: data, test: data, bind: bind, samples: o.samples, tests: o.tests}
	}
	points := "2000"
	if o.long {
		points = "200000"
	}
	all := []study{spmv, flat("./examples/reduction", "Reduction", "4e6", "tileSize=64..1Mi"), flat("./examples/scan", "Scan", "1e6", "tileSize=64..1Mi")}
	all[1].samples += o.samples / 2
	if o.long {
		all = append(all, flat("./examples/reduction", "Sum", "4e6"))
	}
	if _, err := os.Stat("examples/comd"); err == nil {
		cells := "64"
		if o.long {
			cells = "1728"
		}
		// Crystals of some sizes, from few to many atoms a cell, of which few or most are near enough to count: what is
		// better, direct or redistributed, depends on that.
		comd := study{dir: "./examples/comd", kernel: "LennardJones", samples: max(o.samples/3, 1), tests: o.tests,
			bind: []string{"cells=27.." + cells, "per=2..24", "cutoff=3.0..9.0", "atoms=per*cells", "cell=range(atoms, each=per)", "start=range(cells+1, step=per)"}}
		all = append(all, comd)
	}
	kmeans := kMeans(points)
	kmeans.samples, kmeans.tests = max(o.samples/2, 1), o.tests
	return append(append(all, kmeans), suiteStudies(max(o.samples/2, 1), o.tests)...), nil
}

// named returns the studies of kernels whose names contain only.
func named(all []study, only string) ([]study, error) {
	var names []string
	chosen := slices.DeleteFunc(slices.Clone(all), func(s study) bool {
		names = append(names, s.kernel)
		return !strings.Contains(s.kernel, only)
	})
	if len(chosen) == 0 {
		return nil, fmt.Errorf("no kernel's name contains %q: there are %s", only, strings.Join(names, ", "))
	}
	return chosen, nil
}

// split takes files from a folder, evenly over their sizes, and deals them out.
func split(dir string, n int) (train, test []string, err error) {
	type file struct {
		path string
		size int64
	}
	var all []file
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(strings.TrimSuffix(path, ".gz"), ".mtx") {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		size := info.Size()
		if strings.HasSuffix(path, ".gz") {
			size *= 4 // about what they are unpacked
		}
		all = append(all, file{path, size})
		return nil
	})
	if err == nil && len(all) < 2 {
		err = fmt.Errorf("%s has %d files .mtx or .mtx.gz, and some are learned from and others judged by", dir, len(all))
	}
	if err != nil {
		return nil, nil, err
	}
	slices.SortFunc(all, func(a, b file) int { return cmp.Or(cmp.Compare(a.size, b.size), strings.Compare(a.path, b.path)) })
	n = min(n, len(all))
	for i := range n {
		spec := "A=" + all[len(all)-1-i*len(all)/n].path
		if i%3 != 1 {
			train = append(train, spec)
		} else {
			test = append(test, spec)
		}
	}
	return train, test, nil
}

// method is how well a way to choose does.
type method struct {
	Name  string  `json:"name"`
	Mean  float64 `json:"mean_regret"`
	Worst float64 `json:"worst_regret"`
	Right int     `json:"within_noise"`
	// Standard errors, NaN where they are not known.
	MeanError  harness.Float `json:"mean_error"`
	WorstError harness.Float `json:"worst_error"`
}

// mean and worst are the regrets with their standard errors.
func (m method) mean() string  { return uncertain(m.Mean, m.MeanError) }
func (m method) worst() string { return uncertain(m.Worst, m.WorstError) }

func uncertain(x float64, e harness.Float) string {
	if !(e > 0) {
		return percent(x)
	}
	return fmt.Sprintf("%.1f ± %s", 100*x, percent(float64(e)))
}

// outcome is the part of what surge train --json prints that is shown.
type outcome struct {
	TrainInputs  int     `json:"training_inputs"`
	TestInputs   int     `json:"test_inputs"`
	Seconds      float64 `json:"training_seconds"`
	Part         float64 `json:"search_part"`
	Installed    bool    `json:"installed"`
	Why          string  `json:"why_not"`
	Report       string  `json:"report"`
	Overlap      int     `json:"overlap"`
	Model        string  `json:"model"`
	Computations []struct {
		Computation string   `json:"computation"`
		Features    []string `json:"features"`
		Cost        float64  `json:"feature_cost"`
		Space       int      `json:"space"`
		Explored    float64  `json:"explored"`
		Variants    []string `json:"variants"`
		Ranker      string   `json:"ranker"`
		Share       float64  `json:"share"`
		Seconds     float64  `json:"seconds"`
		Methods     []method `json:"methods"`
		Repeated    []struct {
			Table float64 `json:"table_regret"`
			Duel  float64 `json:"regret"`
		} `json:"compared_again"`
	} `json:"computations"`
	Totals []struct {
		Kernel       string   `json:"kernel"`
		Computations int      `json:"computations"`
		Methods      []method `json:"methods"`
	} `json:"totals"`
}

// shows reports whether a computation has a row of its own.
func (o *outcome) shows(i int) bool {
	c := &o.Computations[i]
	return len(o.Totals) == 0 || c.Share >= leastShare || strings.HasSuffix(c.Computation, ".0")
}

// leastShare is the part of a kernel's time below which a computation has no row of its own.
const leastShare = 0.05

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

func percent(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) }

// rows adds a row for each computation that matters, and one for all of them together.
func (s *study) rows(t table.Writer, full, searched *outcome) error {
	decisions, err := decisionTimes(full.Model)
	if err != nil {
		return err
	}
	of := methodOf
	others := func(methods []method) []any {
		var cells []any
		for _, name := range []string{"svm", "tree", "threshold", "untrained", "single best", "1-nearest neighbour", "oracle among the model's"} {
			cells = append(cells, percent(of(methods, name).Mean))
		}
		return cells
	}
	inputs := fmt.Sprintf("%d / %d", full.TrainInputs, full.TestInputs)
	within := func(m method) string { return fmt.Sprintf("%d of %d", m.Right, full.TestInputs) }
	for i, c := range full.Computations {
		if !full.shows(i) {
			continue
		}
		m, found := of(c.Methods, "model"), of(searched.Computations[i].Methods, "model")
		again := "–"
		if n := len(c.Repeated); n > 0 {
			before, after := 0.0, 0.0
			for _, r := range c.Repeated {
				before += r.Table / float64(n)
				after += r.Duel / float64(n)
			}
			again = fmt.Sprintf("%d: %s → %s", n, percent(before), percent(after))
		}
		features := strings.Join(c.Features, ", ")
		if c.Cost > 0 {
			features += " (" + percent(c.Cost) + ")"
		}
		row := table.Row{c.Computation, features, inputs, c.Space, len(c.Variants), c.Ranker, m.mean(), m.worst(), within(m), again}
		row = append(row, others(c.Methods)...)
		part := searched.Part
		t.AppendRow(append(row, fmt.Sprintf("%.0f s", c.Seconds), fmt.Sprintf("%.0f ns", decisions[c.Computation]), percent(part), found.mean(), found.worst()))
	}
	for i, total := range full.Totals {
		m, found := of(total.Methods, "model"), of(searched.Totals[i].Methods, "model")
		row := table.Row{fmt.Sprintf("%s, all %d", total.Kernel, total.Computations), "", inputs, "", "", "", m.mean(), m.worst(), within(m), ""}
		row = append(row, others(total.Methods)...)
		t.AppendRow(append(row, fmt.Sprintf("%.0f s", full.Seconds), "", percent(searched.Part), found.mean(), found.worst()))
	}
	t.AppendSeparator()
	return nil
}

// decisionTimes returns for each computation of a model file what a decision takes that is not remembered, in
// nanoseconds.
func decisionTimes(path string) (map[string]float64, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	models, err := selector.ParseModels(text)
	if err != nil {
		return nil, err
	}
	times := map[string]float64{}
	for _, m := range models {
		for _, c := range m.Computations {
			var features []selector.Feature
			for _, f := range c.Features {
				features = append(features, selector.Feature{Name: f.Name, Unit: f.Unit, Value: (f.Low + f.High) / 2})
			}
			least := math.Inf(1)
			for range 100 {
				const n = 200
				time.Sleep(2 * time.Millisecond) // so that not all of it falls into one slow moment of the machine
				start := time.Now()
				for range n {
					if _, ok := c.Decide(features); !ok {
						return nil, fmt.Errorf("%s does not decide between its training inputs: %s", c.Computation, c.Refusal(features))
					}
				}
				least = min(least, float64(time.Since(start))/n)
			}
			times[c.Computation] = least
		}
	}
	return times, nil
}

// train runs surge train on the study.
func (s *study) train(ctx context.Context, surge, dir string, extra ...string) (*outcome, error) {
	name := s.kernel
	if slices.Contains(extra, "--active") {
		name += "-search"
	}
	if slices.Contains(extra, "--method") {
		name += "-paths"
	}
	args := []string{"train", s.dir, "-k", s.kernel, "--json", "--samples", fmt.Sprint(s.samples), "--test-samples", fmt.Sprint(s.tests), "--measurements", filepath.Join(dir, s.kernel+".jsonl"),
		"-o", filepath.Join(dir, name+".model"), "--report", filepath.Join(dir, name+".html")}
	for _, d := range s.data {
		args = append(args, "--data", d)
	}
	for _, d := range s.test {
		args = append(args, "--test", d)
	}
	for _, b := range s.bind {
		args = append(args, "--bind", b)
	}
	cmd := exec.CommandContext(ctx, surge, append(args, extra...)...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	var stdout bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("surge train %s -k %s: %w", s.dir, s.kernel, err)
	}
	var o outcome
	if err := json.Unmarshal(stdout.Bytes(), &o); err != nil {
		return nil, fmt.Errorf("surge train %s --json: %w", s.dir, err)
	}
	return &o, nil
}
