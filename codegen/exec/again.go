package exec

import (
	"context"
	"errors"
	"fmt"
)

// ErrText stands for an error that a kernel returns and that says text, as fmt.Errorf("no number: %q", s): compiled
// code says which error it is, and the kernel itself, run once more as plain Go, makes it.
var ErrText = errors.New("the error of the kernel says text, which only the kernel itself makes, as plain Go")

// PlainAgain reports whether the kernel itself is to be run, as plain Go, behind a run that ended with err: where the
// kernel's error says text, and where it has appended more to a slice than it was made with room for. It is not to be
// where ctx has ended, nor for what has a destination.
func (c *Call) PlainAgain(ctx context.Context, err error) bool {
	if err == nil || ctx.Err() != nil {
		return false
	}
	var e *Error
	switch {
	case errors.Is(err, ErrText):
	case errors.As(err, &e) && e.room && c.opts.destinations == nil:
	default:
		return false
	}
	if c.memory != nil && c.memory.Fetch() != nil { // what the kernel reads may be newer on the device
		return false
	}
	if w := c.opts.explain; w != nil {
		fmt.Fprintf(w, "%s: the kernel itself, as plain Go, once more: %v\n", c.kernel.Name, err)
	}
	return true
}
