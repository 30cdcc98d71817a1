package training

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/codegen/cluster"
	"github.com/surge-ndp/surge/ops/load"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training/input"
)

// Beam is a program that runs one kernel on Apache Beam.
type Beam struct {
	Cut    *codegen.Cut
	temp   string
	binary string // in the cache
}

// BeamPlan says how a kernel of the package in dir is cut: what [OpenBeam] needs to know, and what it would run.
// The program will have the variants that the models prefer. Nothing is built.
func BeamPlan(ctx context.Context, dir, kernel string, models []*selector.Model, opt Options) (*codegen.Program, *codegen.Cut, error) {
	abs, err := load.Directory(dir)
	if err != nil {
		return nil, nil, err
	}
	simd := false
	if b, err := newBuilder(ctx, abs, &opt); err == nil {
		simd = b.simd
	}
	pkg, err := load.Load(ctx, abs, load.Options{Whole: true, Kernel: kernel})
	if err != nil {
		return nil, nil, err
	}
	prog, err := codegen.Compile(pkg, codegen.Options{Machine: codegen.Machine(simd, opt.Platforms), Platforms: opt.Platforms, Code: opt.Platforms,
		Variants: codegen.ModelVariants, Models: models, Context: ctx})
	if err != nil {
		return nil, nil, err
	}
	var all []*codegen.Kernel
	var names []string
	for _, k := range prog.Kernels {
		if k.Source.VariantOf == "" && (kernel == "" || k.Source.Name == kernel) {
			all, names = append(all, k), append(names, k.Source.Name)
		}
	}
	if len(all) != 1 {
		e := &Error{Where: dir, Code: CodeKernel, What: fmt.Sprintf("there is no kernel %q", kernel), Do: "see what there is with: surge inspect " + dir}
		if kernel == "" {
			e.What, e.Do = fmt.Sprintf("the package has %d kernels, and none is named", len(all)), "use one of "+strings.Join(names, ", ")
		}
		return nil, nil, e
	}
	cut, err := prog.CutKernel(all[0])
	if err != nil {
		return nil, nil, &Error{Where: dir, Code: "cluster", What: all[0].Source.Name + " is not cut into blocks", Why: err.Error(),
			Do: "run it on one machine: leave out --target", Err: err}
	}
	return prog, cut, nil
}

// OpenBeam builds a program that runs a kernel of a package on Beam, or finds what was built earlier. The module of the
// package need not know Beam: the program is built with a go.mod of its own. It imports what else it is linked with.
func OpenBeam(ctx context.Context, dir string, prog *codegen.Program, cut *codegen.Cut, opt Options, imports ...string) (*Beam, error) {
	b, binary, err := findBeam(ctx, dir, cut, &opt, imports)
	if err != nil {
		return nil, err
	}
	if binary == "" {
		if binary, err = b.buildBeam(ctx, prog, imports); err != nil {
			return nil, err
		}
	}
	return newBeam(cut, binary)
}

// FindBeam is what OpenBeam finds, nil if there is nothing.
func FindBeam(ctx context.Context, dir string, cut *codegen.Cut, opt Options, imports ...string) (*Beam, error) {
	_, binary, err := findBeam(ctx, dir, cut, &opt, imports)
	if err != nil || binary == "" {
		return nil, err
	}
	return newBeam(cut, binary)
}

func newBeam(cut *codegen.Cut, binary string) (*Beam, error) {
	temp, err := os.MkdirTemp("", "surge-beam-")
	if err != nil {
		return nil, cacheError(os.TempDir(), err)
	}
	return &Beam{Cut: cut, temp: temp, binary: binary}, nil
}

