package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sbinet/npyio"
	"gonum.org/v1/gonum/mat"
)

func call(args ...string) (string, error) {
	var out bytes.Buffer
	err := run(context.Background(), args, &out, io.Discard)
	return out.String(), err
}

func TestProgram(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	for _, start := range []string{"kmeans++", "random", "first"} {
		out, err := call("-n", "2000", "-d", "3", "-k", "4", "-init", start, "-centroids", file("c.npy"), "-out", file("l.npy"), "-plot", file("p.png"))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out, "2000 points of 3 coordinates, 4 clusters") || !strings.Contains(out, "(converged)") {
			t.Errorf("%s: %s", start, out)
		}
	}
	var centroids mat.Dense
	f, err := os.Open(file("c.npy"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := npyio.Read(f, &centroids); err != nil {
		t.Fatal(err)
	}
	if r, c := centroids.Dims(); r != 4 || c != 3 {
		t.Errorf("centroids %d × %d", r, c)
	}
	if p, err := os.ReadFile(file("p.png")); err != nil || !bytes.HasPrefix(p, []byte("\x89PNG")) {
		t.Errorf("no picture: %v", err)
	}
	// The centroids are points like any other.
	if out, err := call("-data", file("c.npy"), "-k", "2"); err != nil || !strings.Contains(out, "4 points of 3 coordinates") {
		t.Errorf("%s %v", out, err)
	}
}

// TestMain is the program itself when a test starts this binary as it.
func TestMain(m *testing.M) {
	if os.Getenv("KMEANS_PROGRAM") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestExit checks what a user sees of bad input: one line, and status 1, or 2 for a command line that cannot be read.
func TestExit(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return file
	}
	good := write("good.txt", "0.5 2\n1.5 2\n0.5 3\n")
	for _, c := range []struct{ args, want string }{
		{"-k 4 -data " + good, "kmeans: -k is 4, but there are only 3 points\n"},
		{"-k 2 -data " + write("nan.txt", "1 2\n3 4\n5 nan\n"), "kmeans: " + filepath.Join(dir, "nan.txt") + ": point 3: coordinate 2 is NaN; all must be finite numbers\n"},
		{"-k 2 -data " + write("huge.txt", "1 2\n3 4\n5 -1e300\n"), "kmeans: " + filepath.Join(dir, "huge.txt") + ": point 3: coordinate 2 is -1e+300; sums of squares of distances would overflow\n"},
		{"-k 2 -data " + good + " -labels " + write("far.txt", "0\n1\n2\n"), "kmeans: " + filepath.Join(dir, "far.txt") + ":3: the label is 2; those of 2 clusters are 0 to 1\n"},
		{"-k 2 -colour red", "kmeans: flag provided but not defined: -colour; -h tells what there is\n"},
	} {
		status := 1
		if strings.Contains(c.want, "-h") {
			status = 2
		}
		program := exec.Command(os.Args[0], strings.Fields(c.args)...)
		program.Env = append(os.Environ(), "KMEANS_PROGRAM=1")
		var stdout, stderr strings.Builder
		program.Stdout, program.Stderr = &stdout, &stderr
		var exit *exec.ExitError
		if err := program.Run(); !errors.As(err, &exit) || exit.ExitCode() != status {
			t.Errorf("%s: %v, want exit status %d", c.args, err, status)
		}
		if text := stderr.String(); !strings.HasPrefix(text, c.want) || strings.Count(text, "\n") != 1 || stdout.Len() > 0 {
			t.Errorf("%s: printed %q and %q, want one line %q", c.args, stdout.String(), text, c.want)
		}
	}
}

// npy is a NumPy file that claims elements of a type and a shape, with so many bytes.
func npy(descr, shape string, bytes int) string {
	header := "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }"
	header += strings.Repeat(" ", 117-len(header)) + "\n"
	return "\x93NUMPY\x01\x00\x76\x00" + header + strings.Repeat("\x00", bytes)
}

// cutGzip is a compressed file without its end.
func cutGzip(t *testing.T) string {
	var whole bytes.Buffer
	z := gzip.NewWriter(&whole)
	if _, err := z.Write([]byte("1 2\n3 4\n")); err != nil {
		t.Fatal(err)
	}
	if err := z.Flush(); err != nil {
		t.Fatal(err)
	}
	return whole.String()
}

func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return file
	}
	good := write("good.txt", "1 0.5 2\n2 1.5 2\n\n3 0.5 3\n")
	for _, c := range []struct{ args, want string }{
		{"-n 5 -k 6", "-k is 6, but there are only 5 points"},
		{"-n 5 -k 0", "-k is 0; it must be positive"},
		{"-n 0", "-n is 0"},
		{"-n 5 -k 4611686018427387904", "-k is 4611686018427387904, but there are only 5 points"},
		{"-n 4611686018427387904 -d 3", "would not fit into memory"},
		{"-n 3 -d 4611686018427387904", "would not fit into memory"},
		{"-k 2 -iterations 0", "-iterations is 0"},
		{"-n 20 -tolerance -1", "-tolerance is -1; it must not be negative"},
		{"-n 20 -tolerance NaN", "-tolerance is NaN"},
		{"-n 20 -out x.npy -centroids ./x.npy", "-centroids and -out are the same file"},
		{"-ids -data " + write("ids.txt", "1\n2\n"), "ids.txt:1: there is an id, and no coordinate"},
		{"-data " + write("cut.gz", cutGzip(t)), "cut.gz:3: the compressed data ends early"},
		{"-n 20 -init best", `-init is "best"`},
		{"-n 20 -d 1 -plot x.png", "must be coordinates of the points, 0 to 0"},
		{"-n 20 extra", `unexpected argument "extra"`},
		{"-data " + write("nan.txt", "1 2\n3 NaN\n"), "point 2: coordinate 2 is NaN"},
		{"-data " + write("word.txt", "1 2\n3 x\n"), `word.txt:2: coordinate 2, "x", is not a number`},
		{"-data " + write("short.txt", "1 2\n3\n"), "short.txt:2: 1 coordinates; the points before have 2"},
		{"-data " + write("empty.txt", "\n"), "there are no points"},
		{"-data " + write("bad.npy", "no array"), "bad.npy"},
		{"-data " + write("none.npy", ""), "none.npy: the file is too short for a NumPy file"},
		{"-data " + write("header.npy", "\x93NUMPY\x01\x00\x76\x00{'descr'"), "header.npy: the file ends within its header"},
		{"-data " + write("cut.npy", npy("<f8", "(3, 2)", 40)), "cut.npy: the shape [3 2] of float64 takes 48 bytes, but the file has 40"},
		{"-data " + write("huge.npy", npy("<f8", "(1000000000000, 3)", 40)), "huge.npy: the shape [1000000000000 3]"},
		{"-data " + write("complex.npy", npy("<c16", "(3, 2)", 96)), "complex.npy: the elements are of NumPy type"},
		{"-data " + write("flat.npy", npy("<f8", "(6,)", 48)), "flat.npy: the array has the shape [6]"},
		{"-data " + write("row0.npy", npy("<f8", "(0, 2)", 0)), "row0.npy: the array has the shape [0 2]"},
		{"-n 20 -out " + filepath.Join(dir, "no", "x.npy"), "no file can be made there: no such file or directory"},
		{"-n 20 -centroids " + filepath.Join(dir, "x.txt"), "the name must end in .npy"},
		{"-n 20 -plot " + filepath.Join(dir, "x.bmp"), "the name must end in .png"},
		{"-data " + write("bad.gz", "no gzip"), "bad.gz"},
		{"-data " + filepath.Join(dir, "missing.txt"), "missing.txt"},
		{"-ids -k 2 -data " + good + " -labels " + write("far.txt", "0\n2\n1\n"), "far.txt:2: the label is 2; those of 2 clusters are 0 to 1"},
		{"-ids -k 2 -data " + good + " -labels " + write("minus.txt", "0\n-1\n1\n"), "minus.txt:2: the label is -1"},
		{"-ids -k 2 -data " + good + " -labels " + write("few.txt", "0\n1\n"), "2 labels for 3 points"},
		{"-ids -k 2 -data " + good + " -labels " + write("text.txt", "0\none\n1\n"), `"one" is not a label`},
	} {
		if _, err := call(strings.Fields(c.args)...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.args, err, c.want)
		}
	}
	if out, err := call("-ids", "-k", "2", "-data", good, "-labels", write("fine.txt", "0\n1\n0\n")); err != nil || !strings.Contains(out, "3 points of 2 coordinates") {
		t.Errorf("%s %v", out, err)
	}
	if out, err := call("-k", "1", "-data", write("ints.npy", npy("<i4", "(3, 2)", 24))); err != nil || !strings.Contains(out, "3 points of 2 coordinates") {
		t.Errorf("%s %v", out, err)
	}
}
