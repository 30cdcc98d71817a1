package openmp

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/surge-ndp/surge/codegen/target"
	"github.com/surge-ndp/surge/selector"
)

func (platform) File(base string) target.File { return &file{library{base: base}} }

// file is what generated Go has of C for the kernels of one source file, and the same for programs in C.
type file struct{ lib library }

func (*file) End() string { return "" }

func (f *file) Others() (map[string][]byte, error) { return f.lib.files() }

func (f *file) Kernel(frame *target.Frame) target.Kernel {
	k := &kernel{frame: frame, c: &libraryKernel{frame: frame, codes: make([][]variantCode, len(frame.Kernel.Computations))}}
	f.lib.kernels = append(f.lib.kernels, k.c)
	fields := make([]Field, len(frame.Fields))
	for i, f := range frame.Fields {
		fields[i] = Field{f.Name, f.Kind, f.Scalar}
	}
	k.c.fields = fields
	for range frame.Kernel.Computations {
		k.units = append(k.units, &unit{Unit: NewUnit(identifier(frame.Base)+"_frame", fields)})
	}
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
}

// name is that of the variable of computation i's unit.
func (k *kernel) name(i int) string { return fmt.Sprintf("%s%dOpenMP", k.frame.Base, i+1) }

func (k *kernel) Func(i int, variant selector.Code, lowered target.Code) (string, error) {
	u, c := k.units[i], k.frame.Kernel.Computations[i]
	f := lowered.(code).Func
	p := u.Print(f, fmt.Sprintf("%s (%s:%d) under\n%s", c.Name, filepath.Base(c.Stmt.Pos.File), c.Stmt.Pos.Line, variant.Variant))
	u.functions.WriteString("\n" + p.Source)
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