// findBeam returns what builds the program, and the program if it was built earlier.
func findBeam(ctx context.Context, dir string, cut *codegen.Cut, opt *Options, imports []string) (b *builder, binary string, err error) {
	abs, err := load.Directory(dir)
	if err != nil {
		return nil, "", err
	}
	if b, err = newBuilder(ctx, abs, opt); err != nil {
		return nil, "", err
	}
	b.alone(cut.Kernel.Source.Name)
	b.tools.settings["program"] = strings.Join(append([]string{codegen.BeamModule}, imports...), " ")
	if opt.Model != "" { // which variants there are depends on it
		sum := sha256.Sum256([]byte(opt.Model))
		b.tools.settings["model"] = hex.EncodeToString(sum[:8])
	}
	b.tools.env = append(b.tools.env, "GOWORK=off")
	_, binary = b.cache.find(abs, b.surge, b.tools.settings)
	return b, binary, nil
}

// buildBeam compiles and links the program and puts it into the cache.
func (b *builder) buildBeam(ctx context.Context, prog *codegen.Program, imports []string) (binary string, err error) {
	began := time.Now()
	files, err := prog.Beam(b.only)
	if err != nil {
		return "", err
	}
	generated, err := prog.Generated()
	if err != nil {
		return "", err
	}
	files = maps.Clone(files)
	maps.Copy(files, generated)
	temp, err := b.cache.temporary()
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temp) // gone already if all went well
	sources, err := os.MkdirTemp(temp, "src-")
	if err != nil {
		return "", cacheError(temp, err)
	}
	overlay, target, err := overlaid(sources, prog.Package, files, codegen.BeamModule, "beamrt.Main()", imports...)
	if err != nil {
		return "", err
	}
	modfile, err := beamModfile(ctx, b.tools, sources)
	if err != nil {
		return "", err
	}
	b.opt.say("building a program for Beam, which takes a minute or two the first time")
	args := []string{"-overlay=" + overlay, "-modfile=" + modfile, "-buildvcs=false", target}
	// This completes go.mod, which nothing that runs at the same time may do.
	if _, err := b.tools.run(ctx, slices.Concat([]string{"list", "-mod=mod", "-deps"}, args)...); err != nil {
		return "", b.explain(err, sources)
	}
	_, binary, err = b.link(ctx, prog.Package, temp, sources, slices.Concat([]string{"-mod=readonly"}, args), began)
	return binary, err
}

// beamModfile writes a go.mod like that of the package's module that requires Beam's module, too, with sums beside it.
func beamModfile(ctx context.Context, tools *toolchain, temp string) (string, error) {
	original := tools.settings["GOMOD"]
	text, err := os.ReadFile(original)
	if err != nil {
		return "", cacheError(original, err)
	}
	path := filepath.Join(temp, "go.mod")
	if err := os.WriteFile(path, text, 0o666); err != nil {
		return "", cacheError(path, err)
	}
	out, err := tools.run(ctx, "list", "-m", "-f", "{{.Dir}}\t{{.Version}}", surgeModule)
	if err != nil {
		return "", err
	}
	dir, version, _ := strings.Cut(strings.TrimSpace(string(out)), "\t")
	sums, _ := os.ReadFile(filepath.Join(filepath.Dir(original), "go.sum"))
	own := filepath.Join(dir, "codegen", "beamrt")
	edit := []string{"mod", "edit", "-require=" + codegen.BeamModule + "@" + version}
	if more, err := os.ReadFile(filepath.Join(own, "go.sum")); err == nil { // a working copy
		edit = []string{"mod", "edit", "-require=" + codegen.BeamModule + "@v0.0.0", "-replace=" + codegen.BeamModule + "=" + own}
		sums = append(append(sums, '\n'), more...)
	}
	if err := os.WriteFile(filepath.Join(temp, "go.sum"), bytes.TrimLeft(sums, "\n"), 0o666); err != nil {
		return "", cacheError(temp, err)
	}
	if _, err := tools.run(ctx, append(edit, path)...); err != nil {
		return "", err
	}
	return path, nil
}

// Program is the file that holds the program.
func (b *Beam) Program() string { return b.binary }

