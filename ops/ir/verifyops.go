package ir

var checkArity = map[CheckKind]int{CheckIndex: 2, CheckLength: 2, CheckBounds: 3, CheckSize: 1, CheckNonzero: 1, CheckNonneg: 1, CheckCount: 2, CheckUnique: 3, CheckFinite: 1, CheckPanic: 1}

func (v *verifier) want(s *Stmt, got Atom, want Type, what string) {
	if got.Type() != want {
		v.errorf(s, "%s has type %s, want %s", what, got.Type(), want)
	}
}

// op returns the result types, or nil after reporting an error that makes them unknown.
func (v *verifier) op(s *Stmt) []Type {
	switch op := s.Op.(type) {
	case *Unary:
		t := op.X.Type()
		if k := op.Fn.Result(t.Kind); t.IsScalar() && k != Invalid {
			return []Type{Scalar(k)}
		}
		v.errorf(s, "%s of %s", op.Fn, t)
		return nil
	case *Binary:
		return v.binary(s, op)
	case *FMA:
		for _, a := range []Atom{op.X, op.Y, op.Z} {
			v.want(s, a, Scalar(Float64), "operand")
		}
		return []Type{Scalar(Float64)}
	case *Convert:
		if t := op.X.Type(); !t.IsScalar() || (t.Kind == Bool) != (op.To == Bool) || op.To == Invalid {
			v.errorf(s, "convert %s to %s", t, op.To)
			return nil
		}
		return []Type{Scalar(op.To)}
	case *Select:
		v.want(s, op.Cond, Scalar(Bool), "condition")
		v.want(s, op.Y, op.X.Type(), "second value")
		if !op.X.Type().IsScalar() {
			v.errorf(s, "select of %s", op.X.Type())
		}
		return []Type{op.X.Type()}
	case *Len:
		if op.X.Type().Rank == 0 {
			v.errorf(s, "len of a scalar")
		}
		return []Type{Scalar(Int)}
	case *Index:
		v.want(s, op.I, Scalar(Int), "index")
		if op.X.Type().Rank == 0 {
			v.errorf(s, "index of a scalar")
			return nil
		}
		return []Type{op.X.Type().Elem()}
	case *View:
		return v.view(s, op)
	case *Map:
		v.want(s, op.N, Scalar(Int), "length")
		if op.By != nil {
			if t := op.By.Type(); t.Rank == 0 || t.Rank == 1 && !t.Kind.IsInteger() {
				v.errorf(s, "rows by %s, which are neither offsets nor rows", op.By)
			}
		}
		v.body(s, op.Body, op.I)
		var ts []Type
		for _, r := range op.Body.Results {
			v.settled(s, r)
			ts = append(ts, r.Type().Array())
		}
		if len(ts) == 0 {
			v.errorf(s, "map yields nothing")
		}
		return ts
	case *Reduce:
		return v.fold(s, op.N, op.I, op.Body, op.Comb, op.Init, false)
	case *Scan:
		return v.fold(s, op.N, op.I, op.Body, op.Comb, op.Init, true)
	case *Scatter:
		v.want(s, op.N, Scalar(Int), "length")
		v.want(s, op.W, Scalar(Int), "length of the result")
		v.body(s, op.Body, op.I)
		return v.placed(s, op.Body)
	case *Hist:
		v.want(s, op.N, Scalar(Int), "length")
		v.want(s, op.W, Scalar(Int), "number of bins")
		v.body(s, op.Body, op.I)
		return v.hist(s, op)
	case *Sort:
		v.want(s, op.N, Scalar(Int), "length")
		v.body(s, op.Body, op.I)
		if ts := blockTypes(op.Body); len(ts) != 1 || !ts[0].IsScalar() || !ts[0].Kind.IsNumeric() {
			v.errorf(s, "sort by something else than one number")
		}
		return []Type{Seq(Int)}
	case *If:
		v.want(s, op.Cond, Scalar(Bool), "condition")
		v.branches(s, op)
		ts := blockTypes(op.Then)
		if !sameTypes(ts, blockTypes(op.Else)) {
			v.errorf(s, "branches yield different types")
		}
		return ts
	case *Loop:
		return v.loop(s, op)
	case *Alloc:
		v.want(s, op.N, Scalar(Int), "length")
		return []Type{Seq(op.Kind)}
	case *Update:
		v.want(s, op.I, Scalar(Int), "index")
		if op.X.Type().Rank == 0 {
			v.errorf(s, "update of a scalar")
			return nil
		}
		v.want(s, op.Value, op.X.Type().Elem(), "value")
		v.consume(s, op.X, "its update")
		return []Type{op.X.Type()}
	case *Grow:
		v.want(s, op.Keep, Scalar(Int), "number of elements to keep")
		v.want(s, op.N, Scalar(Int), "length")
		if made := v.growing[v.root(op.X)]; !made {
			v.errorf(s, "%s grows, and was not made to", op.X)
		}
		v.consume(s, op.X, "its growth")
		return []Type{op.X.Type()}
	case *Check:
		if n, ok := checkArity[op.Kind]; !ok || n != len(op.Args) {
			v.errorf(s, "check %s with %d arguments", op.Kind, len(op.Args))
		}
		for _, a := range op.Args {
			if t := a.Type(); !t.IsScalar() || t.Kind.IsNumeric() == (op.Kind == CheckPanic) {
				v.errorf(s, "check of %s", a.Type())
			}
		}
		return []Type{}
	case *Call:
		if op.Fn == "" || len(s.Dst) == 0 {
			v.errorf(s, "a call of a function without a name or without results")
			return nil
		}
		for _, d := range s.Dst {
			if !d.T.IsScalar() && op.Fn != v.f.Name { // a kernel that runs as it stands is called as a whole
				v.errorf(s, "%s yields %s, a sequence", op.Fn, d.Name)
			}
		}
		return varTypes(s.Dst)
	}
	v.errorf(s, "unknown node %T", s.Op)
	return nil
}

