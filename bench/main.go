// Bench measures generated variants against hand-written C++ peers: for every case it runs the peer and ours in turn in
// one run, on inputs made by the same definitions, checks that the checksums agree, and prints the ratio of their times
// (the best peer's over ours: higher is better) with the limits of the machine beside it.
//
// PEERS names the folder with the peers' sources, which are built into a temporary folder; they need g++, make and, on
// Debian, libthrust-dev libtbb-dev libeigen3-dev libopenblas-dev. Absolute times depend on the machine and its
// neighbours; the ratios are medians of rounds in which the two sides alternate, each after a warm-up.
//
// With -platform opencl it compares our own platforms instead: the fastest variants that a search finds on each, in turns,
// with the device's bandwidth and, where Python has a library for the device, with that. On a device the search is bounded, as
// every variant has to be compiled.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
)

func main() {
	only := flag.String("only", "", "run only the cases whose name contains one of these, comma separated")
	rounds := flag.Int("rounds", 7, "rounds in which peer and ours alternate")
	threads := flag.String("threads", "1,2", "numbers of threads, comma separated")
	out := flag.String("o", "", "also write the table to this file, as Markdown")
	platform := flag.String("platform", "", "instead of peers, measure this platform against the goroutine platform, side by side")
	mtx := flag.String("mtx", "", "with -platform, multiply the Matrix Market files of this folder too")
	size := flag.Int("size", 5_000_000, "with -platform, elements of the largest arrays")
	flag.Parse()
	if *platform != "" {
		defer closeSessions()
		if err := comparePlatforms(context.Background(), *platform, *only, *mtx, *out, *size); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(*only, *rounds, *threads, *out); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// wanted reports whether a name contains one of the parts.
func wanted(name, only string) bool {
	return slices.ContainsFunc(strings.Split(only, ","), func(part string) bool { return strings.Contains(name, part) })
}

func run(only string, rounds int, threads, out string) error {
	ctx := context.Background()
	dir := os.Getenv("PEERS")
	if dir == "" {
		dir = "../shared/peers"
	}
	picked := slices.DeleteFunc(cases(), func(c measured) bool {
		return !wanted(c.name, only)
	})
	if len(picked) == 0 {
		var names []string
		for _, c := range cases() {
			names = append(names, c.name)
		}
		return fmt.Errorf("no case's name contains a part of %q: there are %s", only, strings.Join(names, ", "))
	}
	var programs, dirs []string
	for _, c := range picked {
		programs = append(programs, c.program)
		if c.inputs == nil {
			dirs = append(dirs, c.dir)
		}
	}
	slices.Sort(programs)
	slices.Sort(dirs)
	built, err := buildPeers(dir, slices.Compact(programs))
	if err != nil {
		return err
	}
	defer os.RemoveAll(built)
	spaces, err := loadSpaces(ctx, slices.Compact(dirs)...)
	if err != nil {
		return err
	}
	defer closeSessions()
	t := table.NewWriter()
	t.AppendHeader(table.Row{"case", "threads", "peer", "peer GB/s", "read limit GB/s", "ours GB/s", "ours/peer", "chosen/best", "best variant"})
	for _, c := range picked {
		for _, n := range strings.Split(threads, ",") {
			row, err := measure(ctx, c, n, built, spaces, rounds)
			if err != nil {
				return fmt.Errorf("%s, %s threads: %w", c.name, n, err)
			}
			t.AppendRow(row)
			fmt.Fprintln(os.Stderr, strings.TrimSpace(fmt.Sprintln(row...)))
		}
	}
	fmt.Println(t.Render())
	if out != "" {
		return os.WriteFile(filepath.Clean(out), []byte(t.RenderMarkdown()+"\n"), 0o644)
	}
	return nil
}
