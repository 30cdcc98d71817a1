package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
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
func versus(ctx context.Context, without []string, ns []int, platform, only, note string) error {
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
	return os.WriteFile(filepath.Join("docs", "measurements", platform+".md"), []byte(versusTable(times, platform, machine)), 0o666)
}

const versusHead = `# %[1]s against goroutines

Every kernel of the [corpus](../../internal/corpus) on two threads, on both platforms in turns within one process, with the variants that are
chosen without training. "Speed" is the time of a bound run on goroutines divided by that of one on %[1]s, the median of the ratios of
nine turns: above 1, %[1]s is faster. Times are the least of all turns. Made by ` + "`GOEXPERIMENT=simd go run ./internal/corpus/measure -platform %[1]s`" + `.

%[2]s

Geometric mean of the speeds: %.2[3]f over %[4]d inputs.

## Where %[1]s is faster by more than %.1[5]f, worst first

%[6]s
## All

%[7]s`

func versusTable(times []drive.Versus, platform, machine string) string {
	var failed []drive.Versus
	times = slices.DeleteFunc(slices.Clone(times), func(t drive.Versus) bool {
		if t.Failed != "" {
			failed = append(failed, t)
		}
		return t.Failed != ""
	})
	slices.SortStableFunc(times, func(a, b drive.Versus) int { return cmp.Compare(b.Faster, a.Faster) })
	sum := 0.0
	for _, t := range times {
		sum += math.Log(t.Faster)
	}
	var work, all strings.Builder
	columns := "| kernel | elements | speed | goroutines | " + platform + " | variants on goroutines | variants on " + platform + " |\n| --- | --- | --- | --- | --- | --- | --- |\n"
	work.WriteString(columns)
	all.WriteString("| kernel | elements | speed | goroutines | " + platform + " |\n| --- | --- | --- | --- | --- |\n")
	for _, t := range times {
		row := fmt.Sprintf("| %s | %.0e | %.2f | %s | %s |", t.Kernel, float64(t.N), t.Faster, micro(t.Host), micro(t.Other))
		all.WriteString(row + "\n")
		if t.Faster > muchFaster {
			fmt.Fprintf(&work, "%s %s | %s |\n", row, variants(t.HostVariant), variants(t.OtherVariant))
		}
	}
	for _, t := range failed {
		fmt.Fprintf(&all, "| %s | %.0e | not measured: %s | | |\n", t.Kernel, float64(t.N), strings.ReplaceAll(t.Failed, "|", `\|`))
	}
	return fmt.Sprintf(versusHead, platform, machine, math.Exp(sum/float64(max(len(times), 1))), len(times), muchFaster, work.String(), all.String())
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
