package load

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/ops/ir"
)

// operation is an operator call on its way to the IR.
type operation struct {
	name string
	call *ast.CallExpr
	args []value    // none of them bad
	typ  types.Type // of the result
}

// operators are the operators that are compiled, by their name in package ops. They return nil after reporting.
var operators map[string]func(*lowerer, *operation) []value

func init() { // not an initialiser: the functions refer to the table by way of calls
	operators = map[string]func(*lowerer, *operation) []value{
		"Map": (*lowerer).mapOp, "Map2": (*lowerer).mapOp, "Map3": (*lowerer).mapOp, "Map4": (*lowerer).mapOp,
		"Reduce": (*lowerer).reduceOp, "Scan": (*lowerer).scanOp, "InclusiveScan": (*lowerer).scanOp,
		"Zip": (*lowerer).zipOp, "Zip3": (*lowerer).zipOp, "Zip4": (*lowerer).zipOp,
		"Gather": (*lowerer).gatherOp, "Nest": (*lowerer).nestOp, "Split": (*lowerer).tileOp, "Cyclic": (*lowerer).tileOp,
		"Striding": (*lowerer).tileOp, "Reverse": (*lowerer).unaryView, "Flatten": (*lowerer).unaryView,
		"Concat": (*lowerer).concatOp, "Range": (*lowerer).rangeOp, "Replicate": (*lowerer).replicateOp,
		"Filter": (*lowerer).filterOp, "Partition": (*lowerer).filterOp, "Scatter": (*lowerer).scatterOp, "ScatterUnique": (*lowerer).scatterOp,
		"Histogram": (*lowerer).histogramOp, "SortByKey": (*lowerer).sortOp, "ReduceByKey": (*lowerer).reduceByKeyOp,
		"Join": (*lowerer).joinOp, "Join3": (*lowerer).joinOp, "Transpose": (*lowerer).transposeOp,
	}
}

