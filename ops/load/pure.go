package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"
)

// Note [Pure functions]
//
// A function that cannot be taken apart may be called as it stands, from any goroutine and in any order, if it is pure:
// what it returns depends on its arguments alone, and it changes nothing but memory that it has made itself. What is
// not known to be pure is refused.
//
// Memory is looked at in classes. The class of a variable is all that can be reached from it, and an assignment puts
// two classes together, whatever its direction and wherever it stands, but for variables by way of which the function
// only reads ([flow.cursor]). A class may hold what an argument points to, or a package-level variable does: a write
// through a pointer, a slice or a map of such a class is a write to memory of others. The variables themselves,
// parameters among them, belong to the call.
//
// What a function does to its parameters is found out for all functions that call each other at once: effects grow from
// nothing until they stay. Which function a method of an interface is follows from the types of all expressions in
// these functions: a value of an interface had its own type before.

// impurity is why a function is not pure.
type impurity struct {
	pos  token.Pos
	what string // in words that follow "it": reads the clock
}

// effect is what a call of a function does.
type effect struct {
	impure *impurity
	writes []write   // what it does to memory that parameters lead to
	peeked uint64    // those of which it asks what copies differ in: whether a slice is nil, its capacity
	calls  uint64    // those that it calls
	keeps  uint64    // those that become values: see Note [Functions as values]
	opened *impurity // a call of a function that is not known, nil if there is none
	// class says which class each parameter and each result belongs to in the end, -1 if it holds no references; shared
	// are the classes of which package-level variables are a part.
	class  []int
	shared map[int]bool
}

// purity finds effects.
type purity struct {
	prog    *program
	effects map[*function]*effect
	queue   []*function             // all that have effects
	seen    []types.Type            // those that expressions have, and that may have methods
	known   typeutil.Map            // the same
	modules map[*types.Package]bool // of the program
	grown   bool
	parts   []types.Type        // of variables that are parts of others, and of which an address is taken
	reading map[*types.Var]bool // package-level variables of which nothing is known but that they are only read

	// See Note [Functions as values].
	loose   map[*ast.FuncLit]*function       // literals that are values, and what they stand in
	kinds   typeutil.Map                     // what those of a signature do, a *valueKind each
	shown   map[*function]bool               // functions with others that are values, and give away references
	bold    map[*function]bool               // functions with a method that is a value, and whose receiver leads to memory
	called  map[*function]map[*function]bool // what functions call, nil what package-level variables do
	refused map[*types.Var]bool              // variables whose functions may not be called
	looking map[*types.Var]bool              // those that are looked at
}

func newPurity(p *program) *purity {
	q := &purity{prog: p, effects: map[*function]*effect{}, modules: map[*types.Package]bool{}, reading: map[*types.Var]bool{},
		loose: map[*ast.FuncLit]*function{}, bold: map[*function]bool{}, shown: map[*function]bool{}, called: map[*function]map[*function]bool{}, refused: map[*types.Var]bool{}, looking: map[*types.Var]bool{}}
	for _, u := range p.units {
		q.modules[u.pkg] = true
	}
	return q
}

// of returns the effect of a function.
func (q *purity) of(f *function) *effect {
	e := q.effect(f)
	for q.grown {
		q.grown = false
		for i := 0; i < len(q.queue); i++ { // which grows
			q.look(q.queue[i])
		}
	}
	return e
}

// impure is why a function is not pure for a caller that gives it arguments which it may not write to; nil if it is.
func (q *purity) impure(f *function) *impurity {
	e := q.of(f)
	switch {
	case e.impure != nil:
		return e.impure
	case e.written() != 0:
		return &impurity{f.decl.Name.Pos(), "writes to what " + paramOf(f, e.written()) + " points to"}
	case e.peeked != 0:
		return &impurity{f.decl.Name.Pos(), "asks whether " + paramOf(f, e.peeked) + " is nil, or what its capacity is, in which the slices of a kernel may differ"}
	case e.calls|e.keeps != 0:
		return &impurity{f.decl.Name.Pos(), "calls " + paramOf(f, e.calls|e.keeps) + ", which may be any function"}
	case e.opened != nil && slices.ContainsFunc((&funcValue{unit: f.unit, decl: f}).params(), func(v *types.Var) bool { return holdsFunctions(v.Type(), 0) }):
		return e.opened
	}
	return nil
}

