package lower

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
	"github.com/surge-ndp/surge/selector"
)

// Computation lowers computation c of k as variant v says; v's launch parameters are ignored. The error is a *[Veto] if
// the choice of parameters cannot be realised.
func Computation(k *fuse.Kernel, c *fuse.Computation, v selector.Variant, name string) (f *kir.Func, err error) {
	levels, err := plan(c.Sequence, v)
	if err != nil {
		return nil, err
	}
	defer recoverVeto(&err)
	l := newLowerer(k, levels)
	l.hoisted = k.HoistedChecks()
	for _, b := range ir.Blocks(c.Stmt.Op) {
		for s := range deadIn(b, nil, l.hoisted) {
			l.skip[s] = true
		}
		maps.Copy(l.checked, checkedIndices(b, l.hoisted))
	}
	l.atTop = once(c.Stmt)
	l.withRooms(func() { l.top(c.Stmt) })
	return &kir.Func{Name: name, Body: l.body}, nil
}

// once reports whether a computation has one element: it is code of the kernel's top level.
func once(s *ir.Stmt) bool {
	m, ok := s.Op.(*ir.Map)
	if !ok {
		return false
	}
	n, isConst := m.N.(ir.Const)
	return isConst && n.Int() == 1
}

// Inspector lowers the checks of computation c that depend on the kernel's inputs alone: a parallel loop that fails the
// run at the first offence. It returns nil if there are none.
func Inspector(k *fuse.Kernel, c *fuse.Computation, name string) (f *kir.Func, err error) {
	s := k.Inspection(c)
	if s == nil {
		return nil, nil
	}
	defer recoverVeto(&err)
	levels := make([]level, len(c.Sequence)+1)
	for i := range levels {
		levels[i] = level{pool: i == 0, width: 1, unroll: 1}
	}
	l := newLowerer(k, levels)
	l.atTop = once(c.Stmt)
	l.top(s)
	return &kir.Func{Name: name, Body: kir.Prune(l.body)}, nil
}

// Host lowers top-level statements that are not computations: lengths, checks, scalars between computations.
func Host(k *fuse.Kernel, stmts []*ir.Stmt) (body []kir.Stmt, err error) {
	defer recoverVeto(&err)
	l := newLowerer(k, nil)
	l.atTop = true
	for _, s := range stmts {
		l.stmt(s, l.env, 0)
		for _, d := range s.Dst {
			if d.T.IsScalar() {
				v, _ := l.env.get(d)
				l.emit(&kir.Result{Name: HostName(d), X: v.x})
			}
		}
	}
	return kir.Prune(l.body), nil
}

// RowOffsets lowers the computation of the row offsets of a nested result whose rows differ in length: it fills
// offsets[1:] given offsets[0] = 0. It returns nil if the result is not nested or its rows are of one length.
func RowOffsets(k *fuse.Kernel, c *fuse.Computation, result int) (body []kir.Stmt, err error) {
	m, ok := c.Stmt.Op.(*ir.Map)
	if !ok || c.Stmt.Dst[result].T.Rank < 2 {
		return nil, nil
	}
	n := innerLength(m, result)
	if _, regular := regularRow(m, n); regular {
		return nil, nil
	}
	defer recoverVeto(&err)
	l := newLowerer(k, []level{{width: 1, unroll: 1}, {width: 1, unroll: 1}, {width: 1, unroll: 1}, {width: 1, unroll: 1}})
	l.hoisted = k.HoistedChecks()
	off := l.global(RowOffsetsName(c.Stmt.Dst[result]), ir.Int)
	sum := l.fresh("sum", kir.Int)
	l.emit(&kir.Let{V: sum, X: intConst(0)})
	i := l.fresh(m.I.Name, kir.Int)
	loop := &kir.For{V: i, Lo: intConst(0), Hi: l.atom(m.N, l.env).x, Step: 1}
	l.inside(&loop.Body, func() {
		e := l.env.child()
		e.m[m.I] = scalar(&kir.Ref{V: i})
		b := fuse.Slice(m.Body, n, l.hoisted)
		r := l.block(b, e, 1)
		l.emit(&kir.Set{V: sum, X: add(&kir.Ref{V: sum}, r[0].x)})
		l.emit(&kir.Store{A: off, I: add(&kir.Ref{V: i}, intConst(1)), X: &kir.Ref{V: sum}})
	})
	l.emit(loop)
	return kir.Prune(l.body), nil
}

