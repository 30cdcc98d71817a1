package beamrt

import (
	"context"
	"math"
	"net"
	"strconv"
	"strings"
	"time"

	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	pipepb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal/extworker"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
	"google.golang.org/grpc"
)

// Serve makes this process a pool of workers on a port of the local machine, 0 for a free one, until the context ends
// or stop is called. The program must be the one that builds the pipelines.
func Serve(ctx context.Context, port int) (address string, stop func(), err error) {
	return ServeAt(ctx, net.JoinHostPort(local, strconv.Itoa(port)))
}

// local is where only the processes of this machine reach a server.
const local = "127.0.0.1"

// ServeAt is Serve at an address that other machines may reach, such as :50000. Whoever reaches it can have the kernels
// of the program run, and nothing asks who that is.
func ServeAt(ctx context.Context, at string) (address string, stop func(), err error) {
	loopback, err := extworker.StartLoopback(ctx, 0)
	if err != nil {
		return "", nil, err
	}
	server, address, err := serve(at, func(s *grpc.Server) {
		fnpb.RegisterBeamFnExternalWorkerPoolServer(s, &pool{Loopback: loopback})
	})
	if err != nil {
		loopback.Stop(ctx)
		return "", nil, err
	}
	return address, func() {
		loopback.Stop(ctx)
		server.Stop()
	}, nil
}

// serve starts a server at an address.
func serve(at string, register func(*grpc.Server)) (*grpc.Server, string, error) {
	listener, err := net.Listen("tcp", at)
	if err != nil {
		return nil, "", err
	}
	server := grpc.NewServer(grpc.MaxRecvMsgSize(math.MaxInt32))
	register(server)
	go server.Serve(listener)
	return server, listener.Addr().String(), nil
}

// pool starts workers as Beam's own pool does, with a [control] between each and the runner.
type pool struct{ *extworker.Loopback }

// StartWorker starts a worker.
func (p *pool) StartWorker(ctx context.Context, r *fnpb.StartWorkerRequest) (*fnpb.StartWorkerResponse, error) {
	if r.GetControlEndpoint() == nil {
		return p.Loopback.StartWorker(ctx, r)
	}
	c := &control{runner: r.GetControlEndpoint().GetUrl(), prefix: r.GetWorkerId() + "/"}
	server, address, err := serve(local+":0", func(s *grpc.Server) { fnpb.RegisterBeamFnControlServer(s, c) })
	if err != nil {
		return &fnpb.StartWorkerResponse{Error: err.Error()}, nil
	}
	c.end = server.Stop
	r.ControlEndpoint = &pipepb.ApiServiceDescriptor{Url: address}
	return p.Loopback.StartWorker(ctx, r)
}

// control hands on what a runner and a worker say to each other. A worker calls its metrics by short names, 1, 2 and so
// on, and Prism takes those of all workers of a job for the same: so they get the worker's name in front.
type control struct {
	fnpb.UnimplementedBeamFnControlServer
	runner, prefix string
	end            func()
}

// Control implements the server that the worker connects to.
func (c *control) Control(worker fnpb.BeamFnControl_ControlServer) error {
	defer func() { go c.end() }() // it waits for this call
	id, err := grpcx.ReadWorkerID(worker.Context())
	if err != nil {
		return err
	}
	conn, err := grpcx.Dial(worker.Context(), c.runner, time.Minute)
	if err != nil {
		return err
	}
	defer conn.Close()
	runner, err := fnpb.NewBeamFnControlClient(conn).Control(grpcx.WriteWorkerID(worker.Context(), id))
	if err != nil {
		return err
	}
	ended := make(chan error, 2)
	go func() {
		for {
			r, err := runner.Recv()
			if err == nil {
				c.ask(r)
				err = worker.Send(r)
			}
			if err != nil {
				ended <- err
				return
			}
		}
	}()
	go func() {
		for {
			r, err := worker.Recv()
			if err == nil {
				c.answer(r)
				err = runner.Send(r)
			}
			if err != nil {
				ended <- err
				return
			}
		}
	}()
	return <-ended
}

// GetProcessBundleDescriptor implements the server that the worker connects to.
func (c *control) GetProcessBundleDescriptor(ctx context.Context, r *fnpb.GetProcessBundleDescriptorRequest) (*fnpb.ProcessBundleDescriptor, error) {
	conn, err := grpcx.Dial(ctx, c.runner, time.Minute)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if id, err := grpcx.ReadWorkerID(ctx); err == nil {
		ctx = grpcx.WriteWorkerID(ctx, id)
	}
	return fnpb.NewBeamFnControlClient(conn).GetProcessBundleDescriptor(ctx, r)
}

// ask turns the names of metrics that a runner asks for into the worker's.
func (c *control) ask(r *fnpb.InstructionRequest) {
	ids := r.GetMonitoringInfos().GetMonitoringInfoId()
	for i := range ids {
		ids[i] = strings.TrimPrefix(ids[i], c.prefix)
	}
}

// answer turns the names of metrics of a worker into those for the runner.
func (c *control) answer(r *fnpb.InstructionResponse) {
	if p := r.GetProcessBundle(); p != nil {
		p.MonitoringData = prefixed(c.prefix, p.MonitoringData)
	}
	if p := r.GetProcessBundleProgress(); p != nil {
		p.MonitoringData = prefixed(c.prefix, p.MonitoringData)
	}
	if p := r.GetMonitoringInfos(); p != nil {
		p.MonitoringInfo = prefixed(c.prefix, p.MonitoringInfo)
	}
}

func prefixed[T any](prefix string, m map[string]T) map[string]T {
	p := make(map[string]T, len(m))
	for name, x := range m {
		p[prefix+name] = x
	}
	return p
}
