// Command measure compares kernels on Beam with the same kernels without it, on the same shards, in turn, and prints
// medians. Its kernels are cut by hand.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	beamlog "github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/surge-ndp/surge/codegen/beamrt"
	"github.com/surge-ndp/surge/codegen/cluster"
)

func main() {
	name := flag.String("measured", "kmeans", "kmeans, spmv or histogram; model for all of docs/measurements/cluster.md, on standard output")
	n := flag.Int("n", 1_000_000, "points, or rows")
	block := flag.Int("block", 131072, "points or rows of a block")
	rounds := flag.Int("rounds", 5, "how often each is measured")
	pools := flag.String("processes", "0,1,2", "in how many worker processes, 0 for this one")
	bare := flag.Bool("bare", true, "also without Beam")
	dir := flag.String("dir", "", "a folder for shards; those that are there are used again")
	note := flag.String("note", "", "what to say of the machine, with model")
	serve := flag.Bool("serve", false, "be a pool of workers")
	profile := flag.String("cpuprofile", "", "a file for a profile of this process")
	flag.Parse()
	if *profile != "" {
		f, err := os.Create(*profile)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		pprof.StartCPUProfile(f)
		defer pprof.StopCPUProfile()
	}
	slog.SetDefault(slog.New(slog.DiscardHandler))
	beamlog.SetLogger(quiet{})
	beam.Init()
	beamrt.Register(kmeans)
	beamrt.Register(spmv)
	beamrt.Register(histogram)
	err := errors.ErrUnsupported
	if *serve {
		err = servePool()
	} else if k := map[string]*cluster.Kernel{"kmeans": kmeans, "spmv": spmv, "histogram": histogram}[*name]; k != nil {
		err = measure(context.Background(), k, *n, *block, *rounds, *pools, *bare, *dir)
	} else if *name == "model" {
		err = model(context.Background(), *rounds, *dir, *note)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// quiet drops what Beam logs: it is in the way of what is measured.
type quiet struct{}

func (quiet) Log(context.Context, beamlog.Severity, int, string) {}

func measure(ctx context.Context, k *cluster.Kernel, n, block, rounds int, pools string, bare bool, dir string) error {
	in, err := inputs(k, n, dir)
	if err != nil {
		return err
	}
	type way struct {
		name string
		run  func() ([]cluster.Value, error)
		took []time.Duration
		used []time.Duration // processor time of this process
	}
	var ways []*way
	if bare {
		ways = append(ways, &way{name: "without Beam", run: func() ([]cluster.Value, error) {
			src, err := in.Source(k)
			if err != nil {
				return nil, err
			}
			return cluster.Run(ctx, k, src, block)
		}})
	}
	out, err := os.MkdirTemp(dir, "results-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(out)
	turn := 0
	for _, p := range strings.Split(pools, ",") {
		var number int
		if _, err := fmt.Sscan(p, &number); err != nil {
			return err
		}
		var addresses []string
		for range number {
			address, stop, err := pool()
			if err != nil {
				return err
			}
			defer stop()
			addresses = append(addresses, address)
		}
		ways = append(ways, &way{name: "Prism, " + p + " processes", run: func() ([]cluster.Value, error) {
			turn++
			o := beamrt.Options{Kernel: k, Inputs: in, BlockSize: block, Pools: addresses, Temp: dir}
			if k == spmv {
				o.Out = map[string]string{"y": filepath.Join(out, fmt.Sprint(turn), "*.npy")}
			}
			r, err := beamrt.Run(ctx, o)
			if err != nil {
				return nil, err
			}
			return r.Values, nil
		}})
	}
	var want []cluster.Value
	for range rounds {
		for _, w := range ways {
			runtime.GC() // that of the way before is not this one's
			begin, before := time.Now(), processorTime()
			got, err := w.run()
			if err != nil {
				return fmt.Errorf("%s: %w", w.name, err)
			}
			w.took, w.used = append(w.took, time.Since(begin)), append(w.used, processorTime()-before)
			switch {
			case k == spmv: // results are files
			case want == nil:
				want = got
			case !reflect.DeepEqual(got, want):
				return fmt.Errorf("%s: another result", w.name)
			}
		}
	}
	for _, w := range ways {
		slices.Sort(w.took)
		slices.Sort(w.used)
		for _, q := range []struct {
			what     string
			own, all []time.Duration
		}{{"time", w.took, ways[0].took}, {"processor time of this process", w.used, ways[0].used}} {
			median, least := q.own[len(q.own)/2], q.own[0]
			fmt.Printf("%-24s %-30s  median %8.2f s  least %8.2f s  ratio of medians %.2f  of least %.2f\n", w.name, q.what, median.Seconds(), least.Seconds(),
				float64(median)/float64(q.all[len(q.all)/2]), float64(least)/float64(q.all[0]))
		}
	}
	return nil
}

// processorTime is what this process has used so far: on a machine that others use, too, it is what can be compared.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// pool starts this program as a pool of workers.
func pool(env ...string) (address string, stop func(), err error) {
	cmd := exec.Command(os.Args[0], "-serve")
	cmd.Env = append(os.Environ(), env...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return "", nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	address, err = bufio.NewReader(out).ReadString('\n')
	return strings.TrimSpace(address), func() { in.Close(); cmd.Wait() }, err
}

func servePool() error {
	address, stop, err := beamrt.Serve(context.Background(), 0)
	if err != nil {
		return err
	}
	defer stop()
	fmt.Println(address)
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}
