package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/surge-ndp/surge/codegen/beamrt"
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
	var pools []string
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
		pools = append(pools, strings.TrimSpace(address))
	}
	if err := run(t.Context(), t.TempDir(), 3000, 701, pools); err != nil {
		t.Error(err)
	}
}