func recoverVeto(err *error) {
	switch r := recover().(type) {
	case nil:
	case *Veto:
		*err = r
	default:
		panic(r)
	}
}

// HostName is the name of a host scalar or a stored sequence in generated code.
func HostName(v *ir.Var) string { return identifier(v.Name) }

// RowOffsetsName is the name of the row offsets of a stored nested sequence.
func RowOffsetsName(v *ir.Var) string { return identifier(v.Name) + rowOffsets }

// IsRowOffsetsOf reports whether offsets is the name of the row offsets of the nested sequence that is stored under a name.
func IsRowOffsetsOf(offsets, name string) bool { return offsets == name+rowOffsets }

// StructsName is the name of a sequence of structs whose numbers are read or written where they lie.
func StructsName(name string) string { return identifier(name) + structs }

// rowOffsets ends the names of row offsets, and structs those of sequences of structs, and no others.
const (
	rowOffsets = "Rows"
	structs    = "Structs"
)

// EnvPrefix begins the names of the frame's fields that are none of the kernel's values.
const EnvPrefix = "surgeEnv"

// identifier makes an IR name a Go identifier, different names staying different: a suffix .3 becomes _3, and names that
// end like that already, or mean something in Go or in generated code, get an underscore more.
func identifier(name string) string {
	base, suffix, dotted := strings.Cut(name, ".")
	if trimmed := strings.TrimRight(base, "_"); isReserved[trimmed] || endsInNumber(trimmed) ||
		strings.HasSuffix(trimmed, rowOffsets) || strings.HasSuffix(trimmed, structs) || strings.HasPrefix(trimmed, EnvPrefix) {
		base += "_"
	}
	if dotted {
		return base + "_" + suffix
	}
	return base
}

// endsInNumber reports whether name ends in an underscore and digits.
func endsInNumber(name string) bool {
	digits := strings.TrimRight(name, "0123456789")
	return digits != name && strings.HasSuffix(digits, "_")
}

// innerLength returns the length of row `result` of a Map that yields sequences.
func innerLength(m *ir.Map, result int) ir.Atom {
	if v, ok := m.Body.Results[result].(*ir.Var); ok {
		if made := ir.Allocs(m.Body)[v]; made != nil {
			return made.Op.(*ir.Alloc).N
		}
	}
	for _, s := range m.Body.Stmts {
		for _, d := range s.Dst {
			if ir.Atom(d) == m.Body.Results[result] {
				if n := ir.ResultLength(s.Op); n != nil {
					return n
				}
			}
		}
	}
	veto("rows that are not computed by an operator are not stored yet")
	return nil
}

// regularRow returns the row length if it is known outside of the Map.
func regularRow(m *ir.Map, n ir.Atom) (ir.Atom, bool) {
	v, ok := n.(*ir.Var)
	if !ok {
		return n, true
	}
	for _, s := range m.Body.Stmts {
		for _, d := range s.Dst {
			if d == v {
				return nil, false
			}
		}
	}
	return n, v != m.I
}

