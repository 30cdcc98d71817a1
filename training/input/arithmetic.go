package input

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"math"
)

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

// binary is arithmetic on numbers: exact, by go/constant; integers divide as in Go.
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
	fits := !math.IsInf(f, 0)
	switch c.Kind() {
	case constant.Unknown:
		fits = false
	case constant.Int:
		_, signed := constant.Int64Val(c)
		_, unsigned := constant.Uint64Val(c)
		fits = signed || unsigned
	}
	if !fits {
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
