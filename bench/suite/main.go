// Suite runs the programs of the literature on nested data parallelism: those of Rodinia, Parboil, FinPar and
// Accelerate, and three applications. Each is a kernel as one would write it in Go, with data sets of at least two
// shapes. All results are compared with plain Go's, and all times taken in turns.
//
//	GOEXPERIMENT=simd go run ./bench/suite -o docs/measurements/suite.md
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/internal/agree"
	"github.com/surge-ndp/surge/internal/agree/drive"
)

const folder = "bench/suite"

// packages are the folders of programs.
var packages = []string{"rodinia", "parboil", "finpar", "accelerate", "applications"}

func main() {
	log.SetFlags(0)
	only := flag.String("only", "", "run the programs of this list only, separated by commas")
	platforms := flag.String("platforms", "goroutine,openmp", "platforms to run on, goroutine first")
	search := flag.Duration("search", 5*time.Second, "try other variants on goroutines for so long a set")
	file := flag.String("o", "", "write the table to this file")
	note := flag.String("note", "", "what has to be said of the machine")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *only, strings.Split(*platforms, ","), *search, *file, *note); err != nil {
		log.Fatal(err)
	}
}

// row is a program with what was found of it.
type row struct {
	pkg, kernel, refused string
	results              []drive.Result
}

func run(ctx context.Context, only string, platforms []string, search time.Duration, file, note string) error {
	var rows []row
	for _, pkg := range packages {
		names, err := kernels(filepath.Join(folder, pkg))
		if err != nil {
			return err
		}
		for _, name := range names {
			if only != "" && !slices.Contains(strings.Split(only, ","), name) {
				continue
			}
			if ctx.Err() != nil {
				break // what was measured is printed
			}
			log.Print(pkg, " ", name)
			r := row{pkg: pkg, kernel: name}
			r.results, err = measure(ctx, pkg, name, names, platforms, search)
			if err != nil {
				r.refused, _, _ = strings.Cut(err.Error(), "\n")
				log.Print("  ", err)
			}
			rows = append(rows, r)
		}
	}
	if ctx.Err() != nil {
		file = ""
	}
	text := table(rows, platforms, note)
	if file == "" {
		fmt.Print(text)
		return nil
	}
	return os.WriteFile(file, []byte(text), 0o666)
}

// measure compiles one kernel of a package and runs it on its sets.
func measure(ctx context.Context, pkg, name string, names, platforms []string, search time.Duration) ([]drive.Result, error) {
	without := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == name })
	p, err := agree.Compile(ctx, filepath.Join(folder, pkg), agree.Options{Platform: platforms[0], Also: platforms[1:], Without: without, AllVectors: true})
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "surge-suite")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	return agree.Suite(ctx, p, platforms, search, dir)
}

var marked = regexp.MustCompile(`(?m)^//surge:kernel\n(?://.*\n)*func (\w+)`)

// kernels are the names of the kernels in a folder.
func kernels(dir string) (names []string, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, m := range marked.FindAllStringSubmatch(string(text), -1) {
			names = append(names, m[1])
		}
	}
	if len(names) == 0 {
		return nil, errors.New("no kernels in " + dir + ": run this in the root of the module")
	}
	return names, nil
}

const head = `# The programs of the literature

Each program of [bench/suite](../../bench/suite) as one would write it in Go, on its data sets: plain Go's time, which
is one thread's, and how many times as fast runs of what is bound are that the choice without training takes, with all
threads, on each platform; "best" is the fastest of these runs on goroutines and of those of other variants, as many as
were tried in the time that the search had. Medians of up to seven turns, in which all take their turn; plain Go that
takes longer than a second has one. Results are compared with plain Go's. Made by
%[1]s.

Measured on %[2]s, %[3]d cores, %[4]s, %[5]s, GOEXPERIMENT=%[6]s.%[7]s

%[8]s`

func table(rows []row, platforms []string, note string) string {
	var sb strings.Builder
	fmt.Fprintf(&sb, "| program | set | plain Go | %s | best | variants of the best |\n|%s\n", strings.Join(platforms, " | "), strings.Repeat(" --- |", len(platforms)+5))
	logs, counts := make([]float64, len(platforms)), make([]int, len(platforms))
	for _, r := range rows {
		if r.refused != "" {
			fmt.Fprintf(&sb, "| %s %s | | no result: %s |%s\n", r.pkg, r.kernel, cell(r.refused), strings.Repeat(" |", len(platforms)+2))
		}
		for _, t := range r.results {
			fmt.Fprintf(&sb, "| %s %s | %s | %s |", r.pkg, r.kernel, t.Set, duration(t.Plain))
			for i, p := range t.Platforms {
				if p.Failed != "" {
					fmt.Fprintf(&sb, " %s |", cell(p.Failed))
					continue
				}
				fmt.Fprintf(&sb, " %.2f |", t.Plain/p.Time)
				logs[i] += math.Log(t.Plain / p.Time)
				counts[i]++
			}
			fmt.Fprintf(&sb, " %.2f | %s |\n", t.Plain/t.Best, cell(strings.Join(t.Variants, "; ")))
		}
	}
	means := "Geometric means:"
	for i, p := range platforms {
		means += fmt.Sprintf(" %s %.2f over %d sets,", p, math.Exp(logs[i]/float64(max(counts[i], 1))), counts[i])
	}
	for _, p := range platforms {
		if t := codegen.Target(p); t != nil {
			for _, o := range t.Here(true).Offers {
				note = strings.TrimSpace(note + " " + o.Name + ": " + o.What + ".")
			}
		}
	}
	if note != "" {
		note = " " + note
	}
	command := "`GOEXPERIMENT=simd go run ./bench/suite`"
	return fmt.Sprintf(head, command, time.Now().Format(time.DateOnly), runtime.NumCPU(), runtime.GOARCH, runtime.Version(), cmp.Or(os.Getenv("GOEXPERIMENT"), "none"),
		note, strings.TrimSuffix(means, ",")+".\n\n"+sb.String())
}

// cell is text for a cell of a table.
func cell(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "|", `\|`), "\n", " ")
}

func duration(ns float64) string {
	return time.Duration(ns).Round(max(1, time.Duration(math.Pow(10, math.Floor(math.Log10(max(ns, 1)))-2)))).String()
}
