package training

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/surge-ndp/surge/codegen/harness"
)

// process is a running harness.
type process struct {
	name   string // what errors are about: the package's directory
	cmd    *exec.Cmd
	in     io.WriteCloser
	buffer *bufio.Writer // in front of in
	pipe   *os.File      // what out reads
	out    *bufio.Reader
	stderr ends
	waited chan struct{} // closed when the process has ended
	state  error         // how, once waited is closed

	closed atomic.Bool // close was called

	mu    sync.Mutex // held during a call
	ended error      // why the process takes no more calls; nil as long as it does
}

// launch starts the binary of a harness.
func launch(name, binary string) (*process, error) {
	p := &process{name: name, cmd: exec.Command(binary), waited: make(chan struct{})}
	detach(p.cmd)
	p.cmd.Env = append(os.Environ(), harness.Environment+"=1")
	p.cmd.Stderr = &p.stderr
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	p.cmd.WaitDelay = time.Second // for whatever the user's code may have started
	// A pipe of our own: Wait closes that of StdoutPipe, maybe before everything was read.
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p.cmd.Stdout, p.pipe = w, r
	p.out, p.buffer = bufio.NewReaderSize(r, 1<<18), bufio.NewWriterSize(p.in, 1<<18)
	err = p.cmd.Start()
	w.Close()
	if err != nil {
		r.Close()
		return nil, err
	}
	go func() {
		p.state = p.cmd.Wait()
		close(p.waited)
	}()
	return p, nil
}

// call sends a request, with send writing what follows it, and reads the response, with receive reading what follows
// that. A fault is returned as it is. Any other error ends the process.
func (p *process) call(ctx context.Context, req *harness.Request, send func(io.Writer) error, receive func(*harness.Response, io.Reader) error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if p.ended != nil {
		return p.over()
	}
	stop := context.AfterFunc(ctx, p.kill)
	defer stop()
	resp, err := p.exchange(req, send, receive)
	if err == nil && resp.Fault != nil {
		return resp.Fault
	}
	if err != nil {
		p.kill()
		<-p.waited
		switch {
		case ctx.Err() != nil:
			err = ctx.Err()
		case p.closed.Load():
			p.ended = errClosed
			return p.over()
		default:
			err = p.crashed(err)
		}
		p.ended = err
	}
	return err
}

// over says that the process has ended.
func (p *process) over() error {
	return &Error{Where: p.name, What: "the session has ended", Code: CodeClosed, Err: p.ended, Why: firstLine(p.ended.Error())}
}

func (p *process) exchange(req *harness.Request, send func(io.Writer) error, receive func(*harness.Response, io.Reader) error) (*harness.Response, error) {
	line, err := json.Marshal(req)
	if err != nil {
		return nil, err
	}
	w := p.buffer
	w.Write(append(line, '\n'))
	if send != nil {
		if err := send(w); err != nil {
			return nil, err
		}
	}
	if err := w.Flush(); err != nil {
		return nil, err
	}
	text, err := p.out.ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	resp := new(harness.Response)
	if err := json.Unmarshal(text, resp); err != nil {
		return nil, fmt.Errorf("the harness answers %.60q: %w", text, err)
	}
	if resp.Fault == nil && receive != nil {
		return resp, receive(resp, p.out)
	}
	return resp, nil
}

// kill ends the process at once; it may be called several times.
func (p *process) kill() { p.cmd.Process.Kill() }

// crashed explains the end of the process, which has been waited for; err is what was noticed first.
func (p *process) crashed(err error) *Error {
	e := &Error{Where: p.name, Code: CodeCrash, What: "the program that runs the kernels ended unexpectedly", Err: err, Bug: true, Output: p.stderr.last(12)}
	var exit *exec.ExitError
	if errors.As(p.state, &exit) {
		e.What += ": " + exit.Error()
	}
	switch out := e.Output; {
	case strings.Contains(out, "out of memory"), strings.Contains(out, "cannot allocate memory"),
		out == "" && exit != nil && exit.Error() == "signal: killed" && !errors.Is(err, errTooLate):
		e.Bug, e.Why, e.Do = false, "there was not enough memory", "use a smaller input"
	}
	return e
}

var (
	errTooLate = errors.New("the harness does not answer")
	errClosed  = errors.New("it was closed")
)

// close ends the process and waits for that.
func (p *process) close() {
	p.closed.Store(true)
	p.kill() // first, so that a call that is under way ends
	p.mu.Lock()
	defer p.mu.Unlock()
	<-p.waited
	p.pipe.Close()
	if p.ended == nil {
		p.ended = errClosed
	}
}

// describe asks what the harness holds. It does not wait for long: it is the test that a binary is in order.
func (p *process) describe(ctx context.Context) (*harness.Description, error) {
	limited, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	var d *harness.Description
	err := p.call(limited, &harness.Request{Op: harness.OpDescribe}, nil, func(r *harness.Response, _ io.Reader) error {
		d = r.Description
		return nil
	})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil && err != nil:
		return nil, p.crashed(errTooLate)
	case err == nil && d == nil:
		err = errors.New("the harness does not describe itself")
	case err == nil && d.Protocol != harness.ProtocolVersion:
		err = fmt.Errorf("the harness speaks version %d of the protocol, and this program version %d: the module's surge and this one differ", d.Protocol, harness.ProtocolVersion)
	}
	return d, err
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