type lowerer struct {
	k       *fuse.Kernel
	levels  []level
	env     *env
	body    []kir.Stmt
	out     *[]kir.Stmt
	names   map[string]int
	globals map[string]*kir.Array
	hoisted map[*ir.Check]bool
	checked map[*ir.Stmt]bool  // conversions of indices that are not negative
	dest    map[*ir.Var]*array // where an inner operator puts its results
	defs    analysis.Defs
	skip    map[*ir.Stmt]bool    // statements that another one absorbs
	rows    map[*ir.Stmt]*binRow // Maps whose elements are combined into bins
	allocs  map[*ir.Var]*ir.Stmt // what made the arrays that are updated in place
	carried map[*ir.Var]*carried // the sequences that loops carry, by their parameters
	twofold map[*ir.Var]bool     // see twofold

	// State of the vector loop around the current position; width is 1 outside of one.
	width       int
	laneLevel   int
	laneIndex   *ir.Var // the index of the Map on lanes that is computed in tiles
	preheader   *[]kir.Stmt
	serial      map[*kir.Var]int // order of declaration
	mark        int              // what was declared up to here is outside of the vector loop
	splats      map[splatKey]kir.Expr
	constSplats map[constKey]kir.Expr
	strips      map[*ir.Stmt]value      // strip gathers, by their Index statement
	fields      *fieldStrips            // of the strip of elements around the current position, nil outside of one
	same        map[*ir.Stmt]ir.Atom    // statements whose result is known to be another value
	packed      map[*ir.Stmt]packedRead // reads of packed rows
	takes       bool                    // the preheader takes scratch memory
	clamps      map[*ir.Stmt]clamp      // clamps that have no effect in the vector loop

	on       runner   // what runs the statements
	active   kir.Expr // the mask of the lanes that run the current branch or loop, nil for all
	rooms    []*room  // scratch memory of the function around the current position
	guarded  bool     // what was lowered must not run if no lane is active
	scratch  bool     // lanes took scratch memory
	versions int      // loops around the current position that exist in two versions
	marked   *mark    // the loop around the current position whose turns run in lanes, nil for none
	atTop    bool     // the code is that of the kernel's top level: no chunks of elements end between which a run can stop
	loops    int      // sequential loops around the current position
}

func newLowerer(k *fuse.Kernel, levels []level) *lowerer {
	l := &lowerer{serial: map[*kir.Var]int{}, k: k, levels: levels, names: map[string]int{}, globals: map[string]*kir.Array{}, width: 1,
		dest: map[*ir.Var]*array{}, rows: map[*ir.Stmt]*binRow{}, defs: analysis.Of(k.Func.Body), skip: map[*ir.Stmt]bool{}, hoisted: map[*ir.Check]bool{}, checked: map[*ir.Stmt]bool{}}
	for _, s := range reserved {
		l.names[s] = 1
	}
	l.out, l.on = &l.body, &worker{l}
	l.env = (*env)(nil).child()
	l.allocs = ir.Allocs(k.Func.Body)
	l.carried, l.twofold = map[*ir.Var]*carried{}, twofold(k.Func.Body, l.allocs)
	for _, p := range k.Func.Params {
		l.bindStored(p, nil)
	}
	for _, s := range k.Func.Body.Stmts {
		for i, d := range s.Dst {
			if d.T.IsScalar() {
				l.names[HostName(d)]++
				l.env.m[d] = scalar(&kir.Ref{V: &kir.Var{Name: HostName(d), T: kir.ScalarType(d.T.Kind), Host: true}})
				continue
			}
			switch op := s.Op.(type) {
			case *ir.Map, *ir.Scan, *ir.Scatter, *ir.Hist, *ir.Sort:
				l.bindStored(d, storedRows(s, i))
			case *ir.View:
				if op.Fn == ir.Flatten {
					inner, _ := l.env.get(op.Args[0].(*ir.Var))
					l.env.m[d] = value{arr: &array{a: inner.arr.a, n: &kir.Length{A: inner.arr.a}}}
				}
			}
		}
	}
	return l
}

// storedRows says how the rows of nested result i of a top-level Map are laid out: nil for flat results.
func storedRows(s *ir.Stmt, i int) *rows {
	m, ok := s.Op.(*ir.Map)
	if !ok || s.Dst[i].T.Rank < 2 {
		return nil
	}
	r := &rows{}
	if n, regular := regularRow(m, innerLength(m, i)); regular {
		r.length = n
	}
	return r
}

