package load

import (
	"github.com/surge-ndp/surge/ops/ir"
)

// Rows that are combined position by position are combined by a function of their elements: a reduction of rows is a
// Map of reductions, a scan of rows a Map of scans, with the positions outside.

// pointwise turns a function of two rows that combines them position by position, by Maps over both, into the function
// of their elements. It returns nil for any other function, and for one that may yield a row of another length.
func pointwise(rows *ir.Lambda) *ir.Lambda {
	p := pointwiser{elements: map[ir.Atom]ir.Atom{}, length: map[ir.Atom]ir.Atom{}, same: map[ir.Atom]ir.Atom{}, inside: map[*ir.Var]bool{}}
	out := &ir.Lambda{Body: &ir.Block{}}
	half := len(rows.Params) / 2
	for i, param := range rows.Params {
		e := &ir.Var{Name: param.Name, T: param.T.Elem()}
		out.Params = append(out.Params, e)
		p.elements[param] = e
		p.inside[param] = true
		p.unite(param, rows.Params[i/half*half]) // the fields of a struct
	}
	for _, s := range rows.Body.Stmts {
		for _, d := range s.Dst {
			p.inside[d] = true
		}
		if !p.stmt(s, out.Body) {
			return nil
		}
	}
	for _, r := range rows.Body.Results {
		e := p.elements[r]
		if e == nil || p.root(r) != p.root(rows.Params[0]) || p.root(r) != p.root(rows.Params[half]) {
			return nil
		}
		out.Body.Results = append(out.Body.Results, e)
	}
	for _, v := range ir.Free(out.Body) {
		if p.inside[v] {
			return nil // another use of the rows
		}
	}
	return out
}

type pointwiser struct {
	elements map[ir.Atom]ir.Atom // of a row, the element at the position at hand
	length   map[ir.Atom]ir.Atom // of a length, the row that has it
	same     map[ir.Atom]ir.Atom // of a row, another one of that length, up to a root
	inside   map[*ir.Var]bool    // rows, lengths and positions: they do not exist for elements
}

// stmt adds what a statement does at one position to body; false says that it does more.
func (p *pointwiser) stmt(s *ir.Stmt, body *ir.Block) bool {
	switch op := s.Op.(type) {
	case *ir.Len:
		p.length[s.Dst[0]] = op.X
		return true
	case *ir.Check:
		// The rows are as long as the result; the caller checks that.
		if op.Kind != ir.CheckLength || p.length[op.Args[0]] == nil || p.length[op.Args[1]] == nil {
			return false
		}
		p.unite(p.length[op.Args[0]], p.length[op.Args[1]])
		return true
	case *ir.Binary, *ir.Unary, *ir.FMA, *ir.Convert, *ir.Select: // of what is the same at all positions
		body.Stmts = append(body.Stmts, s)
		return true
	case *ir.Map:
		row := p.length[op.N]
		if row == nil || p.elements[row] == nil {
			return false
		}
		p.inside[op.I] = true
		sub := ir.Subst{}
		inner := &ir.Block{Results: op.Body.Results}
		for _, t := range op.Body.Stmts {
			if x, ok := t.Op.(*ir.Index); ok && x.I == ir.Atom(op.I) && p.elements[x.X] != nil {
				sub[t.Dst[0]] = p.elements[x.X]
				continue
			}
			inner.Stmts = append(inner.Stmts, t)
		}
		replaceAll(inner, sub)
		body.Stmts = append(body.Stmts, inner.Stmts...)
		for i, d := range s.Dst {
			p.elements[d] = sub.Atom(inner.Results[i])
			p.unite(d, row)
		}
		return true
	}
	return false
}

func (p *pointwiser) root(row ir.Atom) ir.Atom {
	for p.same[row] != nil {
		row = p.same[row]
	}
	return row
}

func (p *pointwiser) unite(x, y ir.Atom) {
	if x, y = p.root(x), p.root(y); x != y {
		p.same[x] = y
	}
}

