package main

import (
	"fmt"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"
)

// shortStudies are five programs, with inputs that are few and small enough for some ten minutes.
func shortStudies() []study {
	spmv := study{dir: "./examples/spmv", kernel: "SpMV", samples: 8, tests: 4}
	for _, family := range []string{"powerlaw:rows=30..5e4,avg=2..60,exponent=0.7..3", "scattered:rows=30..5e4,avg=2..60", "banded:rows=30..5e4,half=1..30"} {
		spmv.data, spmv.test = append(spmv.data, "A=gen:"+family), append(spmv.test, "A=gen:"+family)
	}
	kmeans := kMeans("2000")
	kmeans.samples, kmeans.tests = 16, 8
	return append([]study{spmv, kmeans}, suiteStudies(20, 10)...)
}

// kMeans has few and many points, dimensions and clusters.
func kMeans(points string) study {
	return study{dir: "./examples/kmeans", kernel: "Step",
		bind: []string{"count=100.." + points, "d=2..32", "k=2..48", "points=uniform(count*d, seed=5)", "centroids=uniform(k*d, seed=6)"}}
}

// suiteStudies are three programs of bench/suite, whose sizes say in more ways than one what is parallel: products of
// matrices from flat to deep, pictures that are flat or narrow and take few turns or many, and grids of few long rows
// or of many short ones.
func suiteStudies(samples, tests int) []study {
	of := func(dir, kernel string, bind ...string) study {
		return study{dir: "./bench/suite/" + dir, kernel: kernel, bind: bind, samples: samples, tests: tests}
	}
	return []study{
		of("parboil", "SGEMM", "m=1..200", "n=1..200", "k=1..2000", "a=uniform(m*k)", "b=uniform(k*n)", "c=uniform(m*n)", "alpha=1.5", "beta=0.5"),
		of("accelerate", "Mandelbrot", "width=1..800", "height=1..400", "limit=5..200", "left=-2", "top=-1", "right=1", "bottom=1"),
		of("rodinia", "HotSpot", "width=3..1000", "height=3..400", "temperature=uniform(width*height)", "power=uniform(width*height)", "steps=2..10"),
	}
}

// rankers is the table of what each kind of ranker is worth on the same inputs, and what it takes: thresholds are there
// twice, learned from the measurements of all variants, and from a few runs of each path.
type rankers struct{ table.Writer }

func newRankers() rankers {
	t := table.NewWriter()
	t.AppendHeader(table.Row{"computation", "inputs", "svm", "worst", "tree", "worst", "threshold", "worst", "few runs", "worst", "untrained", "worst", "all variants", "time", "paths", "time", "part"})
	return rankers{t}
}

// add adds a row for each computation that matters, and one for all of them together. few is training by few runs.
func (t rankers) add(full, few *outcome) {
	inputs := fmt.Sprintf("%d / %d", full.TrainInputs, full.TestInputs)
	row := func(name string, own, short []method) table.Row {
		row := table.Row{name, inputs}
		for _, ranker := range []string{"svm", "tree", "threshold"} {
			m := methodOf(own, ranker)
			row = append(row, m.mean(), percent(m.Worst))
		}
		m, untrained := methodOf(short, "model"), methodOf(own, "untrained")
		return append(row, m.mean(), percent(m.Worst), untrained.mean(), percent(untrained.Worst))
	}
	whole, paths := 0.0, 0.0
	for i, c := range full.Computations {
		short := few.Computations[i]
		whole, paths = whole+c.Seconds, paths+short.Seconds
		if !full.shows(i) {
			continue
		}
		cells := row(c.Computation, c.Methods, short.Methods)
		if c.Seconds > 0 { // what is compared as a whole has no runs of its own
			cells = append(cells, fmt.Sprintf("%.0f", c.Explored), fmt.Sprintf("%.1f s", c.Seconds),
				fmt.Sprintf("%.0f", short.Explored), fmt.Sprintf("%.1f s", short.Seconds), percent(short.Seconds/c.Seconds))
		}
		t.AppendRow(cells)
	}
	for i, total := range full.Totals {
		t.AppendRow(append(row(fmt.Sprintf("%s, all %d", total.Kernel, total.Computations), total.Methods, few.Totals[i].Methods), "", fmt.Sprintf("%.1f s", whole), "",
			fmt.Sprintf("%.1f s", paths), percent(paths/whole)))
	}
	t.AppendSeparator()
}

// rankersNote says what the columns are.
const rankersNote = "Mean regret ± standard error, and the worst, on the same inputs that were not learned from, of the kinds of rankers. svm, tree and threshold are learned from\n" +
	"measurements of all variants; few runs are thresholds learned from a few runs of one variant of each path, taken from the same measurements. all variants and\n" +
	"paths are how many variants were tried on an input to learn from on average, with the time that it took on all of them; of what svm and tree need, the comparison of what\n" +
	"matters is not counted, which thresholds by few runs do without.\n"

func methodOf(methods []method, name string) method {
	at := slices.IndexFunc(methods, func(m method) bool { return m.Name == name })
	if at < 0 {
		return method{}
	}
	return methods[at]
}
