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
// kernel's error says text, where it has appended more to a slice than it was made with room for, or cut one to more
// elements than it has, given slices of different lengths each other's places, or carried a sequence of another
// length to the next turn, and, if its loops have exits, where any check has failed: which exit or panic comes first,
// plain Go says. It is not to be where ctx has ended, nor, where results may come of it, for what has a destination.
func (c *Call) PlainAgain(ctx context.Context, err error) bool {
	if err == nil || ctx.Err() != nil {
		return false
	}
	var e *Error
	switch {
	case errors.Is(err, ErrText):
	case errors.As(err, &e) && e.room && c.opts.destinations == nil:
	case e != nil && c.kernel.Exits && e.Code != "variant":
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

// GoesOn reports whether plain Go may go on with inputs that could not be bound, as err says: where a slice of them is
// cut to more elements than it has, slices of different lengths change places, or rows are made of two negative sizes.
// It does not say so of what has a destination, nor where what the kernel reads is newer on a device and cannot be had
// from there.
func GoesOn(err error, opts []Option) bool {
	var e *Error
	if !errors.As(err, &e) || !e.room {
		return false
	}
	o := collect(opts)
	return o.destinations == nil && (o.memory == nil || o.memory.Fetch() == nil)
}

// Again is the error of a run of the kernel itself, as plain Go, that panics with a value, behind a run that failed
// with err: that of the same panic, as compiled code describes it, or of one that comes before an exit.
func (k *Kernel) Again(err error, value any) error {
	if Exited(err) {
		return &Error{Kernel: k.Name, Pos: k.Pos, Code: "panic", Detail: fmt.Sprintf("panic: %v", value)}
	}
	return err
}

// Checked reports whether an error says that a check failed.
func Checked(err error) bool {
	var e *Error
	return errors.As(err, &e)
}

// Exited reports whether a run ended by an exit of a loop.
func Exited(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == codeExit
}
