package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// funcValue is a function that is known when the kernel is compiled: a literal, a declared function of the module or
// of the texts for the standard library, one of package math, or another one of the standard library that is a
// function of the IR.
type funcValue struct {
	unit *unit // whose tables describe the literal
	lit  *ast.FuncLit
	decl *function
	math string
	std  *intrinsic
	recv *value // of a method value
	path []int  // of a method expression: the embedded fields from its first argument to the receiver
}

func (f *funcValue) name() string {
	switch {
	case f.lit != nil:
		return "func literal"
	case f.decl != nil:
		return f.decl.obj.Name()
	case f.std != nil:
		return f.std.name
	}
	return "math." + f.math
}

// value is what an expression is lowered to: the atoms of its layout.
type value struct {
	typ   types.Type
	atoms []ir.Atom
	fn    *funcValue // for values of function type
	ptr   *pointer   // for values of pointer type
	ref   *pointer   // of a parameter: the local slice of a caller that it is another name of

	own    *owner // a local slice that may be updated in place: see Note [Uniqueness]
	shared *owner // one that this value is another name of

	grows bool // the last of the atoms is the number of elements: see Note [Growing slices]

	mem bool    // an array that lies in memory: see Note [Fixed arrays]
	off ir.Atom // where a part of one, or a row of a grid, begins; nil: at 0

	grid *grid   // of a slice of rows that the function makes: see Note [Grids]
	row  ir.Atom // of a row of one: the number of its elements
	rows *rows   // of a slice of rows that loops made as a whole: see Note [Loops that make rows]
	grow *growth // of a slice that a loop appends rows to: see Note [Loops that run twice]

	length ir.Atom // what len has said, as long as that is the value: it need not be a length for other variables

	held held // of a struct: the fields that are kept as variables: see Note [Slices in structs]
	lent bool // of such a struct: that it is an argument, whose fields are those of the caller's

	null  bool     // nil, whose type is that of what it is assigned to
	unset bool     // a variable that has its zero value, which is made when it is read
	empty bool     // a sequence that had its zero value before the loop at hand, and has not been replaced in this turn so far
	bad   bool     // an error is reported, or is to be reported when the value is used
	late  *problem // that error
	at    token.Pos
}

// slot is a variable that has no name in the source: a result, or the flag of a jump.
type slot struct {
	name   string
	typ    types.Type
	label  string     // of the loop or switch that a jump leaves or continues
	input  bool       // that it holds what a parameter of the kernel points to
	global *types.Var // that it holds what this package-level variable points to
}

// env holds the current value of every variable: a *types.Var or a *slot. Keys keep their order, so that the same
// source always gives the same IR.
type env struct {
	keys  []any
	vals  map[any]value
	ops   *int        // operators around the construct at hand
	depth map[any]int // operators around the declaration of each variable; shared by all copies
}

func newEnv(ops *int) *env { return &env{vals: map[any]value{}, ops: ops, depth: map[any]int{}} }

func (e *env) clone() *env {
	c := &env{keys: e.keys[:len(e.keys):len(e.keys)], vals: make(map[any]value, len(e.vals)+4), ops: e.ops, depth: e.depth}
	for k, v := range e.vals {
		c.vals[k] = v
	}
	return c
}

func (e *env) set(k any, v value) {
	if _, ok := e.vals[k]; !ok {
		e.keys = append(e.keys, k)
		e.depth[k] = *e.ops
	}
	e.vals[k] = v
}

// captured reports whether k is declared outside of the innermost operator, whose function assigns it.
func (e *env) captured(k any) bool {
	_, ok := e.vals[k]
	return ok && e.depth[k] < *e.ops
}

// forget forgets the variable k.
func (e *env) forget(k any) {
	i := slices.Index(e.keys, k)
	e.keys = slices.Concat(e.keys[:i], e.keys[i+1:])
	delete(e.vals, k)
}

// truncate forgets every variable that was added after the first n, but for those that keep slices of variables that
// stay: see Note [Slices in structs].
func (e *env) truncate(n int) {
	kept := e.keys[:n:n]
	held := map[any]bool{} // by variables that stay
	for _, k := range kept {
		for _, slot := range e.vals[k].held {
			held[slot] = true
		}
	}
	for _, k := range e.keys[n:] {
		if held[k] {
			kept = append(kept, k)
		} else {
			delete(e.vals, k)
		}
	}
	e.keys = kept
}

// frame is one inlined call.
type frame struct {
	results  []any // keys in env: the named results, or slots
	types    []types.Type
	returned *slot                    // flag: the call has returned
	start    int                      // the number of variables in env before those of the call
	late     *late                    // of a loop that returns sequences: see Note [Returns from loops]
	exits    map[*ast.ReturnStmt]bool // see Note [Exits]
}
