package input

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Shards are files that are the pieces of one array along its outermost dimension: .npy files, or columns of files of
// other formats that the program knows. Parts of them are read where they lie, so that the whole is never in memory.
type Shards struct {
	Pattern string // as the user wrote it
	Kind    Kind
	Dims    []int // of the whole array

	files []shard
	row   int // elements of a row
}

// shardHead is a file with all that its header says.
type shardHead struct {
	shard
	kind Kind
	dims []int
}

// shard is a file, with what its header says.
type shard struct {
	path        string
	first, rows int   // rows [first, first+rows) of the array
	data        int64 // where in the file the first element is
	big         bool  // the most significant byte is the first

	files    Files  // where it lies
	columnar bool   // it is no .npy file
	column   string // which column it is then
}

// OpenShards reads the headers of the files that a pattern such as shards/*.npy names. They are in the order of the
// numbers in their names, where there are such, else in the order of names. A file without elements is one like others.
func OpenShards(pattern string) (*Shards, error) {
	bad := func(file, code, what, why, do string) error {
		return &Error{File: file, What: what, Code: code, Why: why, Do: do}
	}
	files, paths, column, err := listed(pattern)
	if err != nil {
		return nil, err
	}
	heads := make([]shardHead, len(paths))
	like := 0 // the first one with elements
	for i, path := range paths {
		if heads[i], err = openShard(shard{path: path, files: files, columnar: Columnar(pattern), column: column}); err != nil {
			return nil, err
		}
		if slices.Contains(heads[like].dims, 0) {
			like = i
		}
	}
	s := &Shards{Pattern: pattern, Kind: heads[like].kind, Dims: slices.Clone(heads[like].dims), row: 1}
	for _, d := range s.Dims[1:] {
		s.row *= d
	}
	s.Dims[0] = 0
	for _, h := range heads {
		if h.kind != s.Kind {
			return nil, bad(h.path, "shard-type", fmt.Sprintf("the elements are of %s, and those of %s of %s", h.kind, heads[like].path, s.Kind),
				"the shards are pieces of one array", "write all of them with one type")
		}
		if slices.Contains(h.dims, 0) && h.path != heads[like].path {
			h.rows = 0
		} else if !slices.Equal(s.Dims[1:], h.dims[1:]) {
			return nil, bad(h.path, "shard-width", fmt.Sprintf("the shape is %v, and that of %s is %v", h.dims, heads[like].path, heads[like].dims),
				"the shards are pieces of one array along its first dimension; the others are the same", "write the shard again")
		}
		h.first = s.Dims[0]
		s.files = append(s.files, h.shard)
		s.Dims[0] += h.rows
	}
	return s, nil
}

// ListShards returns the files that a pattern names, as [OpenShards] would open them.
func ListShards(pattern string) ([]string, error) {
	_, paths, _, err := listed(pattern)
	return paths, err
}

// listed returns the files that a pattern names, in order, and the column that it names.
func listed(pattern string) (files Files, paths []string, column string, err error) {
	bad := func(file, code, what, why, do string) error {
		return &Error{File: file, What: what, Code: code, Why: why, Do: do}
	}
	if files, err = filesOf(pattern); err != nil {
		return nil, nil, "", err
	}
	glob := pattern
	if Columnar(pattern) {
		glob, column, _ = strings.Cut(pattern, "#")
	}
	if paths, err = files.Glob(glob); err != nil && Remote(glob) {
		return nil, nil, "", bad(pattern, "unreadable", "the files cannot be listed", err.Error(), "check the name, and that this machine may read there")
	} else if err != nil {
		return nil, nil, "", bad(pattern, "unreadable", "the pattern is malformed", err.Error(), "write a pattern such as shards/*.npy")
	}
	if len(paths) == 0 {
		return nil, nil, "", bad(pattern, "unreadable", "no file has such a name", "the shards of an array are the files that a pattern names",
			"check the directory and the pattern")
	}
	paths, err = inSequence(pattern, paths)
	return files, paths, column, err
}

