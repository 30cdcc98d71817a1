// Bench measures generated variants against hand-written C++ peers: for every case it runs the peer and ours in turn in
// one run, on inputs made by the same definitions, checks that the checksums agree, and prints the ratio of their times
// (the peer's over ours: higher is better) with the limits of the machine beside it.
//
// Ours are two: the fastest variants that a search finds, and what is chosen without training. A search tries
// variants one computation after the other, beginning near what is chosen without training, and ends when the best
// has no neighbours left to try, or when -budget ends; what it tried is printed. Ctrl-C prints the rows that there
// are.
//
// The peers' sources are in bench/peers, seen from the root of the module, or in the folder that PEERS names. They
// are built into a temporary folder, which takes g++, make and, on Debian, libthrust-dev libtbb-dev libeigen3-dev
// libopenblas-dev. Absolute times depend on the machine and its neighbours; the ratios are medians of rounds in which
// the sides alternate, ours after a warm-up.
//
// With -platform opencl it compares our own platforms instead: the fastest variants that a search finds on each, in
// turns, with the device's bandwidth and, where Python has a library for the device, with that.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
)

// options are the flags.
type options struct {
	only, threads, out string
	rounds             int
	budget             time.Duration
	platform, mtx      string
	size               int
}

func main() {
	var o options
	flag.StringVar(&o.only, "only", "", "run only the cases whose name contains one of these, comma separated")
	flag.IntVar(&o.rounds, "rounds", 7, "rounds in which peer and ours alternate")
	flag.StringVar(&o.threads, "threads", "1,2", "numbers of threads, comma separated")
	flag.DurationVar(&o.budget, "budget", 0, "time for the search of a row, or of a platform's part of it; what is chosen without training, and the comparison of the fastest, are measured in any case (default 10s, with -platform 60s)")
	flag.StringVar(&o.out, "o", "", "also write the table to this file, as Markdown")
	flag.StringVar(&o.platform, "platform", "", "instead of peers, measure this platform against the goroutine platform, side by side")
	flag.StringVar(&o.mtx, "mtx", "", "multiply the Matrix Market files of this folder too (their names begin with \"mtx, \")")
	flag.IntVar(&o.size, "size", 5_000_000, "with -platform, elements of the largest arrays")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	if o.budget <= 0 {
		o.budget = 10 * time.Second
		if o.platform != "" {
			o.budget = time.Minute // on a device every variant has to be compiled
		}
	}
	if o.platform != "" {
		err = comparePlatforms(ctx, o)
	} else {
		err = comparePeers(ctx, o)
	}
	switch {
	case ctx.Err() != nil:
		fmt.Fprintln(os.Stderr, "bench: interrupted")
		os.Exit(130)
	case err != nil:
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// wanted reports whether a name contains one of the parts.
func wanted(name, only string) bool {
	return slices.ContainsFunc(strings.Split(only, ","), func(part string) bool { return strings.Contains(name, part) })
}

// comparePeers prints a row for each case and number of threads. A row that fails is named in the end.
func comparePeers(ctx context.Context, o options) error {
	dir := os.Getenv("PEERS")
	if dir == "" {
		dir = "bench/peers"
	}
	var threads []int
	for _, text := range strings.Split(o.threads, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return fmt.Errorf("-threads wants numbers from 1 on, and %q is none", text)
		}
		threads = append(threads, n)
	}
	var names, programs []string
	var picked []measured
	all := cases()
	if o.mtx != "" {
		tmp, err := os.MkdirTemp("", "surge-mtx-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(tmp)
		files, err := market(o.mtx, tmp)
		if err != nil {
			return err
		}
		all = append(all, files...)
	}
	for _, c := range all {
		names = append(names, c.name)
		if wanted(c.name, o.only) {
			picked, programs = append(picked, c), append(programs, c.program)
		}
	}
	if len(picked) == 0 {
		return fmt.Errorf("no case's name contains a part of %q: there are %s", o.only, strings.Join(names, ", "))
	}
	slices.Sort(programs)
	built, err := buildPeers(ctx, dir, slices.Compact(programs))
	if err != nil {
		return err
	}
	defer os.RemoveAll(filepath.Dir(built))
	tuner := newTuner("goroutine", inC)
	defer tuner.close()
	t := table.NewWriter()
	t.AppendHeader(header)
	var failed []error
	for _, c := range picked {
		for _, n := range threads {
			tuner.threads = n
			row, err := measure(ctx, c, tuner, built, o.rounds, o.budget)
			if ctx.Err() != nil {
				return errors.Join(printTable(t, "", o.out), ctx.Err())
			}
			if err != nil {
				failed = append(failed, fmt.Errorf("%s, %d threads: %w", c.name, n, err))
				say(failed[len(failed)-1].Error())
				continue
			}
			t.AppendRow(row)
			say(strings.TrimSpace(fmt.Sprintln(row...)))
		}
	}
	t.SetCaption("%d rounds. tried: variants, * the budget of %s ended before the search did.", o.rounds, o.budget)
	return errors.Join(append(failed, printTable(t, "", o.out))...)
}

// printTable prints the table, and writes it to the file if there is a name, below a title.
func printTable(t table.Writer, title, file string) error {
	fmt.Println(t.Render())
	if file == "" {
		return nil
	}
	return os.WriteFile(filepath.Clean(file), []byte(title+t.RenderMarkdown()+"\n"), 0o644)
}
