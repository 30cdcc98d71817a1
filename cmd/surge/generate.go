package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/codegen/target"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training"
	"github.com/surge-ndp/surge/training/input"
)

// generatedFile is one file of surge generate, with what is, or was, to be done.
type generatedFile struct {
	File     string `json:"file"`
	State    string `json:"state"` // written, unchanged, removed; with --check current, stale, missing; with --stdout printed
	Bytes    int    `json:"bytes"`
	Content  string `json:"content,omitempty"` // with --stdout
	content  []byte
	existing []byte
	remove   bool // there is no model any more that it would embed
}

func (a *app) generateCommand() *cobra.Command {
	var check, stdout bool
	var variants, target string
	cmd := &cobra.Command{
		Use:   "generate DIR",
		Short: "Write the variants of a package's kernels beside their source",
		Long: `generate writes a file NAME_surge.go beside every NAME.go that holds kernels. For a kernel SpMV it
declares

  RunSpMV    the same parameters with a context before and options behind, the same results and an error
  BindSpMV   checks and prepares the inputs once, for repeated runs

and functions for variants: with --variants model, the default, for those that programs can choose on some input and some
machine, be it by the model that surge train left in DIR or without one, and sequential code. A number stands for as many of the
likeliest of each computation, all for every variant that changes the code; programs that force variants, by name or
at random, want that. With --platform opencl there is also a file
NAME_surge_opencl.go, which adds the variants for OpenCL devices to the program; with --platform openmp
NAME_surge_openmp.go, which adds those in C, NAME_surge_openmp_cgo.go, which links the program with
them in builds with the tag surge_cgo, and NAME_surge_openmp.c and .h for programs in C. With
--target beam there are NAME_surge_blocks.go, which describes the kernels block by block, and
NAME_surge_beam.go, which adds BeamSpMV for pipelines of Apache Beam: the module then needs
github.com/surge-ndp/surge/codegen/beamrt. Once they are there, they are kept up to date. If surge
train left a model file in DIR, surge.model, another file makes programs carry it. The files do
not depend on the machine that writes them: the same source gives the same bytes everywhere, so
they can be kept under version control. What a machine cannot run is left out when the program
starts there.

A file is replaced in one step. --check compares with what the command in the files' first line gives. Put this line into a Go file to have "go generate" do it:

  //go:generate surge generate .`,
		Example: `  surge generate ./examples/spmv             write spmv_surge.go
  surge generate --platform opencl ./examples/spmv     and spmv_surge_opencl.go
  surge generate --target beam ./examples/spmv         and spmv_surge_blocks.go, spmv_surge_beam.go
  surge generate --variants all ./examples/spmv        all that surge inspect lists
  surge generate --check ./examples/spmv     fail when it is missing or stale, for CI
  surge generate --stdout ./examples/spmv    print it`,
		Args:              oneDir,
		ValidArgsFunction: directories,
		RunE: func(cmd *cobra.Command, args []string) error {
			a.dir = args[0]
			if check && stdout {
				return usage(cmd, problem{Code: "usage", What: "--check and --stdout exclude each other"})
			}
			if target != "" && target != targetBeam {
				return usage(cmd, unknown("target", "target", target, []string{targetBeam}))
			}
			if _, err := a.configure(cmd, a.dir, "kernel", "platform"); err != nil {
				return err
			}
			extensions := a.generatedExtensions()
			platforms := []string{selector.Host}
			for _, x := range extensions {
				platforms = append(platforms, x.Platform().Name)
			}
			before := variants
			if !cmd.Flags().Changed("variants") {
				before = a.generatedVariants(variants)
			}
			if check {
				variants = before
			}
			opt := codegen.Options{Machine: codegen.PortableMachine(), Platforms: platforms, Models: a.models()}
			var err error
			if opt.Variants, err = codegen.ParseVariants(variants); err != nil {
				return usage(cmd, problem{Code: "usage", What: "--variants: " + err.Error(), Fix: "leave it out to have those that programs can choose"})
			}
			opt.Generator = fmt.Sprintf("surge %s (%s%s)", release(version().Version), generateWith, opt.Variants)
			prog, err := a.compileWith(cmd.Context(), opt, "")
			if err != nil {
				return err
			}
			files, err := a.files(prog, target == targetBeam || a.generatedFor(targetBeam))
			if err != nil {
				return err
			}
			if err := cmd.Context().Err(); err != nil {
				return err
			}
			switch {
			case stdout && a.json:
				for _, f := range files {
					f.State, f.Content = "printed", string(f.content)
				}
				return a.printJSON(files)
			case stdout:
				for _, f := range files {
					a.printf("%s", f.content)
				}
				return nil
			case check:
				return a.check(files, variants)
			}
			if err := a.write(files); err != nil {
				return err
			}
			for _, k := range prog.Kernels {
				if len(k.Source.Whole) > 0 {
					a.progress(k.Source.Name + " runs as it stands, as plain Go" + k.Source.Threads() + ": " + k.Source.WhyWhole() + "; inspect says what to do")
				}
			}
			if before != variants {
				a.progress("the files were generated with --variants " + before + ", and now have those of --variants " + variants + ", as nothing else was asked for")
			}
			for _, x := range extensions {
				if why, fix := training.MissingModule(cmd.Context(), a.dir, x); why != "" {
					a.progress("the module cannot build the " + x.Label() + " code yet: " + why + "; run in " + a.dir + ": " + fix)
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&variants, "variants", codegen.ModelVariants.String(), "write `WHICH` variants: model for those that a model or the choice without one can take, a number, or all")
	cmd.Flags().StringVar(&target, "target", "", "also write code for a cluster: `beam` for Apache Beam")
	cmd.Flags().BoolVar(&check, "check", false, "write nothing; exit with 1 when a file is missing or stale")
	cmd.Flags().BoolVar(&stdout, "stdout", false, "print the files instead of writing them")
	return cmd
}

// generatedFor reports whether there are files for a cluster.
func (a *app) generatedFor(target string) bool {
	files, _ := filepath.Glob(filepath.Join(a.dir, "*_surge_"+target+".go"))
	return len(files) > 0
}

// generatedExtensions are the platforms besides the host's that code is wanted for: those that are asked for, or
// those that have code there which has to stay current.
func (a *app) generatedExtensions() []target.Extension {
	var all []target.Extension
	for _, t := range codegen.Targets() {
		x, ok := t.(target.Extension)
		if !ok {
			continue
		}
		found := a.platform == x.Platform().Name || a.platform == platformAll
		if a.platform == platformAuto {
			files, _ := filepath.Glob(filepath.Join(a.dir, "*_surge_"+x.Platform().Name+".go"))
			found = len(files) > 0
		}
		if found {
			all = append(all, x)
		}
	}
	return all
}

// maxSourceBytes is the size of the largest generated file that is compared with what is generated now.
const maxSourceBytes = 1 << 30

// generatedMark begins every generated file.
const generatedMark = "// Code generated by surge"

// generateWith begins the command in the first line of generated files; which variants they have follows.
const generateWith = "surge generate --variants "

// generatedVariants are the variants that the files beside the sources were generated with, which otherwise says
// where there are none.
func (a *app) generatedVariants(otherwise string) string {
	found, _ := filepath.Glob(filepath.Join(a.dir, "*_surge.go"))
	for _, path := range found {
		text, err := input.ReadFile(path, maxSourceBytes)
		if err != nil || !bytes.HasPrefix(text, []byte(generatedMark)) {
			continue
		}
		first, _, _ := strings.Cut(string(text), "\n")
		if _, with, ok := strings.Cut(first, "("+generateWith); ok {
			which, _, _ := strings.Cut(with, ")")
			if _, err := codegen.ParseVariants(which); err == nil {
				return which
			}
		}
	}
	return otherwise
}

// models are those of the package's model file. What is wrong with it is said where it is embedded.
func (a *app) models() []*selector.Model {
	text, err := input.ReadFile(filepath.Join(a.dir, training.ModelName), training.MaxModelBytes)
	if err != nil {
		return nil
	}
	models, err := selector.ParseModels(text)
	if err != nil {
		return nil
	}
	return models
}

// files generates the code and compares it with what is there.
func (a *app) files(prog *codegen.Program, beam bool) ([]*generatedFile, error) {
	contents, err := prog.Generated()
	if err != nil {
		return nil, ofGeneration(err)
	}
	if beam {
		more, err := prog.Beam("")
		if err != nil {
			return nil, ofGeneration(err)
		}
		maps.Copy(contents, more)
	}
	obsolete, err := a.embedding(prog, contents)
	if err != nil {
		return nil, err
	}
	var files []*generatedFile
	for _, name := range slices.Sorted(maps.Keys(contents)) {
		f := &generatedFile{File: filepath.Join(a.dir, name), Bytes: len(contents[name]), content: contents[name]}
		f.existing, err = input.ReadFile(f.File, maxSourceBytes)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		case !bytes.HasPrefix(f.existing, []byte(generatedMark)):
			return nil, problem{File: f.File, Code: "not-generated", What: "is not a file that surge generated",
				Why: "it does not begin with " + generatedMark + ", and would be overwritten", Fix: "rename it"}
		}
		files = append(files, f)
	}
	if obsolete != "" {
		text, err := input.ReadFile(obsolete, maxSourceBytes)
		if err == nil && bytes.HasPrefix(text, []byte(generatedMark)) {
			files = append(files, &generatedFile{File: obsolete, existing: text, remove: true})
		}
		contents[codegen.EmbeddingName] = nil
	}
	a.warnOfOrphans(contents)
	return files, nil
}

// embedding adds the file that makes programs carry the model file, if there is one; otherwise it returns the name of
// the file that is not wanted. That the model file is broken is a warning: programs say it too, and choose without
// it.
func (a *app) embedding(prog *codegen.Program, contents map[string][]byte) (obsolete string, err error) {
	model := filepath.Join(a.dir, training.ModelName)
	text, err := input.ReadFile(model, training.MaxModelBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return filepath.Join(a.dir, codegen.EmbeddingName), nil
	}
	if err != nil { // and the Go compiler could not embed it
		return "", problem{File: model, Code: "model", What: err.Error(), Fix: "remove it, or train again: surge train " + a.dir}
	}
	if _, err = selector.ParseModels(text); err != nil {
		fmt.Fprintf(a.err, "%s: programs that carry it choose without it: %v\n", model, err)
	}
	contents[codegen.EmbeddingName], err = prog.Embedding()
	return "", err
}

// warnOfOrphans names generated files whose kernels are gone. They are left alone: the kernels may only be excluded
// from this build.
func (a *app) warnOfOrphans(contents map[string][]byte) {
	found, _ := filepath.Glob(filepath.Join(a.dir, "*_surge*.go"))
	for _, path := range found {
		if _, current := contents[filepath.Base(path)]; current || !codegen.IsGenerated(filepath.Base(path)) {
			continue
		}
		if text, err := input.ReadFile(path, maxSourceBytes); err == nil && bytes.HasPrefix(text, []byte(generatedMark)) {
			fmt.Fprintf(a.err, "%s: no kernel of this build belongs to this generated file: remove it if its source is gone\n", path)
		}
	}
}

func (a *app) write(files []*generatedFile) error {
	for _, f := range files {
		f.State = "unchanged"
		if f.remove {
			if err := os.Remove(f.File); err != nil {
				return problem{File: f.File, Code: "write", What: err.Error()}
			}
			f.State = "removed"
		} else if !bytes.Equal(f.content, f.existing) {
			if err := training.WriteFile(f.File, f.content); err != nil {
				return problem{File: f.File, Code: "write", What: err.Error(), Fix: "check the permissions of the directory and the space left; what was there is unchanged"}
			}
			f.State = "written"
		}
		if !a.json {
			a.printf("%-9s  %s  %s\n", f.State, f.File, size(int64(f.Bytes)))
		}
	}
	if a.json {
		return a.printJSON(files)
	}
	return nil
}

// check says which files are not what generating them with these variants gives.
func (a *app) check(files []*generatedFile, variants string) error {
	outdated := false
	for _, f := range files {
		switch {
		case f.remove:
			f.State = "stale"
		case f.existing == nil:
			f.State = "missing"
		case !bytes.Equal(f.content, f.existing):
			f.State = "stale"
		default:
			f.State = "current"
		}
		outdated = outdated || f.State != "current"
		if !a.json {
			a.printf("%-7s  %s\n", f.State, f.File)
		}
	}
	if a.json {
		if err := a.printJSON(files); err != nil {
			return err
		}
	}
	if outdated {
		command := "surge generate "
		if variants != codegen.ModelVariants.String() {
			command = generateWith + variants + " "
		}
		return problem{Code: "stale", What: "generated code does not agree with its kernels", Fix: command + a.dir}
	}
	return nil
}
