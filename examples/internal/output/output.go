// Package output writes the files of the example programs: whether that is possible is known before the work is done,
// and a file is replaced in one step, so that a full disk or Ctrl-C leaves the old one.
package output

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// File is the value of an option that names a file to write. An empty name is none.
type File struct {
	Option, Name string
	Ext          string // what the name must end in, if not empty
}

// Check reports why one of the files cannot be written: its name does not end as it must, its directory does not exist
// or takes no files, it is a directory, or another of them has its name.
func Check(files ...File) error {
	options := map[string]string{}
	for _, f := range files {
		if f.Name == "" {
			continue
		}
		if err := f.check(); err != nil {
			return fmt.Errorf("%s %s: %w", f.Option, f.Name, err)
		}
		path, err := filepath.Abs(f.Name)
		if err != nil {
			return err
		}
		if other := options[path]; other != "" {
			return fmt.Errorf("%s and %s are the same file, %s", other, f.Option, f.Name)
		}
		options[path] = f.Option
	}
	return nil
}

func (f File) check() error {
	if f.Ext != "" && filepath.Ext(f.Name) != f.Ext {
		return fmt.Errorf("the name must end in %s", f.Ext)
	}
	if info, err := os.Stat(f.Name); err == nil && info.IsDir() {
		return errors.New("it is a directory")
	}
	made, err := os.CreateTemp(filepath.Dir(f.Name), ".output*")
	if err != nil {
		return fmt.Errorf("no file can be made there: %w", cause(err))
	}
	made.Close()
	return os.Remove(made.Name())
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
