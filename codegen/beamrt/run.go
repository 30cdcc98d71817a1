package beamrt

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx" // the runners
	"github.com/surge-ndp/surge/codegen/cluster"
	"github.com/surge-ndp/surge/training/input"
)

// Options of [Run]. What a runner takes besides, such as the address of a cluster, are flags of Beam.
type Options struct {
	Kernel    *cluster.Kernel // a registered one
	Inputs    Inputs
	BlockSize int               // elements of the outermost level in a block
	FanIn     int               // of how many blocks partials are combined at first; 0 stands for 16
	Out       map[string]string // where results go, by name: shards, as y/*.npy, with a * for the number
	Temp      string            // a folder that all workers can write to, for results that go nowhere else
	Runner    string            // prism if it is empty
	// Reproducible gives the same bits whatever workers there are: each computes its elements in the order of the source.
	// Partials are combined in an order that depends on the block size alone.
	Reproducible bool
	// Model is the text of a model file for the kernel, by which workers choose whose machine it has a model for; the
	// others choose without one. If it is empty they choose by the file that the program holds, if it does (see surge
	// generate).
	Model string
	// Platform is the one that workers take, such as openmp, of those that the program has code for; goroutines if it is
	// empty. It is an error of the run if a worker does not have it.
	Platform string
	// Pools are addresses of pools of workers, as [Serve] makes them in a process of its own: blocks are dealt out to them
	// in turn. Without any the flags of Beam say where workers are, which for Prism is this process.
	Pools []string
}

// Results of a run.
type Results struct {
	Values   []cluster.Value  // of all results, in order; nil for those that were written to files
	Counters map[string]int64 // blocks, elements, bytes-read, bytes-yielded, kernel-ns
	Variants map[string]int64 // by canonical text, how often each was chosen by workers for a computation
	// Selectors are how often each kind of selector has chosen: untrained, or that of a model.
	Selectors map[string]int64
}

// Run runs a kernel on an engine.
func Run(ctx context.Context, o Options) (*Results, error) {
	k := o.Kernel
	if _, err := kernel(nameOf(k)); err != nil {
		return nil, err
	}
	if o.Runner == "" {
		o.Runner = "prism"
	}
	if err := reachable(o.Runner); err != nil {
		return nil, fmt.Errorf("%s: %w", k.Name, err)
	}
	out, collected, err := o.outputs()
	if err != nil {
		return nil, err
	}
	if collected != "" {
		defer os.RemoveAll(collected)
	}
	if !beam.Initialized() {
		beam.Init()
	}
	done, err := o.execute(ctx, out)
	if err != nil {
		out.abandon()
		return nil, err
	}
	out.clean() // of an earlier try
	results := &Results{Values: make([]cluster.Value, len(k.Results)), Counters: map[string]int64{}, Variants: map[string]int64{}, Selectors: map[string]int64{}}
	if done != nil {
		for _, c := range done.Metrics().AllMetrics().Counters() {
			switch c.Key.Namespace {
			case "surge":
				results.Counters[c.Key.Name] += c.Result()
			case variantCounters:
				results.Variants[c.Key.Name] += c.Result()
			case selectorCounters:
				results.Selectors[c.Key.Name] += c.Result()
			}
		}
	}
	for _, sink := range out.Sinks {
		if !sink.Coded {
			continue
		}
		if results.Values[sink.Result], err = Collect(sink, k.Results[sink.Result]); err != nil {
			return nil, fmt.Errorf("%s: result %s: %w", k.Name, k.Results[sink.Result].Name, err)
		}
	}
	return results, nil
}

