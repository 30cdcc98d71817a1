package input

import (
	"bufio"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
)

// ShardOptions says how [Shard] cuts a file.
type ShardOptions struct {
	Dir   string // where the shards go; it is made if it is not there
	Rows  int64  // of a shard; if it is 0 a shard has about Bytes bytes in all its files
	Bytes int64
	Types map[string]Kind // of fields of a matrix, where they are not values float64, columns and row_offsets int32
	// Memory is about how many bytes of entries are held at once; 0 stands for 256 MiB.
	Memory int64
	// Progress is told how many bytes of the file were read and, if that is known, of how many, and then, with no total,
	// how many rows were written. It may be nil.
	Progress func(read, total, rows int64)
}

// Sharded says what was written.
type Sharded struct {
	Rows, Columns, Entries int64
	Shards                 int
	Fields                 []ShardedField
}

// ShardedField is one array that was cut.
type ShardedField struct {
	Name    string
	Kind    Kind
	Pattern string // of its files, as [OpenShards] takes it
	Bytes   int64  // of all of them
}

// Shard cuts a Matrix Market file or a .npy file, compressed or not, by rows into .npy files that [OpenShards] reads:
// values, columns and row_offsets of a matrix of entries, data of an array. Neither the file nor a shard is ever whole
// in memory. Entries are in the order of [Open]: by row, then column, those of one place as in the file.
// All files get their names at the end, when nothing can be wrong any more.
func Shard(ctx context.Context, spec string, opt ShardOptions) (done *Sharded, err error) {
	bad := func(code, what, why, do string) error {
		return &Error{File: spec, What: what, Code: code, Why: why, Do: do}
	}
	if opt.Memory <= 0 {
		opt.Memory = 256 << 20
	}
	path, err := filepath.Abs(spec)
	if err != nil {
		return nil, readError(spec, 0, err)
	}
	format := strings.ToLower(filepath.Ext(strings.TrimSuffix(strings.ToLower(path), ".gz")))
	if !slices.Contains([]string{".mtx", ".npy"}, format) {
		return nil, bad("unknown-format", "files of format "+excerpt(format)+" are not cut", "a Matrix Market file (.mtx) or a NumPy array (.npy) is, compressed with .gz or not",
			"save it as one of these")
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, notThere(spec, path, err)
	}
	if info.IsDir() {
		return nil, bad("unreadable", "this is a directory", "one file is cut", "name a file in it")
	}
	f, size, release, err := openInput(ctx, spec, path)
	if err != nil {
		return nil, err
	}
	defer release()
	out, err := newShardFolder(opt)
	if err != nil {
		return nil, err
	}
	defer out.clean()
	counted := &counting{r: f}
	in := bufio.NewReaderSize(counted, 1<<18)
	out.read = func() (int64, int64) { return counted.n.Load(), max(size, 0) }
	var r io.Reader = in
	plain := size
	// Compression is recognised by content: downloads lose their .gz.
	if magic, _ := in.Peek(2); string(magic) == "\x1f\x8b" {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, readError(spec, 0, err)
		}
		r, plain = z, -1
	}
	if format == ".mtx" {
		done, err = shardMatrix(ctx, spec, r, plain, out)
	} else {
		done, err = shardArray(ctx, spec, r, plain, out)
	}
	if err != nil {
		return nil, err
	}
	return done, out.commit(done)
}

