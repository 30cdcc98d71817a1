package output

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "d.npy"), 0o777); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"":                               "",
		filepath.Join(dir, "x.npy"):      "",
		filepath.Join(dir, "x.png"):      "must end in .npy",
		filepath.Join(dir, "d.npy"):      "is a directory",
		filepath.Join(dir, "no/x.npy"):   "no such file or directory",
		filepath.Join(dir, "x.npy/.npy"): "no such file or directory",
	} {
		err := Check(File{"-out", file, ".npy"})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", file, err, want)
		}
	}
	x := filepath.Join(dir, "x.npy")
	if err := Check(File{"-out", x, ""}, File{"-plot", "", ""}, File{"-csv", filepath.Join(dir, ".", "x.npy"), ""}); err == nil || !strings.Contains(err.Error(), "-out and -csv are the same file") {
		t.Errorf("two options name one file: %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("%d files are left", len(left))
	}
}

// TestWriteKeepsTheOldFile: what fails half way leaves nothing of it.
func TestWriteKeepsTheOldFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.txt")
	write := func(text string, err error) error {
		return Write(file, func(w io.Writer) error { io.WriteString(w, text); return err })
	}
	if err := write("old", nil); err != nil {
		t.Fatal(err)
	}
	if err := write("ne", errors.New("the disk is full")); err == nil || !strings.Contains(err.Error(), "the disk is full") {
		t.Errorf("error %v", err)
	}
	if text, _ := os.ReadFile(file); string(text) != "old" {
		t.Errorf("the file has %q", text)
	}
	if left, _ := os.ReadDir(filepath.Dir(file)); len(left) != 1 {
		t.Errorf("%d files are left", len(left))
	}
}
