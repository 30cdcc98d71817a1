// Command measure times the kernels of the corpus against plain Go, by the choice without training, and writes the
// table docs/measurements/corpus.md; with -platform, one platform against goroutines. Run it in the root of the
// module.
//
// It imports internal/agree and internal/agree/drive.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/surge-ndp/surge/internal/agree"
	"github.com/surge-ndp/surge/internal/agree/drive"
)

const folder = "internal/corpus"

func main() {
	log.SetFlags(0)
	only := flag.String("only", "", "measure the kernels of this list only, separated by commas, and print their times")
	lengths := flag.String("lengths", "0,1,16,100,1000,10000,1000000,10000000", "about how many elements of work inputs have")
	platform := flag.String("platform", "", "time this platform against goroutines instead, and write a table of both")
	file := flag.String("o", "", "the table with -platform (default docs/measurements/PLATFORM.md)")
	note := flag.String("note", "", "what has to be said of the machine, for the table")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *only, *lengths, *platform, cmp.Or(*file, filepath.Join("docs", "measurements", *platform+".md")), *note); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, only, lengths, platform, file, note string) error {
	kernels, err := read()
	if err != nil {
		return err
	}
	var ns []int
	for text := range strings.SplitSeq(lengths, ",") {
		n, err := strconv.Atoi(text)
		if err != nil {
			return err
		}
		ns = append(ns, n)
	}
	var without []string
	for _, k := range kernels {
		if k.now != "" || only != "" && !slices.Contains(strings.Split(only, ","), k.name) {
			without = append(without, k.name)
		}
	}
	if platform != "" {
		return versus(ctx, without, ns, platform, only, file, note)
	}
	p, err := agree.Compile(ctx, folder, agree.Options{Platform: "goroutine", Without: without, AllVectors: true})
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "surge-corpus")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	times, err := agree.Measure(ctx, p, ns, dir)
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
	file = filepath.Join("docs", "measurements", "corpus.md")
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(table(kernels, times, note)), 0o666)
}

// kernel is a row of the table.
type kernel struct {
	name, field string
	first, now  string // why it was refused at the first try, and why it is now; empty: it was not
	times       []drive.Times
}

// read lists the kernels of the corpus.
func read() (list []*kernel, err error) {
	first, err := reasons("first.txt")
	if err != nil {
		return nil, err
	}
	now, err := reasons("refused.txt")
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		title, _, _ := strings.Cut(string(text), "\n")
		for _, part := range strings.Split(string(text), "\n//surge:kernel\nfunc ")[1:] {
			name, _, _ := strings.Cut(part, "(")
			list = append(list, &kernel{name: name, field: strings.TrimPrefix(title, "// "), first: first[name], now: now[name]})
		}
	}
	return list, nil
}

// reasons reads lines of a kernel, a tab, and why it is refused.
func reasons(name string) (map[string]string, error) {
	text, err := os.ReadFile(filepath.Join(folder, "testdata", name))
	if err != nil {
		return nil, err
	}
	list := map[string]string{}
	for line := range strings.Lines(string(text)) {
		kernel, why, _ := strings.Cut(strings.TrimSpace(line), "\t")
		list[kernel] = why
	}
	return list, nil
}

// compared are what is compared with plain Go: runs, calls, and plain Go itself, measured once more.
var compared = []func(t drive.Times) [2]float64{
	func(t drive.Times) [2]float64 { return t.Run },
	func(t drive.Times) [2]float64 { return t.Call },
	func(t drive.Times) [2]float64 { return t.Again },
}

// over is how many times as long as allowed something takes at most on so many threads, and at which length.
func (k *kernel) over(threads int, what func(t drive.Times) [2]float64) (worst float64, n int) {
	for _, t := range k.times {
		if o := t.Over(threads-1, what(t)[threads-1]); t.Failed == "" && o > worst {
			worst, n = o, t.N
		}
	}
	return worst, n
}

const title = "# The corpus against plain Go\n\n"

// head are the paragraphs before the table, to be wrapped.
var head = []string{
	`Kernels of many fields ([internal/corpus](../../internal/corpus)), written before anything was known of what compiles. "First try" says whether the
compiler took the kernel as it was written when it was written, and else why not. The variants are those that the untrained selector chose, on inputs of about
%s elements of work. Speeds are plain Go's time divided by that of a bound run; "call" is that of a call that binds, chooses and runs, on two threads. What a run may take is 1.05 of plain Go's time and 100 ns:
"over" is how many times as long as that it takes at most, and at which length. With one thread processor time is compared, with two the time that passes; each is the least of 5 turns, of up to 25 where it is
over, in which all take their turn in another order. Made by %s.`,
	`%s`,
	`%d of %d were compiled at the first try, %d are now. Of those, %d keep to what runs may take at all of these lengths on one thread, and %d on two; %d and %d calls do. Plain Go itself, measured once more beside these, does in %d and %d: what that lacks is noise.`,
}

