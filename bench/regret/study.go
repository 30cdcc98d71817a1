package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

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
