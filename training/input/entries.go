package input

import (
	"errors"
	"slices"
)

// Entry is what a user says of a name: NAME=SPEC of an input, or PARAM=EXPR of a binding. It has a place unless it is
// of a command line.
type Entry struct {
	Name, Value string
	File        string // that it stands in, "" for none; relative paths start from its folder
	Line, Col   int
}

// Merge returns the entries of a file with those of the command line in their place or behind them.
func Merge(file, flags []Entry) []Entry {
	all := slices.Clone(file)
	for _, f := range flags {
		if i := slices.IndexFunc(all, func(e Entry) bool { return e.Name == f.Name }); i >= 0 {
			all[i] = f
		} else {
			all = append(all, f)
		}
	}
	return all
}

// place puts an error about an input or a binding as a whole to where the entry stands. An error about a line of
// another file stays there.
func (e Entry) place(err error) error {
	var of *Error
	if e.File == "" || !errors.As(err, &of) || of.Line > 0 {
		return err
	}
	placed := *of
	placed.File, placed.Line, placed.Col, placed.What = e.File, e.Line, e.Col, of.File+": "+of.What
	return &placed
}

// wrong is an error about the entry itself.
func (e Entry) wrong(code, what, do string) *Error {
	return &Error{File: e.File, Line: e.Line, Col: e.Col, Code: code, What: what, Do: do}
}