const columns = `| kernel | field | first try | over, 1 thread | over, 2 threads | 10⁴, 1 thread | 10⁴, 2 threads | 10⁶, 1 thread | 10⁶, 2 threads | call |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
`

// lineWidth is how many characters lines of text have at most.
const lineWidth = 119

// wrapped is a paragraph in lines, with an empty one behind it.
func wrapped(text string) string {
	var sb strings.Builder
	width := 0
	for _, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case width == 0:
		case width+1+n > lineWidth:
			sb.WriteByte('\n')
			width = 0
		default:
			sb.WriteByte(' ')
			width++
		}
		sb.WriteString(word)
		width += n
	}
	return sb.String() + "\n\n"
}

func table(kernels []*kernel, times []drive.Times, note string) string {
	var lengths []string
	for _, t := range times {
		if text := strconv.Itoa(t.N); !slices.Contains(lengths, text) {
			lengths = append(lengths, text)
		}
	}
	for _, t := range times {
		i := slices.IndexFunc(kernels, func(k *kernel) bool { return k.name == t.Kernel })
		kernels[i].times = append(kernels[i].times, t)
	}
	slices.SortStableFunc(kernels, func(a, b *kernel) int {
		if (a.now == "") != (b.now == "") {
			if a.now != "" {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.worst(), a.worst())
	})
	var rows strings.Builder
	first, compiled := 0, 0
	var within [3][2]int // of what is compared, on one thread and on two
	for _, k := range kernels {
		try := "yes"
		if k.first == "" {
			first++
		} else {
			try = "no: " + short(k.first)
		}
		if k.now != "" {
			fmt.Fprintf(&rows, "| %s | %s | %s | refused: %s | | | | | | |\n", k.name, k.field, try, short(k.now))
			continue
		}
		compiled++
		fmt.Fprintf(&rows, "| %s | %s | %s |", k.name, k.field, try)
		for i := range 2 {
			worst, n := k.over(i+1, compared[0])
			fmt.Fprintf(&rows, " %.2f at %d |", worst, n)
			for j, what := range compared {
				if worst, _ := k.over(i+1, what); worst <= 1 {
					within[j][i]++
				}
			}
		}
		for _, n := range []int{1e4, 1e6} {
			for threads1 := range 2 {
				fmt.Fprintf(&rows, " %s |", at2(k.times, n, func(t drive.Times) float64 { return t.Plain[threads1] / t.Run[threads1] }))
			}
		}
		fmt.Fprintf(&rows, " %s |\n", at2(k.times, 1e6, func(t drive.Times) float64 { return t.Plain[1] / t.Call[1] }))
	}
	machine := fmt.Sprintf("Measured on %d cores, %s, %s, GOEXPERIMENT=%s.", runtime.NumCPU(), runtime.GOARCH, runtime.Version(), os.Getenv("GOEXPERIMENT"))
	if note != "" {
		machine += " " + note
	}
	text := fmt.Sprintf(strings.Join(head, "\n\n"), strings.Join(lengths, ", "), "`GOEXPERIMENT=simd go run ./internal/corpus/measure -lengths "+strings.Join(lengths, ",")+"`", machine, first, len(kernels), compiled,
		within[0][0], within[0][1], within[1][0], within[1][1], within[2][0], within[2][1])
	var sb strings.Builder
	sb.WriteString(title)
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		sb.WriteString(wrapped(paragraph))
	}
	return sb.String() + columns + rows.String()
}

// worst is over, of any number of threads.
func (k *kernel) worst() float64 {
	one, _ := k.over(1, compared[0])
	two, _ := k.over(2, compared[0])
	return max(one, two)
}

// at2 is a ratio of the times at a length.
func at2(times []drive.Times, n int, f func(drive.Times) float64) string {
	for _, t := range times {
		if t.N == n && t.Failed == "" {
			return fmt.Sprintf("%.2f", f(t))
		}
	}
	return ""
}

// short is the beginning of a reason.
func short(why string) string {
	parts := strings.Split(why, "; ")
	if len(parts) > 2 {
		parts = append(parts[:2:2], fmt.Sprintf("and %d more", len(parts)-2))
	}
	return strings.ReplaceAll(strings.Join(parts, "; "), "|", `\|`)
}
