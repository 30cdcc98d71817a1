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
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/surge-ndp/surge/codegen/cluster"
)

// Main carries out the request in the file that the flag surge.request names, writes the answer beside it, and ends the
// program. Workers of a runner end in it, too.
func Main() {
	request := flag.String("surge.request", "", "what to run")
	flag.CommandLine.Init(os.Args[0], flag.ContinueOnError)
	flag.CommandLine.SetOutput(io.Discard) // Beam has more than a hundred flags
	err := flag.CommandLine.Parse(os.Args[1:])
	if err == nil && flag.NArg() > 0 {
		err = fmt.Errorf("%s is no flag", flag.Arg(0))
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
	in = in.complete(k)
	if err := measure(ctx, k, in, &r, &a); err != nil {
		return a, err
	}
	options := Options{Kernel: k, Inputs: in, BlockSize: a.Size, FanIn: r.FanIn, Out: r.Out, Temp: r.Temp, Runner: r.Runner, Reproducible: r.Reproducible}
	if r.DryRun {
		var workers []int
		if r.Workers > 0 {
			workers = []int{r.Workers}
		}
		plan, err := Dry(ctx, options, workers...)
		if err == nil {
			a.Plan, a.Estimates = plan.String(), plan.Estimates
		}
		return a, err
	}
	results, err := Run(ctx, options)
	if err != nil {
		return a, err
	}
	a.Counters, a.Variants = results.Counters, results.Variants
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

// measure finds out how many elements there are, of how many bytes, and so how many a block has.
func measure(ctx context.Context, k *cluster.Kernel, in Inputs, r *cluster.Request, a *cluster.Answer) error {
	src, err := in.Source(k)
	if err != nil {
		return err
	}
	wholes, err := k.Begin(ctx, src)
	if err != nil {
		return err
	}
	if err := k.Once(ctx, 0, wholes); err != nil {
		return err
	}
	a.Length, a.Stages = wholes[k.Length].(int), len(k.Stages)
	for i, p := range k.Params {
		if p.Cut {
			a.Cut += bytesOf(k, src, i, wholes[i].(int))
		} else {
			a.Broadcast += int64(cluster.Size(wholes[i]))
		}
	}
	switch {
	case r.Size > 0:
		a.Size = r.Size
	case r.Bytes == 0:
		w, rounds, err := work(ctx, k, src, wholes, in)
		if ctx.Err() != nil {
			return err
		} else if err != nil { // the run will say what it is, and where
			w.PerElement = float64(w.Read) / float64(max(w.Elements, 1)) / usualRate
		}
		machines := Machines(r.Workers, r.FanIn)
		if r.Reproducible {
			machines, rounds = Machines(1, 0), true // whatever there is today
		}
		a.Size, a.Chosen = choose(w, rounds || err != nil, machines)
	default:
		each := max(a.Cut/int64(max(a.Length, 1)), 1)
		a.Size = int(max(int64(r.Bytes)/each, 1))
	}
	a.Blocks = (a.Length + a.Size - 1) / a.Size
	return nil
}

// Values are inputs that are values: what the generated function BlocksKERNEL returns.
func Values(values cluster.Slices) Inputs {
	in := make(Inputs, len(values))
	for i, v := range slices.All(values) {
		in[i].Value = v
	}
	return in
}