// reserved are names that generated functions use themselves.
var reserved = []string{"f", "e", "w", "p", "env", "vec", "rt", "math", "exec", "selector", "len", "min", "max", "unsafe", "ctx",
	"break", "case", "chan", "const", "continue", "default", "defer", "else", "fallthrough", "for", "func", "go", "goto", "if", "import",
	"interface", "map", "package", "range", "return", "select", "struct", "switch", "type", "var", "int", "true", "false", "float64", "float32",
	"int8", "int16", "int32", "int64", "uint16", "bits", "ok", "bad", "mark", "turnsLeft", "l", "frame", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "bool", "any", "error", "nil", "append", "cap", "copy", "make", "new", "panic", "string", "uint8", "uint32", "uint64", "uint"}

var isReserved = func() map[string]bool {
	m := map[string]bool{}
	for _, s := range reserved {
		m[s] = true
	}
	return m
}()

// bindStored enters a sequence that lives in the frame.
func (l *lowerer) bindStored(v *ir.Var, r *rows) {
	name := HostName(v)
	if v.T.IsScalar() {
		l.names[name]++
		l.env.m[v] = scalar(&kir.Ref{V: &kir.Var{Name: name, T: kir.ScalarType(v.T.Kind), Host: true}})
		return
	}
	a := l.global(name, v.T.Kind)
	a.Field = l.fieldOf(v)
	arr := &array{a: a, n: &kir.Length{A: a}}
	if v.T.Rank == 2 {
		if r == nil {
			r = &rows{}
		}
		if r.length == nil {
			r.offsets = l.global(RowOffsetsName(v), ir.Int)
		}
		arr.rows = r
	}
	l.env.m[v] = value{arr: arr}
}

func (l *lowerer) global(name string, k ir.Kind) *kir.Array {
	if a := l.globals[name]; a != nil {
		return a
	}
	a := &kir.Array{Name: name, Kind: k, Space: kir.Global}
	l.globals[name] = a
	l.names[name]++
	return a
}

// emit appends a statement.
func (l *lowerer) emit(s kir.Stmt) { *l.out = append(*l.out, s) }

// store emits a store that all who run the code have come to: one of them makes it.
func (l *lowerer) store(s *kir.Store) { l.on.ifLeader(func() { l.emit(s) }) }

// inside runs f with statements going to out.
func (l *lowerer) inside(out *[]kir.Stmt, f func()) {
	old := l.out
	l.out = out
	f()
	l.out = old
}

func (l *lowerer) fresh(base string, t kir.Type) *kir.Var {
	v := &kir.Var{Name: l.name(base), T: t}
	l.serial[v] = len(l.serial) + 1
	return v
}

func (l *lowerer) name(base string) string {
	for i := range base {
		if base[i] == '.' {
			base = base[:i]
			break
		}
	}
	if n := len(base); n > 0 && base[n-1] >= '0' && base[n-1] <= '9' {
		base += "_"
	}
	if base == "r" && l.names[base] > 0 { // r1, r2, … are the printer's, for what parallel regions are given
		base = "r_"
	}
	for {
		k := l.names[base]
		l.names[base] = k + 1
		name := base
		if k > 0 {
			name = base + strconv.Itoa(k+1)
			if l.names[name] > 0 {
				continue
			}
			l.names[name] = 1
		}
		return name
	}
}

// letExpr binds x to a variable unless it is a variable or constant already.
func (l *lowerer) letExpr(base string, x kir.Expr) kir.Expr {
	switch x.(type) {
	case *kir.Ref, *kir.Const:
		return x
	}
	v := l.fresh(base, x.Type())
	l.emit(&kir.Let{V: v, X: x})
	l.on.declares(v, x)
	return &kir.Ref{V: v}
}

func (l *lowerer) atom(a ir.Atom, e *env) value {
	switch a := a.(type) {
	case ir.Const:
		return scalar(&kir.Const{C: a})
	case *ir.Var:
		if v, ok := e.get(a); ok {
			return v
		}
		panic(fmt.Sprintf("lower: %s has no value", a.Name))
	}
	panic("lower: nil atom")
}

func (l *lowerer) atoms(as []ir.Atom, e *env) []value {
	vs := make([]value, len(as))
	for i, a := range as {
		vs[i] = l.atom(a, e)
	}
	return vs
}