// numbered is a name with the number of a shard, and perhaps how many there are; the last such number counts.
var numbered = regexp.MustCompile(`^(.*?)(\d+)(?:-of-(\d+))?(\D*)$`)

// inSequence sorts files by the numbers in their names, if their names differ in nothing else. Then a number that is
// missing is a file that is.
func inSequence(pattern string, paths []string) ([]string, error) {
	sort.Strings(paths)
	type name struct {
		path      string
		number    int
		of, other string
	}
	var names []name
	for _, path := range paths {
		m := numbered.FindStringSubmatch(filepath.Base(path))
		if m == nil {
			return paths, nil
		}
		n, err := strconv.Atoi(m[2])
		x := name{path, n, m[3], filepath.Dir(path) + "/" + m[1] + "*" + m[4]}
		if err != nil || len(names) > 0 && (x.other != names[0].other || (x.of == "") != (names[0].of == "")) {
			return paths, nil
		}
		names = append(names, x)
	}
	missing := func(what, why string) error {
		return &Error{File: pattern, What: what, Code: "shard-missing", Why: why, Do: "fetch or write that shard, or remove what is left of another run"}
	}
	sort.SliceStable(names, func(i, j int) bool { return names[i].number < names[j].number })
	for i, x := range names {
		if x.of != names[0].of {
			return nil, missing(fmt.Sprintf("%s is one of %s shards, and %s one of %s", filepath.Base(names[0].path), names[0].of, filepath.Base(x.path), x.of),
				"these are shards of two arrays")
		}
		paths[i] = x.path
		if i > 0 && x.number != names[i-1].number+1 {
			return nil, missing(fmt.Sprintf("%s follows %s", filepath.Base(x.path), filepath.Base(names[i-1].path)), "the shards are numbered without gaps")
		}
	}
	if of, err := strconv.Atoi(names[0].of); err == nil && (of != len(names) || names[0].number > 1) {
		return nil, missing(fmt.Sprintf("there are %d shards of %d", len(names), of), "the names say how many there are")
	}
	return paths, nil
}

// openShard reads a header and holds it against the length of the file.
func openShard(at shard) (h shardHead, err error) {
	h.shard = at
	path := at.path
	bad := func(code, what, why, do string) error {
		return &Error{File: path, What: what, Code: code, Why: why, Do: do}
	}
	if at.columnar {
		c, file, err := at.opened()
		if err != nil {
			return h, err
		}
		h.kind, h.rows, h.dims = c.Kind(), c.Len(), []int{c.Len()}
		return h, file.Close()
	}
	f, size, err := at.files.Open(path)
	if err != nil {
		return h, err
	}
	defer f.Close()
	header, n, err := readNpyHeader(path, io.NewSectionReader(f, 0, size))
	if err != nil {
		return h, err
	}
	h.data, h.dims = n, header.Descr.Shape
	if h.kind, h.big, err = npyElements(path, header); err != nil {
		return h, err
	}
	if len(h.dims) == 0 {
		return h, bad("shard-width", "this is a single number", "a shard is a piece of an array", "write an array of one element")
	}
	if header.Descr.Fortran && len(h.dims) > 1 {
		return h, bad("unsupported-order", "an array in Fortran order", "its rows are not one after the other", "save numpy.ascontiguousarray(a)")
	}
	h.rows = h.dims[0]
	return h, npyFits(path, header, h.kind, size-n)
}

// Len returns the number of elements, which are rows if the parameter has rows.
func (s *Shards) Len(rank int) int {
	if rank > 1 {
		return s.Dims[0]
	}
	return s.Dims[0] * s.row
}

