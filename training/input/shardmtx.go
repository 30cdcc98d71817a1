package input

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
)

const (
	// mostShardIndex bounds rows, columns and entries of a matrix in shards.
	mostShardIndex = 1 << 53
	// entryBytes is what an entry takes in a temporary file: row, column, value.
	entryBytes = 24
	// mostBuckets is into how many temporary files entries are divided at once.
	mostBuckets = 128
)

// shardMatrix cuts a Matrix Market file by rows.
//
// Its entries come in any order. They are divided into buckets, which are ranges of rows in temporary files, those into
// smaller ones, of columns in the end, until one fits into memory, where it is sorted.
func shardMatrix(ctx context.Context, spec string, r io.Reader, size int64, out *shardFolder) (*Sharded, error) {
	l := newLineReader(ctx, spec, r)
	h, err := readMtxHeader(l)
	if err != nil {
		return nil, err
	}
	if err := h.readSize(l, size, mostShardIndex); err != nil {
		return nil, err
	}
	w, err := newMatrixShards(l, h, out)
	if err != nil {
		return nil, err
	}
	listed := h.entryCount
	if h.mirror != 0 && listed < mostShardIndex/2 {
		listed *= 2
	}
	b, err := newBuckets(out, box{0, h.rows, 0, h.cols}, listed)
	if err != nil {
		return nil, err
	}
	defer b.remove()
	line := 0
	entry := func(r, c int64, v float64) error {
		if line++; line&0xffff == 0 {
			out.tell()
		}
		if w.values.kind == Float32 && math.IsInf(float64(float32(v)), 0) {
			return l.errorf("bad-number", fmt.Sprintf("%g is no float32", v), "the values of the shards are float32", "leave out the type of values")
		}
		if err := b.add(entryAt{r, c, v}); err != nil || h.mirror == 0 || r == c {
			return err
		}
		return b.add(entryAt{c, r, h.mirror * v})
	}
	if h.dense {
		err = h.scanArray(l, entry)
	} else {
		err = h.scanEntries(l, entry)
	}
	if err != nil {
		return nil, err
	}
	if h.dense && h.mirror < 0 { // the file does not list the diagonal
		for r := range h.rows {
			if err := b.add(entryAt{r, r, 0}); err != nil {
				return nil, err
			}
		}
	}
	if err := b.close(); err != nil {
		return nil, err
	}
	if err := b.sorted(ctx, out, w.entry); err != nil {
		return nil, err
	}
	if err := w.finish(); err != nil {
		return nil, err
	}
	return &Sharded{Rows: h.rows, Columns: h.cols, Entries: w.entries}, nil
}

// entryAt is an entry of a matrix.
type entryAt struct {
	row, column int64
	value       float64
}

// box is a range of rows and one of columns.
type box struct{ row, rowEnd, column, columnEnd int64 }

// buckets are temporary files with the entries of parts of a box.
type buckets struct {
	box
	files []*bucket
	step  int64 // rows of a bucket, or columns where there is one row
}

type bucket struct {
	box
	file  *os.File
	buf   *bufio.Writer
	fail  func(error) error
	count int64
}

// newBuckets divides a box for so many entries.
func newBuckets(out *shardFolder, all box, entries int64) (*buckets, error) {
	n := min(max(entries/max(out.Memory/2/entryBytes, 1)+1, 2), mostBuckets)
	b := &buckets{box: all}
	from, to := all.row, all.rowEnd
	columns := to-from == 1
	if columns {
		from, to = all.column, all.columnEnd
	}
	b.step = max((to-from+n-1)/n, 1)
	for at := from; at < to; at += b.step {
		part := all
		if columns {
			part.column, part.columnEnd = at, min(at+b.step, to)
		} else {
			part.row, part.rowEnd = at, min(at+b.step, to)
		}
		file, err := os.CreateTemp(out.temp, "bucket-")
		if err != nil {
			b.remove()
			return nil, out.failed(err)
		}
		b.files = append(b.files, &bucket{box: part, file: file, buf: bufio.NewWriterSize(file, 1<<16), fail: out.failed})
	}
	return b, nil
}