func replaceAll(b *ir.Block, sub ir.Subst) {
	for _, s := range b.Stmts {
		for _, a := range ir.Operands(s.Op) {
			*a = sub.Atom(*a)
		}
		for _, c := range ir.Blocks(s.Op) {
			replaceAll(c, sub)
			for i := range c.Results {
				c.Results[i] = sub.Atom(c.Results[i])
			}
		}
	}
}

// rowElement emits element d of row i of each component of s, whose rows are width long.
func (l *lowerer) rowElement(op *operation, s value, width, i, d ir.Atom) []ir.Atom {
	var es []ir.Atom
	for _, a := range s.atoms {
		row := l.at("row", a, i)
		l.check(ir.CheckLength, op.name, op.argText(1), width, l.emit("n", intType, &ir.Len{X: row}))
		es = append(es, l.at("e", row, d))
	}
	return es
}

// startOf emits element d of the row that a reduction of rows starts from.
func (l *lowerer) startOf(p value, d ir.Atom) []ir.Atom {
	var init []ir.Atom
	for _, a := range p.atoms {
		init = append(init, l.at("p", a, d))
	}
	return init
}

// reduceRowsOp lowers Reduce of rows that are combined position by position: a map of reductions.
func (l *lowerer) reduceRowsOp(op *operation) []value {
	f, s, p := op.args[0].fn, op.args[1], op.args[2]
	elem, _ := isSequence(s.typ)
	comb := l.elementwise(op, f, elem, s)
	if comb == nil {
		return nil
	}
	n, width := l.length(s), l.length(p)
	out := l.mapped("sums", width, func(d *ir.Var) []ir.Atom {
		init := l.startOf(p, d)
		i, body := l.over(func(i *ir.Var) []ir.Atom { return l.rowElement(op, s, width, i, d) })
		st := &ir.Stmt{Op: &ir.Reduce{N: n, I: i, Body: body, Comb: comb, Init: init}}
		var sums []ir.Atom
		for _, a := range init {
			v := &ir.Var{Name: "sum", T: a.Type()}
			l.auto[v] = true
			st.Dst = append(st.Dst, v)
			sums = append(sums, v)
		}
		l.append(st)
		return sums
	})
	return []value{{typ: op.typ, atoms: out}}
}

// scanRowsOp lowers a scan of rows that are combined position by position: a map of scans gives the columns, and
// another map the rows.
func (l *lowerer) scanRowsOp(op *operation) []value {
	f, s, p := op.args[0].fn, op.args[1], op.args[2]
	elem, _ := isSequence(s.typ)
	comb := l.elementwise(op, f, elem, s)
	if comb == nil {
		return nil
	}
	inclusive := op.name == "InclusiveScan"
	n, width := l.length(s), l.length(p)
	columns := l.mapped("columns", width, func(d *ir.Var) []ir.Atom {
		init := l.startOf(p, d)
		i, body := l.over(func(i *ir.Var) []ir.Atom {
			if inclusive {
				return l.rowElement(op, s, width, i, d)
			}
			// The last row enters nothing, and may have any length.
			enters := l.bin("enters", ir.Lt, l.bin("next", ir.Add, i, oneInt), n)
			var es []ir.Atom
			for k, a := range s.atoms {
				one := value{atoms: s.atoms[k : k+1]}
				t := a.Type().Elem().Elem()
				es = append(es, l.cond("e", t, enters, func() ir.Atom { return l.rowElement(op, one, width, i, d)[0] }, func() ir.Atom { return zeroConst(t.Kind) }))
			}
			return es
		})
		return l.arrays("scan", init, &ir.Scan{N: n, I: i, Body: body, Comb: comb, Init: init, Inclusive: inclusive})
	})
	out := l.mapped("scan", n, func(i *ir.Var) []ir.Atom {
		return l.mapped("row", width, func(d *ir.Var) []ir.Atom {
			var es []ir.Atom
			for _, c := range columns {
				es = append(es, l.at("e", l.at("column", c, d), i))
			}
			return es
		})
	})
	return []value{{typ: op.typ, atoms: out}}
}
