package input

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// evaluator evaluates one expression. Without a scope there are no names.
type evaluator struct {
	*expression
	scope *scope
	owner string // the name that is bound, for the default seed
}

// Functions lists the functions of binding expressions with their arguments, for
// help texts.
func Functions() []string {
	list := []string{"len(x)", "nest(x, offsets)", "matrix(x, rows, cols)", "list(1, 2.5, …)", `list("ab", "c", …)`}
	for _, g := range vectorGenerators() {
		args := []string{"n"}
		for _, p := range g.Parameters[1:] {
			if p.Default != "" && p.Name != "per_row" {
				args = append(args, p.Name+"="+p.Default)
			}
		}
		for _, name := range append([]string{g.Name}, g.aliases...) {
			list = append(list, name+"("+strings.Join(args, ", ")+")")
		}
	}
	return list
}

func (v *evaluator) eval(n ast.Expr) (operand, error) {
	if o, ok, err := v.dotted(n); ok {
		return o, err
	}
	switch n := n.(type) {
	case *ast.ParenExpr:
		return v.eval(n.X)
	case *ast.BasicLit:
		if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
			return operand{value: Vector([]byte(text))}, nil
		}
		if n.Kind != token.INT && n.Kind != token.FLOAT {
			break
		}
		return v.checked(n, constant.MakeFromLiteral(n.Value, n.Kind, 0))
	case *ast.UnaryExpr:
		if n.Op != token.SUB && n.Op != token.ADD {
			break
		}
		c, err := v.number(n.X)
		if err != nil {
			return operand{}, err
		}
		return v.checked(n, constant.UnaryOp(n.Op, c, 0))
	case *ast.BinaryExpr:
		return v.binary(n)
	case *ast.Ident:
		return v.ident(n)
	case *ast.SelectorExpr:
		return v.fieldOf(n, n.X, v.name(n.Sel))
	case *ast.IndexExpr:
		if lit, ok := n.Index.(*ast.BasicLit); ok {
			switch lit.Kind {
			case token.INT:
				return v.fieldOf(n, n.X, lit.Value)
			case token.STRING:
				if name, err := strconv.Unquote(lit.Value); err == nil {
					return v.fieldOf(n, n.X, name)
				}
			}
		}
		return operand{}, v.errorf(n.Index, "bad-expression", "a field is chosen by its name or number",
			"elements cannot be taken out of an array here", `write A["name"] or A[0]`)
	case *ast.CallExpr:
		return v.call(n)
	}
	return operand{}, v.errorf(n, "bad-expression", "this cannot be used in a binding",
		"a binding is made of numbers, inputs and their fields, + - * /, and calls of "+strings.Join(functionNames(), ", "), "write a simpler expression")
}

// dotted evaluates the name of an input or a parameter that is a part of another: m.Data, x[0].
func (v *evaluator) dotted(n ast.Expr) (operand, bool, error) {
	switch n.(type) {
	case *ast.SelectorExpr, *ast.IndexExpr:
	default:
		return operand{}, false, nil
	}
	if v.scope == nil {
		return operand{}, false, nil
	}
	lo, hi := v.offset(int(n.Pos())-1), v.offset(int(n.End())-1)
	name := strings.TrimSpace(v.text[lo:max(lo, hi)])
	if s := v.scope.sources[name]; s != nil {
		o := operand{source: s}
		if value, err := s.Field(""); err == nil {
			o.number, o.value = valueOperand(value).number, value
		}
		return o, true, nil
	}
	if name == v.owner { // what it is by default: a field of an input
		return operand{}, false, nil
	}
	value, ok, err := v.scope.parameter(name)
	if err != nil {
		return operand{}, ok, v.at(n, err)
	}
	return valueOperand(value), ok, nil
}

// list makes an array of numbers, or rows of bytes of texts.
func (v *evaluator) list(n *ast.CallExpr) (operand, error) {
	var whole []int64
	var floats []float64
	var bytes []byte
	offsets := []int{0}
	exact := true
	for i, arg := range n.Args {
		o, err := v.eval(arg)
		if err != nil {
			return operand{}, err
		}
		text, isText := Slice[uint8](o.value)
		if isText = isText && len(o.value.Dims) == 1; isText && (i == 0 || len(offsets) > 1) {
			bytes = append(bytes, text...)
			offsets = append(offsets, len(bytes))
			continue
		}
		if o.number == nil || len(offsets) > 1 {
			return operand{}, v.errorf(arg, "bad-argument", "this is not like the others", "a list holds numbers, or texts", "write for example list(1, 2, 3)")
		}
		x, err := Convert(o.value, Float64)
		if err != nil {
			return operand{}, v.at(arg, err)
		}
		floats = append(floats, x.Data.([]float64)[0])
		if y, err := Convert(o.value, Int64); err == nil {
			whole = append(whole, y.Data.([]int64)[0])
		} else {
			exact = false
		}
	}
	switch {
	case len(offsets) > 1:
		value := Vector(bytes)
		value.Dims, value.Offsets = []int{len(offsets) - 1}, [][]int{offsets}
		return operand{value: value}, nil
	case exact:
		return operand{value: Vector(whole)}, nil
	}
	return operand{value: Vector(floats)}, nil
}

