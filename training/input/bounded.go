package input

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// A file that is named by mistake, or by somebody who means harm, may be a device that never ends, a pipe that nobody
// writes to, or a few bytes that unpack into more than any disk holds. Nothing is read without a bound.

// irregular says what a file is that is neither regular nor a directory.
func irregular(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	case mode.IsDir():
		return "a directory"
	}
	return "not a regular file"
}

// ReadFile reads a file as a whole: a regular one of at most so many bytes.
func ReadFile(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path) // before it is opened: to open a pipe waits for its other end
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("it is %s, and a regular file is wanted", irregular(info.Mode()))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1)) // it may have grown, and files of /proc say that they are empty
	if err != nil {
		return nil, err
	}
	if int64(len(text)) > most {
		return nil, fmt.Errorf("it has more than the %d bytes that are read of such a file", most)
	}
	return text, nil
}

// openInput opens a regular file or a pipe. A pipe has no end before its other side says so: opening and reading it end
// with the context. The caller calls release when it has read the file.
func openInput(ctx context.Context, spec, path string) (f *os.File, size int64, release func(), err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, 0, nil, readError(spec, 0, err)
	}
	switch {
	case info.Mode().IsRegular():
		f, err = os.Open(path)
		size, release = info.Size(), func() { f.Close() }
	case info.Mode()&fs.ModeNamedPipe != 0:
		if f, err = openPipe(ctx, path); err != nil {
			break
		}
		stop := context.AfterFunc(ctx, func() { f.Close() })
		size, release = -1, func() {
			stop()
			f.Close()
		}
	default:
		return nil, 0, nil, &Error{File: spec, What: "this is " + irregular(info.Mode()), Code: "unreadable", Why: "an input is a regular file or a pipe", Do: "name a file"}
	}
	if err != nil {
		return nil, 0, nil, readError(spec, 0, err)
	}
	return f, size, release, nil
}

// openPipe waits for the other end of a pipe for as long as the context allows.
func openPipe(ctx context.Context, path string) (*os.File, error) {
	type opened struct {
		f   *os.File
		err error
	}
	done := make(chan opened, 1)
	go func() {
		f, err := os.Open(path)
		done <- opened{f, err}
	}()
	select {
	case o := <-done:
		return o.f, o.err
	case <-ctx.Done():
		return nil, ctx.Err() // the file is opened and forgotten if the other end comes yet
	}
}

// bounded reads at most left bytes of what has no size that is known, or unpacks to one.
type bounded struct {
	r    io.Reader
	ctx  context.Context
	most int64 // in all
	left int64
}

// textPerByte is how many characters stand for a byte of memory, at most: a number of 8 bytes in 25 of them, and
// comments.
const textPerByte = 4

// newBounded bounds what is read of r by what may be kept of it, 0 for [memoryLimit].
func newBounded(ctx context.Context, r io.Reader, limit int64) *bounded {
	if limit <= 0 {
		limit = memoryLimit()
	}
	limit = max(limit, 1<<20) * textPerByte
	return &bounded{r, ctx, limit, limit}
}

func (b *bounded) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	if b.left <= 0 {
		return 0, &tooLong{fmt.Sprintf("the input goes on after %d bytes", b.most)}
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	if err != nil && b.ctx.Err() != nil { // it was closed for that
		err = b.ctx.Err()
	}
	return n, err
}

// record is a reader of records that refuses one that is too long to be one.
type record struct {
	r    io.Reader
	left int
}

// longestRecord is what a record of several lines may take, with what is read ahead.
const longestRecord = 16 << 20

func (b *record) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, &tooLong{fmt.Sprintf("a record is longer than %d MiB", longestRecord>>20)}
	}
	n, err := b.r.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

// tooLong is the error of what does not end where it should.
type tooLong struct{ what string }

func (e *tooLong) Error() string { return e.what }

// tooLarge reports numbers of 8 bytes beyond the limit (0: memoryLimit). They are appended one by one, which takes
// twice their memory for a moment.
func tooLarge(n int, limit int64) error {
	if limit <= 0 {
		limit = memoryLimit()
	}
	return checkSize(int64(n), 8, max(limit/2, 8))
}

// longError gives a tooLong its place, and leaves other errors alone.
func longError(file string, err error) error {
	var long *tooLong
	if !errors.As(err, &long) {
		return nil
	}
	return &Error{File: file, What: long.what, Code: "too-large", Why: "no more of it fits in memory, so this is probably not what it seems", Do: "check where it comes from", Err: err}
}
