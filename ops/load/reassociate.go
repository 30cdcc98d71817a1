package load

import "go/ast"

// The directive //surge:reassociate permits a kernel's float sums and products to be taken in another order than the
// loops of the source have: see [ir.Func.Reassociate].

// reassociateLine is one such directive, and the function in whose doc comment it stands, nil if there is none.
type reassociateLine struct {
	directive
	decl *ast.FuncDecl
}

// permitReassociation notes which of the marked functions have the directive.
func (p *program) permitReassociation(marked []*function, lines []reassociateLine) {
	for _, line := range lines {
		found := false
		for _, f := range marked {
			if line.decl != nil && f.decl == line.decl {
				p.reassociate[f], found = true, true
			}
		}
		switch {
		case !found:
			p.rep.at(line.pos, problem{CodeDirective, "//surge:reassociate does not belong to a kernel",
				"it permits the loops of a kernel, and of what the kernel calls, to add and multiply floats in another order",
				"put it below the line //surge:kernel or //surge:variant-of, or leave it out"})
		case len(line.args) > 0:
			p.rep.at(line.pos, problem{CodeDirective, "//surge:reassociate takes no arguments",
				"it permits all float sums and products of the kernel to be taken in another order", "leave out what stands behind it"})
		}
	}
}
