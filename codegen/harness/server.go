package harness

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
)

// Environment is the variable that the process which starts a harness sets for it, to anything.
const Environment = "SURGE_HARNESS"

// protocol is standard output. In a harness, from the time this package is initialised, before the user's, os.Stdout is
// standard error, so that nothing that the user's code prints gets between messages.
var protocol = takeStdout()

func takeStdout() *os.File {
	out := os.Stdout
	if os.Getenv(Environment) != "" {
		os.Stdout = os.Stderr
	}
	return out
}

// Main serves requests for the registered kernels on standard input and output, and ends the process when the input is
// closed. It is what the generated main function calls; where the user's package is itself a main package, a generated
// init function does.
func Main() {
	err := serve(waiting(os.Stdin), protocol, registered, func() { os.Exit(0) })
	if err != nil {
		fmt.Fprintln(os.Stderr, "surge harness:", err)
		os.Exit(2)
	}
	os.Exit(0)
}

// job is a request with the values that followed it.
type job struct {
	Request
	values []array
}

type server struct {
	kernels  []*Kernel
	bindings map[int]*binding
	last     int
	out      *bufio.Writer
}

// serve answers requests until in ends, and returns what is wrong with the messages or their transport. It reads ahead,
// and calls ended as soon as the input has ended, at that moment a request may be in work.
func serve(in io.Reader, out io.Writer, kernels []*Kernel, ended func()) error {
	s := &server{kernels: kernels, bindings: map[int]*binding{}, out: bufio.NewWriterSize(out, 1<<16)}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	jobs := make(chan job)
	var readError error
	go func() {
		defer close(jobs)
		r := bufio.NewReaderSize(in, 1<<16)
		for {
			j, err := readJob(r)
			if err != nil {
				if !errors.Is(err, io.EOF) {
					readError = err
				} else {
					cancel()
					ended()
				}
				return
			}
			jobs <- j
		}
	}()
	for j := range jobs {
		if err := s.answer(ctx, j); err != nil {
			return err // the client is gone, and the reader ends with the process
		}
	}
	return readError
}

// readJob reads a request and what follows it. The error is io.EOF only between requests.
func readJob(r *bufio.Reader) (job, error) {
	line, err := r.ReadBytes('\n')
	if err != nil {
		if err == io.EOF && len(line) > 0 {
			err = io.ErrUnexpectedEOF
		}
		return job{}, err
	}
	var j job
	if err := json.Unmarshal(line, &j.Request); err != nil {
		return job{}, fmt.Errorf("request: %w", err)
	}
	var following []Argument
	switch {
	case j.Bind != nil:
		following = j.Bind.Args
	case j.Compare != nil:
		following = j.Compare.Results
	}
	for i, a := range following {
		x, err := readArray(r, a)
		if err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return job{}, fmt.Errorf("value %d of the request to %s: %w", i+1, j.Op, err)
		}
		j.values = append(j.values, x)
	}
	return j, nil
}

// answer serves one request. Its error is one of the transport.
func (s *server) answer(ctx context.Context, j job) error {
	var resp Response
	var results []array
	var err error
	switch {
	case j.Op == OpDescribe:
		resp.Description, err = describeKernels(s.kernels)
	case j.Op == OpBind && j.Bind != nil:
		resp.Bound, err = s.bind(j.Bind, j.values)
	case j.Op == OpRun && j.Run != nil:
		resp.Ran, results, err = s.run(ctx, j.Run)
	case j.Op == OpPrepare && j.Run != nil:
		err = s.prepare(j.Run)
	case j.Op == OpPlain && j.Plain != nil:
		resp.Plain, err = s.againstPlain(ctx, j.Plain)
	case j.Op == OpCompare && j.Compare != nil:
		resp.Compared, err = s.compare(j.Compare, j.values)
	case j.Op == OpModel:
		resp.Notes = useModel(s.kernels, j.Model)
	case j.Op == OpRelease:
		delete(s.bindings, j.Release)
		runtime.GC()
	default:
		err = badRequest("unknown operation %q", j.Op)
	}
	if err != nil {
		var f *Fault
		if !errors.As(err, &f) {
			f = &Fault{Kind: FaultBug, Detail: err.Error()}
		}
		resp, results = Response{Fault: f}, nil
	}
	if err := json.NewEncoder(s.out).Encode(&resp); err != nil {
		return err
	}
	if resp.Ran != nil && len(resp.Ran.Results) > 0 {
		for _, r := range results {
			if err := writeArray(s.out, r); err != nil {
				return err
			}
		}
	}
	return s.out.Flush()
}