// Close removes what was handed to the program, and what it handed back.
func (b *Beam) Close() { os.RemoveAll(b.temp) }

// Run runs the kernel: inputs are the values of the columns that are in no shards, flags those of Beam.
// It returns the results that were not written elsewhere.
func (b *Beam) Run(ctx context.Context, r cluster.Request, inputs []input.Value, flags []string) (*cluster.Answer, []cluster.Value, error) {
	fail := func(err error) (*cluster.Answer, []cluster.Value, error) { return nil, nil, err }
	values := make([]cluster.Value, len(r.Shards))
	for i := range values {
		if values[i] = 0; r.Shards[i] == "" {
			values[i] = clusterValue(inputs[i])
		}
	}
	data, err := cluster.AppendValues(nil, values)
	if err != nil {
		return fail(internal(err))
	}
	r.Values = filepath.Join(b.temp, "inputs")
	if err := os.WriteFile(r.Values, data, 0o666); err != nil {
		return fail(cacheError(b.temp, err))
	}
	text, err := json.Marshal(r)
	if err != nil {
		return fail(internal(err))
	}
	path := filepath.Join(b.temp, "request")
	if err := os.WriteFile(path, text, 0o666); err != nil {
		return fail(cacheError(b.temp, err))
	}
	cmd := exec.CommandContext(ctx, b.binary, append([]string{"-surge.request=" + path}, flags...)...)
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	began := time.Now()
	err = cmd.Run()
	took := time.Since(began)
	if ctx.Err() != nil {
		return fail(ctx.Err())
	}
	if err != nil {
		return fail(&Error{Where: b.Cut.Kernel.Source.Name, What: "the program that runs on Beam ended: " + err.Error(), Why: lastLines(log.String(), 5), Code: CodeCrash, Err: err})
	}
	var a cluster.Answer
	var results []cluster.Value
	if text, err = os.ReadFile(path + ".answer"); err == nil {
		err = json.Unmarshal(text, &a)
	}
	switch {
	case err != nil:
		return fail(internal(err))
	case a.Error != "":
		return fail(said(b.Cut.Kernel.Source.Name, a.Error))
	case a.Values != "":
		if data, err = os.ReadFile(a.Values); err == nil {
			results, _, err = cluster.DecodeValues(data)
		}
	}
	if err != nil {
		return fail(internal(err))
	}
	a.Wall = took
	return &a, results, nil
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

// clusterValue is an input as package cluster has it.
func clusterValue(v input.Value) cluster.Value {
	switch {
	case len(v.Dims) == 0:
		return reflect.ValueOf(v.Data).Index(0).Interface()
	case len(v.Offsets) > 0:
		return cluster.Rows{Data: v.Data, Offsets: v.Offsets[0]}
	case len(v.Dims) == 2:
		offsets := make([]int, v.Dims[0]+1)
		for i := range offsets {
			offsets[i] = i * v.Dims[1]
		}
		return cluster.Rows{Data: v.Data, Offsets: offsets}
	}
	return v.Data
}

// InputValue is a result of a run as package input writes it.
func InputValue(v cluster.Value) (input.Value, error) {
	kind, rank := cluster.TypeOf(v)
	k, err := input.ParseKind(kind)
	if err != nil {
		return input.Value{}, err
	}
	switch rank {
	case 0:
		one := reflect.MakeSlice(reflect.SliceOf(reflect.TypeOf(v)), 1, 1)
		one.Index(0).Set(reflect.ValueOf(v))
		return input.Value{Kind: k, Data: one.Interface()}, nil
	case 1:
		return input.Value{Kind: k, Dims: []int{cluster.Len(v)}, Data: v}, nil
	}
	rows := v.(cluster.Rows)
	return input.Value{Kind: k, Dims: []int{len(rows.Offsets) - 1}, Data: rows.Data, Offsets: [][]int{rows.Offsets}}, nil
}