// counting counts the bytes that are read.
type counting struct {
	r io.Reader
	n atomic.Int64
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// shardFolder is where shards are written: first under other names, in a folder of their own.
type shardFolder struct {
	ShardOptions
	temp   string
	made   bool // the folder is ours
	fields []*shardField
	rows   int64 // written
	read   func() (read, total int64)
}

// shardField is an array that is written shard by shard, of which one is open.
type shardField struct {
	folder *shardFolder
	name   string
	kind   Kind
	width  []int // the dimensions behind the first one
	row    int64 // elements of a row
	files  []string
	bytes  int64 // of all files
	file   *os.File
	buf    *bufio.Writer
	n      int64 // elements of the shard that is open
	scrap  []byte
}

// headRoom is the length of the header that is written before it is known how many elements follow.
const headRoom = 128

func newShardFolder(opt ShardOptions) (*shardFolder, error) {
	f := &shardFolder{ShardOptions: opt}
	unwritable := func(err error) error {
		return &Error{File: opt.Dir, What: "shards cannot be written here", Code: "unwritable", Why: err.Error(), Do: "check the directory, its permissions and the space left", Err: err}
	}
	if _, err := os.Stat(opt.Dir); os.IsNotExist(err) {
		f.made = true
	}
	if err := os.MkdirAll(opt.Dir, 0o777); err != nil {
		return nil, unwritable(err)
	}
	var err error
	if f.temp, err = os.MkdirTemp(opt.Dir, ".surge-shard-"); err != nil {
		return nil, unwritable(err)
	}
	return f, nil
}

// clean removes what is left of temporary files, and a folder that was made for nothing.
func (f *shardFolder) clean() {
	for _, x := range f.fields {
		if x.file != nil {
			x.file.Close()
		}
	}
	os.RemoveAll(f.temp)
	if f.made {
		os.Remove(f.Dir) // which fails if there is something in it
	}
}

func (f *shardFolder) failed(err error) error {
	return &Error{File: f.Dir, What: "a shard cannot be written", Code: "unwritable", Why: err.Error(), Do: "check the directory, its permissions and the space left", Err: err}
}

// field adds an array, of rows of so many elements. There must be no shards of its name yet.
func (f *shardFolder) field(name string, kind Kind, width ...int) (*shardField, error) {
	x := &shardField{folder: f, name: name, kind: kind, width: width, row: 1, scrap: make([]byte, 8)}
	for _, d := range width {
		x.row *= int64(d)
	}
	if there, err := filepath.Glob(x.pattern()); err != nil || len(there) > 0 {
		return nil, &Error{File: f.Dir, What: "there are shards of " + name + " already", Code: "unwritable", Why: "what another run has left would be taken for a part of this one's",
			Do: "remove them, or name another folder"}
	}
	f.fields = append(f.fields, x)
	return x, nil
}

func (x *shardField) pattern() string { return filepath.Join(x.folder.Dir, x.name+"-*.npy") }

// write appends elements, as they are in memory, to the shard that is open.
func (x *shardField) write(raw []byte) error {
	if x.file == nil {
		if err := x.open(); err != nil {
			return err
		}
	}
	x.n += int64(len(raw) / x.kind.Size())
	if !littleEndian {
		raw = swapped(raw, x.kind.Size())
	}
	if _, err := x.buf.Write(raw); err != nil {
		return x.folder.failed(err)
	}
	return nil
}

func (x *shardField) open() (err error) {
	if x.file, err = os.Create(filepath.Join(x.folder.temp, fmt.Sprintf("%s-%d", x.name, len(x.files)))); err != nil {
		return x.folder.failed(err)
	}
	x.files, x.buf, x.n = append(x.files, x.file.Name()), bufio.NewWriterSize(x.file, 1<<18), 0
	if _, err = x.buf.Write(make([]byte, headRoom)); err != nil {
		return x.folder.failed(err)
	}
	return nil
}

// end writes the header of the shard that is open, and closes it. Without an element it is an empty one.
func (x *shardField) end() error {
	if x.file == nil {
		if err := x.open(); err != nil {
			return err
		}
	}
	rows := x.n
	if x.row > 0 {
		rows /= x.row
	}
	head := npyHeader(Value{Kind: x.kind, Dims: append([]int{int(rows)}, x.width...)})
	if len(head) > headRoom {
		return internalShard(x.name)
	}
	if len(head) < headRoom { // blanks before the end of the line
		more := headRoom - len(head)
		head = append(append(head[:len(head)-1], strings.Repeat(" ", more)...), '\n')
		head[8], head[9] = byte(headRoom-10), 0
	}
	file := x.file
	x.file = nil
	err := x.buf.Flush()
	if err == nil {
		_, err = file.WriteAt(head, 0)
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return x.folder.failed(err)
	}
	x.bytes += headRoom + x.n*int64(x.kind.Size())
	return nil
}

func internalShard(name string) error {
	return &Error{File: name, What: "the header of a shard is too long", Code: "unsupported-type", Why: "the array has too many dimensions", Do: "reshape it"}
}

// full reports whether a shard of so many rows and bytes is to end.
func (f *shardFolder) full(rows, bytes int64) bool {
	if f.Rows > 0 {
		return rows >= f.Rows
	}
	return bytes >= f.Bytes
}

// tell reports progress.
func (f *shardFolder) tell() {
	if f.Progress != nil {
		read, total := f.read()
		f.Progress(read, total, f.rows)
	}
}

// commit gives all files their names.
func (f *shardFolder) commit(done *Sharded) error {
	var named []string
	for _, x := range f.fields {
		for i, file := range x.files {
			name := filepath.Join(f.Dir, fmt.Sprintf("%s-%08d-of-%08d.npy", x.name, i, len(x.files)))
			if err := os.Rename(file, name); err != nil {
				for _, other := range named {
					os.Remove(other)
				}
				return f.failed(err)
			}
			named = append(named, name)
		}
		done.Shards = len(x.files)
		done.Fields = append(done.Fields, ShardedField{Name: x.name, Kind: x.kind, Pattern: x.pattern(), Bytes: x.bytes})
	}
	return nil
}
