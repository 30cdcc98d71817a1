package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"
)

// Note [Heaps]
//
// Package container/heap calls the methods of a heap through an interface, and moves its elements as values of type
// any. Which type the heap has, a call says, and which type the elements have, the method Push of that type, which
// asserts it. So heap.Push(h, x) becomes a call of a function for that type, made of the text of container/heap, and of
// copies of Push and Pop that take and return elements.

// heapText are the functions of container/heap for the type HEAP, whose elements are of the type ELEMENT.
const heapText = `
func init·HEAP(h *HEAP) {
	n := h.Len()
	for i := n/2 - 1; i >= 0; i-- {
		down·HEAP(h, i, n)
	}
}

func push·HEAP(h *HEAP, x ELEMENT) {
	h.push·(x)
	up·HEAP(h, h.Len()-1)
}

func pop·HEAP(h *HEAP) ELEMENT {
	n := h.Len() - 1
	h.Swap(0, n)
	down·HEAP(h, 0, n)
	return h.pop·()
}

func remove·HEAP(h *HEAP, i int) ELEMENT {
	n := h.Len() - 1
	if n != i {
		h.Swap(i, n)
		if !down·HEAP(h, i, n) {
			up·HEAP(h, i)
		}
	}
	return h.pop·()
}

func fix·HEAP(h *HEAP, i int) {
	if !down·HEAP(h, i, h.Len()) {
		up·HEAP(h, i)
	}
}

func up·HEAP(h *HEAP, j int) {
	for {
		i := (j - 1) / 2
		if i == j || !h.Less(j, i) {
			break
		}
		h.Swap(i, j)
		j = i
	}
}

func down·HEAP(h *HEAP, first, n int) bool {
	i := first
	for {
		left := 2*i + 1
		if left >= n || left < 0 {
			break
		}
		j := left
		if right := left + 1; right < n && h.Less(right, left) {
			j = right
		}
		if !h.Less(j, i) {
			break
		}
		h.Swap(i, j)
		i = j
	}
	return i > first
}
`

// heapType is a type that is used as a heap.
type heapType struct {
	obj       *types.TypeName
	element   types.Type
	push, pop *ast.FuncDecl
	calls     []*ast.CallExpr
}

// heaps rewrites calls of package container/heap.
func (r *rewriter) heaps(files []*ast.File) bool {
	found := map[*types.TypeName]*heapType{}
	var order []*heapType
	asserted := map[*ast.CallExpr]*ast.TypeAssertExpr{}
	alone := map[*ast.CallExpr]bool{}
	for _, fd := range functions(files) {
		ast.Inspect(fd.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeAssertExpr:
				if call, ok := ast.Unparen(n.X).(*ast.CallExpr); ok && n.Type != nil {
					asserted[call] = n
				}
			case *ast.ExprStmt:
				if call, ok := n.X.(*ast.CallExpr); ok {
					alone[call] = true
				}
			case *ast.CallExpr:
				if r.calleeIn(n, "container/heap") == "" {
					return true
				}
				p, ok := r.info.TypeOf(n.Args[0]).(*types.Pointer)
				if !ok {
					return true
				}
				named, ok := types.Unalias(p.Elem()).(*types.Named)
				if !ok || named.TypeArgs().Len() > 0 || named.Obj().Parent() != named.Obj().Pkg().Scope() {
					return true
				}
				h := found[named.Obj()]
				if h == nil {
					h = r.heapOf(named.Obj(), files)
					found[named.Obj()] = h
					order = append(order, h)
				}
				h.calls = append(h.calls, n)
			}
			return true
		})
	}
	for _, h := range order {
		if h.element == nil || slices.ContainsFunc(h.calls, func(c *ast.CallExpr) bool { return !r.heapCall(h, c, asserted[c], alone[c]) }) {
			continue
		}
		r.heap(h, files, asserted)
	}
	return r.changed
}

// heapOf looks for the methods of a type, whose element stays nil if it is not one of those that are known.
func (r *rewriter) heapOf(obj *types.TypeName, files []*ast.File) *heapType {
	h := &heapType{obj: obj}
	for _, fd := range functions(files) {
		f, ok := r.info.Defs[fd.Name].(*types.Func)
		if !ok || fd.Recv == nil {
			continue
		}
		t := f.Signature().Recv().Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if named, ok := types.Unalias(t).(*types.Named); !ok || named.Obj() != obj {
			continue
		}
		switch fd.Name.Name {
		case "Push":
			h.push = fd
		case "Pop":
			h.pop = fd
		}
	}
	if h.push == nil || h.pop == nil {
		return h
	}
	f, _ := r.info.Defs[h.push.Name].(*types.Func)
	param := f.Signature().Params().At(0)
	uses, asserts := 0, 0
	var element types.Type
	ast.Inspect(h.push.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if r.info.Uses[n] == types.Object(param) {
				uses++
			}
		case *ast.TypeAssertExpr:
			if variable(r.info, n.X) != param || n.Type == nil {
				return true
			}
			t := r.info.TypeOf(n.Type)
			if _, both := r.info.TypeOf(n).(*types.Tuple); !both && (element == nil || types.Identical(element, t)) {
				element = t
				asserts++
			}
		}
		return true
	})
	if element == nil || uses != asserts || !localType(obj.Pkg(), element) {
		return h
	}
	sig, _ := r.info.Defs[h.pop.Name].(*types.Func)
	known := sig.Signature().Results().Len() == 1 && sig.Signature().Results().At(0).Name() == ""
	ast.Inspect(h.pop.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			known = false
		case *ast.ReturnStmt:
			known = known && len(n.Results) == 1 && types.Identical(r.info.TypeOf(n.Results[0]), element)
		}
		return known
	})
	if known {
		h.element = element
	}
	return h
}

