package input

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// lineReader reads a text input line by line without copying, keeps count for
// messages, and stops when the context ends.
type lineReader struct {
	ctx  context.Context
	in   *bufio.Reader
	file string
	line int
}

const longestLine = 1 << 20

func newLineReader(ctx context.Context, file string, r io.Reader) *lineReader {
	return &lineReader{ctx: ctx, file: file, in: bufio.NewReaderSize(r, longestLine)}
}

// next gives the next line without its end, valid until the next call, or
// io.EOF, or an *Error. A carriage return at the end counts as a blank, and a
// byte order mark, with which programs of Windows begin a file, is left out.
func (l *lineReader) next() ([]byte, error) {
	if l.line&0xfff == 0 {
		if err := l.ctx.Err(); err != nil {
			return nil, err
		}
	}
	line, err := l.in.ReadSlice('\n')
	switch {
	case err == nil, err == io.EOF && len(line) > 0:
		if l.line++; l.line == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		return bytes.TrimSuffix(line, []byte("\n")), nil
	case err == io.EOF:
		return nil, io.EOF
	case err == bufio.ErrBufferFull:
		l.line++
		return nil, l.errorf("line-too-long", "the line is longer than 1 MiB",
			"it is probably not a text file with a line an entry", "check that this is the right file")
	}
	l.line++
	return nil, readError(l.file, l.line, err)
}

func (l *lineReader) errorf(code, what, why, do string) *Error {
	return &Error{File: l.file, Line: l.line, What: what, Code: code, Why: why, Do: do}
}

// number adds the place to the message for a token that parseFloat refused.
func (l *lineReader) number(token []byte, at int, problem string) *Error {
	e := numberError(token, problem)
	e.File, e.Line, e.Col = l.file, l.line, at+1
	return e
}

// readError translates what reading and unpacking can answer.
func readError(file string, line int, err error) error {
	if long := longError(file, err); long != nil {
		return long
	}
	var corrupt flate.CorruptInputError
	e := &Error{File: file, Line: line, Err: err}
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		e.What, e.Code = "the compressed data ends early", "gzip-truncated"
		e.Why, e.Do = "the file was cut off while it was written or copied", "fetch or compress it again"
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.As(err, &corrupt):
		e.What, e.Code = "the compressed data is corrupt", "gzip-corrupt"
		e.Why, e.Do = err.Error(), "fetch or compress it again; check it with gzip -t"
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		e.Line = 0
		e.What, e.Code, e.Why, e.Do = "the file cannot be opened", "unreadable", err.Error(), "check the path and its permissions"
	default:
		e.What, e.Code = "reading failed", "unreadable"
		e.Why, e.Do = fmt.Sprint(err), "check the file and the disk"
	}
	return e
}
