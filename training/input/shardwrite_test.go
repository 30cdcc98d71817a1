package input

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// shardFile writes a file, compressed if its name says so.
func shardFile(t *testing.T, name string, text []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if strings.HasSuffix(name, ".gz") {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write(text)
		z.Close()
		text = b.Bytes()
	}
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// matrixText is a random Matrix Market file, whose entries are in no order and may be of one place.
func matrixText(r *rand.Rand, kind string, rows, cols, entries int) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%%%%MatrixMarket matrix %s\n%% a comment\n\n", kind)
	value := func() string {
		if strings.Contains(kind, "integer") {
			return fmt.Sprint(r.IntN(100) - 50)
		}
		return fmt.Sprint(float64(float32(r.NormFloat64())))
	}
	if strings.HasPrefix(kind, "array") {
		fmt.Fprintf(&b, "%d %d\n", rows, cols)
		n := rows * cols
		if strings.HasSuffix(kind, " symmetric") {
			n = rows * (rows + 1) / 2
		} else if strings.HasSuffix(kind, "skew-symmetric") {
			n = rows * (rows - 1) / 2
		}
		for range n {
			fmt.Fprintln(&b, value())
		}
		return b.Bytes()
	}
	fmt.Fprintf(&b, "%d %d %d\n", rows, cols, entries)
	for range entries {
		i, j := 1+r.IntN(rows)*r.IntN(rows)/rows, 1+r.IntN(cols) // the first rows have most
		for strings.HasSuffix(kind, "skew-symmetric") && i == j {
			i, j = 1+r.IntN(rows), 1+r.IntN(cols)
		}
		fmt.Fprint(&b, i, " ", j)
		if !strings.Contains(kind, "pattern") {
			fmt.Fprint(&b, " ", value())
		}
		fmt.Fprintln(&b)
	}
	return b.Bytes()
}

