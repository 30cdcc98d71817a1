// Package parquet makes columns of Parquet files known as shards: a program that imports it reads them by way of Apache
// Arrow.
//
// It is a package of its own, so that programs without such files need not be linked with Arrow. It may import
// training/input and Arrow.
package parquet

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
	"github.com/surge-ndp/surge/training/input"
)

func init() { input.UseColumns(".parquet", open) }

// column implements [input.Column].
type column struct {
	name   string // of the file
	reader *file.Reader
	number int
	kind   input.Kind
}

// open reads what a file says of itself, at its end.
func open(name string, f input.File, size int64, wanted string) (_ input.Column, err error) {
	bad := func(what, why, do string) error {
		return &input.Error{File: name, What: what, Code: "bad-parquet", Why: why, Do: do}
	}
	defer broken(name, &err)
	properties := parquet.NewReaderProperties(memory.DefaultAllocator)
	properties.BufferedStreamEnabled = true // a column of a group of rows is not in memory as a whole
	r, err := file.NewParquetReader(io.NewSectionReader(f, 0, size), file.WithReadProps(properties))
	if err != nil {
		return nil, bad("this is no Parquet file that can be read", err.Error(), "write or fetch the file again")
	}
	s := r.MetaData().Schema
	var names []string
	for i := range s.NumColumns() {
		names = append(names, s.Column(i).Path())
	}
	list := strings.Join(names, ", ")
	number := slices.Index(names, wanted)
	switch {
	case wanted == "" && len(names) == 1:
		number = 0
	case wanted == "":
		return nil, bad(fmt.Sprintf("the file has %d columns, and none is named", len(names)), "a parameter is one column", "write # and one of "+list+" behind the pattern")
	case number < 0:
		return nil, bad("there is no column "+wanted, "the columns are "+list, "name one of them behind #")
	}
	c := s.Column(number)
	kind, ok := kindOf(c)
	if !ok || c.MaxRepetitionLevel() > 0 {
		return nil, bad(fmt.Sprintf("column %s holds %s", names[number], typeOf(c)), "columns of bools, integers and floats are read, one number a row", "write another column")
	}
	return &column{name, r, number, kind}, nil
}

// kindOf returns the kind of a column's numbers.
func kindOf(c *schema.Column) (input.Kind, bool) {
	if t, ok := c.LogicalType().(schema.IntLogicalType); ok {
		kinds := map[bool]map[int8]input.Kind{
			true:  {8: input.Int8, 16: input.Int16, 32: input.Int32, 64: input.Int64},
			false: {8: input.Uint8, 16: input.Uint16, 32: input.Uint32, 64: input.Uint64},
		}
		kind, ok := kinds[t.IsSigned()][t.BitWidth()]
		return kind, ok
	} else if t := c.LogicalType(); t != nil && !t.IsNone() {
		return input.Invalid, false // decimals, times
	}
	kind, ok := map[parquet.Type]input.Kind{parquet.Types.Boolean: input.Bool, parquet.Types.Int32: input.Int32, parquet.Types.Int64: input.Int64,
		parquet.Types.Float: input.Float32, parquet.Types.Double: input.Float64}[c.PhysicalType()]
	return kind, ok
}

func typeOf(c *schema.Column) string {
	text := c.PhysicalType().String()
	if t := c.LogicalType(); t != nil && !t.IsNone() {
		text = t.String()
	}
	if c.MaxRepetitionLevel() > 0 {
		return "lists of " + text
	}
	return text
}

// broken makes an error of what Arrow panics with where a file is corrupt.
func broken(name string, err *error) {
	if r := recover(); r != nil {
		*err = &input.Error{File: name, What: "the file is corrupt", Code: "bad-parquet", Why: fmt.Sprint(r), Do: "write or fetch the file again"}
	}
}

// Kind implements [input.Column].
func (c *column) Kind() input.Kind { return c.kind }

// Len implements [input.Column].
func (c *column) Len() int { return int(c.reader.NumRows()) }