// As returns the shards for a parameter: int and int64 are the same in a file, as are uint and uint64. Of two
// dimensions there is a sequence of all elements, or of rows.
func (s *Shards) As(t Type) (*Shards, error) {
	as := *s
	switch {
	case t.Kind == Int && s.Kind == Int64, t.Kind == Uint && s.Kind == Uint64:
		as.Kind = t.Kind
	case t.Kind != s.Kind:
		numpy := strings.TrimSuffix(t.Kind.String(), "64")
		if t.Kind.Size() == 8 {
			numpy += "64"
		}
		do := "save them with .astype(numpy." + numpy + ") or change the parameter"
		if Columnar(s.Pattern) {
			do = "write the column with the other type or change the parameter"
		}
		return nil, &Error{File: s.Pattern, What: fmt.Sprintf("the elements are of %s, and the parameter's of %s", s.Kind, t.Kind), Code: "type-mismatch",
			Why: "parts of shards are read as they lie", Do: do}
	}
	if t.Rank == 0 || t.Rank > 2 || t.Rank == 2 && len(s.Dims) != 2 {
		return nil, &Error{File: s.Pattern, What: fmt.Sprintf("an array of shape %v", s.Dims), Code: "type-mismatch",
			Why: fmt.Sprintf("the parameter is %s", t), Do: "save the array with as many dimensions"}
	}
	return &as, nil
}

// Columns returns how many elements a row has.
func (s *Shards) Columns() int { return s.row }

// Read returns elements [lo, hi) of all, in the order in which they lie, as a slice of the kind's type.
func (s *Shards) Read(ctx context.Context, lo, hi int) (any, error) {
	if lo < 0 || lo > hi || hi > s.Dims[0]*s.row {
		return nil, &Error{File: s.Pattern, What: fmt.Sprintf("elements [%d, %d) of %d", lo, hi, s.Dims[0]*s.row), Code: "bad-size", Why: "there are no such", Do: "correct the range"}
	}
	var large *Error
	if errors.As(checkSize(int64(hi-lo), int64(s.Kind.Size()), 0), &large) {
		large.File = s.Pattern
		return nil, large
	}
	data := makeData(s.Kind, hi-lo)
	raw, size, first := memory(data), s.Kind.Size(), lo
	at := sort.Search(len(s.files), func(i int) bool { return (s.files[i].first+s.files[i].rows)*s.row > lo })
	for ; at < len(s.files) && lo < hi; at++ {
		f := s.files[at]
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n := min(hi, (f.first+f.rows)*s.row) - lo
		if n == 0 {
			continue
		}
		var err error
		if f.columnar {
			err = f.readColumn(reflect.ValueOf(data).Slice(lo-first, lo-first+n).Interface(), lo-f.first)
		} else {
			err = f.read(raw[:n*size], int64(lo-f.first*s.row)*int64(size), s.Kind)
		}
		if err != nil {
			return nil, err
		}
		raw, lo = raw[n*size:], lo+n
	}
	return data, nil
}

// read fills raw from a byte of the elements on.
func (f shard) read(raw []byte, from int64, kind Kind) error {
	file, _, err := f.files.Open(f.path)
	if err != nil {
		return err
	}
	defer file.Close()
	switch n, err := file.ReadAt(raw, f.data+from); {
	case n == len(raw):
	case err == io.EOF:
		return &Error{File: f.path, What: "the file ends before its elements do", Code: "npy-truncated",
			Why: "it became shorter since its header was read", Do: "write or fetch the file again"}
	default:
		return readError(f.path, 0, err)
	}
	if kind == Bool {
		if err := checkBools(raw); err != nil {
			return readError(f.path, 0, err)
		}
	}
	if f.big == littleEndian && kind.Size() > 1 {
		copy(raw, swapped(raw, kind.Size()))
	}
	return nil
}

// readColumn fills data from an element on.
func (f shard) readColumn(data any, lo int) error {
	c, file, err := f.opened()
	if err != nil {
		return err
	}
	defer file.Close()
	return c.Read(data, lo)
}
