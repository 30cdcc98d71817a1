package load

import (
	"go/types"
	"math"

	"github.com/surge-ndp/surge/ops/ir"
)

// combination lowers the function of two elements of type elem to a lambda over their components.
func (l *lowerer) combination(op *operation, f *funcValue, elem types.Type, kinds []ir.Type) *ir.Lambda {
	comb := &ir.Lambda{}
	operand := func(k int) value {
		v := value{typ: elem}
		name := paramName(f, k)
		for j, t := range kinds {
			x := &ir.Var{Name: name, T: t}
			if len(kinds) > 1 {
				x.Name = l.componentName(name, elem, j)
			}
			comb.Params = append(comb.Params, x)
			v.atoms = append(v.atoms, x)
		}
		return v
	}
	args := []value{operand(0), operand(1)}
	var v value
	pos := l.pos
	comb.Body, v = l.block(func() value { return l.inline(f, args, op.call.Args[0].Pos())[0] })
	l.pos = pos
	if v.bad || len(v.atoms) != len(kinds) {
		return nil
	}
	return comb
}

// histogramOp lowers Histogram(op, n, keys, s, p).
func (l *lowerer) histogramOp(op *operation) []value {
	f, w, keys, s, p := op.args[0].fn, op.args[1].atoms[0], op.args[2], op.args[3], op.args[4]
	if c, ok := w.(ir.Const); !ok {
		l.check(ir.CheckNonneg, op.name, op.argText(1), w)
	} else if c.Int() < 0 {
		l.constantProblem(op, 1, "a length must not be negative")
		return nil
	}
	n := l.length(keys)
	l.check(ir.CheckLength, op.name, op.argText(3), n, l.length(s))
	elem, _ := isSequence(s.typ)
	comb := l.elementwise(op, f, elem, s)
	if comb == nil {
		return nil
	}
	if s.atoms[0].Type().Rank == 2 {
		return l.rowHistogram(op, comb, n)
	}
	i, body := l.over(func(i *ir.Var) []ir.Atom {
		bin := l.toInt(l.at("bin", keys.atoms[0], i))
		l.check(ir.CheckIndex, op.name, op.argText(2), bin, w)
		return append([]ir.Atom{bin}, l.element(s, elem, i).atoms...)
	})
	return []value{{typ: op.typ, atoms: l.arrays("histogram", p.atoms, &ir.Hist{N: n, W: w, I: i, Body: body, Comb: comb, Init: p.atoms})}}
}

// rowHistogram lowers a Histogram of rows, which are combined position by position: the bins lie one behind the other.
func (l *lowerer) rowHistogram(op *operation, comb *ir.Lambda, n ir.Atom) []value {
	w, keys, s, p := op.args[1].atoms[0], op.args[2], op.args[3], op.args[4]
	var init []ir.Atom
	for _, a := range p.atoms {
		start, _ := a.(*ir.Var)
		view := l.views[start]
		if view == nil || view.Fn != ir.Replicate {
			l.problem(op.call.Args[4].Pos(), notYet(CodeRows, "ops.Histogram of rows that starts from a row of different values", "each worker starts its own bins, and only a value that is the same at every position needs no row for that",
				"start from ops.Replicate(x, d), and combine the other row with the result in an ops.Map"))
			return nil
		}
		init = append(init, view.Args[0])
	}
	width := l.length(p)
	// The largest int stands for a product that is none: that much memory is refused.
	most := l.bin("most", ir.Div, ir.IntConst(ir.Int, math.MaxInt64), l.bin("m", ir.Max, width, oneInt))
	size := l.selected("size", l.bin("large", ir.Gt, w, most), ir.IntConst(ir.Int, math.MaxInt64), l.bin("size", ir.Mul, w, width))
	i, body := l.over(func(i *ir.Var) []ir.Atom {
		bin := l.toInt(l.at("bin", keys.atoms[0], i))
		l.check(ir.CheckIndex, op.name, op.argText(2), bin, w)
		at := l.bin("at", ir.Mul, bin, width) // before the row, which is combined there as it is computed
		var rows []ir.Atom
		for _, a := range s.atoms {
			row := l.at("row", a, i)
			l.check(ir.CheckLength, op.name, op.argText(3), width, l.emit("n", intType, &ir.Len{X: row}))
			rows = append(rows, row)
		}
		out := l.mapped("row", width, func(j *ir.Var) []ir.Atom {
			var es []ir.Atom
			for _, row := range rows {
				es = append(es, l.at("e", row, j))
			}
			return es
		})
		return append([]ir.Atom{at}, out...)
	})
	flat := l.arrays("histogram", init, &ir.Hist{N: n, W: size, I: i, Body: body, Comb: comb, Init: init})
	v := value{typ: op.typ}
	for _, a := range flat { // the bins as rows
		v.atoms = append(v.atoms, l.mapped("bins", w, func(b *ir.Var) []ir.Atom {
			first := l.bin("first", ir.Mul, b, width)
			return l.mapped("bin", width, func(j *ir.Var) []ir.Atom { return []ir.Atom{l.at("e", a, l.bin("at", ir.Add, first, j))} })
		})...)
	}
	return []value{v}
}
