package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// form says how a value varies over the lanes of the vector loop around it.
type form uint8

const (
	uniform form = iota // the same in every lane: x is a scalar
	contig              // x, x+1, x+2, …: x is the scalar of lane 0 (ints only)
	apart               // x, x+by, x+2·by, …: x is the scalar of lane 0 (ints only)
	vector              // x is a vector
)

// value is what an IR variable stands for.
type value struct {
	x    kir.Expr
	form form
	by   int    // of a value that is apart: 2 to mostApart, or back
	arr  *array // set for sequences
	// wraps says that consecutive numbers may go from the largest integer to the least: they are not ascending then.
	wraps bool
}

// array is a sequence: n elements of a from element off on (nil is 0). rows is set for nested sequences, which have
// rows in place of elements; off and n count these.
type array struct {
	a    *kir.Array
	off  kir.Expr
	n    kir.Expr
	rows *rows
	// private is set for an array of which each lane of the vector loop has its own: element i of lane k is element
	// i*lanes + k of a, so that one index in all lanes is a vector in memory.
	private bool
	doubled bool      // there is room for n more elements behind these
	lanes   *laneRows // another row for each lane, without off and n: see Note [Rows of lanes]
}

// rows is how the rows of a stored nested sequence lie: row i has elements offsets[i] to offsets[i+1] of the next
// level, or, in a regular one, i*length to (i+1)*length, of which the last row may have fewer. The elements of the
// next level are rows themselves, or those of the data.
type rows struct {
	offsets *kir.Array // where they begin, and the last one ends; or
	length  ir.Atom    // of each row but the last one, and
	total   ir.Atom    // the elements of all rows, nil if no row is shorter than length
	inner   *rows      // how the rows lie that these are made of; nil if these have the elements
	base    kir.Expr   // of the innermost ones: where the first row begins in the data; nil is 0
	local   kir.Expr   // how many elements of the data all rows have, for rows that an element of an operator computes for itself
}

// env maps variables to values; blocks extend it.
type env struct {
	parent *env
	m      map[*ir.Var]value
}

func (e *env) child() *env { return &env{parent: e, m: map[*ir.Var]value{}} }

func (e *env) get(v *ir.Var) (value, bool) {
	for ; e != nil; e = e.parent {
		if x, ok := e.m[v]; ok {
			return x, true
		}
	}
	return value{}, false
}

func scalar(x kir.Expr) value { return value{x: x} }

func intConst(i int) kir.Expr { return &kir.Const{C: ir.IntConst(ir.Int, int64(i))} }

// add is x+y on ints, folded where one is a constant.
func add(x, y kir.Expr) kir.Expr {
	if x == nil || isZero(x) {
		return y
	}
	if y == nil || isZero(y) {
		return x
	}
	return &kir.Bin{Fn: ir.Add, X: x, Y: y, T: kir.Int}
}

func sub(x, y kir.Expr) kir.Expr {
	if y == nil || isZero(y) {
		return x
	}
	return &kir.Bin{Fn: ir.Sub, X: x, Y: y, T: kir.Int}
}

func isZero(x kir.Expr) bool {
	c, ok := x.(*kir.Const)
	return ok && c.C.Kind.IsInteger() && c.C.Int() == 0
}

// bitsOf is the width in bits of a lane that holds kind k.
func bitsOf(k ir.Kind) int { return kir.LaneBits(k) }

// named binds values that are read from memory which is about to change.
func (l *lowerer) named(vs []value, ns []string) []value {
	for i := range vs {
		vs[i].x = l.letExpr(ns[i], vs[i].x)
	}
	return vs
}