func (v *verifier) binary(s *Stmt, op *Binary) []Type {
	x, y := op.X.Type(), op.Y.Type()
	ok := x.IsScalar() && y.IsScalar()
	switch op.Fn {
	case Shl, Shr:
		ok = ok && x.Kind.IsInteger() && y.Kind.IsInteger()
	case RotateLeft:
		ok = ok && x.Kind.IsUnsigned() && y.Kind == Int
	case MulHigh:
		ok = ok && x == y && x.Kind == Uint64
	case Rem, AndNot:
		ok = ok && x == y && x.Kind.IsInteger()
	case And, Or, Xor:
		ok = ok && x == y && (x.Kind.IsInteger() || x.Kind == Bool)
	case Eq, Ne:
		ok = ok && x == y
	case Add, Sub, Mul, Div, Min, Max, Lt, Le, Gt, Ge:
		ok = ok && x == y && x.Kind.IsNumeric()
	case Fall, Rise:
		ok = ok && x == y && x.Kind.IsFloat()
	default:
		ok = ok && x == y && x.Kind.IsFloat() && op.Fn.GoMath() != ""
	}
	if !ok {
		v.errorf(s, "%s of %s and %s", op.Fn, x, y)
		return nil
	}
	if op.Fn.IsComparison() {
		return []Type{Scalar(Bool)}
	}
	return []Type{x}
}

func (v *verifier) view(s *Stmt, op *View) []Type {
	if n := viewArity[op.Fn]; n == 0 || n != len(op.Args) {
		v.errorf(s, "%s with %d arguments", op.Fn, len(op.Args))
		return nil
	}
	t := op.Args[0].Type()
	array := op.Fn != RangeOf && op.Fn != Replicate
	if array && t.Rank == 0 {
		v.errorf(s, "%s of a scalar", op.Fn)
		return nil
	}
	intSeq := func(a Atom) {
		if at := a.Type(); at.Rank != 1 || !at.Kind.IsInteger() {
			v.errorf(s, "%s needs a sequence of integers, not %s", op.Fn, at)
		}
	}
	switch op.Fn {
	case Nest:
		intSeq(op.Args[1])
		return []Type{t.Array()}
	case Grid:
		v.want(s, op.Args[1], Scalar(Int), "n")
		v.want(s, op.Args[2], Scalar(Int), "width")
		return []Type{t.Array()}
	case Split, Cyclic:
		v.want(s, op.Args[1], Scalar(Int), "size")
		return []Type{t.Array()}
	case Gather:
		intSeq(op.Args[1])
		return []Type{t}
	case Reverse:
		return []Type{t}
	case Striding:
		v.want(s, op.Args[1], Scalar(Int), "stride")
		return []Type{t}
	case RangeOf:
		v.want(s, op.Args[1], t, "end")
		v.want(s, op.Args[2], t, "stride")
		if !t.IsScalar() || !t.Kind.IsNumeric() {
			v.errorf(s, "range of %s", t)
		}
		return []Type{t.Array()}
	case Replicate:
		v.want(s, op.Args[1], Scalar(Int), "length")
		return []Type{t.Array()}
	case Slice:
		v.want(s, op.Args[1], Scalar(Int), "low bound")
		v.want(s, op.Args[2], Scalar(Int), "high bound")
		return []Type{t}
	case Flatten:
		if t.Rank < 2 {
			v.errorf(s, "flatten of %s", t)
			return nil
		}
		return []Type{t.Elem()}
	case Concat:
		v.want(s, op.Args[1], t, "second sequence")
		return []Type{t}
	case ConcatRow:
		v.want(s, op.Args[1], t, "second sequence")
		v.want(s, op.Args[2], Scalar(Int), "index")
		if t.Rank < 2 {
			v.errorf(s, "a row of %s", t)
			return nil
		}
		return []Type{t.Elem()}
	}
	return nil
}

func (v *verifier) body(s *Stmt, b *Block, i *Var) {
	v.turns++
	defer func() { v.turns-- }()
	v.bind(s, i)
	if i.T != Scalar(Int) {
		v.errorf(s, "index %s is not an int", i.Name)
	}
	v.block(b, i)
}

