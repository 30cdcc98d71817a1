package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
)

// A call that binds and runs a kernel once packs rows into memory that the next one takes over (exec.Packing), and so
// do its computations with what they hand on, unless something of the call may still be those rows when it has ended.

// once prints the last part of Run, which binds the arguments with options and runs what is bound.
func (g *kernelFile) once(ctx, args, options string) string {
	b, e := g.local("b"), g.local("err")
	bind := func(options string) string {
		goesOn := ""
		if g.k.Source.Cuts || g.k.Source.Exchanges || g.k.Fused.ChecksRows() {
			goesOn = fmt.Sprintf("if exec.GoesOn(%s, %s) {\nreturn %sAgain(%[1]s, %[4]s)\n}\n", e, g.local("opts"), g.base, strings.TrimSuffix(args, ", "))
		}
		tells := ""
		if plain, _ := g.plainCost(); plain != nil && (plain.Exact || plain.Ordered) {
			tells = fmt.Sprintf("defer %s.Compiled(%s)\n", g.local("turn"), b)
		}
		return fmt.Sprintf("%s, %s := %s(%s%s...)\nif %[2]s != nil {\n%[7]sreturn %[6]s%[2]s\n}\n%[8]s", b, e, g.public("Bind"), args, options, g.zeros(), goesOn, tells)
	}
	if !g.packs && !g.handsOn() || g.returnsRows() {
		return bind(options) + fmt.Sprintf("return %s.Run(%s)\n}\n\n", b, ctx)
	}
	p := g.local("packing")
	var results []string
	for i, r := range g.k.Source.Results {
		if r.Part.Kind != load.PartError {
			results = append(results, g.local(fmt.Sprintf("r%d", i+1)))
		}
	}
	list := strings.Join(append(results, e), ", ")
	return fmt.Sprintf("%s := %sKernel.Packing()\n", p, g.base) + bind(fmt.Sprintf("%s.For(%s)", p, options)) +
		fmt.Sprintf("%s := %s.Run(%s)\n%s.Release(%s)\nreturn %[1]s\n}\n\n", list, b, ctx, p, e)
}

// handsOn reports whether the kernel computes sequences that are no results.
func (g *kernelFile) handsOn() bool {
	return slices.ContainsFunc(append([]*Kernel{g.k}, g.k.Alternatives...), func(k *Kernel) bool {
		return slices.ContainsFunc(k.Fused.Computations, func(c *fuse.Computation) bool {
			return slices.ContainsFunc(c.Stmt.Dst, func(d *ir.Var) bool {
				return d.T.Rank > 0 && !slices.Contains(k.Fused.Func.Body.Results, ir.Atom(d))
			})
		})
	})
}

// returnsRows reports whether a result may be rows of a parameter, and not a copy.
func (g *kernelFile) returnsRows() bool {
	return slices.ContainsFunc(append([]*Kernel{g.k}, g.k.Alternatives...), func(k *Kernel) bool { return handsRowsOn(k.Fused) })
}

// handsRowsOn reports it of one algorithm.
func handsRowsOn(k *fuse.Kernel) bool {
	rows := map[ir.Atom]bool{} // parameters, and what is a part of one
	for _, p := range k.Func.Params {
		rows[p] = p.T.Rank > 1 || k.Regular[p] != nil
	}
	among := func(atoms []ir.Atom) bool { return slices.ContainsFunc(atoms, func(a ir.Atom) bool { return rows[a] }) }
	var block func(b *ir.Block) bool
	block = func(b *ir.Block) bool {
		for _, s := range b.Stmts {
			if ir.OperatorIndex(s.Op) != nil {
				continue // its results are new
			}
			if l, ok := s.Op.(*ir.Loop); ok && among(l.Init) {
				return true
			}
			if slices.ContainsFunc(ir.Blocks(s.Op), block) {
				return true
			}
			for _, a := range ir.Operands(s.Op) {
				for _, d := range s.Dst {
					rows[d] = rows[d] || rows[*a] && d.T.Rank > 0
				}
			}
		}
		return among(b.Results)
	}
	return block(k.Func.Body)
}
