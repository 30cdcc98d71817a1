// Regret measures how well trained models choose on inputs that they have not seen, and what training costs: the table
// of Surge section 6.1 (features, inputs, size of the space, variants), with the mean and the worst regret against
// exhaustive measurement, for the model, for the choice without one, and for always the same variant.
//
// For each kernel it runs surge train on one set of inputs and judges on another, and then replays the training with a
// search instead of exhaustion: what part of the measuring time that takes, and what its model is worth on the same inputs.
//
//	go run ./bench/regret -mtx ../shared/data/mtx
//
// Without -mtx, SpMV is trained on generated matrices only. Measurements are kept in -dir, so that an interrupted run
// continues where it was.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
)

func main() {
	mtx := flag.String("mtx", "", "folder of Matrix Market files: half of those that are taken are learned from, half judged by")
	files := flag.Int("files", 36, "take this many of them, spread evenly over their sizes")
	samples := flag.Int("samples", 24, "samples of each generated family of reduction and scan, for learning and again for judging; a third of it for each family of matrices")
	only := flag.String("only", "", "only kernels whose name contains this")
	dir := flag.String("dir", "", "keep measurements, models and reports here (default regret in the user's cache directory)")
	out := flag.String("o", "", "also write the table to this file, as Markdown")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *mtx, *files, *samples, *only, *dir, *out); err != nil {
		fmt.Fprintln(os.Stderr, "regret:", err)
		os.Exit(1)
	}
}

// study is a kernel with the inputs to learn from and those to judge by.
type study struct {
	dir, kernel string
	data, test  []string
	bind        []string
	samples     int
}

func studies(mtx string, files, samples int) ([]study, error) {
	spmv := study{dir: "./examples/spmv", kernel: "SpMV", samples: max(samples/3, 1)}
	for _, family := range []string{"gen:powerlaw:rows=1e3..1e5,avg=2..100", "gen:banded:rows=1e3..5e5,half=1..30", "gen:uniform:rows=1e3..1e5,per_row=2..150"} {
		spmv.data, spmv.test = append(spmv.data, "A="+family), append(spmv.test, "A="+family)
	}
	if mtx != "" {
		train, test, err := split(mtx, files)
		if err != nil {
			return nil, err
		}
		spmv.data, spmv.test = append(spmv.data, train...), append(spmv.test, test...)
	}
	flat := func(dir, kernel string, bind ...string) study {
		data := []string{"S=gen:uniform:n=1e3..4e6,seed=11"}
		return study{dir: dir, kernel: kernel, data: data, test: data, bind: bind, samples: samples}
	}
	return []study{spmv,
		flat("./examples/reduction", "Reduction", "tileSize=64..1Mi"), flat("./examples/reduction", "Sum"),
		flat("./examples/scan", "Scan", "tileSize=64..1Mi")}, nil
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
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("%s has no .mtx files", dir)
	}
	if err != nil {
		return nil, nil, err
	}
	slices.SortFunc(all, func(a, b file) int { return cmp.Or(cmp.Compare(a.size, b.size), strings.Compare(a.path, b.path)) })
	n = min(n, len(all))
	for i := range n {
		spec := "A=" + all[len(all)-1-i*len(all)/n].path
		if i%2 == 0 {
			train = append(train, spec)
		} else {
			test = append(test, spec)
		}
	}
	return train, test, nil
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
	Computations []struct {
		Computation string   `json:"computation"`
		Features    []string `json:"features"`
		Space       int      `json:"space"`
		Variants    []string `json:"variants"`
		Methods     []struct {
			Name  string  `json:"name"`
			Mean  float64 `json:"mean_regret"`
			Worst float64 `json:"worst_regret"`
			Right int     `json:"within_noise"`
		} `json:"methods"`
	} `json:"computations"`
}

func run(ctx context.Context, mtx string, files, samples int, only, dir, out string) error {
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		dir = filepath.Join(cache, "surge", "regret")
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	surge := filepath.Join(dir, "surge")
	if text, err := exec.CommandContext(ctx, "go", "build", "-o", surge, "./cmd/surge").CombinedOutput(); err != nil {
		return fmt.Errorf("go build ./cmd/surge: %w\n%s", err, text)
	}
	all, err := studies(mtx, files, samples)
	if err != nil {
		return err
	}
	t := table.NewWriter()
	t.AppendHeader(table.Row{"computation", "features", "inputs", "space", "variants", "regret", "worst", "within 2 %", "untrained", "single", "oracle of model's", "training", "search: time", "regret", "worst"})
	for _, s := range all {
		if !strings.Contains(s.kernel, only) {
			continue
		}
		full, err := s.train(ctx, surge, dir)
		if err != nil {
			return err
		}
		searched, err := s.train(ctx, surge, dir, "--replay", "--active", "--force")
		if err != nil {
			return err
		}
		for i, c := range full.Computations {
			method := func(name string) (mean, worst string, right int) {
				for _, m := range c.Methods {
					if m.Name == name {
						return percent(m.Mean), percent(m.Worst), m.Right
					}
				}
				return "–", "–", 0
			}
			mean, worst, right := method("svm")
			untrained, _, _ := method("untrained")
			single, _, _ := method("single best")
			among, _, _ := method("oracle among the model's")
			x := searched.Computations[i].Methods[0]
			t.AppendRow(table.Row{c.Computation, strings.Join(c.Features, ", "), fmt.Sprintf("%d / %d", full.TrainInputs, full.TestInputs), c.Space, len(c.Variants),
				mean, worst, fmt.Sprintf("%d of %d", right, full.TestInputs), untrained, single, among, fmt.Sprintf("%.0f s", full.Seconds), percent(searched.Part), percent(x.Mean), percent(x.Worst)})
		}
		if !full.Installed {
			fmt.Fprintf(os.Stderr, "%s: the model would not be installed: %s\n", s.kernel, full.Why)
		}
		fmt.Fprintf(os.Stderr, "%s: report in %s\n", s.kernel, full.Report)
	}
	fmt.Println(t.Render())
	if out != "" {
		return os.WriteFile(out, []byte(t.RenderMarkdown()+"\n"), 0o666)
	}
	return nil
}

func percent(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) }

// train runs surge train on the study.
func (s *study) train(ctx context.Context, surge, dir string, extra ...string) (*outcome, error) {
	name := s.kernel
	if len(extra) > 0 {
		name += "-search"
	}
	args := []string{"train", s.dir, "-k", s.kernel, "--json", "--samples", fmt.Sprint(s.samples), "--measurements", filepath.Join(dir, s.kernel+".jsonl"),
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
