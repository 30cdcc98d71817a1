package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/surge-ndp/surge/codegen/beamrt"
	"github.com/surge-ndp/surge/codegen/cluster"
	"github.com/surge-ndp/surge/examples/beam/kernels"
)

// poolVariable makes the test's program a pool of workers.
const poolVariable = "BEAM_EXAMPLE_POOL"

func TestMain(m *testing.M) {
	flag.Parse()
	beam.Init()
	if os.Getenv(poolVariable) == "" {
		os.Exit(m.Run())
	}
	address, stop, err := beamrt.Serve(context.Background(), 0)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(address)
	io.Copy(io.Discard, os.Stdin)
	stop()
}

// TestExample runs the example in this process, and in two others, of which one has vectors and one has none.
func TestExample(t *testing.T) {
	for _, n := range []int{0, 1, 3000} {
		if err := run(t.Context(), t.TempDir(), n, 701, nil); err != nil {
			t.Errorf("%d: %v", n, err)
		}
	}
	if err := run(t.Context(), t.TempDir(), 3000, 701, pools(t)); err != nil {
		t.Error(err)
	}
}

// pools starts two processes, of which one has vectors and one has none.
func pools(t *testing.T) (addresses []string) {
	t.Helper()
	for _, vectors := range []string{"1", ""} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), poolVariable+"=1", "SURGE_PORTABLE_VECTORS="+vectors)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			in.Close()
			cmd.Wait()
		})
		address, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		addresses = append(addresses, strings.TrimSpace(address))
	}
	return addresses
}

// TestReproducible gives the same bits in this process and in two others, of which one has vectors and one has none, as
// the driver for one process; where blocks combine no floats these are the bits of plain Go.
func TestReproducible(t *testing.T) {
	const n, pages, size = 2000, 300, 333
	r := rand.New(rand.NewPCG(1, 2))
	floats := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		return x
	}
	offsets, columns := []int{0}, []int32{}
	for range n {
		for range r.IntN(40) {
			columns = append(columns, int32(r.IntN(pages)))
		}
		offsets = append(offsets, len(columns))
	}
	values, x, points, centroids, shares, ranks := floats(len(columns)), floats(pages), floats(8*n), floats(40), floats(pages), floats(n)
	next, moved := kernels.Rank(columns, offsets, shares, ranks, 0.1, 0.85)
	workers := pools(t)
	for _, c := range []struct {
		kernel string
		inputs cluster.Slices
		plain  []cluster.Value // of plain Go, nil where floats of blocks are combined
	}{
		{"SpMV", kernels.BlocksSpMV(values, columns, offsets, x), []cluster.Value{kernels.SpMV(values, columns, offsets, x)}},
		{"Assign", kernels.BlocksAssign(points, 8, centroids), nil},
		{"Rank", kernels.BlocksRank(columns, offsets, shares, ranks, 0.1, 0.85), []cluster.Value{next, moved}},
	} {
		k := beamrt.Named(c.kernel)
		want, err := cluster.Run(cluster.InOrder(t.Context()), k, c.inputs, size)
		if err != nil {
			t.Fatal(err)
		}
		if c.plain != nil && bits(t, want) != bits(t, c.plain) {
			t.Errorf("%s: one process gives %v, and plain Go %v", c.kernel, want, c.plain)
		}
		for _, pools := range [][]string{nil, workers, workers[1:]} {
			got, err := beamrt.Run(t.Context(), beamrt.Options{Kernel: k, Inputs: beamrt.Values(c.inputs), BlockSize: size, FanIn: 2, Pools: pools, Reproducible: true})
			if err != nil {
				t.Fatal(err)
			}
			if bits(t, got.Values) != bits(t, want) {
				t.Errorf("%s on %d pools gives %v, and one process %v", c.kernel, len(pools), got.Values, want)
			}
		}
	}
}

func bits(t *testing.T, values []cluster.Value) string {
	t.Helper()
	b, err := cluster.AppendValues(nil, values)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
