package beamrt

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/surge-ndp/surge/codegen/cluster"
	"github.com/surge-ndp/surge/training/blockwise"
)

// Main carries out the request in the file that the flag surge.request names, writes the answer beside it, and ends the
// program. With the flag surge.serve the program is a pool of workers at that address, until it is interrupted. Workers
// of a runner end in it, too.
func Main() {
	request := flag.String("surge.request", "", "what to run")
	pool := flag.String("surge.serve", "", "where to wait for work")
	flag.CommandLine.Init(os.Args[0], flag.ContinueOnError)
	flag.CommandLine.SetOutput(io.Discard) // Beam has more than a hundred flags
	err := flag.CommandLine.Parse(os.Args[1:])
	if err == nil && flag.NArg() > 0 {
		err = fmt.Errorf("%s is no flag", flag.Arg(0))
	}
	if *request == "" { // nobody waits for an answer in a file
		if err == nil && *pool == "" && !beam.Initialized() {
			beam.Init() // a worker that a runner has started goes no further
			err = errors.New("this program runs kernels for surge; as a pool of workers it is started with -surge.serve=HOST:PORT")
		}
		if err == nil {
			err = wait(*pool)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	var answer cluster.Answer
	if err == nil {
		beam.Init() // workers go no further
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		answer, err = fulfil(ctx, *request)
		stop()
	} else {
		err = fmt.Errorf("a flag of Beam: %w", err)
	}
	if err != nil {
		answer.Error = err.Error()
	}
	text, err := json.Marshal(answer)
	if err == nil {
		err = os.WriteFile(*request+".answer", text, 0o666)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	os.Exit(0)
}

// wait serves as a pool of workers.
func wait(at string) error {
	beam.Init()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	address, end, err := ServeAt(ctx, at)
	if err != nil {
		return err
	}
	fmt.Println("workers wait at " + address)
	<-ctx.Done()
	end()
	return nil
}

func fulfil(ctx context.Context, path string) (a cluster.Answer, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return a, err
	}
	var r cluster.Request
	if err := json.Unmarshal(text, &r); err != nil {
		return a, err
	}
	k := Named(r.Kernel)
	if k == nil {
		return a, fmt.Errorf("there is no kernel %s", r.Kernel)
	}
	data, err := os.ReadFile(r.Values)
	if err != nil {
		return a, err
	}
	values, _, err := cluster.DecodeValues(data)
	if err != nil {
		return a, err
	}
	if len(values) != len(r.Shards) {
		return a, errors.New("the request has other values than shards")
	}
	in := make(Inputs, len(values))
	for i := range in {
		if in[i].Shards = r.Shards[i]; in[i].Shards == "" {
			in[i].Value = values[i]
		}
	}
	run := blockwise.Run{Kernel: k, Inputs: in, FanIn: r.FanIn}
	if err := run.Measure(ctx, &r, &a); err != nil {
		return a, err
	}
	if r.DryRun {
		return a, run.Dry(ctx, &r, &a)
	}
	options := Options{Kernel: k, Inputs: in, BlockSize: a.Size, FanIn: r.FanIn, Out: r.Out, Temp: r.Temp, Runner: r.Runner, Reproducible: r.Reproducible,
		Model: r.Model, Platform: r.Platform}
	results, err := Run(ctx, options)
	if err != nil {
		return a, err
	}
	a.Counters, a.Variants, a.Selectors = results.Counters, results.Variants, results.Selectors
	for i, v := range results.Values {
		if v == nil {
			results.Values[i] = 0
		}
	}
	data, err = cluster.AppendValues(nil, results.Values)
	if err != nil {
		return a, err
	}
	a.Values = path + ".values"
	return a, os.WriteFile(a.Values, data, 0o666)
}

// Named returns the registered kernel of a name, nil if there is none.
func Named(name string) (found *cluster.Kernel) {
	registry.Range(func(_, k any) bool {
		if k.(*cluster.Kernel).Name == name {
			found = k.(*cluster.Kernel)
		}
		return found == nil
	})
	return found
}
