package codegen

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/load"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/selector"
)

var update = flag.Bool("update", false, "rewrite docs/operators.md")

const tableHead = `# Operators, levels and schedules

How each operator of package ` + "`" + `ops` + "`" + ` compiles, alone, inside the function of ` + "`" + `ops.Map` + "`" + ` ("inside"), and in a loop at the
top level of a kernel ("in loop"). This table is made from the compiler by a test (` + "`" + `go test ./codegen -run
OperatorTable -update` + "`" + `); do not edit it.

An operator becomes one or several computations, a row each. "Compiled as" is the computation's expression sequence,
outermost level first; operators that only rename elements vanish into what reads them. "Strongest" is its strongest
schedule, and every weaker one, with ` + "`" + `sequential` + "`" + ` in place of any other element, compiles too. Then come, level by
level, the resources that may run the level in parallel on the platform goroutine. "No lanes" says why no level runs
on lanes.

The other columns are, for the platforms opencl and openmp, the strongest schedule that has code there, and its
resources, or the reason why there is none, where the computation runs on goroutines in between. Code in a loop at the
top level is a level of one element. The sizes of results that depend on the data are counted by a computation of their
own, so that the result has its exact length.

| operator | compiled as | strongest | resources | no lanes | OpenCL | resources | OpenMP | resources |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
`

// TestOperatorTable checks that docs/operators.md is what the compiler does.
func TestOperatorTable(t *testing.T) {
	pkg, err := load.Load(context.Background(), filepath.Join("testdata", "operators"), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := Compile(pkg, Options{Machine: PortableMachine(), Platforms: []string{"goroutine", "opencl", "openmp"}})
	if err != nil {
		t.Fatal(err)
	}
	var sb strings.Builder
	sb.WriteString(tableHead)
	for _, k := range p.Kernels {
		name, inside := strings.CutSuffix(cmp.Or(k.WayOf, k.Source.Name), "Inside")
		name, rows := strings.CutSuffix(name, "Rows")
		if rows {
			name += " of rows"
		}
		if inside {
			name += ", inside"
		}
		name, loop := strings.CutSuffix(name, "InLoop")
		switch {
		case k.WayOf != "":
			name += ", in loop, with the whole loop as one computation"
		case loop:
			name += ", in loop"
		}
		for _, s := range k.Spaces {
			if s.Platform.Name != "goroutine" || s.Form == "flat" { // which has the operators, schedules and resources of the nest
				continue
			}
			fmt.Fprintf(&sb, "| %s | %s | %s | %s | %s | %s | %s |\n", name, strings.ReplaceAll(s.Sequence.String(), " ▷ ", " > "),
				strongest(s), resources(s), noLanes(s), on("opencl", k, s.Computation), on("openmp", k, s.Computation))
			name = ""
		}
	}
	sb.WriteString(refusedHead)
	for _, r := range refusals(t) {
		fmt.Fprintf(&sb, "| %s | %s | %s |\n", r.Message, r.Why, r.Fix)
	}
	file := filepath.Join("..", "docs", "operators.md")
	if *update {
		if err := os.WriteFile(file, []byte(sb.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != sb.String() {
		t.Errorf("%s is not what the compiler does: run go test ./codegen -run OperatorTable -update", file)
	}
}

const refusedHead = `
## What is refused

Each of these is valid Go, and refused with its position, the reason and what to write instead.

| what | why | instead |
| --- | --- | --- |
`

// refusals are the diagnostics of what is not compiled: when it is loaded, then when it is fused. Every kernel of the
// two packages has to have one.
func refusals(t *testing.T) []load.Diagnostic {
	ctx := context.Background()
	_, err := load.Load(ctx, filepath.Join("testdata", "refused"), load.Options{})
	var ds load.Diagnostics
	if !errors.As(err, &ds) || len(ds) < 6 {
		t.Fatalf("package refused is not refused: %v", err)
	}
	pkg, err := load.Load(ctx, filepath.Join("testdata", "uncompiled"), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range pkg.Kernels {
		one := *pkg
		one.Kernels = []*load.Kernel{k}
		_, err := Compile(&one, Options{Machine: PortableMachine(), Platforms: []string{"goroutine"}})
		var u *fuse.Unsupported
		if !errors.As(err, &u) {
			t.Errorf("%s is not refused: %v", k.Name, err)
			continue
		}
		ds = append(ds, load.Diagnostic{Pos: u.Pos, Code: u.Code, Message: u.What, Why: u.Why, Fix: u.Fix})
	}
	for _, d := range ds {
		if d.Why == "" || d.Fix == "" {
			t.Errorf("%v: no reason, or no remedy", d)
		}
	}
	return ds
}

func strongest(s *policy.Space) string {
	for _, c := range s.Codes() {
		return c.Variant.Schedule // the strongest comes first
	}
	return ""
}

// on is the strongest schedule with code for a platform besides goroutines and its resources, or why there is none.
func on(platform string, k *Kernel, computation string) string {
	s := k.Space(platform, computation, selector.Nest)
	switch {
	case s == nil:
		return "none | "
	case len(s.Codes()) == 0:
		return "none | " + s.WhyEmpty()
	}
	return strongest(s) + " | " + resources(s)
}

// resources lists the values of execution_resource that occur at each level.
func resources(s *policy.Space) string {
	levels := make([][]string, len(s.Sequence))
	for _, c := range s.Codes() {
		for d := range levels {
			if r, ok := c.Variant.Get(fmt.Sprintf("execution_resource_%d", d+1)); ok && !slices.Contains(levels[d], r) {
				levels[d] = append(levels[d], r)
			}
		}
	}
	parts := make([]string, len(levels))
	for d, rs := range levels {
		parts[d] = strings.Join(rs, ", ")
		if len(rs) == 0 {
			parts[d] = "none"
		}
	}
	return strings.Join(parts, "; ")
}

// noLanes gives the compiler's reasons if no variant uses lanes.
func noLanes(s *policy.Space) string {
	if strings.Contains(resources(s), "lane") {
		return ""
	}
	var reasons []string
	for _, pruned := range s.Pruned {
		if _, text, ok := strings.Cut(pruned.Reason, "cannot use lanes: "); ok && !slices.Contains(reasons, text) {
			reasons = append(reasons, text)
		}
	}
	return strings.Join(reasons, "; ")
}