// execute runs the pipeline. If pools of workers are gone it is run again on those that are left: what came of the
// first try are files under temporary names, and those that have theirs already get them again.
func (o Options) execute(ctx context.Context, out Outputs) (beam.PipelineResult, error) {
	k := o.Kernel
	for {
		p, s := beam.NewPipelineWithRoot()
		state, err := Begin(ctx, s, k, o.Inputs, o.BlockSize)
		if err != nil {
			return nil, err
		}
		w := func() worker {
			return worker{Kernel: nameOf(k), Reproducible: o.Reproducible, Model: o.Model, Platform: o.Platform}
		}
		_, after, written := apply(s, w, k, state, o.FanIn, len(o.Pools), &out)
		commit(s, k, after, written, out)
		done, err := start(ctx, o.Runner, o.Pools, p)
		if err == nil {
			return done, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		left := slices.DeleteFunc(slices.Clone(o.Pools), func(pool string) bool { return !answers(pool) })
		if err = clear(k.Name, err); len(left) == 0 || len(left) == len(o.Pools) || !errors.As(err, new(*pipelineError)) {
			return nil, err
		}
		o.Pools = left
	}
}

// answers reports whether something listens at an address.
func answers(address string) bool {
	c, err := net.DialTimeout("tcp", address, 10*time.Second)
	if err == nil {
		c.Close()
	}
	return err == nil
}

// outputs says where each result goes, and makes the folder of those that are handed back, if there are any.
func (o Options) outputs() (out Outputs, collected string, err error) {
	k := o.Kernel
	fail := func(format string, args ...any) (Outputs, string, error) {
		if collected != "" {
			os.RemoveAll(collected)
		}
		return Outputs{}, "", fmt.Errorf("%s: "+format, append([]any{k.Name}, args...)...)
	}
	out.Run = rand.Text()
	named := 0
	for i, r := range k.Results {
		pattern, ok := o.Out[r.Name]
		if ok {
			named++
		}
		switch {
		case !ok && collected == "":
			if collected, err = os.MkdirTemp(o.Temp, "surge-beam-*"); err != nil {
				return fail("there is no place for results: %w", err)
			}
			fallthrough
		case !ok:
			out.Sinks = append(out.Sinks, Sink{i, filepath.Join(collected, fmt.Sprintf("%d-*.values", i)), true})
			continue
		}
		if err := r.Fits(pattern); err != nil {
			return fail("%w", err)
		}
		if pattern, err = absolute(pattern); err != nil {
			return fail("result %s: %w", r.Name, err)
		}
		if slices.ContainsFunc(out.Sinks, func(s Sink) bool { return s.Pattern == pattern }) {
			return fail("result %s: %s is where another result goes", r.Name, pattern)
		}
		there, err := glob(pattern)
		if err != nil {
			return fail("result %s: %s: %w", r.Name, pattern, err)
		} else if len(there) > 0 {
			return fail("result %s: %s; remove what another run has left", r.Name, cluster.There(there))
		}
		if input.Remote(pattern) {
			// There are no folders to be made.
		} else if err := os.MkdirAll(filepath.Dir(pattern), 0o777); err != nil {
			return fail("result %s: %w", r.Name, err)
		}
		out.Sinks = append(out.Sinks, Sink{i, pattern, false})
	}
	if named < len(o.Out) {
		return fail("%v: there is no such result", o.Out)
	}
	return out, collected, nil
}

// Collect reads the shards of a result that [Write] has written in code.
func Collect(sink Sink, r cluster.Result) (cluster.Value, error) {
	paths, err := filepath.Glob(sink.Pattern)
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, errors.New("no worker has written it here: name a folder that all workers share")
	}
	slices.Sort(paths)
	parts := make([]cluster.Value, len(paths))
	for i, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		values, _, err := cluster.DecodeValues(data)
		if err != nil || len(values) != 1 {
			return nil, fmt.Errorf("%s holds no value: %w", path, err)
		}
		parts[i] = values[0]
	}
	if !r.Block {
		return parts[0], nil
	}
	return cluster.Concat(parts)
}

// Beam's flags are variables of the program.
var (
	flags    sync.Mutex
	embedded string // the address of the embedded Prism, if it runs
)

// Execute runs a pipeline, such as one of several kernels, as [Run] runs its own, and waits for its end.
func Execute(ctx context.Context, runner string, p *beam.Pipeline) (beam.PipelineResult, error) {
	return start(ctx, runner, nil, p)
}

// start runs a pipeline and waits for its end. One runs at a time.
func start(ctx context.Context, runner string, pools []string, p *beam.Pipeline) (beam.PipelineResult, error) {
	flags.Lock()
	defer flags.Unlock()
	if runner == "prism" && *jobopts.Endpoint == "" {
		if err := startPrism(ctx); err != nil {
			return nil, err
		}
		environment := *jobopts.EnvironmentType
		*jobopts.Endpoint = embedded
		if environment == "" {
			*jobopts.EnvironmentType = "loopback"
		}
		defer func() { *jobopts.Endpoint, *jobopts.EnvironmentType = "", environment }()
	}
	if len(pools) > 0 {
		return onPools(ctx, pools, p)
	}
	if strings.EqualFold(*jobopts.EnvironmentType, "external") && *jobopts.WorkerBinary == "" {
		// The program is there already; without a file to stage Beam would send this one to the job service each time.
		none, err := os.CreateTemp("", "surge-worker-*")
		if err != nil {
			return nil, err
		}
		defer os.Remove(none.Name())
		if err := none.Close(); err != nil {
			return nil, err
		}
		*jobopts.WorkerBinary = none.Name()
		defer func() { *jobopts.WorkerBinary = "" }()
	}
	return beam.Run(ctx, runner, p)
}

// startPrism starts the embedded Prism, which serves all runs of this process.
func startPrism(ctx context.Context) error {
	if embedded != "" {
		return nil
	}
	free, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		return err
	}
	port := free.Addr().(*net.TCPAddr).Port
	if err := free.Close(); err != nil {
		return err
	}
	if _, err := prism.CreateJobServer(ctx, prism.Options{Port: port}); err != nil {
		return err
	}
	embedded = fmt.Sprintf("localhost:%d", port)
	return nil
}

// reachable refuses a runner that there is not, and a cluster that does not answer.
func reachable(runner string) error {
	address, ok := cluster.Runners[runner]
	if !ok {
		return fmt.Errorf("there is no runner %q: choose one of %s", runner, strings.Join(slices.Sorted(maps.Keys(cluster.Runners)), ", "))
	}
	if !address {
		return nil
	}
	if *jobopts.Endpoint == "" {
		return fmt.Errorf("%s: no address is given: set the flag --endpoint to that of the job service", runner)
	}
	c, err := net.DialTimeout("tcp", *jobopts.Endpoint, 10*time.Second)
	if err != nil {
		return fmt.Errorf("%s: the job service cannot be reached: %w", runner, err)
	}
	return c.Close()
}
