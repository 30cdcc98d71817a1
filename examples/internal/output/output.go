// Package output writes the files of the example programs: whether that is possible is known before the work is done,
// and a file is replaced in one step, so that a full disk or Ctrl-C leaves the old one.
package output

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Check reports why file, the value of the option, cannot be written: its name does not end in ext (if that is not empty), its directory does
// not exist or takes no files, or it is a directory. No file name is no error.
func Check(option, file, ext string) error {
	if file == "" {
		return nil
	}
	if ext != "" && filepath.Ext(file) != ext {
		return fmt.Errorf("%s %s: the name must end in %s", option, file, ext)
	}
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return fmt.Errorf("%s %s: it is a directory", option, file)
	}
	f, err := os.CreateTemp(filepath.Dir(file), ".output*")
	if err != nil {
		return fmt.Errorf("%s %s: no file can be made there: %w", option, file, cause(err))
	}
	f.Close()
	return os.Remove(f.Name())
}

// Write makes file of what write writes, or leaves what was there and returns an error.
func Write(file string, write func(w io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(file), ".output*")
	if err != nil {
		return fmt.Errorf("%s: %w", file, cause(err))
	}
	defer os.Remove(f.Name()) // fails once it has its name
	err = write(f)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if end := f.Close(); err == nil {
		err = end
	}
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", file, cause(err))
	}
	return nil
}

// cause is an error without the name of the temporary file.
func cause(err error) error {
	switch e := err.(type) {
	case *os.PathError:
		return e.Err
	case *os.LinkError:
		return e.Err
	}
	return err
}
