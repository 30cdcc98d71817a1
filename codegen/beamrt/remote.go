package beamrt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/surge-ndp/surge/training/input"
)

// Names with a scheme, such as gs://bucket/x-*.npy, are for the file systems of Beam, of which the program has those
// that it imports; all others are files of this machine, which workers have to share.

func init() { input.UseRemote(remoteFiles{}) }

// remoteFiles implements [input.Files].
type remoteFiles struct{}

// system returns the file system of a name. One that cannot be reached may panic.
func system(ctx context.Context, name string) (system filesystem.Interface, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s: %v", name, r)
		}
	}()
	scheme, _, _ := strings.Cut(name, "://")
	if system, err = filesystem.New(ctx, name); err != nil {
		return nil, fmt.Errorf("this program has no file system for %s://", scheme)
	}
	return system, nil
}

// Glob implements [input.Files].
func (remoteFiles) Glob(pattern string) ([]string, error) {
	ctx := context.Background()
	s, err := system(ctx, pattern)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	return s.List(ctx, pattern)
}

// Open implements [input.Files].
func (remoteFiles) Open(name string) (input.File, int64, error) {
	ctx := context.Background()
	bad := func(err error) (input.File, int64, error) {
		return nil, 0, &input.Error{File: name, What: "the file cannot be read", Code: "unreadable", Why: err.Error(), Do: "check the name, and that workers may read there", Err: err}
	}
	s, err := system(ctx, name)
	if err != nil {
		return bad(err)
	}
	size, err := s.Size(ctx, name)
	if err != nil {
		s.Close()
		return bad(err)
	}
	return &remoteFile{s, name}, size, nil
}

// remoteFile is a file that is opened for each read: Beam's file systems read from the beginning, those of some kinds
// from any place.
type remoteFile struct {
	system filesystem.Interface
	name   string
}

// ReadAt implements [io.ReaderAt].
func (f *remoteFile) ReadAt(p []byte, from int64) (int, error) {
	r, err := f.system.OpenRead(context.Background(), f.name)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	if seeker, ok := r.(io.Seeker); ok {
		_, err = seeker.Seek(from, io.SeekStart)
	} else {
		_, err = io.CopyN(io.Discard, r, from)
	}
	if err != nil {
		return 0, err
	}
	n, err := io.ReadFull(r, p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return n, err
}

// Close implements [io.Closer].
func (f *remoteFile) Close() error { return f.system.Close() }

// absolute is a name that workers with other working directories understand.
func absolute(name string) (string, error) {
	if input.Remote(name) {
		return name, nil
	}
	return filepath.Abs(name)
}

// folderOf and nameIn are the two parts of a name.
func folderOf(name string) string {
	if input.Remote(name) {
		return name[:strings.LastIndex(name, "/")]
	}
	return filepath.Dir(name)
}

func nameIn(folder, name string) string {
	if input.Remote(folder) {
		return folder + "/" + name
	}
	return filepath.Join(folder, name)
}

// glob returns the files of a pattern.
func glob(pattern string) ([]string, error) {
	if input.Remote(pattern) {
		return remoteFiles{}.Glob(pattern)
	}
	return filepath.Glob(pattern)
}

// writeValue writes a value as .npy.
func writeValue(ctx context.Context, name string, v input.Value) error {
	if !input.Remote(name) {
		return input.Write(name, v)
	}
	s, err := system(ctx, name)
	if err != nil {
		return err
	}
	defer s.Close()
	w, err := s.OpenWrite(ctx, name)
	if err != nil {
		return err
	}
	err = input.WriteNpy(w, v)
	return errors.Join(err, w.Close())
}

// rename gives a file its name; that it has it already, and not the old one, is an earlier try that came so far.
func rename(ctx context.Context, from, to string) error {
	if !input.Remote(from) {
		err := os.Rename(from, to)
		if _, there := os.Stat(to); errors.Is(err, fs.ErrNotExist) && there == nil {
			return nil
		}
		return err
	}
	s, err := system(ctx, from)
	if err != nil {
		return err
	}
	defer s.Close()
	if err = filesystem.Rename(ctx, s, from, to); err == nil {
		return nil
	}
	if old, bad := s.List(ctx, from); bad == nil && len(old) == 0 {
		if there, bad := s.List(ctx, to); bad == nil && len(there) == 1 {
			return nil
		}
	}
	return err
}

// remove removes a file.
func remove(name string) {
	if !input.Remote(name) {
		os.Remove(name)
		return
	}
	ctx := context.Background()
	if s, err := system(ctx, name); err == nil {
		defer s.Close()
		if r, ok := s.(filesystem.Remover); ok {
			r.Remove(ctx, name)
		}
	}
}
