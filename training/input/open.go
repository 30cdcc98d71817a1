package input

import (
	"bufio"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Options of [Open]. The zero value is fine.
type Options struct {
	// Dir is what relative paths start from; empty stands for the working directory.
	Dir string
	// Cache keeps parsed files between runs; nil parses every time.
	Cache *Cache
	// MaxBytes bounds one array; 0 stands for three quarters of the memory.
	MaxBytes int64
}

// fingerprintVersion changes whenever a reader or a generator gives other fields
// for the same input, so that caches forget what they hold.
const fingerprintVersion = "surge input 1"

var fileFormats = []string{".mtx", ".npy", ".npz", ".txt", ".csv"}

// Open loads an input spec:
//
//	PATH.mtx   Matrix Market: coordinate or array; real, integer, pattern;
//	           general, symmetric, skew-symmetric
//	PATH.npy   a NumPy array      PATH.npz   a NumPy archive
//	PATH.txt   a number a line, or the same number of them on each line
//	PATH.csv   numbers, with or without a line of column names
//	gen:NAME or gen:NAME:ARGUMENTS   made on the spot, see [Generators]
//
// Each file may be compressed (.gz), except .npz, and each but .npz may be a pipe. What a pipe gives, or a compressed
// file unpacks to, is bounded by what fits in memory. An error about the input is an [*Error]; a context that ends
// gives its own error.
func Open(ctx context.Context, spec string, opts Options) (*Source, error) {
	if arguments, ok := strings.CutPrefix(spec, "gen:"); ok {
		return openGenerated(ctx, spec, arguments, opts)
	}
	path, err := filepath.Abs(spec)
	if opts.Dir != "" && !filepath.IsAbs(spec) {
		path, err = filepath.Abs(filepath.Join(opts.Dir, spec))
	}
	if err != nil {
		return nil, readError(spec, 0, err)
	}
	format := strings.ToLower(filepath.Ext(strings.TrimSuffix(strings.ToLower(path), ".gz")))
	info, err := os.Stat(path)
	if err != nil {
		return nil, notThere(spec, path, err)
	}
	if info.IsDir() {
		return nil, &Error{File: spec, What: "this is a directory", Code: "unreadable", Why: "an input is one file", Do: "name a file in it"}
	}
	fingerprint := hash(fingerprintVersion, "file", path, fmt.Sprint(info.Size()), fmt.Sprint(info.ModTime().UnixNano()))
	load := func() (*Source, error) { return openFile(ctx, spec, path, format, opts) }
	// A .npy file is already what the cache would hold.
	if opts.Cache != nil && format != ".npy" && info.Mode().IsRegular() {
		return opts.Cache.load(spec, fingerprint, load)
	}
	return finish(spec, fingerprint, load)
}

func finish(spec, fingerprint string, load func() (*Source, error)) (*Source, error) {
	s, err := load()
	if err != nil {
		return nil, err
	}
	s.spec, s.fingerprint = spec, fingerprint
	return s, nil
}

func hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}

func openFile(ctx context.Context, spec, path, format string, opts Options) (*Source, error) {
	if !slices.Contains(fileFormats, format) {
		return nil, &Error{File: spec, What: "unknown file format " + excerpt(format), Code: "unknown-format",
			Why: "the end of the name tells the format: " + strings.Join(fileFormats, ", ") + ", compressed with .gz or not",
			Do:  "rename the file, or convert it" + nearestHint(format, fileFormats)}
	}
	f, size, release, err := openInput(ctx, spec, path)
	if err != nil {
		return nil, err
	}
	defer release()
	if format == ".npz" {
		if size < 0 {
			return nil, &Error{File: spec, What: "this is a pipe", Code: "unreadable", Why: "an archive is read from its end", Do: "write it to a file"}
		}
		return readNpz(ctx, spec, f, size, opts.MaxBytes)
	}
	in := bufio.NewReaderSize(f, 1<<18)
	var r io.Reader = in
	if size < 0 {
		in = bufio.NewReaderSize(newBounded(ctx, f, opts.MaxBytes), 1<<18)
		r = in
	}
	// Compression is recognised by content: downloads lose their .gz.
	if magic, _ := in.Peek(2); string(magic) == "\x1f\x8b" {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, readError(spec, 0, err)
		}
		r, size = newBounded(ctx, z, opts.MaxBytes), -1
	}
	switch format {
	case ".mtx":
		return readMatrixMarket(ctx, spec, r, size)
	case ".txt":
		return readText(ctx, spec, r, opts.MaxBytes)
	case ".csv":
		return readCSV(ctx, spec, r, opts.MaxBytes)
	case ".npy":
		v, err := readNpy(spec, r, size, size >= 0, opts.MaxBytes)
		if err != nil {
			return nil, err
		}
		return npySource(v), nil
	}
	panic("input: the format " + format)
}

// notThere names similar files of the directory.
func notThere(spec, path string, err error) error {
	e, ok := readError(spec, 0, err).(*Error)
	if !ok {
		return err
	}
	listing, dirErr := os.ReadDir(filepath.Dir(path))
	switch {
	case dirErr != nil:
		e.What = "there is no such directory"
	default:
		e.What = "there is no such file"
		names := make([]string, 0, len(listing))
		for _, entry := range listing[:min(len(listing), 10000)] {
			names = append(names, entry.Name())
		}
		e.Do = "check the path" + nearestHint(filepath.Base(path), names)
	}
	if strings.Contains(spec, ":") {
		e.Do += "; generated inputs start with gen:"
	}
	return e
}
