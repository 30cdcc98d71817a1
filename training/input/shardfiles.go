package input

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// File is a file of which parts are read.
type File interface {
	io.ReaderAt
	io.Closer
}

// Files are files that shards may be.
type Files interface {
	// Glob returns the names that a pattern stands for.
	Glob(pattern string) ([]string, error)
	// Open opens a file, and says how many bytes it has.
	Open(name string) (File, int64, error)
}

// Column is a sequence of numbers in a file of shards that is no .npy file.
type Column interface {
	Kind() Kind
	Len() int
	// Read fills a slice of the kind's type with elements from lo on.
	Read(data any, lo int) error
}

// What programs know besides .npy files on this machine: they set it before they open shards.
var (
	remote  Files
	columns = map[string]func(name string, file File, size int64, column string) (Column, error){}
)

// UseRemote makes shards known whose names begin with a scheme, as gs://.
func UseRemote(files Files) { remote = files }

// UseColumns makes shards known whose names end in ext: open returns a column of a file, or the only one if none is
// named.
func UseColumns(ext string, open func(name string, file File, size int64, column string) (Column, error)) {
	columns[ext] = open
}

// Remote reports whether a name begins with a scheme, as gs://, so that it is no path of this machine.
func Remote(name string) bool { return strings.Contains(name, "://") }

// Columnar reports whether shards are no .npy files: then a pattern may end in # and the name of a column.
func Columnar(pattern string) bool {
	files, _, _ := strings.Cut(pattern, "#")
	return filepath.Ext(files) == ".parquet"
}

// AreShards reports whether what a parameter is given are shards: files of that name are read in parts.
func AreShards(spec string) bool {
	return strings.Contains(spec, "*") || Remote(spec) || Columnar(spec)
}

// filesOf returns where the files of a pattern lie.
func filesOf(pattern string) (Files, error) {
	if !Remote(pattern) {
		return local{}, nil
	}
	if remote == nil {
		return nil, &Error{File: pattern, What: "only workers read files of other machines", Code: "unreadable",
			Why: "a name with a scheme is for the file systems of Apache Beam", Do: "name a file of this machine"}
	}
	return remote, nil
}

// local are the files of this machine.
type local struct{}

// Glob implements [Files].
func (local) Glob(pattern string) ([]string, error) { return filepath.Glob(pattern) }

// Open implements [Files].
func (local) Open(path string) (File, int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, 0, notThere(path, path, err)
	}
	if !info.Mode().IsRegular() {
		return nil, 0, &Error{File: path, What: "this is not a regular file", Code: "unreadable", Why: "blocks are read from the middle of files", Do: "write it to a file"}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, notThere(path, path, err)
	}
	return f, info.Size(), nil
}

// opened opens a column of a shard that is no .npy file; close it behind its reads.
func (f shard) opened() (Column, io.Closer, error) {
	file, size, err := f.files.Open(f.path)
	if err != nil {
		return nil, nil, err
	}
	open := columns[filepath.Ext(f.path)]
	if open == nil {
		known := slices.Sorted(maps.Keys(columns))
		err = &Error{File: f.path, What: "shards of this format are not read here", Code: "unknown-format",
			Why: fmt.Sprintf("this program reads .npy %s", strings.Join(known, " ")), Do: "write .npy files"}
	} else if c, bad := open(f.path, file, size, f.column); bad == nil {
		return c, file, nil
	} else {
		err = bad
	}
	file.Close()
	return nil, nil, err
}