// TestShardMatrix compares shards with the matrix as Open has it: of all kinds, in shards of rows or bytes, with
// all in memory and next to nothing.
func TestShardMatrix(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, kind := range []string{"coordinate real general", "coordinate real symmetric", "coordinate integer skew-symmetric", "coordinate pattern general",
		"coordinate pattern symmetric", "array real general", "array integer symmetric", "array real skew-symmetric"} {
		for _, shape := range [][3]int{{20, 20, 120}, {1, 1, 5}, {3, 3, 0}, {7, 30, 90}, {1, 50, 70}} {
			rows, cols, entries := shape[0], shape[1], shape[2]
			if strings.Contains(kind, "symmetric") {
				if cols = rows; rows == 1 && strings.Contains(kind, "skew") {
					continue
				}
			}
			path := shardFile(t, []string{"m.mtx", "m.mtx.gz"}[rows%2], matrixText(r, kind, rows, cols, entries))
			want, err := Open(t.Context(), path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			for i, opt := range []ShardOptions{{Rows: 1}, {Rows: 7}, {Rows: 1000}, {Bytes: 1}, {Bytes: 300, Memory: 100}, {Rows: 3, Memory: 2000}} {
				where := fmt.Sprintf("%s %v %d", kind, shape, i)
				opt.Dir = filepath.Join(t.TempDir(), "A")
				if i%2 > 0 {
					opt.Types = map[string]Kind{"row_offsets": Int64, "columns": Int64, "values": Float32}
				}
				done, err := Shard(t.Context(), path, opt)
				if err != nil {
					t.Fatalf("%s: %v", where, err)
				}
				for _, f := range done.Fields {
					s, err := OpenShards(f.Pattern)
					if err != nil {
						t.Fatalf("%s: %v", where, err)
					}
					got, err := s.Read(t.Context(), 0, s.Len(1))
					if err != nil {
						t.Fatalf("%s: %v", where, err)
					}
					field := want.arrays[map[string]int{"values": 0, "columns": 1, "row_offsets": 2}[f.Name]].value
					if v := (Value{Kind: f.Kind, Dims: []int{s.Len(1)}, Data: got}); !sameNumbers(v, field) {
						t.Errorf("%s: %s is %v, want %v", where, f.Name, got, field.Data)
					}
					if len(s.files) != done.Shards || i == 0 && done.Shards != rows {
						t.Errorf("%s: %d shards of %s, %d", where, len(s.files), f.Name, done.Shards)
					}
				}
				if left, _ := filepath.Glob(filepath.Join(opt.Dir, ".*")); len(left) > 0 {
					t.Errorf("%s: left %v", where, left)
				}
			}
		}
	}
}

func sameNumbers(a, b Value) bool {
	if a.Len() != b.Len() {
		return false
	}
	for i := range a.Len() {
		if a.Float64(i) != b.Float64(i) {
			return false
		}
	}
	return true
}

// TestShardArray cuts arrays of all kinds, of one dimension and of two.
func TestShardArray(t *testing.T) {
	for kind := Bool; kind <= Float64; kind++ {
		for _, dims := range [][]int{{0}, {1}, {50}, {30, 7}, {0, 4}, {5, 3, 2}} {
			n := 1
			for _, d := range dims {
				n *= d
			}
			v := Value{Kind: kind, Dims: dims, Data: makeData(kind, n)}
			for i, raw := 0, memory(v.Data); i < len(raw); i++ {
				if raw[i] = byte(i*7) & 0x3f; kind == Bool {
					raw[i] &= 1
				}
			}
			var b bytes.Buffer
			if err := WriteNpy(&b, v); err != nil {
				t.Fatal(err)
			}
			file := b.Bytes()
			if kind == Int32 { // and the other order of bytes
				file = bytes.Replace(file, []byte("'<i4'"), []byte("'>i4'"), 1)
				copy(file[len(file)-4*n:], swapped(file[len(file)-4*n:], 4))
			}
			path := shardFile(t, []string{"x.npy", "x.npy.gz"}[int(kind)%2], file)
			for _, opt := range []ShardOptions{{Rows: 1}, {Rows: 11}, {Bytes: 100}} {
				opt.Dir = t.TempDir()
				done, err := Shard(t.Context(), path, opt)
				if err != nil {
					t.Fatalf("%s %v: %v", kind, dims, err)
				}
				s, err := OpenShards(done.Fields[0].Pattern)
				if err != nil {
					t.Fatalf("%s %v: %v", kind, dims, err)
				}
				if s.Kind == Int64 || s.Kind == Uint64 {
					s.Kind = kind
				}
				got, err := s.Read(t.Context(), 0, n)
				if err != nil || !reflect.DeepEqual(got, v.Data) || n > 0 && !reflect.DeepEqual(s.Dims, dims) {
					t.Errorf("%s %v: %v %v %v", kind, dims, s.Dims, got, err)
				}
			}
		}
	}
}

// TestShardErrors are one message each, with the place, and leave nothing.
func TestShardErrors(t *testing.T) {
	npy := func(kind string, shape string, bytes int) string {
		dict := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n", kind, shape)
		return "\x93NUMPY\x01\x00" + string(rune(len(dict))) + "\x00" + dict + strings.Repeat("\x00", bytes)
	}
	const head = "%%MatrixMarket matrix coordinate real general\n"
	for _, bad := range []struct{ name, text, code, place string }{
		{"m.mtx", "", "mtx-header", ":1"},
		{"m.mtx", "3 3 1\n1 1 1\n", "mtx-header", ":1"},
		{"m.mtx", head + "3 3\n", "mtx-size", ":2:4"},
		{"m.mtx", head + "3 3 2\n1 1 1\n", "mtx-truncated", ":4"},
		{"m.mtx.gz", head + "3 3 2\n1 1 1\n", "mtx-truncated", ":4"},
		{"m.mtx", head + "3 3 2\n1 1 1\n4 1 1\n", "mtx-index", ":4:1"},
		{"m.mtx", head + "3 3 2\n1 1 1\n1 0 1\n", "mtx-index", ":4:3"},
		{"m.mtx", head + "3 3 1\n1 1 1\n1 2 1\n", "mtx-extra", ":4"},
		{"m.mtx", head + "3 3 1\n1 1 x\n", "bad-number", ":3:5"},
		{"m.mtx", head + "3 3 1\n1 1 1e300\n", "bad-number", ":3"},
		{"m.mtx", head + "900000000000 3 1\n1 1 1\n", "too-large", ":2"},
		{"m.mtx.gz", head + "9 9 90000000000\n1 1 1\n", "too-large", ":2"},
		{"x.npy", "nothing", "bad-npy", ""},
		{"x.npy", npy("<f8", "(3,)", 16), "npy-truncated", ""},
		{"x.npy.gz", npy("<f8", "(3,)", 16), "npy-truncated", ""},
		{"x.npy.gz", npy("<f8", "(3,)", 25), "npy-extra", ""},
		{"x.npy", npy("<c8", "(3,)", 24), "unsupported-type", ""},
		{"x.npy", npy("<f8", "()", 8), "shard-width", ""},
		{"x.csv", "1\n", "unknown-format", ""},
	} {
		path := shardFile(t, bad.name, []byte(bad.text))
		opt := ShardOptions{Rows: 1, Dir: filepath.Join(t.TempDir(), "A")}
		if strings.Contains(bad.text, "1e300") {
			opt.Types = map[string]Kind{"values": Float32}
		}
		_, err := Shard(t.Context(), path, opt)
		var e *Error
		if !errors.As(err, &e) || e.Code != bad.code || e.Why == "" || e.Do == "" || !strings.HasPrefix(err.Error(), path+bad.place+": ") {
			t.Errorf("%q: %v, want %s [%s]", bad.text, err, bad.place, bad.code)
		}
		if _, err := os.Stat(opt.Dir); err == nil {
			t.Errorf("%q: files are left", bad.text)
		}
	}
	path := shardFile(t, "m.mtx.gz", []byte(head+"3 3 1\n1 1 1\n"))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	opt := ShardOptions{Rows: 1, Dir: dir}
	if err := os.WriteFile(path, whole[:len(whole)-3], 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Shard(t.Context(), path, opt); err == nil || !strings.Contains(err.Error(), "gzip-truncated") {
		t.Errorf("half of a compressed file: %v", err)
	}
	if err := os.WriteFile(path, whole, 0o666); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Shard(ended, path, opt); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left %v", left)
	}
	if _, err := Shard(t.Context(), path, opt); err != nil {
		t.Fatal(err)
	}
	if _, err := Shard(t.Context(), path, opt); err == nil || !strings.Contains(err.Error(), "already") {
		t.Errorf("shards over others: %v", err)
	}
	opt = ShardOptions{Rows: 1, Dir: t.TempDir(), Types: map[string]Kind{"rows": Int64}}
	if _, err := Shard(t.Context(), path, opt); err == nil || !strings.Contains(err.Error(), "row_offsets (int32, int64)") {
		t.Errorf("a field that there is not: %v", err)
	}
}
