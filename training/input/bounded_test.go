package input

import (
	"archive/zip"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBombs checks that a small file that unpacks to much is refused before it fills the memory.
func TestBombs(t *testing.T) {
	long := strings.Repeat("# nothing\n", 2<<20)
	for name, text := range map[string]string{
		"numbers.txt.gz":  strings.Repeat("1\n", 1<<20),
		"comments.txt.gz": long,
		"numbers.csv.gz":  strings.Repeat("1,2\n", 1<<20),
		"comments.mtx.gz": "%%MatrixMarket matrix coordinate real general\n" + strings.ReplaceAll(long, "#", "%"),
		"record.csv":      `"` + strings.Repeat("x\n", 10<<20),
		"line.csv":        strings.Repeat("1,", 10<<20),
	} {
		_, err := Open(t.Context(), writeFile(t, name, text), Options{MaxBytes: 2 << 20})
		var e *Error
		if !errors.As(err, &e) || e.Code != "too-large" || !strings.HasSuffix(e.File, name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestArchiveMembers checks archives whose members are too much together, or have one name.
func TestArchiveMembers(t *testing.T) {
	v := Vector(make([]float64, 1000))
	npy := append(npyHeader(v), memory(v.Data)...)
	for want, names := range map[string][]string{"": {"a", "b"}, "too-large": {"a", "b", "c"}, "duplicate-name": {"a", "a"}} {
		var buf bytes.Buffer
		z := zip.NewWriter(&buf)
		for _, name := range names {
			w, err := z.Create(name + ".npy")
			if err == nil {
				_, err = w.Write(npy)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "a.npz")
		if err := os.WriteFile(path, buf.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := Open(t.Context(), path, Options{MaxBytes: 17000})
		var e *Error
		if (want == "") != (err == nil) || want != "" && (!errors.As(err, &e) || e.Code != want) {
			t.Errorf("%v: %v, not %q", names, err, want)
		}
	}
}
