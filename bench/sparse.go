package main

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/examples/spmv"
	"github.com/surge-ndp/surge/training/input"
)

// sparse are products of a sparse matrix and a vector.
func sparse() []measured {
	var cs []measured
	for _, m := range []struct {
		kind string
		rows int
	}{{"short", 1 << 20}, {"long", 8192}, {"power", 1 << 18}, {"banded", 1 << 18}} {
		cs = append(cs, sparseProduct("spmv, "+m.kind, fmt.Sprintf("gen:%s:rows=%d", m.kind, m.rows), m.kind, fmt.Sprint(m.rows)))
	}
	// Rows that differ much in length, from one that holds half of all elements to a million that hold none.
	for _, m := range []struct {
		name                             string
		rows, short, long, longs, isLast int
	}{
		{"giant row", 1 << 16, 8, 1 << 19, 1, 0},
		{"10^6 empty rows before 4096 of 256", 1_000_000 + 4096, 0, 256, 4096, 1},
		{"10^6 empty rows among 4096 of 256", 1_000_000 + 4096, 0, 256, 4096, 0},
		{"rows of 829 among 23 of 1", 24 * 4096, 1, 829, 4096, 0},
		{"10 rows of 10^6", 10, 0, 1_000_000, 10, 0},
	} {
		n := []string{"mixed"}
		for _, x := range []int{m.rows, m.short, m.long, m.longs, m.isLast} {
			n = append(n, fmt.Sprint(x))
		}
		cs = append(cs, sparseProduct("skew, "+m.name,
			fmt.Sprintf("gen:mixed:rows=%d,short=%d,long=%d,longs=%d,last=%d", m.rows, m.short, m.long, m.longs, m.isLast), n...))
	}
	return append(cs, sparseProduct("skew, arrow", "gen:arrow:rows=1<<20", "arrow", "1048576"), sparseProduct("skew, power law", "gen:power:rows=1<<19", "power", "524288"),
		sparseProduct("skew, banded", "gen:banded:rows=1<<17", "banded", "131072"))
}

// sparseProduct is a case with the matrix that a source names; args are those of the peer.
func sparseProduct(name, source string, args ...string) measured {
	return measured{name: name, program: "spmv", args: args, bench: "spmv", dir: "./examples/spmv", kernel: "SpMV",
		inputs: func(ctx context.Context) ([]input.Value, float64, error) {
			args, err := product(ctx, source, 34)
			if err != nil {
				return nil, 0, err
			}
			return args, sparseBytes(args), nil
		},
		bind: func(args []input.Value, opts ...exec.Option) (program, error) {
			offsets := args[2].Data.([]int32)
			dst := huge(make([]float64, len(offsets)-1))
			values, columns := copied(args[0].Data.([]float64)), copied(args[1].Data.([]int32))
			b, err := spmv.BindSpMV(values, columns, offsets, args[3].Data.([]float64), append(opts, exec.Into(dst))...)
			return vector(b.Run, dst, err)
		}}
}

// market are the matrices of a folder of Matrix Market files. Packed ones are unpacked into tmp: the peer reads none.
func market(dir, tmp string) ([]measured, error) {
	var cs []measured
	files, err := filepath.Glob(filepath.Join(dir, "*.mtx*"))
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	for _, file := range files {
		base := filepath.Base(file)
		if strings.HasSuffix(base, ".gz") {
			base = strings.TrimSuffix(base, ".gz")
			if file, err = unpacked(file, filepath.Join(tmp, base)); err != nil {
				return nil, err
			}
		}
		cs = append(cs, sparseProduct("mtx, "+strings.TrimSuffix(base, ".mtx"), file, file))
	}
	return cs, nil
}

func unpacked(from, to string) (string, error) {
	f, err := os.Open(filepath.Clean(from))
	if err != nil {
		return "", err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return "", fmt.Errorf("%s: %w", from, err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		return "", fmt.Errorf("%s: %w", from, err)
	}
	return to, os.WriteFile(to, text, 0o600)
}
