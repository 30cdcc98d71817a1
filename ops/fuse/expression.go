package fuse

import (
	"fmt"
	"strings"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// deepExpression is how many operations on one another [Kernel.Expression] looks through.
const deepExpression = 12

// Expression is a whole number of the host program as an expression of Go over the kernel's parameters. What is
// computed otherwise, as by a computation, has the name that it has in the IR.
func (k *Kernel) Expression(a ir.Atom) string {
	return expression(analysis.Of(k.Func.Body), a, deepExpression)
}

func expression(defs analysis.Defs, a ir.Atom, deep int) string {
	if c, ok := a.(ir.Const); ok && c.Type().Kind.IsInteger() {
		return fmt.Sprint(c.Int())
	}
	if deep == 0 {
		return a.String()
	}
	of := func(a ir.Atom) string { return expression(defs, a, deep-1) }
	switch op := defs[a].(type) {
	case *ir.Len:
		return "len(" + of(op.X) + ")"
	case *ir.Convert:
		if op.X.Type().Kind.IsInteger() {
			return of(op.X)
		}
	case *ir.Index:
		return of(op.X) + "[" + of(op.I) + "]"
	case *ir.Binary:
		x, y := of(op.X), of(op.Y)
		switch op.Fn {
		case ir.Min, ir.Max:
			return fmt.Sprintf("%s(%s, %s)", op.Fn, x, y)
		case ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Rem:
			sign := map[ir.BinaryFn]string{ir.Add: "+", ir.Sub: "-", ir.Mul: "*", ir.Div: "/", ir.Rem: "%"}[op.Fn]
			return operand(x) + sign + operand(y)
		}
	}
	return a.String()
}

// operand is an expression inside another one.
func operand(text string) string {
	depth := 0
	for _, c := range text {
		switch {
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth--
		case depth == 0 && strings.ContainsRune("+-*/%", c):
			return "(" + text + ")"
		}
	}
	return text
}

// FeatureExpression says what a feature of a computation is, over the kernel's parameters.
func (k *Kernel) FeatureExpression(f Feature) string {
	rows := operand(k.Expression(f.Length))
	switch {
	case f.Probed > 0:
		return "counted in a few elements"
	case f.Inner != nil:
		return k.Expression(f.Inner)
	case f.Total != nil:
		return fmt.Sprintf("%s*%s/%s", rows, rows, operand(k.Expression(f.Total)))
	case f.Row != nil:
		return rows + "/" + operand(k.Expression(f.Row))
	case f.Offsets == nil:
		return k.Expression(f.Length)
	}
	of := f.Offsets.Name
	switch {
	case !strings.HasSuffix(f.Name, "average_row_length"):
		return "of the rows of " + of
	case f.Offsets.T.Rank > 1:
		return fmt.Sprintf("all elements of %s/%s", of, rows)
	}
	return fmt.Sprintf("(%s[%s]-%s[0])/%s", of, k.Expression(f.Length), of, rows)
}
