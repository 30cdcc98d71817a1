package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/internal/agree"
	"github.com/surge-ndp/surge/internal/agree/drive"
)

// muchFaster is how much faster the other platform has to be for a kernel to be on the list of work.
const muchFaster = 1.1

// versus times a platform against goroutines, and writes the table of both.
func versus(ctx context.Context, without []string, ns []int, platform, only, file, note string) error {
	p, err := agree.Compile(ctx, folder, agree.Options{Platform: platform, Without: without, AllVectors: true})
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "surge-corpus")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	times, err := agree.Compare(ctx, p, platform, ns, dir)
	if err != nil {
		return err
	}
	if only != "" {
		for _, t := range times {
			line, _ := json.Marshal(t)
			fmt.Println(string(line))
		}
		return nil
	}
	var here []string
	for _, o := range codegen.Target(platform).Here(true).Offers {
		here = append(here, o.Name+": "+o.What)
	}
	machine := fmt.Sprintf("Measured on %d cores, %s, %s, GOEXPERIMENT=%s; %s.", runtime.NumCPU(), runtime.GOARCH, runtime.Version(), os.Getenv("GOEXPERIMENT"), strings.Join(here, "; "))
	if note != "" {
		machine += " " + note
	}
	command := "`GOEXPERIMENT=simd go run ./internal/corpus/measure -platform " + platform + "`"
	if cc := os.Getenv("CC"); cc != "" {
		command = "`CC=" + cc + " " + command[1:]
	}
	return os.WriteFile(file, []byte(versusTable(times, platform, command, machine)), 0o666)
}

const versusHead = `# %[1]s against goroutines

Every kernel of the [corpus](../../internal/corpus) on both platforms in turns within one process, with the
variants that are chosen without training. "Speed" is the least time of a bound run on goroutines divided by the
least on %[1]s: above 1, %[1]s is faster. "Median" is the median of the ratios of nine turns; where it is far
from the speed, other work disturbed the turns. Made by %[2]s.

%[3]s

Geometric mean of the speeds: %.2[4]f with two threads, %.2[5]f with one, over %[6]d inputs.

## Where %[1]s is faster by more than %.1[7]f with two threads, worst first

%[8]s
## All

%[9]s`

func versusTable(times []drive.Versus, platform, command, machine string) string {
	type row struct{ one, two drive.Versus }
	var rows []row
	failed := ""
	for _, t := range times {
		if t.Threads == 1 {
			rows = append(rows, row{one: t})
		} else {
			rows[len(rows)-1].two = t
		}
	}
	rows = slices.DeleteFunc(rows, func(r row) bool {
		for _, t := range []drive.Versus{r.one, r.two} {
			if t.Failed != "" {
				failed += fmt.Sprintf("| %s | %.0e | not measured: %s | | | | |\n", t.Kernel, float64(t.N), strings.ReplaceAll(t.Failed, "|", `\|`))
				return true
			}
		}
		return false
	})
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(b.two.Faster(), a.two.Faster()) })
	mean := func(of func(row) drive.Versus) float64 {
		sum := 0.0
		for _, r := range rows {
			t := of(r)
			sum += math.Log(t.Faster())
		}
		return math.Exp(sum / float64(max(len(rows), 1)))
	}
	columns := "| kernel | elements | speed | median | speed, one thread | goroutines | " + platform + " |"
	var work, all strings.Builder
	work.WriteString(columns + " variants on goroutines | variants on " + platform + " |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")
	all.WriteString(columns + "\n| --- | --- | --- | --- | --- | --- | --- |\n")
	for _, r := range rows {
		t := r.two
		text := fmt.Sprintf("| %s | %.0e | %.2f | %.2f | %.2f | %s | %s |", t.Kernel, float64(t.N), t.Faster(), t.Median, r.one.Faster(), micro(t.Host), micro(t.Other))
		all.WriteString(text + "\n")
		if t.Faster() > muchFaster {
			fmt.Fprintf(&work, "%s %s | %s |\n", text, variants(t.HostVariant), variants(t.OtherVariant))
		}
	}
	all.WriteString(failed)
	return fmt.Sprintf(versusHead, platform, command, machine, mean(func(r row) drive.Versus { return r.two }), mean(func(r row) drive.Versus { return r.one }),
		len(rows), muchFaster, work.String(), all.String())
}

func micro(ns float64) string { return fmt.Sprintf("%.1f µs", ns/1e3) }

// variants are short: the schedule, and what of the policy changes the code.
func variants(texts []string) string {
	var short []string
	for _, text := range texts {
		schedule, policy, _ := strings.Cut(text, "/")
		_, policy, _ = strings.Cut(policy, "/")
		parts := []string{schedule}
		for setting := range strings.SplitSeq(policy, ",") {
			name, value, _ := strings.Cut(setting, "=")
			switch {
			case strings.HasPrefix(name, "chunk_size"), name == "enable_nesting", strings.HasPrefix(name, "shared_chunk"):
			case strings.HasPrefix(name, "execution_resource"):
				parts = append(parts, value)
			case value != "1" || name == "num_threads":
				parts = append(parts, setting)
			}
		}
		short = append(short, strings.Join(parts, " "))
	}
	return strings.Join(short, "; ")
}
