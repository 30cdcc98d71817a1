package input

import (
	archive "archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const (
	banner  = "%%MatrixMarket matrix coordinate real general\n"
	pattern = "%%MatrixMarket matrix coordinate pattern general\n"
	integer = "%%MatrixMarket matrix coordinate integer general\n"
)

// badInputs are files that must be refused, by name.
func badInputs() map[string]string {
	zip := func(text string) string {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		io.WriteString(w, text)
		w.Close()
		return b.String()
	}
	npz := func(member string) string {
		var b bytes.Buffer
		z := archive.NewWriter(&b)
		w, _ := z.Create("a.npy")
		io.WriteString(w, member)
		z.Close()
		return b.String()
	}
	long := banner + "1000 1000 5000\n" + strings.Repeat("1 1 0.123456\n7 9 1\n", 2500)
	packed := zip(long)
	corrupt := []byte(packed)
	corrupt[len(corrupt)-6] ^= 0x55 // the checksum
	npyWith := func(descr, shape string) string {
		dict := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n", descr, shape)
		return "\x93NUMPY\x01\x00" + string([]byte{byte(len(dict)), 0}) + dict + strings.Repeat("\x00", 32)
	}
	npy := string(npyHeader(Vector(make([]float64, 4)))) + strings.Repeat("\x00", 32)
	return map[string]string{
		"empty.mtx":               "",
		"html.mtx":                "<html><body>404 not found</body></html>\n",
		"short-banner.mtx":        "%%MatrixMarket matrix coordinate\n1 1 1\n",
		"vector.mtx":              "%%MatrixMarket vector coordinate real general\n",
		"complex.mtx":             "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n",
		"hermitian.mtx":           "%%MatrixMarket matrix coordinate real hermitian\n1 1 1\n1 1 1\n",
		"misspelt.mtx":            "%%MatrixMarket matrix coordinate real symetric\n1 1 1\n1 1 1\n",
		"array-pattern.mtx":       "%%MatrixMarket matrix array pattern general\n1 1\n",
		"no-size.mtx":             banner + "% only comments\n",
		"bad-size.mtx":            banner + "10 ten 10\n",
		"negative-size.mtx":       banner + "-1 3 3\n",
		"long-size.mtx":           banner + "1 1 1 1\n",
		"3gb-claim.mtx":           banner + "3000000 3000000 400000000\n1 1 1\n",
		"3gb-claim.mtx.gz":        zip(banner + "3000000 3000000 400000000\n1 1 1\n"),
		"3gb-array.mtx":           "%%MatrixMarket matrix array real general\n20000 20000\n1\n",
		"rows-claim.mtx":          banner + "800000000 1 1\n1 1 1\n",
		"above-int32.mtx":         banner + "3000000000 3 1\n1 1 1\n",
		"entries-above-int32.mtx": banner + "3 3 3000000000\n1 1 1\n",
		"array-above-int32.mtx":   "%%MatrixMarket matrix array real general\n100000 100000\n1\n",
		"truncated.mtx":           banner + "3 3 3\n1 1 1.0\n2 2 1.0\n",
		"truncated-line.mtx":      banner + "3 3 2\n1 1 1.0\n2 2",
		"more.mtx":                banner + "3 3 1\n1 1 1.0\n2 2 1.0\n",
		"row-range.mtx":           banner + "3 3 1\n4 1 1.0\n",
		"column-zero.mtx":         banner + "3 3 1\n1 0 1.0\n",
		"index-text.mtx":          banner + "3 3 1\na 1 1.0\n",
		"huge-index.mtx":          banner + "3 3 1\n99999999999999999999 1 1.0\n",
		"nan.mtx":                 banner + "3 3 2\n1 1 1.0\n2 2 NaN\n",
		"inf.mtx":                 banner + "3 3 1\n2 2 -inf\n",
		"overflow.mtx":            banner + "3 3 1\n2 2 1e999\n",
		"hexadecimal.mtx":         banner + "3 3 1\n2 2 0x1p3\n",
		"extra-number.mtx":        banner + "3 3 1\n2 2 1 1\n",
		"pattern-text.mtx":        pattern + "3 3 1\n2 2 x\n",
		"fraction.mtx":            integer + "3 3 1\n2 2 1.5\n",
		"rectangular.mtx":         "%%MatrixMarket matrix coordinate real symmetric\n3 4 1\n1 1 1\n",
		"skew-diagonal.mtx":       "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n2 2 1\n",
		"long-line.mtx":           banner + strings.Repeat("1", 2<<20),
		"truncated.mtx.gz":        packed[:len(packed)/2],
		"corrupt.mtx.gz":          string(corrupt),
		"header.mtx.gz":           "\x1f\x8b\x09 not deflate at all",
		"nan.txt":                 "1\n2\nnan\n",
		"word.txt":                "1\n2\n  three\n",
		"ragged.txt":              "1 2\n3\n",
		"empty.txt":               "# nothing\n",
		"empty.csv":               "",
		"nan.csv":                 "a,b\n1,2\n3,NaN\n",
		"ragged.csv":              "a,b\n1,2\n3\n",
		"word.csv":                "a,b\n1,2\n3,x\n",
		"quote.csv":               "a,b\n1,\"2\n",
		"twice.csv":               "a,a\n1,2\n",
		"magic.npy":               "PK\x03\x04 this is a zip file",
		"short.npy":               "\x93NUMPY",
		"cut.npy":                 npy[:len(npy)-8],
		"cut-header.npy":          npy[:40],
		"longer.npy":              npy + "x",
		"3gb-claim.npy":           npyWith("<f8", "(400000000,)"),
		"overflow.npy":            npyWith("<f8", "(4294967296, 4294967296)"),
		"negative.npy":            npyWith("<f8", "(-4,)"),
		"complex.npy":             npyWith("<c16", "(2,)"),
		"dictionary.npy":          strings.Replace(npy, "'shape'", "'chape'", 1),
		"header-claim.npy":        "\x93NUMPY\x02\x00\xff\xff\xff\xff{}",
		"complex.npz":             npz(npyWith("<c16", "(2,)")),
		"3gb-claim.npz":           npz(npyWith("<f8", "(400000000,)")),
		"text.npz":                "no zip",
		"unknown.dat":             "1\n",
	}
}