func (l *lowerer) block(b *ir.Block, e *env, depth int) []value {
	for _, s := range b.Stmts {
		if !l.skip[s] {
			l.stmt(s, e, depth)
		}
	}
	return l.atoms(b.Results, e)
}

// bind gives v's value a name of its own and enters it.
func (l *lowerer) bind(v *ir.Var, x value, e *env) {
	if x.arr == nil {
		x.x = l.letExpr(v.Name, x.x)
	}
	e.m[v] = x
}

func (l *lowerer) stmt(s *ir.Stmt, e *env, depth int) {
	if a, ok := l.same[s]; ok {
		e.m[s.Dst[0]] = l.atom(a, e)
		return
	}
	switch op := s.Op.(type) {
	case *ir.Unary:
		x := l.atom(op.X, e)
		if l.stays(x) {
			l.bind(s.Dst[0], scalar(&kir.Un{Fn: op.Fn, X: x.x, T: kir.ScalarType(op.Fn.Result(x.x.Type().Kind))}), e)
			return
		}
		l.bind(s.Dst[0], l.laneUnary(op.Fn, x), e)
	case *ir.Binary:
		if v, ok := l.unclamped(s, e); ok {
			e.m[s.Dst[0]] = v
			return
		}
		x, y := l.atom(op.X, e), l.atom(op.Y, e)
		if r := l.overRoot(op, x, e); r != nil {
			l.bind(s.Dst[0], value{x: r, form: vector}, e)
			return
		}
		l.bind(s.Dst[0], l.binary(op.Fn, x, y), e)
	case *ir.Convert:
		x := l.atom(op.X, e)
		if x.form == uniform && (l.width == 1 || !op.To.IsFloat() && !x.x.Type().Kind.IsFloat()) {
			if l.checked[s] {
				x.x = &kir.Convert{X: x.x, T: kir.ScalarType(unsigned[op.X.Type().Kind])}
			}
			l.bind(s.Dst[0], scalar(&kir.Convert{X: x.x, T: kir.ScalarType(op.To)}), e)
			return
		}
		l.bind(s.Dst[0], l.laneConvert(op.To, x), e)
	case *ir.Select:
		l.bind(s.Dst[0], l.selectValue(l.atom(op.Cond, e), l.atom(op.X, e), l.atom(op.Y, e)), e)
	case *ir.Len:
		l.bind(s.Dst[0], scalar(l.atom(op.X, e).arr.length(l, e)), e)
	case *ir.Index:
		l.index(s, op, e)
	case *ir.View:
		l.view(s, op, e)
	case *ir.If:
		l.ifStmt(s, op, e, depth)
	case *ir.Loop:
		l.loop(s, op, e, depth)
	case *ir.Alloc:
		l.alloc(s, op, e)
	case *ir.Update:
		l.update(s, op, e)
	case *ir.Check:
		l.check(s, op, e)
	case *ir.Map, *ir.Reduce, *ir.Scan, *ir.Scatter, *ir.Hist, *ir.Sort:
		l.operator(s, e, depth)
	}
}

// stays reports whether an operation on x is done on scalars: x is the same in all lanes, and it is no float inside a
// vector loop. Scalar floating-point instructions between vector ones stall, so floats are splat there.
func (l *lowerer) stays(x value) bool {
	return x.form == uniform && (l.width == 1 || !x.x.Type().Kind.IsFloat())
}

func (l *lowerer) binary(fn ir.BinaryFn, x, y value) value {
	if l.stays(x) && l.stays(y) {
		t := x.x.Type()
		if fn.IsComparison() {
			t = kir.ScalarType(ir.Bool)
		}
		return scalar(&kir.Bin{Fn: fn, X: x.x, Y: y.x, T: t, Wrap: l.on.wraps(fn, x.x, y.x)})
	}
	return l.laneBinary(fn, x, y)
}

