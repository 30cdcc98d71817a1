package openmp

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/codegen/openmp/omprt"
	"github.com/surge-ndp/surge/codegen/target"
	"github.com/surge-ndp/surge/selector"
)

func (platform) File(base string) target.File { return &file{lib: library{base: base}} }

// file is what generated Go has of C for the kernels of one source file, and the same for programs in C.
type file struct {
	lib     library
	kernels []*kernel
}

func (*file) End() string { return "" }

func (f *file) Others() (map[string][]byte, error) { return f.lib.files() }

func (f *file) Kernel(frame *target.Frame) target.Kernel {
	k := &kernel{frame: frame, c: &libraryKernel{frame: frame, codes: make([][]variantCode, len(frame.Kernel.Computations))}}
	if !frame.Kernel.IsTree() { // the library has the other way, each loop as a whole
		f.lib.kernels = append(f.lib.kernels, k.c)
	}
	fields := make([]Field, len(frame.Fields))
	for i, fd := range frame.Fields {
		fields[i] = Field{fd.Name, fd.Kind, fd.Scalar}
	}
	k.c.fields = fields
	for range frame.Kernel.Computations {
		k.units = append(k.units, &unit{Unit: NewUnit(identifier(frame.Base)+"_frame", fields)})
	}
	f.kernels = append(f.kernels, k)
	return k
}

// kernel prints the variants of one kernel.
type kernel struct {
	frame *target.Frame
	c     *libraryKernel
	units []*unit // by computation
}

// unit is the C of one computation.
type unit struct {
	*Unit
	functions strings.Builder
	names     []string // of the variants' functions
}

// name is that of the variable of computation i's unit.
func (k *kernel) name(i int) string { return fmt.Sprintf("%s%dOpenMP", k.frame.Base, i+1) }

func (k *kernel) Func(i int, variant selector.Code, lowered target.Code) (string, error) {
	u, c := k.units[i], k.frame.Kernel.Computations[i]
	f := lowered.(code).Func
	p := u.Print(f, fmt.Sprintf("%s (%s:%d) under\n%s", c.Name, filepath.Base(c.Stmt.Pos.File), c.Stmt.Pos.Line, variant.Variant))
	u.functions.WriteString("\n" + p.Source)
	u.names = append(u.names, identifier(f.Name))
	k.c.codes[i] = append(k.c.codes[i], variantCode{variant, f})
	results := ""
	for _, r := range k.frame.Indices(p.Results) {
		results += fmt.Sprintf(", %d", r)
	}
	return fmt.Sprintf("%s.Func(%q%s)", k.name(i), identifier(f.Name), results), nil
}

func (k *kernel) End() string {
	var sb strings.Builder
	for i, u := range k.units {
		if u.functions.Len() == 0 {
			continue
		}
		c := k.frame.Kernel.Computations[i]
		fmt.Fprintf(&sb, "// %s is the C of %s.\nvar %[1]s = &omprt.Unit{Computation: %[3]q, Frame: %s,\nSource: `\n%s%s`,\n", k.name(i), c.Name, c.Name, k.frame.Name, u.Frame(), u.functions.String())
		if len(u.Sites) > 0 {
			sb.WriteString("Sites: []exec.Check{\n")
			for _, s := range u.Sites {
				fmt.Fprintf(&sb, "{Site: exec.Site{Kernel: %q, Pos: %q, Op: %q, Arg: %q}, Kind: exec.%s},\n", k.frame.Source, s.Pos, s.Op, s.Arg, target.CheckKind(s.Kind))
			}
			sb.WriteString("},\n")
		}
		sb.WriteString("}\n\n")
	}
	return sb.String()
}

// cgoHead stands before the C that a program is linked with by cgo. Go files may not have all the flags that the run
// time gives the compiler (see flags of package omprt): gcc takes the others here, clang from the environment.
const cgoHead = `#cgo CFLAGS: -O3 -march=native -std=gnu11 -fopenmp
#cgo LDFLAGS: -fopenmp -lm
#ifndef __clang__
#pragma GCC optimize("wrapv", "fp-contract=off", "no-math-errno", "no-trapping-math")
#elif !defined(SURGE_WRAPV)
#error "clang takes no -fwrapv from Go files: set CGO_CFLAGS to -fwrapv -fno-math-errno -DSURGE_WRAPV"
#else
#pragma STDC FP_CONTRACT OFF
#endif
`

// Build prints a Go file that links the program with the C of all variants, in builds that want cgo for that: they need
// the C compiler, the program does not.
func (f *file) Build() target.GoFile {
	var c, calls, links strings.Builder
	variants := 0
	for _, k := range f.kernels {
		framed := false
		for i, u := range k.units {
			if len(u.names) == 0 {
				continue
			}
			if !framed { // all units of a kernel have the same
				framed = true
				c.WriteString("\n" + u.Frame())
			}
			c.WriteString(static(u.functions.String()))
			fmt.Fprintf(&links, "%s.Link(call, %d, %s)\n", k.name(i), variants, quoted(u.names))
			for _, n := range u.names {
				fmt.Fprintf(&calls, "\tcase %d:\n\t\t%s(run, frame);\n\t\tbreak;\n", variants, n)
				variants++
			}
		}
	}
	if variants == 0 {
		return target.GoFile{}
	}
	return target.GoFile{Suffix: "_cgo", Constraint: "surge_cgo && cgo", Imports: []string{"unsafe"}, Body: fmt.Sprintf(`/*
%s%s%s
static void surge_call(int variant, void *run, void *frame)
{
	switch (variant) {
%s	}
}
*/
import "C"

func init() {
	call := func(variant int, run, frame unsafe.Pointer) { C.surge_call(C.int(variant), run, frame) }
	%s}
`, cgoHead, omprt.Prelude, c.String(), calls.String(), links.String())}
}

// static makes functions of variants those of one file.
func static(functions string) string {
	return strings.ReplaceAll(functions, "\nvoid ", "\nstatic void ")
}

// quoted prints strings of Go with commas between them.
func quoted(names []string) string {
	all := make([]string, len(names))
	for i, n := range names {
		all[i] = strconv.Quote(n)
	}
	return strings.Join(all, ", ")
}