// add writes an entry to its bucket.
func (b *buckets) add(e entryAt) error {
	i := (e.row - b.row) / b.step
	if b.rowEnd-b.row == 1 {
		i = (e.column - b.column) / b.step
	}
	to := b.files[i]
	to.count++
	var raw [entryBytes]byte
	binary.LittleEndian.PutUint64(raw[0:], uint64(e.row))
	binary.LittleEndian.PutUint64(raw[8:], uint64(e.column))
	binary.LittleEndian.PutUint64(raw[16:], math.Float64bits(e.value))
	if _, err := to.buf.Write(raw[:]); err != nil {
		return to.fail(err)
	}
	return nil
}

// close ends writing.
func (b *buckets) close() error {
	for _, x := range b.files {
		if err := x.buf.Flush(); err != nil {
			return x.fail(err)
		}
		x.buf = nil
	}
	return nil
}

func (b *buckets) remove() {
	for _, x := range b.files {
		x.remove()
	}
}

func (b *bucket) remove() {
	if b.file != nil {
		b.file.Close()
		os.Remove(b.file.Name())
		b.file = nil
	}
}

// sorted calls a function for all entries, by row, then column, those of one place in the order in which they came.
func (b *buckets) sorted(ctx context.Context, out *shardFolder, each func(entryAt) error) error {
	for _, x := range b.files {
		if err := x.sorted(ctx, out, each); err != nil {
			return err
		}
		x.remove()
	}
	return nil
}