func (v *verifier) fold(s *Stmt, n Atom, i *Var, body *Block, comb *Lambda, init []Atom, arrays bool) []Type {
	v.want(s, n, Scalar(Int), "length")
	v.body(s, body, i)
	ts := blockTypes(body)
	for _, t := range ts {
		if !t.IsScalar() {
			v.errorf(s, "elements of type %s cannot be combined", t)
		}
	}
	v.comb(s, ts, comb, init)
	if len(ts) == 0 {
		v.errorf(s, "nothing is combined")
	}
	if arrays {
		for i := range ts {
			ts[i] = ts[i].Array()
		}
	}
	return ts
}

// comb checks the combining function and the initial values of a reduction of elements of types ts.
func (v *verifier) comb(s *Stmt, ts []Type, comb *Lambda, init []Atom) {
	if !sameTypes(ts, atomTypes(init)) {
		v.errorf(s, "initial values and elements differ in type")
	}
	for _, p := range comb.Params {
		v.bind(s, p)
	}
	if !sameTypes(varTypes(comb.Params), append(append([]Type(nil), ts...), ts...)) {
		v.errorf(s, "the combining function takes other types than the elements'")
	}
	v.block(comb.Body, comb.Params...)
	if !sameTypes(blockTypes(comb.Body), ts) {
		v.errorf(s, "the combining function yields other types than the elements'")
	}
}

// hist checks a Hist and returns its result types.
func (v *verifier) hist(s *Stmt, op *Hist) []Type {
	ts := blockTypes(op.Body)
	if len(ts) < 2 || ts[0] != Scalar(Int) {
		v.errorf(s, "the body yields no bin and element")
		return nil
	}
	var elems, arrays []Type
	for k, t := range ts[1:] {
		if t.Rank > 1 || t.Rank != ts[1].Rank {
			v.errorf(s, "elements of type %s cannot be placed", t)
			return nil
		}
		if t.Rank == 1 && op.Row() == nil {
			v.errorf(s, "row %d is not a result of the one Map of the body that yields rows", k)
			return nil
		}
		elems, arrays = append(elems, Scalar(t.Kind)), append(arrays, Seq(t.Kind))
	}
	v.comb(s, elems, op.Comb, op.Init)
	return arrays
}

// placed returns the result types of a node whose body yields a place, an int, and then elements.
func (v *verifier) placed(s *Stmt, b *Block) []Type {
	ts := blockTypes(b)
	if len(ts) < 2 || ts[0] != Scalar(Int) {
		v.errorf(s, "the body yields no place and element")
		return nil
	}
	var arrays []Type
	for _, t := range ts[1:] {
		if !t.IsScalar() {
			v.errorf(s, "elements of type %s cannot be placed", t)
		}
		arrays = append(arrays, t.Array())
	}
	return arrays
}

func (v *verifier) loop(s *Stmt, op *Loop) []Type {
	if (op.I == nil) == (op.Cond == nil) {
		v.errorf(s, "a loop counts or has a condition, not both")
		return nil
	}
	for i, a := range op.Init {
		if a.Type().Rank > 0 && (v.root(a) != nil || i < len(op.Params) && op.Params[i].T.Rank > 1) {
			v.consume(s, a, "a loop took it over")
		}
	}
	v.turns++
	defer func() { v.turns-- }()
	for i, p := range op.Params {
		v.bind(s, p)
		if p.T.Rank > 0 && i < len(op.Init) {
			v.own(p, v.root(op.Init[i]))
		}
	}
	ts := varTypes(op.Params)
	if !sameTypes(ts, atomTypes(op.Init)) {
		v.errorf(s, "loop parameters and initial values differ in type")
	}
	if op.I != nil {
		v.want(s, op.Lo, Scalar(Int), "low bound")
		v.want(s, op.Hi, Scalar(Int), "high bound")
		v.bind(s, op.I)
		v.block(op.Body, append([]*Var{op.I}, op.Params...)...)
	} else {
		v.block(op.Cond)
		if !sameTypes(blockTypes(op.Cond), []Type{Scalar(Bool)}) {
			v.errorf(s, "loop condition is not a bool")
		}
		v.block(op.Body, op.Params...)
	}
	for i, r := range op.Body.Results {
		if r.Type().Rank > 0 && i < len(op.Params) {
			if root := v.root(op.Params[i]); root != nil && v.root(r) != root {
				v.errorf(s, "the loop carries %s, and its body yields another array", op.Params[i].Name)
			}
		}
	}
	if !sameTypes(ts, blockTypes(op.Body)) {
		v.errorf(s, "loop body yields other types than the parameters'")
	}
	if op.Independent {
		v.independent(s, op)
	}
	return ts
}

// independent checks the form of a loop whose turns are independent. That they are is not checked here.
func (v *verifier) independent(s *Stmt, op *Loop) {
	if op.I == nil || !IsInt(op.Lo, 0) || len(op.Params) == 0 {
		v.errorf(s, "a loop of independent turns counts from 0, and updates something")
	}
	for _, p := range op.Params {
		if v.root(p) == nil {
			v.errorf(s, "a loop of independent turns carries %s, which is no array that the function made", p.Name)
		}
	}
}
