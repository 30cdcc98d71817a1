package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Note [Instances]
//
// A generic function is compiled once for each list of type arguments. Its declaration is copied, with other names in
// the place of its type parameters, and type-checked as one more file of its package, in which these names stand for
// the type arguments: what checking and lowering see is a function without type parameters, every type in it known.
// Positions stay those of the original. A method of a generic type becomes a function whose first parameter is the
// receiver.

// instance is what a generic function is for a list of type arguments: nil where it does not type-check.
type instance struct {
	args []types.Type
	f    *function
}

// instance returns f for the type arguments args, or f itself if there are none; nil after reporting that it does not
// type-check.
func (p *program) instance(f *function, args []types.Type) *function {
	if len(args) == 0 || slices.ContainsFunc(args, isTypeParam) { // as generic code calls it
		return f
	}
	for _, g := range p.instances[f] {
		if slices.EqualFunc(g.args, args, types.Identical) {
			return g.f
		}
	}
	g := p.instantiate(f, args)
	p.instances[f] = append(p.instances[f], instance{args, g})
	return g
}

// instantiate makes the instance; see [program.instance].
func (p *program) instantiate(f *function, args []types.Type) *function {
	var names []string
	for _, a := range args {
		names = append(names, typeName(a))
	}
	name := f.obj.Name() + "[" + strings.Join(names, ", ") + "]"
	pkg := f.unit.pkg
	c := copier{info: f.unit.info, names: map[*types.TypeParam]string{}}
	for i, a := range args {
		p.typeArgs++
		alias := "T·" + strconv.Itoa(p.typeArgs) // no identifier of a program has this form
		pkg.Scope().Insert(types.NewTypeName(token.NoPos, pkg, alias, a))
		c.names[typeParams(f.obj.Signature()).At(i)] = alias
	}
	decl := copySyntax(reflect.ValueOf(f.decl), c.instead, func(ast.Node, ast.Node) {}).Interface().(*ast.FuncDecl)
	decl.Type.TypeParams = nil
	decl.Name.Name = name
	if decl.Recv != nil {
		decl.Name.Name = names[0] + "." + name + "·" + strconv.Itoa(p.typeArgs) // methods of two types may have one name
		decl.Type.Params.List = append(decl.Recv.List, decl.Type.Params.List...)
		decl.Recv = nil
	}
	file := &ast.File{Package: f.file.Package, Name: ast.NewIdent(pkg.Name()), FileStart: f.file.FileStart, FileEnd: f.file.FileEnd, GoVersion: f.file.GoVersion}
	for _, d := range f.file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			file.Decls = append(file.Decls, d)
		}
	}
	file.Decls = append(file.Decls, decl)
	u := &unit{pkg: pkg, info: newInfo(), files: []*ast.File{file}, config: f.unit.config, standard: f.unit.standard}
	conf := u.config
	conf.Error = func(err error) {
		if te, ok := err.(types.Error); ok && decl.Pos() <= te.Pos && te.Pos < decl.End() { // and no import that nothing else uses
			u.errs = append(u.errs, te)
		}
	}
	types.NewChecker(&conf, p.fset, pkg, u.info).Files(u.files) //nolint:errcheck // collected above
	for _, e := range u.errs {
		p.rep.at(e.Pos, problem{code: CodeType, message: e.Msg, why: "in " + name})
	}
	obj, ok := u.info.Defs[decl.Name].(*types.Func)
	if !ok || len(u.errs) > 0 {
		return nil
	}
	g := &function{unit: u, decl: decl, obj: obj, file: f.file, args: args, isMethod: f.decl.Recv != nil, name: name, generic: f}
	p.funcs[obj] = g
	return g
}

func isTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// typeParams are the type parameters of a function, or those that its receiver names.
func typeParams(sig *types.Signature) *types.TypeParamList {
	if sig.RecvTypeParams().Len() > 0 {
		return sig.RecvTypeParams()
	}
	return sig.TypeParams()
}

// callee returns the function of the program that id names, in the instance that it names; nil if there is none.
func (p *program) callee(u *unit, id *ast.Ident) *function {
	obj, ok := u.info.Uses[id].(*types.Func)
	if !ok {
		return nil
	}
	f := p.funcs[obj.Origin()]
	if f == nil || f.decl.Body == nil {
		return f
	}
	var args []types.Type
	if inst := u.info.Instances[id]; inst.TypeArgs != nil {
		for t := range inst.TypeArgs.Types() {
			args = append(args, t)
		}
	}
	if len(args) == 0 && f.obj.Signature().TypeParams().Len() > 0 {
		elem := p.elementOf(u, id)
		if obj.Signature().TypeParams().Len() > 0 || elem == nil || isTypeParam(elem) {
			return nil
		}
		args = []types.Type{elem}
	}
	return p.instance(f, args)
}

// copier copies the syntax of a generic function, with other names for its type parameters.
type copier struct {
	info  *types.Info
	names map[*types.TypeParam]string
}

// instead is a new identifier in place of each one.
func (c *copier) instead(n ast.Node) ast.Node {
	if id, ok := n.(*ast.Ident); ok {
		return c.ident(id)
	}
	return nil
}

func (c *copier) ident(id *ast.Ident) *ast.Ident {
	out := &ast.Ident{NamePos: id.NamePos, Name: id.Name}
	if t, ok := c.info.ObjectOf(id).(*types.TypeName); ok {
		if param, ok := t.Type().(*types.TypeParam); ok && c.names[param] != "" {
			out.Name = c.names[param]
		}
	}
	return out
}
