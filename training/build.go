package training

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/load"
)

const (
	surgeModule   = "github.com/surge-ndp/surge"
	harnessImport = surgeModule + "/codegen/harness"
)

// builder builds the harness of one package.
type builder struct {
	dir   string // absolute
	opt   *Options
	simd  bool
	tools *toolchain
	cache *cache
	surge string // hash of this program
	only  string // the kernel that the harness is for, "" for all of the package
}

func newBuilder(ctx context.Context, dir string, opt *Options) (*builder, error) {
	b := &builder{dir: dir, opt: opt, simd: !opt.NoSIMD && runtime.GOARCH == "amd64"}
	var err error
	if b.tools, err = newToolchain(ctx, dir, b.simd); err != nil {
		return nil, err
	}
	b.tools.settings["machine"] = fmt.Sprintf("%+v", codegen.Machine(b.simd, opt.Platforms)) // codes that it cannot run are left out
	b.tools.settings["kernel"] = ""
	b.tools.settings["every"] = fmt.Sprint(opt.Every, opt.EveryKernel, opt.Besides)
	b.tools.settings["platforms"] = strings.Join(opt.Platforms, " ")
	if b.surge, err = executableHash(); err != nil {
		return nil, &Error{What: "surge cannot read its own program: " + err.Error(), Code: CodeInternal, Err: err}
	}
	b.cache, err = openCache(opt.CacheDir, dir)
	return b, err
}

// compile loads the package and compiles its kernels for this machine.
func (b *builder) compile(ctx context.Context) (*codegen.Program, error) {
	pkg, err := load.Load(ctx, b.dir, load.Options{Whole: true, Env: b.tools.env, Kernel: b.only})
	if err != nil {
		return nil, err
	}
	if n := b.opt.EveryKernel; n > 1 {
		pkg.Kernels = everyKernel(pkg.Kernels, n, b.opt.Besides)
	}
	p, err := codegen.Compile(pkg, codegen.Options{Machine: codegen.Machine(b.simd, b.opt.Platforms), Code: b.opt.Platforms, Context: ctx})
	if err == nil && b.opt.Every > 1 {
		p.KeepEvery(b.opt.Every)
	}
	return p, err
}

// everyKernel returns every n-th of the kernels that are no other algorithms for others, and besides them those of
// some names, with the other algorithms for them.
func everyKernel(kernels []*load.Kernel, n int, besides []string) (some []*load.Kernel) {
	at := 0
	for _, k := range kernels {
		if k.VariantOf == "" {
			at++
		}
		if k.VariantOf == "" && at%n == 0 || slices.Contains(besides, k.Name) || slices.Contains(besides, k.VariantOf) {
			some = append(some, k)
		}
	}
	return some
}

// alone makes b one for the kernel of a name alone, and reports whether that is something else than before.
func (b *builder) alone(kernel string) bool {
	if kernel == b.only {
		return false
	}
	b.only, b.tools.settings["kernel"] = kernel, kernel
	return true
}

// refused reports whether an error of compile is about the source of a kernel.
func refused(err error) bool {
	var source load.Diagnostics
	var unsupported *fuse.Unsupported
	return errors.As(err, &source) || errors.As(err, &unsupported)
}

// build compiles and links the harness and puts it into the cache.
func (b *builder) build(ctx context.Context) (prog *codegen.Program, build, binary string, err error) {
	began := time.Now()
	b.opt.say("compiling " + filepath.Base(b.dir))
	if prog, err = b.compile(ctx); err != nil && refused(err) && b.alone(b.opt.Kernel) {
		// Maybe it is another kernel that is refused.
		if prog, err = b.compile(ctx); err == nil {
			b.opt.say("the package has other kernels, which cannot be compiled: surge inspect says why")
		}
	}
	if err != nil {
		return nil, "", "", err
	}
	temp, err := b.cache.temporary()
	if err != nil {
		return nil, "", "", err
	}
	defer os.RemoveAll(temp) // gone already if all went well
	sources, err := os.MkdirTemp(temp, "src-")
	if err != nil {
		return nil, "", "", cacheError(temp, err)
	}
	overlay, target, err := writeOverlay(sources, prog)
	if err != nil {
		return nil, "", "", err
	}

	b.announce()
	build, binary, err = b.link(ctx, prog.Package, temp, sources, slices.Concat(b.flags(overlay, prog.Package), []string{target}), began)
	return prog, build, binary, err
}