// Read implements [input.Column].
func (c *column) Read(data any, lo int) error {
	switch data := data.(type) {
	case []bool:
		return read[*file.BooleanColumnChunkReader, bool](c, data, lo)
	case []int8:
		return read[*file.Int32ColumnChunkReader, int32](c, data, lo)
	case []int16:
		return read[*file.Int32ColumnChunkReader, int32](c, data, lo)
	case []int32:
		return read[*file.Int32ColumnChunkReader, int32](c, data, lo)
	case []int64:
		return read[*file.Int64ColumnChunkReader, int64](c, data, lo)
	case []int:
		return read[*file.Int64ColumnChunkReader, int64](c, data, lo)
	case []uint8:
		return read[*file.Int32ColumnChunkReader, int32](c, data, lo)
	case []uint16:
		return read[*file.Int32ColumnChunkReader, int32](c, data, lo)
	case []uint32:
		return read[*file.Int32ColumnChunkReader, int32](c, data, lo)
	case []uint64:
		return read[*file.Int64ColumnChunkReader, int64](c, data, lo)
	case []uint:
		return read[*file.Int64ColumnChunkReader, int64](c, data, lo)
	case []float32:
		return read[*file.Float32ColumnChunkReader, float32](c, data, lo)
	case []float64:
		return read[*file.Float64ColumnChunkReader, float64](c, data, lo)
	}
	return fmt.Errorf("%s: a %T is no column", c.name, data)
}

// chunk is the part of a column that a group of rows has, with numbers of type P.
type chunk[P any] interface {
	file.ColumnChunkReader
	ReadBatch(batch int64, values []P, definitions, repetitions []int16) (total int64, read int, err error)
}

// numbers are all that columns have; bools are apart.
type numbers interface {
	~bool | ~int8 | ~int16 | ~int32 | ~int64 | ~int | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint | ~float32 | ~float64
}

// read fills data with elements from lo on, which a chunk reader of type R has as numbers of type P.
func read[R chunk[P], P, T numbers](c *column, data []T, lo int) (err error) {
	defer broken(c.name, &err)
	bad := func(what string, args ...any) error {
		return &input.Error{File: c.name, What: fmt.Sprintf(what, args...), Code: "bad-parquet", Why: "a column of a kernel has a number in each row", Do: "write the file again"}
	}
	const most = 8192
	buf, definitions := make([]P, most), make([]int16, most)
	first := 0 // the row at which a group begins
	for g := 0; g < c.reader.NumRowGroups() && len(data) > 0; g++ {
		group := c.reader.RowGroup(g)
		rows := int(group.NumRows())
		if first += rows; lo >= first {
			continue
		}
		chunks, err := group.Column(c.number)
		if err != nil {
			return bad("%v", err)
		}
		r, ok := chunks.(R)
		if !ok {
			return bad("a group of rows has a column of another type")
		}
		if err := r.SeekToRow(int64(lo - (first - rows))); err != nil {
			return bad("%v", err)
		}
		for lo < first && len(data) > 0 {
			n := min(most, first-lo, len(data))
			total, values, err := r.ReadBatch(int64(n), buf[:n], definitions[:n], nil)
			switch {
			case err != nil:
				return bad("%v", err)
			case r.Err() != nil:
				return bad("%v", r.Err())
			case total == 0:
				return bad("the file ends before its rows do")
			case int64(values) != total:
				return bad("one of rows %d to %d has no value", lo, lo+int(total)-1)
			}
			convert(data, buf[:values])
			data, lo = data[values:], lo+values
		}
		r.Close()
	}
	if len(data) > 0 {
		return bad("the file ends before its rows do")
	}
	return nil
}

// convert copies numbers, of which T has as many bits as the file means, or the same.
func convert[T, P numbers](to []T, from []P) {
	if same, ok := any(from).([]T); ok {
		copy(to, same)
		return
	}
	for i, x := range from {
		switch p := any(&to[i]).(type) {
		case *int8:
			*p = int8(any(x).(int32))
		case *int16:
			*p = int16(any(x).(int32))
		case *uint8:
			*p = uint8(any(x).(int32))
		case *uint16:
			*p = uint16(any(x).(int32))
		case *uint32:
			*p = uint32(any(x).(int32))
		case *int:
			*p = int(any(x).(int64))
		case *uint64:
			*p = uint64(any(x).(int64))
		case *uint:
			*p = uint(any(x).(int64))
		default:
			panic(errors.New("no such column"))
		}
	}
}
