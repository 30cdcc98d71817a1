package clustertest

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/surge-ndp/surge/codegen/cluster"
)

// Job is a kernel that is to run block by block on one input.
type Job struct {
	Kernel *cluster.Kernel
	Inputs cluster.Slices
	Size   int  // elements of a block
	Fails  bool // plain Go fails on the input
	// Done is called with what came of it, if not at once then before [Flush] returns. Jobs with the same Fails are done
	// in their order.
	Done func(results []cluster.Value, err error)
}

// Engine runs jobs, one after the other or many at once.
type Engine interface {
	Submit(ctx context.Context, j Job)
	Flush(ctx context.Context)
}

var engine Engine = inProcess{}

// Use makes an engine the one that runs jobs. Programs import a package that calls it.
func Use(e Engine) { engine = e }

// Submit runs a job: in this process, by [cluster.Run], if there is no other engine.
func Submit(ctx context.Context, j Job) { engine.Submit(ctx, j) }

// Flush runs all jobs that have not run yet.
func Flush(ctx context.Context) { engine.Flush(ctx) }

// Run runs a job in this process. A panic is an error.
func Run(ctx context.Context, j Job) (results []cluster.Value, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return cluster.Run(ctx, j.Kernel, j.Inputs, j.Size)
}

type inProcess struct{}

func (inProcess) Submit(ctx context.Context, j Job) { j.Done(Run(ctx, j)) }
func (inProcess) Flush(context.Context)             {}
