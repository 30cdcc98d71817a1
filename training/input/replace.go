package input

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// ReplaceFile puts a file in place in one step: it is the old one or the new one at any time, also when the process is
// interrupted. What a symbolic link leads to is replaced, and not the link; a device or a pipe cannot be replaced, and
// is written to.
func ReplaceFile(path string, write func(io.Writer) error) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	info, err := os.Stat(path)
	there := err == nil
	if there && !info.Mode().IsRegular() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return writeAndClose(f, write)
	}
	temp := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%d.tmp", filepath.Base(path), os.Getpid()))
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	err = writeAndClose(f, func(w io.Writer) error {
		if there {
			if err := f.Chmod(info.Mode().Perm()); err != nil {
				return err
			}
		}
		return write(w)
	})
	if err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		os.Remove(temp)
	}
	return err
}

// writeAndClose also waits until a regular file is on the disk: its old content is given up for it.
func writeAndClose(f *os.File, write func(io.Writer) error) error {
	b := bufio.NewWriterSize(f, 1<<18)
	err := write(b)
	if err == nil {
		err = b.Flush()
	}
	if info, failed := f.Stat(); err == nil && failed == nil && info.Mode().IsRegular() {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
