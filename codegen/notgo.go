package codegen

import (
	"errors"
	"fmt"
	"go/scanner"
	"strings"
)

// NotGoError says that the text of a generated file does not parse: a mistake of this package, never of its user.
type NotGoError struct {
	// Line is the first line of the text that the parser refuses, or "" where it names none.
	Line string
	// Err is the parser's error.
	Err error
}

// Error names the line: the file that it would stand in does not exist.
func (e *NotGoError) Error() string {
	if e.Line == "" {
		return "what is generated is not Go: " + e.Err.Error()
	}
	return fmt.Sprintf("what is generated is not Go: %v, at %q", e.Err, e.Line)
}

// Unwrap returns the parser's error.
func (e *NotGoError) Unwrap() error { return e.Err }

// notGo returns the error for a text that the parser refuses with err.
func notGo(err error, text string) error {
	e := &NotGoError{Err: err}
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		e.Err = errors.New(list[0].Msg)
		if lines := strings.Split(text, "\n"); list[0].Pos.Line >= 1 && list[0].Pos.Line <= len(lines) {
			e.Line = strings.TrimSpace(lines[list[0].Pos.Line-1])
		}
	}
	return e
}
