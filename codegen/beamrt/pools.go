package beamrt

import (
	"context"
	"fmt"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/graphx"
	pipepb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal/runnerlib"
	"google.golang.org/protobuf/proto"
)

func init() {
	register.DoFn2x0[Block, func(Block)](&dealFn{})
}

// dealFn keeps the blocks of one pool.
type dealFn struct{ Pool, Pools int }

// ProcessElement is called for each block.
func (f *dealFn) ProcessElement(b Block, emit func(Block)) {
	if b.Place.Block%f.Pools == f.Pool {
		emit(b)
	}
}

// deal lets each pool do a part of the blocks, and puts together what they yield. The steps are in a scope that is
// named after the pool.
func deal(s beam.Scope, blocks beam.PCollection, pools int, each func(beam.Scope, beam.PCollection) []beam.PCollection) []beam.PCollection {
	if pools < 2 {
		return each(s, blocks)
	}
	var yields [][]beam.PCollection // of each pool
	for i := range pools {
		yields = append(yields, each(s.Scope(poolName(i)), beam.ParDo(s, &dealFn{i, pools}, blocks)))
	}
	all := make([]beam.PCollection, len(yields[0]))
	for i := range all {
		var same []beam.PCollection
		for _, y := range yields {
			same = append(same, y[i])
		}
		all[i] = beam.Flatten(s, same...)
	}
	return all
}

func poolName(i int) string { return fmt.Sprintf("pool %d", i) }

// onPools runs a pipeline with the steps of each pool's scope on that pool, and all else on the first one. Beam's own
// functions for this know of one environment only.
func onPools(ctx context.Context, pools []string, p *beam.Pipeline) (beam.PipelineResult, error) {
	edges, _, err := p.Build()
	if err != nil {
		return nil, err
	}
	var environments []*pipepb.Environment
	for _, address := range pools {
		e, err := graphx.CreateEnvironment(ctx, graphx.URNEnvExternal, func(context.Context) string { return address })
		if err != nil {
			return nil, err
		}
		environments = append(environments, e)
	}
	pipeline, err := graphx.Marshal(edges, &graphx.Options{Environment: environments[0], PipelineResourceHints: jobopts.GetPipelineResourceHints()})
	if err != nil {
		return nil, err
	}
	for i, e := range environments[1:] {
		name := poolName(i + 1)
		e = proto.CloneOf(e)
		e.Dependencies = nil // that program is there already
		pipeline.Components.Environments[name] = e
		for _, t := range pipeline.Components.Transforms {
			if t.EnvironmentId != "" && strings.Contains(t.UniqueName, "/"+name+"/") {
				t.EnvironmentId = name
			}
		}
	}
	return runnerlib.Execute(ctx, pipeline, *jobopts.Endpoint, &runnerlib.JobOptions{
		Name: jobopts.GetJobName(), Experiments: jobopts.GetExperiments(), Parallelism: *jobopts.Parallelism, Loopback: true,
	}, false)
}
