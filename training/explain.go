package training

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/codegen/target"
	"github.com/surge-ndp/surge/ops/load"
)

var missingPackage = regexp.MustCompile(`(no required module provides package|is replaced but not required|cannot find module providing package|missing go\.sum entry|is not in std|does not contain package|cannot find package|updates to go\.mod needed)[^\n]*`)

// explain turns the output of a go command into an error. What surge generated for the package lies in sources.
func (b *builder) explain(err error, sources string) error {
	var failed *commandError
	if !errors.As(err, &failed) {
		return err
	}
	// A module that requires surge but not what surge requires is told to run "go mod tidy", which would take out what
	// only generated files import, surge itself, if all kernels are plain loops: a module keeps its tools.
	incomplete := strings.Contains(failed.output, "updates to go.mod needed")
	if found := missingPackage.FindString(failed.output); found != "" && (incomplete || strings.Contains(failed.output, surgeModule)) {
		do := "run \"go get " + neededPackage(failed.output) + "@" + surgeVersion() + "\" there: the version of this surge command"
		if strings.Contains(failed.output, "-mod=vendor") {
			do = "run \"go get -tool " + surgeModule + "/cmd/surge\" and \"go mod vendor\" there, or surge without -mod=vendor in GOFLAGS: it needs no vendored packages"
		}
		switch {
		case incomplete: // the version that is required stays, and so does a folder that replaces the module
			do = "run \"go mod edit -tool=" + surgeModule + "/cmd/surge\" and \"go mod tidy\" there"
		case neededPackage(failed.output) == surgeModule && !strings.Contains(failed.output, "-mod=vendor"):
			do = "run \"go get -tool " + surgeModule + "/cmd/surge@" + surgeVersion() + "\" there, which also keeps \"go mod tidy\" from taking it out again"
		}
		return &Error{Where: b.dir, Code: CodeDependency, What: "the module does not provide what compiled kernels import", Err: err, Output: failed.output,
			Why: "generated code is built in your module and imports packages of " + surgeModule,
			Do:  do}
	}
	if full := load.NoRoom(failed.output); full != "" {
		return &Error{Where: b.dir, Code: CodeCache, What: "the program that runs the kernels cannot be written: " + full, Err: err, Output: failed.output,
			Why: "it goes to the cache directory, and the go command keeps what it compiles in GOCACHE and works in TMPDIR",
			Do:  "make room, or name another directory: --cache DIR or SURGE_CACHE for the first, GOCACHE and TMPDIR for the others"}
	}
	output := failed.output
	if rel, err := filepath.Rel(b.dir, sources); err == nil && filepath.IsLocal(rel) { // the go command names the file from where it runs
		short := regexp.MustCompile(`(?m)(^|\s)(\.[/\\])?` + regexp.QuoteMeta(rel))
		output = short.ReplaceAllStringFunc(output, func(found string) string { return short.FindStringSubmatch(found)[1] + sources })
	}
	if strings.Contains(output, sources+string(filepath.Separator)) {
		return b.generatedIsWrong(err, sources, output)
	}
	return &Error{Where: b.dir, Code: CodeBuild, What: "the program that runs the kernels does not build", Err: err, Output: failed.output,
		Why: "the Go compiler or the linker refuses the package, or one that it imports", Do: "make \"go build\" work in this directory"}
}

// generatedIsWrong keeps what the Go compiler refuses, with the source that it was generated from, and says where.
func (b *builder) generatedIsWrong(err error, sources, output string) error {
	e := &Error{Where: b.dir, Code: CodeBuild, What: "the Go compiler refuses what surge generated", Err: err, Output: output, Bug: true,
		Why: "this is a mistake of surge, not of your program"}
	kept := b.cache.refused()
	output = strings.ReplaceAll(output, sources, kept)
	own, _ := filepath.Glob(filepath.Join(b.dir, "*.go"))
	if failed := keepRefused(kept, sources, own, b.tools.settings["GOVERSION"]+", surge "+surgeVersion()+"\n"+output+"\n"); failed == nil {
		e.Output, e.Do = output, "attach the directory "+kept+": it has the generated files, the source of the kernels and what the compiler says"
	}
	return e
}

// keepRefused makes a directory of the generated files in sources, the package's own files and a text about the
// failure.
func keepRefused(dir, sources string, own []string, text string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.CopyFS(dir, os.DirFS(sources)); err != nil {
		return err
	}
	for _, file := range own {
		source, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		at := filepath.Join(dir, filepath.Base(file))
		if exists(at) {
			continue // an earlier version of what was generated
		}
		if err := os.WriteFile(at, source, 0o666); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "refused.txt"), []byte(text), 0o666)
}

// MissingModule says what the module of the package in dir lacks for importing the run time of a platform, which
// generated code does: a line of the go command's, and the command that adds it. Both are empty if nothing is
// missing.
func MissingModule(ctx context.Context, dir string, x target.Extension) (why, fix string) {
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", x.RunTime())
	cmd.Dir = dir
	output, err := cmd.CombinedOutput()
	if found := missingPackage.FindString(string(output)); err != nil && found != "" {
		return found, "go get " + neededPackage(string(output)) + "@" + surgeVersion()
	}
	return "", ""
}

// neededPackage is what go get has to be told: for the run time of a platform it is that package, since the module
// alone does not bring what only it imports.
func neededPackage(output string) string {
	needed := surgeModule
	for _, t := range codegen.Targets() {
		x, ok := t.(target.Extension)
		switch {
		case !ok:
		case strings.Contains(output, strings.TrimPrefix(x.RunTime(), surgeModule)):
			return x.RunTime()
		case needed == surgeModule && strings.Contains(output, "purego"): // any of them brings it
			needed = x.RunTime()
		}
	}
	return needed
}

// surgeVersion is the version of this program's module, latest where it was built from a working copy.
func surgeVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range append(info.Deps, &info.Main) {
			if m.Path == surgeModule && strings.HasPrefix(m.Version, "v") && !strings.Contains(m.Version, "+dirty") {
				return m.Version
			}
		}
	}
	return "latest"
}
