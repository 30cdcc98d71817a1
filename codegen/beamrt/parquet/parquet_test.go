package parquet

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/surge-ndp/surge/training/input"
)

// kinds are columns of all kinds that are read, of n elements from first on.
func kinds(first, n int) (all []any) {
	of := func(make func(i int)) {
		for i := range n {
			make(first + i)
		}
	}
	var i8, i16, i32, i64 = []int8{}, []int16{}, []int32{}, []int64{}
	var u8, u16, u32, u64 = []uint8{}, []uint16{}, []uint32{}, []uint64{}
	var f32, f64, b = []float32{}, []float64{}, []bool{}
	of(func(i int) {
		i8, i16, i32, i64 = append(i8, int8(-i)), append(i16, int16(-7*i)), append(i32, int32(-i)<<8), append(i64, -int64(i)<<40)
		u8, u16, u32, u64 = append(u8, uint8(3*i)), append(u16, uint16(999*i)), append(u32, ^uint32(i)), append(u64, ^uint64(i))
		f32, f64, b = append(f32, float32(i)/3), append(f64, float64(i)/7), append(b, i%3 == 0)
	})
	return []any{i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, b}
}

// write writes columns, as few rows in a group as it says, and with a value missing in the last column if that is said.
func write(t *testing.T, path string, columns []any, group int64, missing bool) {
	t.Helper()
	var fields []arrow.Field
	var arrays []arrow.Array
	for i, c := range columns {
		b := array.NewBuilder(memory.DefaultAllocator, types[reflect.TypeOf(c).Elem().Kind()])
		valid := make([]bool, reflect.ValueOf(c).Len())
		for k := range valid {
			valid[k] = !missing || i < len(columns)-1 || k != len(valid)/2
		}
		reflect.ValueOf(b).MethodByName("AppendValues").Call([]reflect.Value{reflect.ValueOf(c), reflect.ValueOf(valid)})
		fields = append(fields, arrow.Field{Name: reflect.TypeOf(c).Elem().String(), Type: b.Type(), Nullable: i%2 == 0 || missing})
		arrays = append(arrays, b.NewArray())
	}
	schema := arrow.NewSchema(fields, nil)
	record := array.NewRecordBatch(schema, arrays, -1)
	var buf bytes.Buffer
	w, err := pqarrow.NewFileWriter(schema, &buf, parquet.NewWriterProperties(parquet.WithMaxRowGroupLength(group), parquet.WithDataPageSize(100),
		parquet.WithCompression(compress.Codecs.Snappy)), pqarrow.DefaultWriterProps())
	if err == nil {
		err = w.Write(record)
	}
	if err == nil {
		err = w.Close()
	}
	if err == nil {
		err = os.WriteFile(path, buf.Bytes(), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

var types = map[reflect.Kind]arrow.DataType{
	reflect.Int8: arrow.PrimitiveTypes.Int8, reflect.Int16: arrow.PrimitiveTypes.Int16, reflect.Int32: arrow.PrimitiveTypes.Int32, reflect.Int64: arrow.PrimitiveTypes.Int64,
	reflect.Uint8: arrow.PrimitiveTypes.Uint8, reflect.Uint16: arrow.PrimitiveTypes.Uint16, reflect.Uint32: arrow.PrimitiveTypes.Uint32, reflect.Uint64: arrow.PrimitiveTypes.Uint64,
	reflect.Float32: arrow.PrimitiveTypes.Float32, reflect.Float64: arrow.PrimitiveTypes.Float64, reflect.Bool: arrow.FixedWidthTypes.Boolean, reflect.String: arrow.BinaryTypes.String,
}

// TestColumns reads all parts of columns of all kinds in three files, whose groups of rows are small.
func TestColumns(t *testing.T) {
	dir := t.TempDir()
	const n = 60
	for i, lengths := range [][2]int{{0, 25}, {25, 0}, {25, 35}} {
		write(t, filepath.Join(dir, "part-"+string(rune('0'+i))+".parquet"), kinds(lengths[0], lengths[1]), 10, false)
	}
	for _, want := range kinds(0, n) {
		name := reflect.TypeOf(want).Elem().String()
		all, err := input.OpenShards(filepath.Join(dir, "part-*.parquet#"+name))
		if err != nil {
			t.Fatal(err)
		}
		kind, err := input.ParseKind(name)
		if err != nil {
			t.Fatal(err)
		}
		s, err := all.As(input.Type{Kind: kind, Rank: 1})
		if err != nil || s.Len(1) != n {
			t.Fatal(name, s, err)
		}
		for lo := 0; lo <= n; lo += 3 {
			for hi := lo; hi <= n; hi += 7 {
				got, err := s.Read(t.Context(), lo, hi)
				if part := reflect.ValueOf(want).Slice(lo, hi).Interface(); err != nil || !reflect.DeepEqual(got, part) {
					t.Fatalf("%s [%d, %d): %v %v, want %v", name, lo, hi, got, err, part)
				}
			}
		}
	}
	// A Go int is 64 bits in a file.
	all, err := input.OpenShards(filepath.Join(dir, "part-*.parquet#int64"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := all.As(input.Type{Kind: input.Int, Rank: 1})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.Read(t.Context(), 5, 7); err != nil || !reflect.DeepEqual(got, []int{-5 << 40, -6 << 40}) {
		t.Error(got, err)
	}
}

// TestBad is what is wrong with files: one message, when they are opened or when they are read.
func TestBad(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.parquet")
	check := func(pattern, say string) {
		t.Helper()
		s, err := input.OpenShards(pattern)
		if err == nil {
			_, err = s.Read(t.Context(), 0, s.Len(1))
		}
		if err == nil || !strings.Contains(err.Error(), say) {
			t.Errorf("%s: %v, want %q", pattern, err, say)
		}
	}
	write(t, path, kinds(0, 50), 20, true)
	check(path, "the file has 11 columns, and none is named")
	check(path+"#nosuch", "there is no column nosuch")
	check(path+"#bool", "one of rows 20 to 39 has no value")
	check(filepath.Join(dir, "y.parquet"), "no file has such a name")
	write(t, path, []any{[]string{"a", "b"}}, 20, false)
	check(path, "column string holds String")
	write(t, path, []any{make([]float64, 1000)}, 200, false)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 3, 11, len(whole) / 2, len(whole) - 1} {
		if err := os.WriteFile(path, whole[:n], 0o666); err != nil {
			t.Fatal(err)
		}
		check(path, "x.parquet")
	}
	// Whatever byte is wrong, there is an error or there are numbers, and no panic.
	for i := 0; i < len(whole); i += 7 {
		broken := bytes.Clone(whole)
		broken[i] ^= 0x55
		if err := os.WriteFile(path, broken, 0o666); err != nil {
			t.Fatal(err)
		}
		if s, err := input.OpenShards(path); err == nil {
			s.Read(t.Context(), 0, min(s.Len(1), 2000))
		}
	}
}
