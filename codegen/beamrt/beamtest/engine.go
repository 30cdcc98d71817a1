// Package beamtest makes Prism the engine that runs the jobs of tests, see package clustertest: those that are thought
// to succeed many at once, in one pipeline, the others each as [beamrt.Run] does.
//
// It is for tests alone, and may import codegen/beamrt, codegen/cluster and codegen/cluster/clustertest.
package beamtest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/surge-ndp/surge/codegen/beamrt"
	"github.com/surge-ndp/surge/codegen/cluster"
	"github.com/surge-ndp/surge/codegen/cluster/clustertest"
)

// together is how many jobs are in one pipeline.
const together = 24

func init() { clustertest.Use(&engine{}) }

type engine struct{ waiting []clustertest.Job }

// Submit implements [clustertest.Engine].
func (e *engine) Submit(ctx context.Context, j clustertest.Job) {
	beamrt.Register(j.Kernel)
	beamrt.Register(j.Kernel)
	if j.Fails {
		alone(ctx, j)
		return
	}
	if e.waiting = append(e.waiting, j); len(e.waiting) >= together {
		e.Flush(ctx)
	}
}

// Flush implements [clustertest.Engine].
func (e *engine) Flush(ctx context.Context) {
	jobs := e.waiting
	e.waiting = nil
	if len(jobs) == 0 {
		return
	}
	results, err := pipeline(ctx, jobs)
	for i, j := range jobs {
		if err != nil { // whose fault it is is known of each by itself
			alone(ctx, j)
			continue
		}
		tell(ctx, j, results[i], nil)
	}
}

// alone runs one job.
func alone(ctx context.Context, j clustertest.Job) {
	r, err := beamrt.Run(ctx, beamrt.Options{Kernel: j.Kernel, Inputs: beamrt.Values(j.Inputs), BlockSize: j.Size})
	if err != nil {
		tell(ctx, j, nil, err)
		return
	}
	tell(ctx, j, r.Values, nil)
}

// tell hands on what came of a job, if it is the same, bit by bit, as that of the driver for one process.
func tell(ctx context.Context, j clustertest.Job, got []cluster.Value, err error) {
	want, failed := clustertest.Run(cluster.WithOptions(ctx), j) // without options, as on Beam
	switch {
	case (err == nil) != (failed == nil), err != nil && err.Error() != failed.Error():
		err = fmt.Errorf("on Beam the error is %v, and in one process %v", err, failed)
	case err != nil:
		err = failed // with what other machines do not hear of
	case !same(got, want):
		err = fmt.Errorf("on Beam the results are %v, and in one process %v", got, want)
	}
	j.Done(got, err)
}

func same(x, y []cluster.Value) bool {
	a, bad := cluster.AppendValues(nil, x)
	b, worse := cluster.AppendValues(nil, y)
	return bad == nil && worse == nil && bytes.Equal(a, b)
}

// pipeline runs jobs in one pipeline.
func pipeline(ctx context.Context, jobs []clustertest.Job) ([][]cluster.Value, error) {
	dir, err := os.MkdirTemp("", "beamtest-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if !beam.Initialized() {
		beam.Init()
	}
	p, root := beam.NewPipelineWithRoot()
	var outs []beamrt.Outputs
	for n, j := range jobs {
		s := root.Scope(fmt.Sprintf("job %d", n))
		begin, err := beamrt.Begin(ctx, s, j.Kernel, beamrt.Values(j.Inputs), j.Size)
		if err != nil {
			return nil, err
		}
		blocks, state := beamrt.Apply(s, j.Kernel, begin, 1+n%3)
		out := beamrt.Outputs{Run: fmt.Sprint(n)}
		for i := range j.Kernel.Results {
			out.Sinks = append(out.Sinks, beamrt.Sink{Result: i, Pattern: filepath.Join(dir, fmt.Sprintf("%d-%d-*", n, i)), Coded: true})
		}
		outs = append(outs, out)
		beamrt.Write(s, j.Kernel, blocks, state, out)
	}
	if _, err := beamrt.Execute(ctx, "prism", p); err != nil {
		return nil, err
	}
	all := make([][]cluster.Value, len(jobs))
	for n, j := range jobs {
		for i, r := range j.Kernel.Results {
			v, err := beamrt.Collect(outs[n].Sinks[i], r)
			if err != nil {
				return nil, err
			}
			all[n] = append(all[n], v)
		}
	}
	return all, nil
}