func (l *lowerer) selectValue(c, x, y value) value {
	if c.form == uniform && l.stays(x) && l.stays(y) {
		return scalar(&kir.Select{C: c.x, X: x.x, Y: y.x})
	}
	a, b := l.vec(x), l.vec(y)
	m := l.vec(c)
	if a.Type().Kind == ir.Bool { // m ? a : b on masks
		bits := m.Type().Bits
		a, b = l.maskBits(a, bits), l.maskBits(b, bits)
		t := m.Type()
		yes := &kir.Bin{Fn: ir.And, X: m, Y: a, T: t}
		no := &kir.Bin{Fn: ir.And, X: &kir.Un{Fn: ir.Not, X: m, T: t}, Y: b, T: t}
		return value{x: &kir.Bin{Fn: ir.Or, X: yes, Y: no, T: t}, form: vector}
	}
	if c, ok := y.x.(*kir.Const); ok && y.form == uniform && c.C.Bits == 0 { // zeros where the mask is not set take no vector of zeros
		b = &kir.Splat{X: c, T: a.Type()}
	}
	return value{x: &kir.Select{C: l.maskFor(m, a.Type().Kind), X: a, Y: b}, form: vector}
}

func (a *array) length(l *lowerer, e *env) kir.Expr {
	if a.rows == nil {
		return a.n
	}
	if a.rows.offsets != nil {
		return sub(&kir.Length{A: a.rows.offsets}, intConst(1))
	}
	return a.n
}

func (l *lowerer) index(s *ir.Stmt, op *ir.Index, e *env) {
	if v, ok := l.strips[s]; ok {
		l.bind(s.Dst[0], v, e)
		return
	}
	if r, ok := l.packed[s]; ok {
		l.bind(s.Dst[0], value{x: l.privateElement(l.atom(r.array, e).arr, l.atom(r.j, e)), form: vector}, e)
		return
	}
	if x := l.on.staged(s, e); x != nil {
		l.bind(s.Dst[0], scalar(x), e)
		return
	}
	arr := l.atom(op.X, e).arr
	i := l.atom(op.I, e)
	if arr.private {
		l.bind(s.Dst[0], value{x: l.privateElement(arr, i), form: vector}, e)
		return
	}
	if arr.rows != nil { // a row of a stored nested sequence
		if i.form != uniform {
			veto("level %d cannot use lanes: rows of a stored nested sequence are read one by one", l.laneLevel)
		}
		e.m[s.Dst[0]] = value{arr: l.row(arr, i.x, e)}
		return
	}
	k := arr.a.Kind
	switch i.form {
	case uniform:
		l.guarded = true // in the inactive lanes there may be no such element
		load := &kir.Load{A: arr.a, I: l.at(arr, i.x), T: kir.ScalarType(k)}
		if l.width > 1 && k.IsFloat() {
			l.bind(s.Dst[0], value{x: &kir.Splat{X: load, T: l.vectorType(k, l.width)}, form: vector}, e)
			return
		}
		l.bind(s.Dst[0], scalar(load), e)
	case contig:
		if arr.a.Field != nil {
			l.bind(s.Dst[0], l.stripElement(s, e), e)
			return
		}
		t := l.loadType(k)
		if k == ir.Bool && l.active != nil {
			veto("level %d cannot use lanes: booleans are read under a condition that differs from lane to lane", l.laneLevel)
		}
		l.bind(s.Dst[0], value{x: &kir.Load{A: arr.a, I: l.at(arr, i.x), T: t, Mask: l.activeFor(k)}, form: vector}, e)
	case vector:
		if k == ir.Bool {
			veto("level %d cannot use lanes: booleans are read by index", l.laneLevel)
		}
		idx := l.narrowIndex(op.I, i, e)
		if arr.a.Field != nil {
			veto("level %d cannot use lanes: elements that lie in structs are read by computed indices", l.laneLevel)
		}
		if arr.off != nil {
			veto("level %d cannot use lanes: elements of a row are read by computed indices", l.laneLevel)
		}
		l.bind(s.Dst[0], value{x: &kir.Gather{A: arr.a, I: idx, T: l.vectorType(k, l.width), Mask: l.activeFor(k)}, form: vector}, e)
	}
}

