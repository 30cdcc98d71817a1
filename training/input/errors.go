package input

import (
	"fmt"
	"strings"
)

// Error is anything that is wrong with an input: one place, one problem, one
// way out. It prints as
//
//	file:line:column: what [code]
//	  why: …
//	  do: …
//
// Line and Col count from 1; 0 means that there is none (binary files, specs).
// Code is stable and meant for scripts; the texts may change.
type Error struct {
	File      string
	Line, Col int
	What      string
	Code      string
	Why       string
	Do        string
	Err       error // the cause, where there is one; see Unwrap
	// Bind are bindings that Do names, for whoever knows the command that they are flags of.
	Bind []Entry

	bound bool // File already names the parameter that was being bound
}

// Error prints the message described at the type.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(oneLine(e.File))
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
		if e.Col > 0 {
			fmt.Fprintf(&b, ":%d", e.Col)
		}
	}
	if b.Len() > 0 {
		b.WriteString(": ")
	}
	fmt.Fprintf(&b, "%s [%s]", oneLine(e.What), e.Code)
	if e.Why != "" {
		fmt.Fprintf(&b, "\n  why: %s", oneLine(e.Why))
	}
	if e.Do != "" {
		fmt.Fprintf(&b, "\n  do: %s", oneLine(e.Do))
	}
	return b.String()
}

func oneLine(text string) string {
	return strings.NewReplacer("\n", " ", "\r", " ").Replace(text)
}

// Unwrap gives the cause, so that errors.Is(err, fs.ErrNotExist) works.
func (e *Error) Unwrap() error { return e.Err }

// excerpt quotes what was found, cut so that a binary file given as text
// cannot flood the terminal.
func excerpt[T ~string | ~[]byte](text T) string {
	const most = 40
	if len(text) > most {
		return fmt.Sprintf("%q…", string(text[:most]))
	}
	return fmt.Sprintf("%q", string(text))
}