func (b *bucket) sorted(ctx context.Context, out *shardFolder, each func(entryAt) error) error {
	single := b.rowEnd-b.row == 1 && b.columnEnd-b.column == 1
	if !single && b.count*2*entryBytes > out.Memory {
		parts, err := newBuckets(out, b.box, b.count)
		if err != nil {
			return err
		}
		defer parts.remove()
		if err := b.entries(ctx, parts.add); err != nil {
			return err
		}
		b.remove()
		if err := parts.close(); err != nil {
			return err
		}
		return parts.sorted(ctx, out, each)
	}
	if single { // all are of one place
		return b.entries(ctx, each)
	}
	type numbered struct {
		entryAt
		number int
	}
	all := make([]numbered, 0, b.count)
	err := b.entries(ctx, func(e entryAt) error {
		all = append(all, numbered{e, len(all)})
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(all, func(x, y numbered) int {
		return cmp.Or(cmp.Compare(x.row, y.row), cmp.Compare(x.column, y.column), cmp.Compare(x.number, y.number))
	})
	for _, e := range all {
		if err := each(e.entryAt); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// entries calls a function for all entries in the order in which they came.
func (b *bucket) entries(ctx context.Context, each func(entryAt) error) error {
	if _, err := b.file.Seek(0, io.SeekStart); err != nil {
		return b.fail(err)
	}
	in := bufio.NewReaderSize(b.file, 1<<18)
	var raw [entryBytes]byte
	for i := range b.count {
		if i&0xffff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if _, err := io.ReadFull(in, raw[:]); err != nil {
			return b.fail(err)
		}
		e := entryAt{int64(binary.LittleEndian.Uint64(raw[0:])), int64(binary.LittleEndian.Uint64(raw[8:])), math.Float64frombits(binary.LittleEndian.Uint64(raw[16:]))}
		if err := each(e); err != nil {
			return err
		}
	}
	return nil
}

// matrixShards writes values, columns and row offsets from sorted entries.
type matrixShards struct {
	out                      *shardFolder
	spec                     string
	rows                     int64 // of the matrix
	values, columns, offsets *shardField
	entries                  int64 // written
	first                    int64 // the first row of the shard
	bytes                    int64 // of the shard
}

// matrixTypes are the types of the fields of a matrix, the first one unless another is given.
var matrixTypes = map[string][]Kind{"values": {Float64, Float32}, "columns": {Int32, Int64}, "row_offsets": {Int32, Int64}}

func newMatrixShards(l *lineReader, h *mtxHeader, out *shardFolder) (*matrixShards, error) {
	for name, kind := range out.Types {
		if kinds, ok := matrixTypes[name]; !ok || !slices.Contains(kinds, kind) {
			return nil, &Error{File: l.file, What: fmt.Sprintf("%s of type %s", name, kind), Code: "unsupported-type",
				Why: "the shards of a matrix are values (float64, float32), columns and row_offsets (int32, int64)", Do: "name one of these"}
		}
	}
	w := &matrixShards{out: out, spec: l.file, rows: h.rows}
	for _, f := range []struct {
		name string
		to   **shardField
	}{{"values", &w.values}, {"columns", &w.columns}, {"row_offsets", &w.offsets}} {
		kind := matrixTypes[f.name][0]
		if k, ok := out.Types[f.name]; ok {
			kind = k
		}
		var err error
		if *f.to, err = out.field(f.name, kind); err != nil {
			return nil, err
		}
	}
	if w.columns.kind == Int32 && h.cols > math.MaxInt32 {
		return nil, l.place(tooFew("columns", h.cols))
	}
	if w.offsets.kind == Int32 && h.entryCount > math.MaxInt32 {
		return nil, l.place(tooFew("row_offsets", h.entryCount))
	}
	return w, w.offset()
}

// tooFew is an error about a type that does not hold a number.
func tooFew(field string, n int64) *Error {
	return &Error{What: fmt.Sprintf("%s of int32 would reach %d", field, n), Code: "too-large", Why: fmt.Sprintf("int32 ends at %d", math.MaxInt32),
		Do: "make them int64, with --type " + field + "=int64, in the kernel too"}
}

// offset writes where the next row begins.
func (w *matrixShards) offset() error {
	if w.offsets.kind == Int32 && w.entries > math.MaxInt32 {
		e := tooFew("row_offsets", w.entries)
		e.File = w.spec
		return e
	}
	w.bytes += int64(w.offsets.kind.Size())
	return w.offsets.integer(w.entries)
}

func (x *shardField) integer(n int64) error {
	if x.kind == Int32 {
		return x.write(binary.NativeEndian.AppendUint32(x.scrap[:0], uint32(n)))
	}
	return x.write(binary.NativeEndian.AppendUint64(x.scrap[:0], uint64(n)))
}

// entry writes an entry, and ends the rows before it. Offsets begin with that of row 0, and each row adds that of its
// end, which is the next row's beginning and stands in the next shard where the row is the last one of its shard.
func (w *matrixShards) entry(e entryAt) error {
	if err := w.until(e.row); err != nil {
		return err
	}
	w.entries++
	w.bytes += int64(w.values.kind.Size() + w.columns.kind.Size())
	if err := w.columns.integer(e.column); err != nil {
		return err
	}
	if w.values.kind == Float32 {
		return w.values.write(binary.NativeEndian.AppendUint32(w.values.scrap[:0], math.Float32bits(float32(e.value))))
	}
	return w.values.write(binary.NativeEndian.AppendUint64(w.values.scrap[:0], math.Float64bits(e.value)))
}

// until ends all rows before one.
func (w *matrixShards) until(row int64) error {
	for w.out.rows < row {
		w.out.rows++
		if w.out.rows&0xffff == 0 {
			w.out.tell()
		}
		if w.out.rows < w.rows && w.out.full(w.out.rows-w.first, w.bytes) {
			if err := w.end(); err != nil {
				return err
			}
			w.first, w.bytes = w.out.rows, 0
		}
		if err := w.offset(); err != nil {
			return err
		}
	}
	return nil
}

func (w *matrixShards) end() error {
	for _, x := range w.out.fields {
		if err := x.end(); err != nil {
			return err
		}
	}
	return nil
}

// finish ends the last rows, and the last shard.
func (w *matrixShards) finish() error {
	if err := w.until(w.rows); err != nil {
		return err
	}
	return w.end()
}
