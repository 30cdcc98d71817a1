package input

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestRealMatrices loads every matrix of the shared collection and compares it
// with the collection's index.
func TestRealMatrices(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "shared", "data")
	index, err := os.ReadFile(filepath.Join(dir, "INDEX.tsv"))
	if err != nil {
		t.Skipf("no real matrices here (%v)", err)
	}
	lines := strings.Split(strings.TrimSpace(string(index)), "\n")[1:]
	for _, line := range lines {
		f := strings.Split(line, "\t")
		t.Run(f[0], func(t *testing.T) {
			s, err := Open(t.Context(), filepath.Join(dir, f[1]), Options{})
			if f[6] == "complex" {
				e, ok := err.(*Error)
				if !ok || e.Code != "mtx-unsupported" || !strings.Contains(e.What, "complex") {
					t.Fatalf("a complex matrix gives %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]int{}
			for i, name := range []string{2: "rows", "cols", "nnz", 9: "max_row"} {
				if name != "" {
					want[name], _ = strconv.Atoi(f[i])
				}
			}
			checkCSR(t, s)
			offsets, _ := Slice[int32](must(s.Field("row_offsets")))
			longest := 0
			for r := range s.rows {
				longest = max(longest, int(offsets[r+1]-offsets[r]))
			}
			got := map[string]int{"max_row": longest}
			for _, name := range []string{"rows", "cols", "nnz"} {
				got[name] = int(must(s.Field(name)).Float64(0))
			}
			for name, w := range want {
				if got[name] != w {
					t.Errorf("%s = %d, the index says %d", name, got[name], w)
				}
			}
		})
	}
	if len(lines) != 129 {
		t.Errorf("the index has %d matrices", len(lines))
	}
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// checkCSR checks the invariants of compressed sparse rows.
func checkCSR(t testing.TB, s *Source) {
	t.Helper()
	values, _ := Slice[float64](s.array("values"))
	columns, _ := Slice[int32](s.array("columns"))
	offsets, _ := Slice[int32](s.array("row_offsets"))
	if len(offsets) != s.rows+1 || offsets[0] != 0 || int(offsets[s.rows]) != len(values) || len(values) != len(columns) {
		t.Fatalf("%d rows, %d offsets, %d values, %d columns", s.rows, len(offsets), len(values), len(columns))
	}
	for r := range s.rows {
		for k := offsets[r]; k < offsets[r+1]; k++ {
			if c := columns[k]; c < 0 || int(c) >= s.cols || k > offsets[r] && columns[k-1] > c {
				t.Fatalf("row %d, entry %d: column %d", r, k, c)
			}
		}
	}
}

func TestMatrixMarket(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"general": {"%%MatrixMarket matrix coordinate real general\n2 3 3\n2 1 5\n1 3 2.5\n1 1 -1e-2\n",
			"[-0.01 2.5 5] [0 2 0] [0 2 3]"},
		"duplicates stay in order": {"%%MatrixMarket matrix coordinate real general\n1 2 4\n1 2 1\n1 1 2\n1 2 3\n1 1 4\n",
			"[2 4 1 3] [0 0 1 1] [0 4]"},
		"symmetric": {"%%MatrixMarket matrix coordinate integer symmetric\n3 3 3\n1 1 1\n3 1 2\n3 3 3\n",
			"[1 2 2 3] [0 2 0 2] [0 2 2 4]"},
		"skew-symmetric": {"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 4\n",
			"[-4 4] [1 0] [0 1 2]"},
		"pattern": {"%%MatrixMarket matrix coordinate pattern general\n2 2 2\n2 2\n1 1\n",
			"[1 1] [0 1] [0 1 2]"},
		"comments, blanks, CRLF, no last line end": {"\ufeff%%matrixmarket MATRIX Coordinate Real GENERAL\r\n% a\r\n\r\n%b\r\n  2\t2 2  \r\n\r\n % c\r\n   1 1 1.5D+01 % why\r\n\t2 2 +2\r",
			"[15 2] [0 1] [0 1 2]"},
		"array": {"%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n",
			"[1 3 2 4] [0 1 0 1] [0 2 4]"},
		"symmetric array": {"%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n",
			"[1 2 2 3] [0 1 0 1] [0 2 4]"},
		"skew-symmetric array": {"%%MatrixMarket matrix array real skew-symmetric\n2 2\n7\n",
			"[0 -7 7 0] [0 1 0 1] [0 2 4]"},
		"empty": {"%%MatrixMarket matrix coordinate real general\n2 2 0\n", "[] [] [0 0 0]"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s, err := readMatrixMarket(t.Context(), "A.mtx", strings.NewReader(test.text), int64(len(test.text)))
			if err != nil {
				t.Fatal(err)
			}
			checkCSR(t, s)
			got := fmt.Sprint(s.array("values").Data, s.array("columns").Data, s.array("row_offsets").Data)
			if got != test.want {
				t.Errorf("got %s\nwant %s", got, test.want)
			}
		})
	}
}

func FuzzMatrixMarket(f *testing.F) {
	f.Add([]byte("%%MatrixMarket matrix coordinate real general\n2 3 3\n2 1 5\n1 3 2.5\n1 1 -1e-2\n"))
	f.Add([]byte("%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 2\n2 1 5\n3 1 -2\n"))
	f.Add([]byte("%%MatrixMarket matrix array real symmetric\n% c\n2 2\n1\n2\n3\n"))
	f.Add([]byte("%%MatrixMarket matrix coordinate pattern general\n16777216 1 1\n1 1\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, size := range []int64{int64(len(text)), -1} {
			s, err := readMatrixMarket(context.Background(), "f.mtx", bytes.NewReader(text), size)
			if err != nil {
				checkError(t, err)
			} else {
				checkCSR(t, s)
			}
		}
	})
}

// checkError: what readers answer is an *Error with a place and a code.
func checkError(t testing.TB, err error) {
	t.Helper()
	e, ok := err.(*Error)
	if !ok || e.File == "" || e.Code == "" || e.What == "" || e.Why == "" || e.Do == "" {
		t.Fatalf("incomplete error: %#v", err)
	}
	if n := strings.Count(e.Error(), "\n"); n != 2 {
		t.Fatalf("message of %d lines: %v", n+1, err)
	}
}

// BenchmarkMatrixMarket reads a million entries from memory.
func BenchmarkMatrixMarket(b *testing.B) {
	const n = 1_000_000
	var text bytes.Buffer
	fmt.Fprintf(&text, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", n/10, n/10, n)
	g := lcg(1)
	for range n {
		fmt.Fprintf(&text, "%d %d %.13e\n", 1+int(g.next()*n/10), 1+int(g.next()*n/10), g.next())
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		if _, err := readMatrixMarket(context.Background(), "A.mtx", bytes.NewReader(text.Bytes()), int64(text.Len())); err != nil {
			b.Fatal(err)
		}
	}
}
