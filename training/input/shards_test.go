package input

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func writeShard(t *testing.T, dir, name string, v Value) {
	t.Helper()
	if err := Write(filepath.Join(dir, name), v); err != nil {
		t.Fatal(err)
	}
}

// TestShards reads all parts of arrays in shards of several lengths.
func TestShards(t *testing.T) {
	for _, lengths := range [][]int{{10}, {3, 4, 3}, {0, 5, 0, 0, 5, 0}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {0}, {0, 0}} {
		dir := t.TempDir()
		n := 0
		for i, rows := range lengths {
			data := make([]int64, 2*rows)
			for j := range data {
				data[j] = int64(n)
				n++
			}
			writeShard(t, dir, fmt.Sprintf("part%d.npy", i), Value{Kind: Int64, Dims: []int{rows, 2}, Data: data})
		}
		all, err := OpenShards(filepath.Join(dir, "*.npy"))
		if err != nil {
			t.Fatal(lengths, err)
		}
		s, err := all.As(Type{Int, 2})
		if err != nil {
			t.Fatal(err)
		}
		if s.Len(1) != n || s.Len(2) != n/2 || s.Columns() != 2 {
			t.Errorf("%v: %d elements, %d rows of %d", lengths, s.Len(1), s.Len(2), s.Columns())
		}
		for lo := 0; lo <= n; lo++ {
			for hi := lo; hi <= n; hi++ {
				got, err := s.Read(t.Context(), lo, hi)
				want := make([]int, hi-lo)
				for i := range want {
					want[i] = lo + i
				}
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Fatalf("%v [%d, %d): %v %v", lengths, lo, hi, got, err)
				}
			}
		}
		if _, err := s.Read(t.Context(), 0, n+1); err == nil {
			t.Error("elements that there are not")
		}
	}
}

// TestShardOrder sorts by number, where names differ in nothing else, and reads other bytes' order.
func TestShardOrder(t *testing.T) {
	dir := t.TempDir()
	for i := range 12 {
		writeShard(t, dir, fmt.Sprintf("x-%d.npy", i), Vector([]float64{float64(i)}))
	}
	big := append(npyHeader(Vector(make([]float64, 1))), 0x40, 0x28, 0, 0, 0, 0, 0, 0) // 12
	if err := os.WriteFile(filepath.Join(dir, "x-12.npy"), []byte(strings.Replace(string(big), "<f8", ">f8", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := OpenShards(filepath.Join(dir, "*.npy"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Read(t.Context(), 0, 13)
	if want := []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}; err != nil || !reflect.DeepEqual(got, want) {
		t.Error(got, err)
	}
}

// TestBadShards are one message each, with the file.
func TestBadShards(t *testing.T) {
	good := Value{Kind: Float64, Dims: []int{2, 3}, Data: make([]float64, 6)}
	for _, c := range []struct {
		code, say string
		make      func(dir string)
	}{
		{"unreadable", "no file", func(dir string) {}},
		{"unreadable", "regular", func(dir string) { os.Mkdir(filepath.Join(dir, "a.npy"), 0o777) }},
		{"shard-width", "b.npy", func(dir string) {
			writeShard(t, dir, "a.npy", good)
			writeShard(t, dir, "b.npy", Value{Kind: Float64, Dims: []int{3, 2}, Data: make([]float64, 6)})
		}},
		{"shard-type", "b.npy", func(dir string) {
			writeShard(t, dir, "a.npy", good)
			writeShard(t, dir, "b.npy", Vector([]float32{}))
		}},
		{"shard-missing", "x3.npy follows x1.npy", func(dir string) {
			writeShard(t, dir, "x1.npy", good)
			writeShard(t, dir, "x3.npy", good)
		}},
		{"shard-missing", "2 shards of 3", func(dir string) {
			writeShard(t, dir, "x0-of-3.npy", good)
			writeShard(t, dir, "x1-of-3.npy", good)
		}},
		{"shard-missing", "of two arrays", func(dir string) {
			writeShard(t, dir, "x0-of-1.npy", good)
			writeShard(t, dir, "x1-of-3.npy", good)
		}},
		{"npy-truncated", "a.npy", func(dir string) {
			writeShard(t, dir, "a.npy", good)
			os.Truncate(filepath.Join(dir, "a.npy"), 150)
		}},
		{"bad-npy", "a.npy", func(dir string) { os.WriteFile(filepath.Join(dir, "a.npy"), []byte("text"), 0o666) }},
		{"shard-width", "single number", func(dir string) { writeShard(t, dir, "a.npy", Scalar(1.5)) }},
	} {
		dir := t.TempDir()
		c.make(dir)
		_, err := OpenShards(filepath.Join(dir, "*.npy"))
		e, ok := err.(*Error)
		if !ok || e.Code != c.code || !strings.Contains(err.Error(), c.say) {
			t.Errorf("%v, want %s and %q", err, c.code, c.say)
		}
	}
	dir := t.TempDir()
	writeShard(t, dir, "a.npy", good)
	s, err := OpenShards(filepath.Join(dir, "*.npy"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.As(Type{Float32, 1}); err == nil || !strings.Contains(err.Error(), "numpy.float32") {
		t.Error("elements of another type:", err)
	}
	os.Truncate(filepath.Join(dir, "a.npy"), 150)
	if _, err := s.Read(t.Context(), 0, 6); err == nil || !strings.Contains(err.Error(), "npy-truncated") {
		t.Error("a file that has become shorter:", err)
	}
}
