package main

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
)

// hostReport is a part of the host program of a kernel: a computation, scalar code between computations, or a loop or a
// condition around some.
type hostReport struct {
	// Kind is "compute", "scalars", "loop" or "branch".
	Kind        string `json:"kind"`
	Position    string `json:"position,omitempty"`
	Computation string `json:"computation,omitempty"`
	// Of is what a loop counts, or what decides on its next turn or on the branch.
	Of string `json:"of,omitempty"`
	// Carries are the values that go from one turn of a loop to the next, or that a branch yields.
	Carries []string     `json:"carries,omitempty"`
	Body    []hostReport `json:"body,omitempty"`
	Else    []hostReport `json:"else,omitempty"`
}

// reportHost describes the host program that begins with a block.
func (a *app) reportHost(k *codegen.Kernel, b *ir.Block, late map[*ir.Stmt]bool) (all []hostReport) {
	for _, s := range b.Stmts {
		pos := s.Pos
		pos.File = filepath.Join(a.dir, filepath.Base(pos.File))
		r := hostReport{Kind: "scalars"}
		switch op := s.Op.(type) {
		case *ir.Loop:
			if !fuse.Controls(s) {
				break
			}
			r = hostReport{Kind: "loop", Position: pos.String(), Carries: names(op.Params)}
			if op.I != nil {
				r.Of = op.I.Name + " from " + atomText(op.Lo) + " to " + atomText(op.Hi)
			} else {
				r.Body = a.reportHost(k, op.Cond, late)
				r.Of = "while " + atomText(op.Cond.Results[0])
			}
			r.Body = append(r.Body, a.reportHost(k, op.Body, late)...)
		case *ir.If:
			if !fuse.Controls(s) {
				break
			}
			r = hostReport{Kind: "branch", Position: pos.String(), Of: atomText(op.Cond), Carries: names(s.Dst),
				Body: a.reportHost(k, op.Then, late), Else: a.reportHost(k, op.Else, late)}
		}
		if i := slices.IndexFunc(k.Fused.Computations, func(c *fuse.Computation) bool { return c.Stmt == s }); i >= 0 {
			r = hostReport{Kind: "compute", Computation: k.Fused.Computations[i].Name, Position: pos.String()}
		}
		_, view := s.Op.(*ir.View)
		if r.Kind == "scalars" && (view || !late[s] || len(all) > 0 && all[len(all)-1].Kind == r.Kind) {
			continue // it runs before, or with what is there
		}
		all = append(all, r)
	}
	return all
}

func names(vars []*ir.Var) (all []string) {
	for _, v := range vars {
		all = append(all, v.Name)
	}
	return all
}

// printHost prints a host program as a tree.
func (a *app) printHost(all []hostReport, indent string) {
	carries := func(word string, vs []string) string {
		if len(vs) == 0 {
			return ""
		}
		return ", " + word + " " + strings.Join(vs, ", ")
	}
	for _, r := range all {
		switch r.Kind {
		case "loop":
			a.printf("%sloop %s%s  %s\n", indent, r.Of, carries("carries", r.Carries), r.Position)
			a.printHost(r.Body, indent+"  ")
		case "branch":
			a.printf("%sif %s%s  %s\n", indent, r.Of, carries("yields", r.Carries), r.Position)
			a.printHost(r.Body, indent+"  ")
			if len(r.Else) > 0 {
				a.printf("%selse\n", indent)
				a.printHost(r.Else, indent+"  ")
			}
		case "compute":
			a.printf("%s%s  %s\n", indent, r.Computation, r.Position)
		default:
			a.printf("%sscalar code\n", indent)
		}
	}
}

// atomText is a variable or a constant without its type.
func atomText(x ir.Atom) string {
	text, _, _ := strings.Cut(x.String(), ":")
	return text
}