// paramOf names the first parameter of a set.
func paramOf(f *function, set uint64) string {
	for i, v := range (&funcValue{unit: f.unit, decl: f}).params() {
		if set&paramBit(i) != 0 && v.Name() != "" && v.Name() != "_" {
			return v.Name()
		}
	}
	return "a parameter"
}

// paramBit stands for a parameter in a set; those beyond the last bit share it.
func paramBit(i int) uint64 { return 1 << min(i, 63) }

// effect returns what is known so far.
func (q *purity) effect(f *function) *effect {
	e := q.effects[f]
	if e == nil {
		e = &effect{}
		q.effects[f] = e
		q.queue = append(q.queue, f)
		q.grown = true
	}
	return e
}

// look goes through a function, with what is known of those that it calls.
func (q *purity) look(f *function) {
	e := q.effects[f]
	if e.impure != nil {
		return
	}
	if f.decl.Body == nil {
		e.impure, q.grown = &impurity{f.decl.Pos(), "has no Go body"}, true
		return
	}
	w := q.flowOf(f)
	w.cursors = map[*types.Var]bool{}
	found := w.run()
	if e.impure != nil || found.impure != nil || !sameWrites(e.writes, found.writes) || e.peeked != found.peeked || e.calls != found.calls || e.keeps != found.keeps || (e.opened == nil) != (found.opened == nil) || !sameClasses(e, found) {
		q.grown = true
	}
	*e = *found
}

// flowOf is what goes through a function.
func (q *purity) flowOf(f *function) *flow {
	w := q.flow(f.unit)
	w.fn = f
	return w
}

// flow is what goes through something of a package.
func (q *purity) flow(u *unit) *flow {
	return &flow{purity: q, unit: u, nodes: map[*types.Var]*node{}, bound: map[*types.Var]*callees{}, params: map[*types.Var]int{},
		lits: map[*ast.FuncLit][]*node{}, given: map[*ast.FuncLit]bool{}}
}

func sameClasses(a, b *effect) bool {
	if len(a.class) != len(b.class) || len(a.shared) != len(b.shared) {
		return false
	}
	for i := range a.class {
		if a.class[i] != b.class[i] {
			return false
		}
	}
	for c := range a.shared {
		if !b.shared[c] {
			return false
		}
	}
	return true
}

// meet notes a type that an expression has.
func (q *purity) meet(t types.Type) {
	if t == nil || types.IsInterface(t) {
		return
	}
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if _, named := types.Unalias(t).(*types.Named); !named {
		if s, ok := t.Underlying().(*types.Struct); !ok || s.NumFields() == 0 {
			return // it has no methods
		}
	}
	if q.known.At(t) == nil {
		q.known.Set(t, true)
		q.seen, q.grown = append(q.seen, t), true
	}
}

// node is a class of memory, or a part of one.
type node struct {
	up     *node
	params uint64  // what these parameters point to is a part
	global bool    // what package-level variables hold is a part
	given  []given // what functions that are values are given is a part: see Note [Functions as values]
}

func (n *node) root() *node {
	for n.up != nil {
		n = n.up
	}
	return n
}

// unite makes one class of two; nil is none.
func unite(a, b *node) *node {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	a, b = a.root(), b.root()
	if a != b {
		b.up = a
		a.params |= b.params
		a.global = a.global || b.global
		a.given = append(a.given, b.given...)
	}
	return a
}

// refers reports whether values of a type hold references to memory that can be written to.
func refers(t types.Type) bool { return refersIn(t, 0) }

func refersIn(t types.Type, depth int) bool {
	if t == nil || depth > maxNesting {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Signature: // which of them is called must be known: see [flow.dynamic]
		return false
	case *types.Array:
		return refersIn(u.Elem(), depth+1)
	case *types.Struct:
		for f := range u.Fields() {
			if refersIn(f.Type(), depth+1) {
				return true
			}
		}
		return false
	case *types.Tuple:
		for v := range u.Variables() {
			if refersIn(v.Type(), depth+1) {
				return true
			}
		}
		return false
	}
	return true
}

// callees are the functions that a variable may hold.
type callees struct {
	lits    []*ast.FuncLit
	decls   []*function
	param   int // of the function at hand, -1 for none
	unknown bool
}