// TestBadInputs compares each message with testdata/errors.txt; run with -update
// after a change and read the difference.
func TestBadInputs(t *testing.T) {
	dir := t.TempDir()
	var got strings.Builder
	inputs := badInputs()
	for _, name := range slices.Sorted(maps.Keys(inputs)) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(inputs[name]), 0o666); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		_, err := Open(t.Context(), name, Options{Dir: dir})
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		if d := time.Since(start); d > 10*time.Second { // the machine may be busy
			t.Errorf("%s: took %v", name, d)
		}
		checkError(t, err)
		fmt.Fprintf(&got, "%v\n\n", err)
	}
	for _, spec := range []string{
		"truncated.mtz", "trunkated.mtx", "no/such/dir/x.mtx", "gem:uniform:n=3",
		"gen:unifrm:n=3", "gen:", "gen:uniform:m=3", "gen:uniform:n=3,n=4", "gen:uniform:3,4", "gen:uniform:n=x",
		"gen:uniform:n=-1", "gen:uniform:n=1.5", "gen:uniform:n=1e18", "gen:uniform:n=3,rows=3", "gen:uniform:n=3,seed=0.5",
		"gen:poisson2d:10", "gen:poisson2d:1e5x1e5", "gen:long:rows=1e9,per_row=1e9", "gen:powerlaw:avg=3,scale=2", "gen:powerlaw:avg=-3", "gen:powerlaw:sorted=-0.1", "gen:powerlaw:sorted=2", "gen:powerlaw:exponent=0", "gen:powerlaw:rows=1e9,sorted=1", "gen:scattered:avg=-1", "gen:scattered:rows=0,avg=1e300", "gen:scattered:rows=1e9,avg=1e9", "gen:banded:rows=1e10",
		"gen:integers:n=3,hi=1e300", "gen:dense:1e9x1e9",
	} {
		_, err := Open(t.Context(), spec, Options{Dir: dir, MaxBytes: 8 << 30})
		if err == nil {
			t.Errorf("%s: no error", spec)
			continue
		}
		checkError(t, err)
		fmt.Fprintf(&got, "%v\n\n", err)
	}
	text := strings.ReplaceAll(got.String(), dir, "DIR")
	golden := filepath.Join("testdata", "errors.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	wants, gots := strings.Split(string(want), "\n\n"), strings.Split(text, "\n\n")
	for i := range max(len(wants), len(gots)) {
		w, g := "(nothing)", "(nothing)"
		if i < len(wants) {
			w = wants[i]
		}
		if i < len(gots) {
			g = gots[i]
		}
		if w != g {
			t.Fatalf("message %d\n got %s\nwant %s", i, g, w)
		}
	}
}

func TestOpenCanceled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v.txt")
	if err := os.WriteFile(path, []byte("1\n2\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, path, Options{}); err != context.Canceled {
		t.Error(err)
	}
}