// link builds a program into the folder temp, and puts it into the cache. What was generated for it lies in sources;
// args are flags of the go command and the package.
func (b *builder) link(ctx context.Context, pkg *load.Package, temp, sources string, args []string, began time.Time) (build, binary string, err error) {
	// The files that the build reads are listed while it runs.
	var wg sync.WaitGroup
	m := &manifest{Version: manifestVersion, Surge: b.surge, Settings: b.tools.settings, Dir: b.dir, Built: began}
	var listError error
	wg.Go(func() { listError = b.listFiles(ctx, m, args, pkg) })
	out := filepath.Join(temp, binaryName())
	_, err = b.tools.run(ctx, slices.Concat([]string{"build", "-ldflags=-s -w", "-o", out}, args)...)
	wg.Wait()
	if err == nil {
		err = listError
	}
	if err != nil {
		return "", "", b.explain(err, sources)
	}
	b.remember()
	if err := os.RemoveAll(sources); err != nil {
		return "", "", cacheError(temp, err)
	}
	info, err := os.Stat(out)
	if err == nil {
		m.Size = info.Size()
		m.Hash, err = fileHash(out)
	}
	if err != nil {
		return "", "", cacheError(temp, err)
	}
	// Somebody who edits meanwhile leaves open what the build has read, so the next start builds again. A time in the
	// future is only a clock that is wrong.
	ended := time.Now().Add(time.Second)
	if slices.ContainsFunc(m.Files, func(f sourceFile) bool { return f.Time.After(began) && f.Time.Before(ended) }) {
		m.Surge = ""
	}
	return b.cache.add(temp, m)
}

func (b *builder) flags(overlay string, pkg *load.Package) []string {
	flags := []string{"-overlay=" + overlay, "-buildvcs=false"}
	// A vendor directory lacks what only the generated code imports; the module cache has it.
	if info, err := os.Stat(filepath.Join(pkg.ModuleDir, "vendor")); err == nil && info.IsDir() && !strings.Contains(b.tools.settings["GOFLAGS"], "-mod=") {
		flags = append(flags, "-mod=readonly")
	}
	return flags
}

// writeOverlay writes the generated files into dir and returns the overlay that adds them to the user's package, and
// the package to build.
func writeOverlay(dir string, prog *codegen.Program) (overlay, target string, err error) {
	files, err := prog.Generated()
	if refused := (*fuse.Unsupported)(nil); errors.Is(err, context.Canceled) || errors.As(err, &refused) {
		return "", "", err
	} else if err != nil {
		return "", "", internal(err)
	}
	files = maps.Clone(files)
	name, src, err := prog.Harness()
	if err != nil {
		return "", "", internal(err)
	}
	files[name] = src
	return overlaid(dir, prog.Package, files, harnessImport, "harness.Main()")
}

// overlaid writes files into dir and returns the overlay that adds them to the package pkg, and the package to build: a
// program that does what main says, a call of the package of that path.
func overlaid(dir string, pkg *load.Package, files map[string][]byte, path, main string, besides ...string) (overlay, target string, err error) {
	more := ""
	for _, p := range besides {
		more += "\t_ " + strconv.Quote(p) + "\n"
	}
	replace := map[string]string{}
	// What lies on disk from an earlier generate may be stale, or of a file that is gone.
	stale, _ := filepath.Glob(filepath.Join(pkg.Dir, "*_surge*.go"))
	for _, f := range stale {
		if codegen.IsGenerated(filepath.Base(f)) && !slices.Contains(pkg.GoFiles, f) {
			replace[f] = ""
		}
	}
	const program = "package main\n\nimport (\n\t%q\n%s)\n\nfunc %s() { %s }\n"
	if pkg.IsMain {
		// The user's main function stays, and is never reached. Init functions run in the order of file names, so that
		// this one comes after the one that registers the kernels.
		files["surge_program_main.go"] = fmt.Appendf(nil, program, path, more, "init", main)
		target = "."
	} else {
		folder := "surgeharness"
		for i := 2; exists(filepath.Join(pkg.Dir, folder)); i++ {
			folder = "surgeharness" + strconv.Itoa(i)
		}
		files[filepath.Join(folder, "main.go")] = fmt.Appendf(nil, program, path, "\t_ "+strconv.Quote(pkg.PkgPath)+"\n"+more, "main", main)
		target = "./" + folder
	}
	for name, src := range files {
		at := filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(at), 0o777)
		if err == nil {
			err = os.WriteFile(at, src, 0o666)
		}
		if err != nil {
			return "", "", cacheError(dir, err)
		}
		replace[filepath.Join(pkg.Dir, name)] = at
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", "", internal(err)
	}
	overlay = filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, text, 0o666); err != nil {
		return "", "", cacheError(dir, err)
	}
	return overlay, target, nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func internal(err error) *Error {
	return &Error{What: err.Error(), Code: CodeInternal, Bug: true, Err: err}
}

