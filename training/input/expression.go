package input

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/scanner"
	"go/token"
	"math"
	"strings"
)

// expression is a parsed binding expression. Its grammar is Go's, with three
// additions made before parsing: named arguments (seed=34, parsed as seed==34),
// keywords as names (range(n)), and suffixes of sizes (4k). origin maps each
// byte of what was parsed to the text that the user wrote.
type expression struct {
	text   string
	root   ast.Expr
	origin []int
	names  map[int]string // names at an offset that had to be respelled
}

const longestExpression = 10000

var suffixes = map[string]int{
	"k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30,
}

func parseExpression(text string) (*expression, error) {
	x := &expression{text: text, names: map[int]string{}}
	if len(text) > longestExpression {
		return nil, x.errorAt(0, "bad-expression", "the expression is too long", fmt.Sprintf("at most %d characters are read", longestExpression), "put the data in a file")
	}
	var spelled strings.Builder
	emit := func(s string, at int, step int) {
		for i := range len(s) {
			spelled.WriteByte(s[i])
			x.origin = append(x.origin, at+i*step)
		}
	}
	file := token.NewFileSet().AddFile("", 1, len(text))
	var scan scanner.Scanner
	scan.Init(file, []byte(text), func(token.Position, string) {}, 0)
	last, end, numeric := 0, -1, false
	for {
		pos, tok, lit := scan.Scan()
		if tok == token.EOF || tok == token.SEMICOLON && lit != ";" {
			break
		}
		at := file.Offset(pos)
		emit(text[last:at], last, 1)
		width := len(lit)
		if width == 0 {
			width = len(tok.String())
		}
		width = min(width, len(text)-at)
		factor, suffix := suffixes[lit]
		switch {
		case tok == token.IDENT && numeric && end == at && suffix:
			emit(fmt.Sprintf("*%d", factor), at, 0)
		case tok == token.ASSIGN:
			emit("==", at, 0)
		case tok.IsKeyword():
			x.names[spelled.Len()] = lit
			emit(strings.ToUpper(lit), at, 1)
		default:
			emit(text[at:at+width], at, 1)
		}
		last, end, numeric = at+width, at+width, tok == token.INT || tok == token.FLOAT
	}
	emit(text[min(last, len(text)):], last, 1)
	root, err := parser.ParseExpr(spelled.String())
	if err != nil {
		at, why := 0, err.Error()
		if list, ok := err.(scanner.ErrorList); ok && len(list) > 0 {
			at, why = x.offset(list[0].Pos.Offset), list[0].Msg
		}
		return nil, x.errorAt(at, "bad-expression", "the expression is not complete or not well-formed", why,
			"write for example A.values, random(A.cols, seed=34), 2*n or 0.5")
	}
	x.root = root
	return x, nil
}

// offset gives the place in the user's text of a place in the parsed one.
func (x *expression) offset(spelled int) int {
	if spelled < len(x.origin) {
		return x.origin[max(spelled, 0)]
	}
	return len(x.text)
}

func (x *expression) errorAt(at int, code, what, why, do string) *Error {
	return &Error{File: x.text, Line: 1, Col: at + 1, What: what, Code: code, Why: why, Do: do}
}

func (x *expression) errorf(n ast.Node, code, what, why, do string) *Error {
	return x.errorAt(x.offset(int(n.Pos())-1), code, what, why, do)
}

// name gives an identifier as the user wrote it.
func (x *expression) name(id *ast.Ident) string {
	if name, ok := x.names[int(id.Pos())-1]; ok {
		return name
	}
	return id.Name
}

// at puts the place of a node on an error from elsewhere, keeping the spec that
// the error is about.
func (x *expression) at(n ast.Node, err error) error {
	e, ok := err.(*Error)
	if !ok || e.bound {
		return err
	}
	placed := *e
	if e.File != "" && e.File != x.text {
		placed.Why = fmt.Sprintf("%s (%s)", e.Why, e.File)
	}
	placed.File, placed.Line, placed.Col = x.text, 1, x.offset(int(n.Pos())-1)+1
	return &placed
}

// operand is what a part of an expression stands for: a number, or an array that
// may still remember the source that it comes from.
type operand struct {
	number constant.Value // nil for arrays
	value  Value
	source *Source
	field  string
}

func numberOperand(c constant.Value) operand { return operand{number: c, value: scalarOf(c)} }