// narrowIndex returns the vector of 32-bit indices that a vector of ints was widened from, if it was: gathers take both,
// and the narrow one is half the work.
func (l *lowerer) narrowIndex(a ir.Atom, i value, e *env) kir.Expr {
	if c, ok := l.defs[a].(*ir.Convert); ok && c.X.Type().Kind == ir.Int32 {
		if x, ok := e.getAtom(c.X); ok && x.form == vector {
			return x.x
		}
	}
	return i.x
}

// loadType is the type of a vector that is loaded from consecutive elements of kind k.
func (l *lowerer) loadType(k ir.Kind) kir.Type {
	if k == ir.Bool {
		bits := 64
		if l.width > 8 {
			bits = 32
		}
		return kir.Type{Kind: k, Lanes: l.width, Bits: bits}
	}
	return l.vectorType(k, l.width)
}

// at is the index in arr.a of element i of arr.
func (l *lowerer) at(arr *array, i kir.Expr) kir.Expr { return add(arr.off, i) }

func (l *lowerer) row(arr *array, i kir.Expr, e *env) *array {
	if off := arr.rows.offsets; off != nil {
		lo := l.letExpr("lo", &kir.Load{A: off, I: i, T: kir.Int})
		hi := l.letExpr("hi", &kir.Load{A: off, I: add(i, intConst(1)), T: kir.Int})
		n := l.letExpr("n", sub(hi, lo))
		l.on.row(lo, n, arr.a)
		return &array{a: arr.a, off: lo, n: n}
	}
	n := l.atom(arr.rows.length, e).x
	return &array{a: arr.a, off: l.letExpr("lo", &kir.Bin{Fn: ir.Mul, X: i, Y: n, T: kir.Int}), n: n}
}

func (l *lowerer) view(s *ir.Stmt, op *ir.View, e *env) {
	if op.Fn == ir.Flatten {
		inner := l.atom(op.Args[0], e).arr
		e.m[s.Dst[0]] = value{arr: &array{a: inner.a, n: &kir.Length{A: inner.a}}}
		return
	}
	veto("%s of a sequence that is not read element by element is not compiled yet", op.Fn)
}

func (l *lowerer) check(s *ir.Stmt, op *ir.Check, e *env) {
	if l.hoisted[op] {
		return
	}
	l.guarded = true
	c := &kir.Check{Kind: op.Kind, Op: op.Op, Arg: op.Arg, Pos: s.Pos}
	args := l.atoms(op.Args, e)
	if anyVarying(args) {
		l.checkLanes(c, args, op, e)
		return
	}
	for _, v := range args {
		c.Args = append(c.Args, v.x)
	}
	c.Position = l.position(op, e)
	c.Leave = l.on.leave(c.Args)
	l.emit(c)
}

// position returns the index at which the checked value stands in the array that it was read from, or nil.
func (l *lowerer) position(op *ir.Check, e *env) kir.Expr {
	if op.Kind != ir.CheckIndex && op.Kind != ir.CheckBounds {
		return nil
	}
	if read := l.defs.Read(op.Args[0]); read != nil {
		if i, ok := e.getAtom(read.I); ok && i.form == uniform {
			return i.x
		}
	}
	return nil
}

func (e *env) getAtom(a ir.Atom) (value, bool) {
	switch a := a.(type) {
	case ir.Const:
		return scalar(&kir.Const{C: a}), true
	case *ir.Var:
		return e.get(a)
	}
	return value{}, false
}

// RegularRow returns the length of the rows of nested result i if all rows have the same, known before the computation
// runs; nil if they differ.
func RegularRow(c *fuse.Computation, i int) (n ir.Atom, err error) {
	m, ok := c.Stmt.Op.(*ir.Map)
	if !ok || c.Stmt.Dst[i].T.Rank < 2 {
		return nil, nil
	}
	defer recoverVeto(&err)
	n, regular := regularRow(m, innerLength(m, i))
	if !regular {
		return nil, nil
	}
	return n, nil
}

// sourceName is a variable's name without the number that tells it from others of that name in the source.
func sourceName(name string) string {
	source, _, _ := strings.Cut(name, ".")
	return source
}