// listFiles records every file that the build depends on and that may change under the same version: those of modules
// that are not in the module cache, with what says which versions of the others there are.
func (b *builder) listFiles(ctx context.Context, m *manifest, args []string, pkg *load.Package) error {
	out, err := b.tools.run(ctx, slices.Concat([]string{"list", "-deps",
		"-json=Dir,Standard,Module,GoFiles,CgoFiles,CFiles,CXXFiles,MFiles,HFiles,FFiles,SFiles,SwigFiles,SwigCXXFiles,SysoFiles,EmbedFiles"},
		args)...)
	if err != nil {
		return err
	}
	files, folders := map[string]bool{}, map[string]bool{}
	for _, f := range pkg.Sources {
		files[f] = true
	}
	modules := map[string]bool{b.tools.settings["GOMOD"]: true}
	if work := b.tools.settings["GOWORK"]; work != "" && work != "off" {
		files[work] = true
	}
	type module struct {
		Main    bool
		GoMod   string
		Replace *struct{ Version string }
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Dir      string
			Standard bool
			Module   *module

			GoFiles, CgoFiles, CFiles, CXXFiles, MFiles, HFiles, FFiles, SFiles, SwigFiles, SwigCXXFiles, SysoFiles, EmbedFiles []string
		}
		if err := dec.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return internal(fmt.Errorf("go list: %w", err))
		}
		if p.Standard || p.Module == nil || !p.Module.Main && (p.Module.Replace == nil || p.Module.Replace.Version != "") {
			continue
		}
		if !p.Module.Main {
			modules[p.Module.GoMod] = true
		}
		folders[p.Dir] = true
		for _, name := range slices.Concat(p.GoFiles, p.CgoFiles, p.CFiles, p.CXXFiles, p.MFiles, p.HFiles, p.FFiles, p.SFiles, p.SwigFiles, p.SwigCXXFiles, p.SysoFiles, p.EmbedFiles) {
			files[filepath.Join(p.Dir, name)] = true
		}
	}
	delete(modules, "") // there is none
	for f := range modules {
		files[f], files[filepath.Join(filepath.Dir(f), "go.sum")] = true, true
	}
	// In the user's package, generated files come from the overlay and do not count.
	for f := range files {
		if filepath.Dir(f) == pkg.Dir && codegen.IsGenerated(filepath.Base(f)) && !slices.Contains(pkg.GoFiles, f) || !exists(f) {
			delete(files, f)
		}
	}
	for _, f := range slices.Sorted(maps.Keys(files)) {
		s, err := readSource(f)
		if err != nil {
			return &Error{Where: f, What: err.Error(), Code: CodeBuild, Err: err}
		}
		m.Files = append(m.Files, s)
	}
	for _, dir := range slices.Sorted(maps.Keys(folders)) {
		if !exists(dir) {
			continue // the main package
		}
		f, err := readFolder(dir)
		if err != nil {
			return &Error{Where: dir, What: err.Error(), Code: CodeBuild, Err: err}
		}
		m.Folders = append(m.Folders, f)
	}
	return nil
}

// mark is the file that says that the standard library was compiled with the experiment before.
func (b *builder) mark() string {
	return filepath.Join(b.cache.root, "simd-"+b.tools.settings["GOVERSION"])
}

// announce says what takes long.
func (b *builder) announce() {
	if b.simd && !exists(b.mark()) {
		b.opt.say("building; the first time, the Go standard library is compiled with vector instructions, which takes about half a minute")
	} else {
		b.opt.say("building")
	}
}

func (b *builder) remember() {
	if b.simd {
		os.WriteFile(b.mark(), nil, 0o666) // without it, one more announcement
	}
}
