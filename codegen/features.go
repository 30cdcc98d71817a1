package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/codegen/lower"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
)

// Constant-time features are arguments of every choice. The others, which a package declares and which surge itself
// computes from a sample of irregular rows, are computed before the choice if a model names them: see package exec.

// featureTable describes the declared features, and names the ready-made ones that the kernel asks for.
func (g *kernelFile) featureTable() string {
	var sb strings.Builder
	if fs := g.k.Source.Features; len(fs) > 0 {
		sb.WriteString("\tFeatures: []exec.DeclaredFeature{")
		for i, f := range fs {
			if i > 0 {
				sb.WriteString(", ")
			}
			fmt.Fprintf(&sb, "{Name: %q, Unit: %q, Version: %q}", f.Name, f.Unit, f.Version)
		}
		sb.WriteString("},\n")
	}
	if names := g.k.Source.Requested; len(names) > 0 {
		fmt.Fprintf(&sb, "\tRequested: %#v,\n", names)
	}
	return sb.String()
}

// isFeature reports whether a function of that name is one of the kernel's features.
func (g *kernelFile) isFeature(name string) bool {
	return slices.ContainsFunc(g.k.Source.Features, func(f load.Feature) bool { return f.Name == name })
}

// declaredFeatures computes the declared features from the parameters.
func (g *kernelFile) declaredFeatures(b string) string {
	var sb strings.Builder
	for i, f := range g.k.Source.Features {
		var args []string
		for _, p := range f.Args {
			args = append(args, g.paramName(p))
		}
		fmt.Fprintf(&sb, "%s.call.Declared(%d, func() float64 { return %s(%s) })\n", b, i, f.Name, strings.Join(args, ", "))
	}
	return sb.String()
}

// rowFeatures computes the ready-made features of computation i, if its rows are irregular.
func (g *kernelFile) rowFeatures(i int, c *fuse.Computation, call, f string) string {
	for _, ft := range c.Features {
		if ft.Offsets != nil {
			return fmt.Sprintf("exec.RowFeatures(&%s, %d, %s.%s)\n", call, i, f, g.offsetsName(ft.Offsets))
		}
	}
	return ""
}

// offsetsName is the field of the frame that holds row offsets, or those of a stored nested sequence.
func (g *kernelFile) offsetsName(offsets *ir.Var) string {
	if offsets.T.Rank > 1 {
		v := g.k.Fused.Stored(offsets)
		return lower.RowOffsetsNames(v)[v.T.Rank-offsets.T.Rank] // it may be flattened
	}
	return lower.HostName(g.k.Fused.Stored(offsets))
}
