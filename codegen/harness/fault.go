package harness

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/ops"
)

// CodePlain is the code of a fault of plain Go execution that is not an operator's: an index expression out of range, a
// division by zero.
const CodePlain = "plain-go"

// Error returns the detail.
func (f *Fault) Error() string { return "harness: " + f.Detail }

// Exec returns the error of a run that the input is to blame for.
func (f *Fault) Exec() *exec.Error {
	e := &exec.Error{Kernel: f.Kernel, Pos: f.Pos, Code: f.Code, Detail: f.Detail}
	if f.Op != "" {
		e.Err = &ops.Error{Op: f.Op, Code: f.Code, Detail: f.Detail}
	}
	return e
}

func badRequest(format string, args ...any) *Fault {
	return &Fault{Kind: FaultRequest, Detail: fmt.Sprintf(format, args...)}
}

// faultOf classifies an error of a kernel's Bind or Run.
func faultOf(kernel string, err error) *Fault {
	var f *Fault
	var e *exec.Error
	var d *exec.DeviceError
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &d):
		return &Fault{Kind: FaultDevice, Kernel: kernel, Detail: err.Error()}
	// Destinations are the harness's own: one that does not fit is not the user's fault.
	case errors.As(err, &e) && e.Code != "destination":
		f = &Fault{Kind: FaultInput, Kernel: e.Kernel, Pos: e.Pos, Code: e.Code, Detail: e.Detail}
		if e.Err != nil {
			f.Op, f.Code, f.Detail = e.Err.Op, e.Err.Code, e.Err.Detail
		}
		return f
	}
	return &Fault{Kind: FaultBug, Kernel: kernel, Detail: err.Error()}
}

// guarded calls f, which runs compiled code; a panic is a bug.
func guarded(kernel string, f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &Fault{Kind: FaultBug, Kernel: kernel, Detail: fmt.Sprintf("panic: %v", r), Stack: string(debug.Stack())}
		}
	}()
	return f()
}

// guardedPlain calls f, which runs plain Go; operators and Go itself panic there when the input is wrong.
func guardedPlain(kernel string, f func()) (err error) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		fault := &Fault{Kind: FaultInput, Kernel: kernel, Code: CodePlain, Detail: fmt.Sprintf("plain Go execution panics: %v", r)}
		if e, ok := r.(error); ok {
			var misuse *ops.Error
			var runtimeError runtime.Error
			if errors.As(e, &misuse) {
				fault.Op, fault.Code, fault.Detail = misuse.Op, misuse.Code, misuse.Detail
			} else if errors.As(e, &runtimeError) {
				fault.Detail = "plain Go execution panics: " + runtimeError.Error()
			}
		}
		err = fault
	}()
	f()
	return nil
}
