package training

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/training/input"
)

// sharedCache is the cache directory of all tests that do not damage it.
var sharedCache string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "surge-training-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	sharedCache = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// open opens a package without vectors, which builds faster, and closes it at the end of the test.
func open(t *testing.T, dir string, opt Options) *Session {
	t.Helper()
	if opt.CacheDir == "" {
		opt.CacheDir = sharedCache
	}
	opt.NoSIMD = true
	s, err := Open(context.Background(), dir, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

const spmv = "../examples/spmv"

// matrix has three rows of 2, 0 and 1 elements; its product with (1, 10, 100) is (201, 0, 30).
func matrix() []input.Value {
	return []input.Value{
		input.Vector([]float64{1, 2, 3}), input.Vector([]int32{0, 2, 1}), input.Vector([]int32{0, 2, 2, 3}), input.Vector([]float64{1, 10, 100}),
	}
}

// poisson is a matrix of n² rows, and a vector.
func poisson(t testing.TB, n int) []input.Value {
	t.Helper()
	a, err := input.Open(context.Background(), fmt.Sprintf("gen:poisson2d:%dx%d", n, n), input.Options{})
	if err != nil {
		t.Fatal(err)
	}
	args, err := input.Bind([]input.Parameter{
		{Name: "values", Expr: "A.values"}, {Name: "columns", Expr: "A.columns"},
		{Name: "rowOffsets", Expr: "A.row_offsets"}, {Name: "x", Expr: "random(A.cols, seed=1)"},
	}, map[string]*input.Source{"A": a}, input.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return args
}

// userModule writes a module that requires this one, and returns the directory of its package.
func userModule(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	// What "go mod tidy" would write, without asking the network: everything that this module requires.
	_, requirements, _ := strings.Cut(read("go.mod"), "\nrequire ")
	dir := t.TempDir()
	files["go.sum"] = read("go.sum")
	files["go.mod"] = "module example.com/user\n\ngo 1.26.0\n\nrequire " + surgeModule + " v0.0.0\n\nreplace " + surgeModule + " => " + root +
		"\n\nrequire " + requirements
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// tree lists what is below a directory.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		all = append(all, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(all, "\n")
}

const doubleKernel = `package PACKAGE

import "github.com/surge-ndp/surge/ops"

// Double doubles.
//
//surge:kernel
func Double(x []float64) []float64 {
	return ops.Map(func(v float64) float64 { return 2 * v }, x)
}
`
