package load

import (
	"go/ast"
	"slices"
)

// newMade are the helpers that return a new slice.
var newMade = []string{"concat·", "inserted·", "replaced·"}

// newSlices rewrites calls of package slices that make a slice of others, of which the elements are values,
//
//	slices.Concat(x, y, z)                        concat·(concat·(x, y), z)
//	slices.Insert(slices.Clone(x), i, v...)       inserted·(slices.Clone(x), i, v...)
//	slices.Replace(slices.Clone(x), i, j, v...)   replaced·(slices.Clone(x), i, j, v...)
//
// The first argument of the last two is a new slice, so that nobody sees whether its elements move.
func (r *rewriter) newSlices(fd *ast.FuncDecl) {
	replaceExprs(fd.Body, nil, func(e ast.Expr) ast.Expr {
		call, ok := e.(*ast.CallExpr)
		if !ok || len(call.Args) < 2 || r.calleeIn(call, "slices") == "" || !flatElements(r.info.TypeOf(call)) {
			return e
		}
		first, isCall := ast.Unparen(call.Args[0]).(*ast.CallExpr)
		isNew := isCall && (r.makesSlice(first) || slices.Contains(newMade, text(first.Fun)))
		helper := map[string]string{"Insert": "inserted·", "Replace": "replaced·"}[r.calleeIn(call, "slices")]
		switch {
		case r.isCallOf(call, "slices", "Concat") && !call.Ellipsis.IsValid():
			r.changed, r.helpers["concat·"] = true, true
			all := call.Args[0]
			for _, next := range call.Args[1:] {
				all = callTo("concat·", call.Pos(), all, next)
			}
			return all
		case helper != "" && isNew && len(call.Args) > 2:
			r.changed, r.helpers[helper] = true, true
			to := callTo(helper, call.Pos(), call.Args...)
			to.Ellipsis = call.Ellipsis
			return to
		}
		return e
	})
}
