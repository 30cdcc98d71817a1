package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/training"
	"github.com/surge-ndp/surge/training/input"
)

// programReport is what surge run --program has written.
type programReport struct {
	Kernel  string `json:"kernel"`
	Program string `json:"program"`
	Bytes   int64  `json:"bytes"`
}

// writeProgram writes the program that runs a kernel on Beam, which workers of a cluster are started with.
func (a *app) writeProgram(ctx context.Context, cmd *cobra.Command, f *runFlags, prog *codegen.Program, cut *codegen.Cut, opt training.Options) error {
	data, err := split(cmd, "data", f.data, "x='x/*.npy'")
	if err != nil {
		return err
	}
	outs, err := split(cmd, "out", f.out, "result=y/*.npy")
	if err != nil {
		return err
	}
	names := []string{f.beam.temp}
	for _, d := range slices.Concat(data, outs) {
		names = append(names, d.Value)
	}
	imports, err := imported(names)
	if err != nil {
		return err
	}
	b, err := training.OpenBeam(ctx, a.dir, prog, cut, opt, imports...)
	if err != nil {
		return err
	}
	defer b.Close()
	r := programReport{Kernel: cut.Kernel.Source.Name, Program: f.beam.program}
	if r.Bytes, err = copyProgram(b.Program(), f.beam.program); err != nil {
		return problem{Code: "write", What: "the program cannot be written: " + err.Error(), Fix: "name another place with --program"}
	}
	if a.json {
		return a.printJSON(r)
	}
	a.printf("%s  %s, the program of the workers for %s\n", r.Program, size(r.Bytes), r.Kernel)
	a.printf("  on each worker: %s -surge.serve=localhost:50000\n", r.Program)
	return nil
}

// imported is what the program of a kernel imports for the names of its shards and results.
func imported(names []string) (imports []string, err error) {
	if slices.ContainsFunc(names, input.Columnar) {
		imports = append(imports, codegen.BeamParquet)
	}
	s3 := false
	for _, name := range names {
		if !input.Remote(name) {
			continue
		}
		switch scheme, _, _ := strings.Cut(name, "://"); scheme {
		case "gs": // Beam itself has it
		case "s3":
			s3 = true
		default:
			return nil, problem{Code: "unknown-scheme", What: "there is no file system for " + scheme + "://", Why: name + " is named",
				Fix: "use gs:// or s3://, or a program of your own that imports another one of Beam's file systems"}
		}
	}
	if s3 {
		imports = append(imports, codegen.BeamS3)
	}
	return imports, nil
}

// copyProgram copies a program under a temporary name, which it then loses.
func copyProgram(from, to string) (n int64, err error) {
	in, err := os.Open(from)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	out, err := os.CreateTemp(filepath.Dir(to), ".surge-program-*")
	if err != nil {
		return 0, err
	}
	defer os.Remove(out.Name())
	if n, err = io.Copy(out, in); err == nil {
		err = out.Chmod(0o755)
	}
	if closed := out.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(out.Name(), to)
	}
	return n, err
}