func (v *evaluator) ident(n *ast.Ident) (operand, error) {
	name := v.name(n)
	if v.scope != nil {
		if s, ok := v.scope.sources[name]; ok {
			o := operand{source: s}
			if value, err := s.Field(""); err == nil {
				o.number, o.value = valueOperand(value).number, value
			}
			return o, nil
		}
		if value, ok, err := v.scope.parameter(name); ok {
			if err != nil {
				return operand{}, v.at(n, err)
			}
			return valueOperand(value), nil
		}
	}
	switch name {
	case "true", "false":
		return numberOperand(constant.MakeBool(name == "true")), nil
	}
	var names []string
	if v.scope != nil {
		names = v.scope.names()
	}
	why := "no input and no parameter has this name"
	if len(names) > 0 {
		why = "the names are " + strings.Join(names, ", ")
	}
	do := "use one of these, or load an input under this name"
	if f := functionNames(); slices.Contains(f, name) {
		do = fmt.Sprintf("%s is a function: write %s(…)", name, name)
	}
	return operand{}, v.errorf(n, "unknown-name", "unknown name "+excerpt(name), why, do+nearestHint(name, names))
}

func (v *evaluator) fieldOf(n, of ast.Expr, name string) (operand, error) {
	id, ok := of.(*ast.Ident)
	if !ok {
		return operand{}, v.errorf(n, "bad-expression", "only inputs have fields", "this is not the name of an input", "write NAME."+name)
	}
	o, err := v.ident(id)
	if err != nil {
		return operand{}, err
	}
	if o.source == nil {
		return operand{}, v.errorf(n, "bad-expression", v.name(id)+" has no fields", "it is a parameter, not an input", "use it as it is")
	}
	value, err := o.source.Field(name)
	if err != nil {
		at := n
		if s, ok := n.(*ast.SelectorExpr); ok {
			at = s.Sel
		}
		return operand{}, v.at(at, err)
	}
	named := valueOperand(value)
	named.source, named.field = o.source, name
	return named, nil
}

func functionNames() []string {
	names := []string{"len", "nest", "matrix", "list"}
	for _, g := range vectorGenerators() {
		names = append(append(names, g.Name), g.aliases...)
	}
	return names
}

func (v *evaluator) call(n *ast.CallExpr) (operand, error) {
	id, ok := n.Fun.(*ast.Ident)
	name := ""
	if ok {
		name = v.name(id)
	}
	switch name {
	case "len":
		args, err := v.args(n, "x")
		if err != nil {
			return operand{}, err
		}
		if args[0].value.Data == nil || args[0].number != nil {
			return operand{}, v.errorf(n.Args[0], "type-mismatch", "this has no length", "only arrays have one", "write A.rows, A.cols or A.nnz for a matrix")
		}
		return numberOperand(constant.MakeInt64(int64(args[0].value.Length()))), nil
	case "nest":
		return v.nest(n)
	case "matrix":
		return v.matrix(n)
	case "list":
		return v.list(n)
	}
	if g := findGenerator(vectorGenerators(), name); g != nil {
		return v.generate(n, g, name)
	}
	if name == "" {
		return operand{}, v.errorf(n, "unknown-function", "this is not a function", "fields and parameters are values", "leave the parentheses out")
	}
	names := functionNames()
	return operand{}, v.errorf(n, "unknown-function", "unknown function "+excerpt(name), "the functions are "+strings.Join(names, ", "),
		"use one of these"+nearestHint(name, names))
}

// args evaluates exactly the arguments named.
func (v *evaluator) args(n *ast.CallExpr, names ...string) ([]operand, error) {
	if len(n.Args) != len(names) {
		return nil, v.errorf(n, "bad-argument", fmt.Sprintf("%d arguments", len(n.Args)), "this function takes "+strings.Join(names, ", "), "write as many arguments")
	}
	out := make([]operand, len(names))
	for i, a := range n.Args {
		var err error
		if out[i], err = v.eval(a); err != nil {
			return nil, err
		}
	}
	return out, nil
}