// useModel hands a model file to all kernels.
func useModel(kernels []*Kernel, text *string) map[string]string {
	notes := map[string]string{}
	for _, k := range kernels {
		var file []byte
		if text != nil {
			file = append([]byte{}, *text...)
		}
		if note := k.Exec.UseModel(file); note != "" {
			notes[k.Exec.Name] = note
		}
	}
	return notes
}

func (s *server) bind(req *BindRequest, args []array) (*BindReply, error) {
	for _, k := range s.kernels {
		if k.Exec.Name != req.Kernel {
			continue
		}
		if len(args) != len(k.ins) {
			return nil, badRequest("%s has %d parameters, not %d", req.Kernel, len(k.ins), len(args))
		}
		for i, p := range k.ins {
			if got := args[i].argument().Type; got != p.Type {
				return nil, badRequest("%s: %s is a %s, not a %s", req.Kernel, p.Name, p.Type, got)
			}
		}
		b, err := newBinding(k, req, args)
		if err != nil {
			return nil, faultOf(k.Exec.Name, err)
		}
		s.last++
		s.bindings[s.last] = b
		runtime.GC() // not while something is timed
		return &BindReply{Bound: s.last, Decisions: decisions(b.current.Decisions()), Bytes: b.bytes}, nil
	}
	return nil, badRequest("unknown kernel %q", req.Kernel)
}

func (s *server) run(ctx context.Context, req *RunRequest) (*RunReply, []array, error) {
	b := s.bindings[req.Bound]
	if b == nil {
		return nil, nil, badRequest("there is no binding %d", req.Bound)
	}
	reply, results, err := b.run(ctx, req)
	if err != nil {
		return nil, nil, faultOf(b.kernel.Exec.Name, err)
	}
	if req.Values {
		for _, r := range results {
			reply.Results = append(reply.Results, r.argument())
		}
	}
	return reply, results, nil
}

func (s *server) againstPlain(ctx context.Context, req *PlainRequest) (*PlainReply, error) {
	b := s.bindings[req.Bound]
	if b == nil {
		return nil, badRequest("there is no binding %d", req.Bound)
	}
	reply, err := b.againstPlain(ctx, req)
	if err != nil {
		return nil, faultOf(b.kernel.Exec.Name, err)
	}
	return reply, nil
}

func (s *server) compare(req *CompareRequest, results []array) ([]Comparison, error) {
	b := s.bindings[req.Bound]
	if b == nil {
		return nil, badRequest("there is no binding %d", req.Bound)
	}
	if len(results) != len(b.kernel.outs) {
		return nil, badRequest("%s has %d results, not %d", b.kernel.Exec.Name, len(b.kernel.outs), len(results))
	}
	for i, p := range b.kernel.outs {
		if got := results[i].argument().Type; got != p.Type {
			return nil, badRequest("%s: %s is a %s, not a %s", b.kernel.Exec.Name, p.Name, p.Type, got)
		}
	}
	if err := b.reference(); err != nil {
		return nil, faultOf(b.kernel.Exec.Name, err)
	}
	var all []Comparison
	for i, r := range results {
		all = append(all, r.compare(b.want[i], b.kernel.outs[i], b.largest))
	}
	return all, nil
}

func (s *server) prepare(req *RunRequest) error {
	b := s.bindings[req.Bound]
	if b == nil {
		return badRequest("there is no binding %d", req.Bound)
	}
	return guarded(b.kernel.Exec.Name, func() error {
		b.kernel.Exec.Prepare(req.Variants)
		return nil
	})
}

func describeKernels(kernels []*Kernel) (*Description, error) {
	d := &Description{Protocol: ProtocolVersion, GoVersion: runtime.Version(), GOMAXPROCS: runtime.GOMAXPROCS(0), SIMD: builtSIMD}
	for _, k := range kernels {
		info := KernelInfo{Name: k.Exec.Name, Pos: k.Exec.Pos, Hash: k.Exec.Hash, Params: k.ins, Results: k.outs, Devices: k.Exec.Devices(), Requested: k.Exec.Requested}
		for _, f := range k.Exec.Features {
			info.Features = append(info.Features, Feature{Name: f.Name, Unit: f.Unit, Version: f.Version})
		}
		for _, a := range k.Exec.Alternatives {
			info.Alternatives = append(info.Alternatives, a.Name)
		}
		for _, c := range k.Exec.Computations {
			missing, err := c.Missing()
			if err != nil {
				return nil, err
			}
			ci := ComputationInfo{Name: c.Name, Sequence: c.Sequence}
			for _, code := range c.Codes {
				ci.Codes = append(ci.Codes, CodeInfo{Text: code.Text, Launch: code.Launch, Missing: missing[code.Text]})
			}
			info.Computations = append(info.Computations, ci)
		}
		d.Kernels = append(d.Kernels, info)
	}
	return d, nil
}
