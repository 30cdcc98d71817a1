package cluster

import (
	"errors"
	"fmt"
)

// Error says why a kernel gives no result on an input: the same on every worker, and again if it is tried again. What
// is wrong with the reading of inputs, or with a worker, is another error.
type Error struct {
	Kernel string
	Pos    string // file:line:col, of the operator where that is known, else of the kernel's name
	Text   string // what a user reads, with kernel and position
	Block  int    // the number of the block, -1 where the error is of none
	Err    error  // what the kernel's code returned; nil on another machine
}

// Error returns the text.
func (e *Error) Error() string { return e.Text }

// Unwrap returns what the kernel's code returned.
func (e *Error) Unwrap() error { return e.Err }

// Movable is an error that knows the place in an argument where it was found. Moved returns the same error for an
// argument of which the kernel's code had seen only a part. The function says for the name of an argument where its
// part begins, and of the elements, if they count in a part too, where that begins, and how long the whole of it is.
type Movable interface {
	error
	Moved(base func(argument string) (position, elements, limit int)) error
}

// fail is an error about the description, or about what a step yields.
func (k *Kernel) fail(block int, format string, args ...any) *Error {
	pos := k.Pos
	if pos != "" {
		pos += ": "
	}
	return &Error{Kernel: k.Name, Pos: k.Pos, Block: block, Text: pos + k.Name + ": " + fmt.Sprintf(format, args...) + " [cluster]"}
}

// failed is what a step of a block returned, in terms of the whole input: parts are the block's values.
func (k *Kernel) failed(err error, block int, wholes, parts []Value) error {
	var e *Error
	if errors.As(err, &e) {
		return err
	}
	var m Movable
	if errors.As(err, &m) && block >= 0 {
		err = m.Moved(func(argument string) (position, elements, limit int) { return k.base(argument, wholes, parts) })
	}
	return &Error{Kernel: k.Name, Pos: k.Pos, Block: block, Text: err.Error(), Err: err}
}

// base returns where the part of a parameter begins, and, if it holds offsets, where that
// begins which they count in, and how long the whole of it is.
func (k *Kernel) base(argument string, wholes, parts []Value) (position, elements, limit int) {
	start := func(cut int) int {
		if n, ok := parts[len(k.Cuts)+cut].(int); ok {
			return n
		}
		return 0
	}
	for i, c := range k.Cuts {
		if k.Params[c.Param].Name != argument {
			continue
		}
		position = start(i)
		if !k.Params[c.Param].Offsets {
			continue
		}
		for j, d := range k.Cuts {
			if d.By == c.Param {
				elements = start(j)
				limit, _ = wholes[d.Param].(int)
			}
		}
	}
	return position, elements, limit
}