func operatorNames() string {
	var names []string
	for n := range operators {
		names = append(names, n)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// operator lowers a call of package ops.
func (l *lowerer) operator(e *ast.CallExpr, name string) []value {
	lower := operators[name]
	if lower == nil {
		l.problem(e.Pos(), noOperator("ops."+name))
		return l.badCall(e)
	}
	op := &operation{name: name, call: e, typ: l.unit.info.TypeOf(e)}
	sig, ok := l.unit.info.TypeOf(e.Fun).(*types.Signature)
	if !ok {
		return l.badCall(e)
	}
	op.args = l.exprs(e.Args, sig.Params().Len())
	for i, a := range op.args {
		t := sig.Params().At(i).Type()
		if a.bad || isFunc(t) != (a.fn != nil) || !isFunc(t) && len(a.atoms) == 0 {
			return l.badCall(e)
		}
		if a.fn == nil {
			op.args[i].typ = t
		}
	}
	l.pos = e.Pos()
	l.ops++
	vs := lower(l, op)
	l.ops--
	if vs == nil {
		return l.badCall(e)
	}
	return vs
}

// argText is the source of argument i, for messages at run time.
func (op *operation) argText(i int) string {
	if i < len(op.call.Args) {
		return text(op.call.Args[i])
	}
	return text(op.call)
}

// length is the number of elements of a sequence.
func (l *lowerer) length(x value) ir.Atom {
	switch {
	case x.grid != nil:
		return x.grid.n
	case x.row != nil:
		return x.row
	case x.grows:
		return x.atoms[len(x.atoms)-1]
	}
	if n := l.gridLength(x.atoms[0]); n != nil {
		return n
	}
	return l.emit("n", ir.Scalar(ir.Int), &ir.Len{X: x.atoms[0]})
}

// sameLength checks that the arguments from number first on have the length of that one, and returns it.
func (l *lowerer) sameLength(op *operation, first int) ir.Atom {
	n := l.length(op.args[first])
	for i := first + 1; i < len(op.args); i++ {
		m := l.length(op.args[i])
		l.check(ir.CheckLength, op.name, op.argText(i), n, m)
	}
	return n
}

// paramName is the name that f gives its parameter i.
func paramName(f *funcValue, i int) string {
	params := f.params()
	if f.recv != nil {
		i++
	}
	if i < len(params) {
		if name := params[i].Name(); name != "" && name != "_" {
			return name
		}
	}
	return "e"
}

// named renames the made-up names of v's atoms.
func (l *lowerer) named(v value, name string) value {
	for i, a := range v.atoms {
		if x, ok := a.(*ir.Var); ok && l.auto[x] {
			x.Name = name
			if len(v.atoms) > 1 {
				x.Name = l.componentName(name, v.typ, i)
			}
			delete(l.auto, x)
		}
	}
	return v
}

// block lowers f in a block of its own and returns it with the values of f as results.
func (l *lowerer) block(f func() value) (*ir.Block, value) {
	var v value
	a := l.arm(func() { v = l.settled(f(), l.pos) })
	a.blk.Results = v.atoms
	return a.blk, v
}

// arrays binds one array for each scalar result of a block to a statement.
func (l *lowerer) arrays(name string, results []ir.Atom, op ir.Op) []ir.Atom {
	s := &ir.Stmt{Op: op}
	var out []ir.Atom
	for _, r := range results {
		v := &ir.Var{Name: name, T: r.Type().Array()}
		l.auto[v] = true
		s.Dst = append(s.Dst, v)
		out = append(out, v)
	}
	l.append(s)
	return out
}

// mapOp lowers Map, Map2, Map3 and Map4: args are the function, then the sequences.
func (l *lowerer) mapOp(op *operation) []value {
	f := op.args[0].fn
	n := l.sameLength(op, 1)
	i := &ir.Var{Name: "i", T: ir.Scalar(ir.Int)}
	body, v := l.block(func() value {
		var elems []value
		for k, x := range op.args[1:] {
			elem, _ := isSequence(x.typ)
			elems = append(elems, l.named(l.element(x, elem, i), paramName(f, k)))
		}
		return l.inline(f, elems, op.call.Args[0].Pos())[0]
	})
	if v.bad || len(v.atoms) == 0 {
		return nil
	}
	l.pos = op.call.Pos()
	return []value{{typ: op.typ, atoms: l.arrays("map", body.Results, &ir.Map{N: n, I: i, Body: body})}}
}

// fold lowers what Reduce and the scans share: args are the function, the sequence and the prefix.
func (l *lowerer) fold(op *operation) (n ir.Atom, i *ir.Var, body *ir.Block, comb *ir.Lambda, ok bool) {
	f, s, p := op.args[0].fn, op.args[1], op.args[2]
	for _, a := range p.atoms {
		if !a.Type().IsScalar() {
			l.problem(op.call.Pos(), notYet(CodeRows, "ops."+op.name+" of elements that are nested deeper than rows", "partial results are rows at most", "flatten the elements"))
			return nil, nil, nil, nil, false
		}
	}
	elem, _ := isSequence(s.typ)
	n = l.length(s)
	i = &ir.Var{Name: "i", T: ir.Scalar(ir.Int)}
	body, _ = l.block(func() value { return l.element(s, elem, i) })
	comb = &ir.Lambda{}
	operand := func(k int) value {
		v := value{typ: elem}
		name := paramName(f, k)
		for j, a := range p.atoms {
			x := &ir.Var{Name: name, T: a.Type()}
			if len(p.atoms) > 1 {
				x.Name = l.componentName(name, elem, j)
			}
			comb.Params = append(comb.Params, x)
			v.atoms = append(v.atoms, x)
		}
		return v
	}
	args := []value{operand(0), operand(1)}
	var v value
	comb.Body, v = l.block(func() value { return l.inline(f, args, op.call.Args[0].Pos())[0] })
	l.pos = op.call.Pos()
	return n, i, body, comb, !v.bad && len(v.atoms) == len(p.atoms)
}

func (l *lowerer) reduceOp(op *operation) []value {
	if op.args[2].atoms[0].Type().Rank == 1 {
		return l.reduceRowsOp(op)
	}
	n, i, body, comb, ok := l.fold(op)
	if !ok {
		return nil
	}
	init := op.args[2].atoms
	s := &ir.Stmt{Op: &ir.Reduce{N: n, I: i, Body: body, Comb: comb, Init: init}}
	out := value{typ: op.typ}
	for _, a := range init {
		v := &ir.Var{Name: "reduce", T: a.Type()}
		l.auto[v] = true
		s.Dst = append(s.Dst, v)
		out.atoms = append(out.atoms, v)
	}
	l.append(s)
	return []value{out}
}

func (l *lowerer) scanOp(op *operation) []value {
	if op.args[2].atoms[0].Type().Rank == 1 {
		return l.scanRowsOp(op)
	}
	n, i, body, comb, ok := l.fold(op)
	if !ok {
		return nil
	}
	scan := &ir.Scan{N: n, I: i, Body: body, Comb: comb, Init: op.args[2].atoms, Inclusive: op.name == "InclusiveScan"}
	return []value{{typ: op.typ, atoms: l.arrays("scan", scan.Init, scan)}}
}

// zipOp lowers Zip, Zip3 and Zip4: a sequence of tuples is the sequences themselves.
func (l *lowerer) zipOp(op *operation) []value {
	l.sameLength(op, 0)
	v := value{typ: op.typ}
	for _, a := range op.args {
		v.atoms = append(v.atoms, a.atoms...)
	}
	return []value{v}
}

// view emits the same view of every array of x.
func (l *lowerer) view(op *operation, fn ir.ViewFn, x value, nested bool, more ...ir.Atom) []value {
	v := value{typ: op.typ}
	for _, a := range x.atoms {
		t := a.Type()
		switch {
		case nested:
			t = t.Array()
		case fn == ir.Flatten:
			t = t.Elem()
		}
		v.atoms = append(v.atoms, l.emit(string(fn), t, &ir.View{Fn: fn, Args: append([]ir.Atom{a}, more...)}))
	}
	return []value{v}
}

func (l *lowerer) gatherOp(op *operation) []value {
	return l.view(op, ir.Gather, op.args[0], false, op.args[1].atoms[0])
}

// nestOp lowers Nest. That the offsets stay in range and do not decrease is checked where rows are used; that there is
// at least one must be known before, as the number of rows is one less.
func (l *lowerer) nestOp(op *operation) []value {
	offsets := op.args[1].atoms[0]
	n := l.length(op.args[1])
	l.check(ir.CheckSize, op.name, op.argText(1), n)
	return l.view(op, ir.Nest, op.args[0], true, offsets)
}

// tileOp lowers Split, Cyclic and Striding, whose second argument must be positive.
func (l *lowerer) tileOp(op *operation) []value {
	size := op.args[1].atoms[0]
	if c, ok := size.(ir.Const); !ok {
		l.check(ir.CheckSize, op.name, op.argText(1), size)
	} else if c.Int() <= 0 {
		l.constantProblem(op, 1, "it must be positive")
		return nil
	}
	fn := map[string]ir.ViewFn{"Split": ir.Split, "Cyclic": ir.Cyclic, "Striding": ir.Striding}[op.name]
	return l.view(op, fn, op.args[0], fn != ir.Striding, size)
}

// constantProblem reports the constant argument i, which breaks the rule.
func (l *lowerer) constantProblem(op *operation, i int, rule string) {
	pos, name := op.call.Pos(), "an argument"
	if i < len(op.call.Args) {
		pos = op.call.Args[i].Pos()
	}
	if sig, ok := l.unit.info.TypeOf(op.call.Fun).(*types.Signature); ok && i < sig.Params().Len() {
		name = sig.Params().At(i).Name()
	}
	c, _, _ := strings.Cut(op.args[i].atoms[0].String(), ":")
	l.problem(pos, problem{CodeConstant, name + " of ops." + op.name + " is " + c, "the call can only fail: " + rule, "pass another value"})
}

func (l *lowerer) unaryView(op *operation) []value {
	fn := map[string]ir.ViewFn{"Reverse": ir.Reverse, "Flatten": ir.Flatten}[op.name]
	return l.view(op, fn, op.args[0], false)
}

func (l *lowerer) concatOp(op *operation) []value {
	v := value{typ: op.typ}
	for i, a := range op.args[0].atoms {
		v.atoms = append(v.atoms, l.emit("concat", a.Type(), &ir.View{Fn: ir.Concat, Args: []ir.Atom{a, op.args[1].atoms[i]}}))
	}
	return []value{v}
}

func (l *lowerer) rangeOp(op *operation) []value {
	start, end, stride := op.args[0].atoms[0], op.args[1].atoms[0], op.args[2].atoms[0]
	if c, ok := stride.(ir.Const); !ok {
		l.check(ir.CheckNonzero, op.name, op.argText(2), stride)
	} else if c.Kind.IsFloat() && c.Float() == 0 || c.Bits == 0 {
		l.constantProblem(op, 2, "a range needs a step")
		return nil
	}
	t := start.Type().Array()
	return []value{{typ: op.typ, atoms: []ir.Atom{l.emit("range", t, &ir.View{Fn: ir.RangeOf, Args: []ir.Atom{start, end, stride}})}}}
}

func (l *lowerer) replicateOp(op *operation) []value {
	n := op.args[1].atoms[0]
	if c, ok := n.(ir.Const); !ok {
		l.check(ir.CheckNonneg, op.name, op.argText(1), n)
	} else if c.Int() < 0 {
		l.constantProblem(op, 1, "a length must not be negative")
		return nil
	}
	v := value{typ: op.typ}
	for _, a := range op.args[0].atoms {
		v.atoms = append(v.atoms, l.emit("replicate", a.Type().Array(), &ir.View{Fn: ir.Replicate, Args: []ir.Atom{a, n}}))
	}
	return []value{v}
}