// localType reports whether t can be named in the package without an import.
func localType(pkg *types.Package, t types.Type) bool {
	local := true
	types.TypeString(t, func(p *types.Package) string {
		local = local && p == pkg
		return ""
	})
	return local
}

// heapCall reports whether a call can be rewritten: what it pushes is an element, and what it pops is asserted to be
// one, or nobody wants it.
func (r *rewriter) heapCall(h *heapType, call *ast.CallExpr, asserted *ast.TypeAssertExpr, alone bool) bool {
	switch r.calleeIn(call, "container/heap") {
	case "Push":
		return types.Identical(types.Default(r.info.TypeOf(call.Args[1])), h.element)
	case "Pop", "Remove":
		if asserted == nil {
			return alone
		}
		_, both := r.info.TypeOf(asserted).(*types.Tuple)
		return !both && types.Identical(r.info.TypeOf(asserted.Type), h.element)
	}
	return true
}

// heap rewrites the calls for one type.
func (r *rewriter) heap(h *heapType, files []*ast.File, asserted map[*ast.CallExpr]*ast.TypeAssertExpr) {
	element := types.TypeString(h.element, func(*types.Package) string { return "" })
	push, pop := r.heapPush(h), r.heapPop(h)
	elementExpr := func() ast.Expr {
		e, err := parser.ParseExpr(element)
		if err != nil {
			return nil
		}
		return e
	}
	if elementExpr() == nil || pop == nil {
		return
	}
	push.Type.Params.List[0].Type, pop.Type.Results.List[0].Type = elementExpr(), elementExpr()
	r.changed = true
	r.texts = append(r.texts, strings.NewReplacer("HEAP", h.obj.Name(), "ELEMENT", element).Replace(heapText))
	for _, f := range files {
		if slices.Contains(f.Decls, ast.Decl(h.push)) {
			f.Decls = append(f.Decls, push, pop)
		}
	}
	done := map[ast.Expr]*ast.CallExpr{}
	for _, call := range h.calls {
		f := r.calleeIn(call, "container/heap")
		call.Fun = name(strings.ToLower(f)+"·"+h.obj.Name(), call.Pos())
		if a := asserted[call]; a != nil {
			done[a] = call
		}
	}
	for _, fd := range functions(files) {
		replaceExprs(fd.Body, nil, func(e ast.Expr) ast.Expr {
			if call := done[e]; call != nil {
				return call
			}
			return e
		})
	}
}

// heapPush is the copy of Push that takes an element.
func (r *rewriter) heapPush(h *heapType) *ast.FuncDecl {
	f, _ := r.info.Defs[h.push.Name].(*types.Func)
	param := f.Signature().Params().At(0).Name()
	fd := copied(reflect.ValueOf(h.push)).Interface().(*ast.FuncDecl)
	fd.Name.Name, fd.Doc = "push·", nil
	replaceExprs(fd.Body, nil, func(e ast.Expr) ast.Expr {
		if a, ok := e.(*ast.TypeAssertExpr); ok {
			if id, ok := ast.Unparen(a.X).(*ast.Ident); ok && id.Name == param {
				return id
			}
		}
		return e
	})
	return fd
}

// heapPop is the copy of Pop that returns an element. A variable in it that is the slice itself, as in
//
//	old := *h
//	n := len(old)
//	x := old[n-1]
//	*h = old[:n-1]
//
// is that until the slice is another one.
func (r *rewriter) heapPop(h *heapType) *ast.FuncDecl {
	fd := copied(reflect.ValueOf(h.pop)).Interface().(*ast.FuncDecl)
	fd.Name.Name, fd.Doc = "pop·", nil
	list := h.pop.Body.List
	for k, s := range list {
		a, ok := s.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE || len(a.Lhs) != 1 {
			continue
		}
		old, _ := r.info.Defs[a.Lhs[0].(*ast.Ident)].(*types.Var)
		_, isDeref := ast.Unparen(a.Rhs[0]).(*ast.StarExpr)
		if old == nil || !isDeref || !isSlice(old.Type()) {
			if sel, isField := ast.Unparen(a.Rhs[0]).(*ast.SelectorExpr); old == nil || !isField || !isSlice(old.Type()) || !isPlainPath(sel) {
				continue
			}
		}
		of := text(a.Rhs[0])
		end := slices.IndexFunc(list[k+1:], func(s ast.Stmt) bool {
			a, ok := s.(*ast.AssignStmt)
			return ok && slices.ContainsFunc(a.Lhs, func(e ast.Expr) bool { return text(e) == of })
		})
		if end < 0 || r.usesAny(list[k+1+end+1:], old) || slices.ContainsFunc(list[k+1:], func(s ast.Stmt) bool { return assigned(r.info, s)[old] && !assignsElement(r.info, s, old) }) {
			return fd
		}
		for _, s := range fd.Body.List[k+1 : k+1+end+1] {
			replaceExprs(&ast.BlockStmt{List: []ast.Stmt{s}}, nil, func(e ast.Expr) ast.Expr {
				if id, ok := e.(*ast.Ident); ok && id.Name == old.Name() {
					return &ast.ParenExpr{Lparen: id.Pos(), X: copied(reflect.ValueOf(a.Rhs[0])).Interface().(ast.Expr), Rparen: id.End()}
				}
				return e
			})
		}
		fd.Body.List = slices.Delete(fd.Body.List, k, k+1)
		return fd
	}
	return fd
}

// assignsElement reports whether s assigns elements of v, and not v.
func assignsElement(info *types.Info, s ast.Stmt, v *types.Var) bool {
	a, ok := s.(*ast.AssignStmt)
	return ok && !slices.ContainsFunc(a.Lhs, func(e ast.Expr) bool { return variable(info, e) == v })
}
