package fuse

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/ops/ir"
)

// Unsupported is the error for a kernel that is valid Go and data-parallel but that this version cannot compile.
type Unsupported struct {
	Pos            ir.Pos
	Code           string
	What, Why, Fix string
}

// Error returns the message in the style of the front end's diagnostics.
func (u *Unsupported) Error() string {
	return fmt.Sprintf("%s: %s [%s]\n\twhy: %s\n\tfix: %s", u.Pos, u.What, u.Code, u.Why, u.Fix)
}

// supported refuses what later stages cannot compile yet.
func supported(f *ir.Func) error {
	if err := turnsSupported(f); err != nil {
		return err
	}
	if err := unresolved(f); err != nil {
		return err
	}
	var err error
	even := evenRows(f.Body)
	stored := map[*ir.Var]bool{} // where a Map around it stores it
	var visit func(b *ir.Block, depth int)
	visit = func(b *ir.Block, depth int) {
		for _, s := range b.Stmts {
			for _, d := range s.Dst {
				_, view := s.Op.(*ir.View)
				_, row := s.Op.(*ir.Index)
				if depth > 0 && d.T.Rank > 1 && !stored[d] && !even[d] && !view && !row && err == nil {
					err = &Unsupported{s.Pos, "rank", fmt.Sprintf("a sequence of type %s that is computed as a whole inside an operator is not stored yet", d.T),
						"what is stored in each element of an operator are flat sequences, and rows of one length", "compute rows, or a flat sequence that ops.Split or ops.Nest cuts where it is read"}
				}
			}
			inner := depth
			if indexOf(s.Op) != nil {
				inner++
			}
			if m, ok := s.Op.(*ir.Map); ok {
				for i, r := range m.Body.Results {
					if v, ok := r.(*ir.Var); ok && (depth == 0 || stored[s.Dst[i]] || even[s.Dst[i]]) {
						stored[v] = true
					}
				}
			}
			for _, c := range ir.Blocks(s.Op) {
				visit(c, inner)
			}
		}
	}
	visit(f.Body, 0)
	return err
}

// unresolved refuses what still reads a view: one whose elements resolve cannot name.
func unresolved(f *ir.Func) error {
	defs := map[ir.Atom]ir.Op{}
	ir.Walk(f.Body, func(s *ir.Stmt) {
		for _, d := range s.Dst {
			defs[d] = s.Op
		}
	})
	var bad *Unsupported
	look := func(a ir.Atom, pos ir.Pos) {
		v, ok := defs[a].(*ir.View)
		if !ok || bad != nil {
			return
		}
		what := "the result of ops." + strings.ToUpper(string(v.Fn[:1])) + string(v.Fn[1:])
		switch {
		case v.Fn == ir.Concat || v.Fn == ir.ConcatRow:
			bad = &Unsupported{pos, "concat-rows", "a Concat of sequences that are nested deeper than rows is not compiled yet",
				"which sequence an element comes from is known only while the kernel runs", "concatenate the flat sequences, or return two results"}
		case v.Fn == ir.Flatten:
			rows := v.Args[0]
			for flat, ok := defs[rows].(*ir.View); ok && flat.Fn == ir.Flatten; flat, ok = defs[rows].(*ir.View) {
				rows = flat.Args[0]
			}
			_, stored := defs[rows].(*ir.Map)
			if !stored && !slices.ContainsFunc(f.Params, func(p *ir.Var) bool { return ir.Atom(p) == rows }) {
				bad = &Unsupported{pos, "flatten", what + " is not compiled yet where its rows are not stored one after the other",
					"the place of an element depends on the lengths of all rows before it", "flatten at the top level of the kernel"}
			}
		default:
			bad = &Unsupported{pos, "view", what + " is not compiled yet where it is not read element by element",
				"a view is not stored: what reads it reads the sequence behind it", "compute the sequence with ops.Map"}
		}
	}
	ir.Walk(f.Body, func(s *ir.Stmt) {
		if _, view := s.Op.(*ir.View); view {
			return
		}
		for _, a := range ir.Operands(s.Op) {
			look(*a, s.Pos)
		}
		for _, b := range ir.Blocks(s.Op) {
			for _, r := range b.Results {
				look(r, s.Pos)
			}
		}
	})
	if bad == nil {
		return nil
	}
	return bad
}