func valueOperand(v Value) operand {
	o := operand{value: v}
	if len(v.Dims) > 0 || v.Data == nil {
		return o
	}
	switch data := v.Data.(type) {
	case []bool:
		o.number = constant.MakeBool(data[0])
	case []float64:
		o.number = constant.MakeFloat64(data[0])
	case []float32:
		o.number = constant.MakeFloat64(float64(data[0]))
	case []uint64:
		o.number = constant.MakeUint64(data[0])
	case []uint:
		o.number = constant.MakeUint64(uint64(data[0]))
	default:
		if as, err := Convert(v, Int64); err == nil {
			o.number = constant.MakeInt64(as.Data.([]int64)[0])
		}
	}
	return o
}

// scalarOf gives a number the narrowest of int64, uint64 and float64 that it fits.
func scalarOf(c constant.Value) Value {
	switch c.Kind() {
	case constant.Bool:
		return Scalar(constant.BoolVal(c))
	case constant.Int:
		if n, ok := constant.Int64Val(c); ok {
			return Scalar(n)
		}
		if n, ok := constant.Uint64Val(c); ok {
			return Scalar(n)
		}
	}
	f, _ := constant.Float64Val(c)
	return Scalar(f)
}

// evalScalar evaluates an expression without names, for arguments of generators.
func evalScalar(text string) (Value, error) {
	x, err := parseExpression(text)
	if err != nil {
		return Value{}, err
	}
	o, err := (&evaluator{expression: x}).eval(x.root)
	if err != nil {
		return Value{}, err
	}
	if o.number == nil {
		return Value{}, x.errorf(x.root, "type-mismatch", "a number is needed here", "this is an array", "write a number")
	}
	return o.value, nil
}

// arithmetic on numbers is exact, by go/constant; integers divide as in Go.
func (v *evaluator) binary(n *ast.BinaryExpr) (operand, error) {
	if n.Op == token.EQL {
		return operand{}, v.errorAt(v.offset(int(n.OpPos)-1), "bad-expression", "a named argument outside of a call",
			"name=value is an argument of a function", "write it within the parentheses of a call")
	}
	a, err := v.number(n.X)
	if err != nil {
		return operand{}, err
	}
	b, err := v.number(n.Y)
	if err != nil {
		return operand{}, err
	}
	op := n.Op
	integers := a.Kind() == constant.Int && b.Kind() == constant.Int
	switch op {
	case token.ADD, token.SUB, token.MUL:
	case token.QUO, token.REM:
		if constant.Sign(b) == 0 {
			return operand{}, v.errorf(n.Y, "bad-expression", "division by zero", "the divisor is 0", "change it")
		}
		if op == token.QUO && integers {
			op = token.QUO_ASSIGN // what go/constant calls integer division
		}
		if op == token.REM && !integers {
			return operand{}, v.noOperator(n)
		}
	case token.SHL, token.SHR:
		by, exact := constant.Uint64Val(b)
		if !integers || !exact || by > 63 {
			return operand{}, v.noOperator(n)
		}
		return v.checked(n, constant.Shift(a, op, uint(by)))
	default:
		return operand{}, v.noOperator(n)
	}
	return v.checked(n, constant.BinaryOp(a, op, b))
}

func (v *evaluator) noOperator(n *ast.BinaryExpr) error {
	return v.errorAt(v.offset(int(n.OpPos)-1), "bad-expression", fmt.Sprintf("%s cannot be used here", n.Op),
		"numbers have + - * /, integers also % and << >> by less than 64", "write a simpler expression")
}

// checked refuses results that no scalar holds.
func (v *evaluator) checked(n ast.Expr, c constant.Value) (operand, error) {
	f, _ := constant.Float64Val(c)
	if c.Kind() == constant.Unknown || math.IsInf(f, 0) || c.Kind() == constant.Int && math.Abs(f) >= 1<<64 {
		return operand{}, v.errorf(n, "out-of-range", "the result is out of range", "integers end at 2^64, others at 1.8e308", "use smaller numbers")
	}
	return numberOperand(c), nil
}

// number evaluates an operand of arithmetic.
func (v *evaluator) number(n ast.Expr) (constant.Value, error) {
	o, err := v.eval(n)
	if err != nil {
		return nil, err
	}
	if o.number == nil || o.number.Kind() != constant.Int && o.number.Kind() != constant.Float {
		what := "an array"
		if o.number != nil {
			what = "not a finite number"
		}
		return nil, v.errorf(n, "type-mismatch", "a number is needed here", "this is "+what, "use a scalar, such as A.rows or len(x)")
	}
	return o.number, nil
}
