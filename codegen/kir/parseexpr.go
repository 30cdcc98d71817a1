package kir

import (
	"math"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/ops/ir"
)

// expr reads an expression and its type, if one is written.
func (p *parser) expr() Expr {
	x := p.node()
	var t Type
	if p.accept(":") {
		t = p.typ()
		return typed(x, t)
	}
	if _, ok := x.(*Routine); ok { // it yields nothing
		return x
	}
	if plain := plainType(x); plain != (Type{}) {
		return typed(x, plain)
	}
	p.failf("the type of an expression is missing")
	return nil
}

// typed gives an expression its type, where the node holds one.
func typed(x Expr, t Type) Expr {
	switch x := x.(type) {
	case *Bin:
		x.T = t
	case *Un:
		x.T = t
	case *Convert:
		x.T = t
	case *Load:
		x.T = t
	case *Gather:
		x.T = t
	case *Every:
		x.T = t
	case *ZeroOf:
		x.T = t
	case *Splat:
		x.T = t
	case *Iota:
		x.T = t
	case *IotaBy:
		x.T = t
	case *FirstLanes:
		x.T = t
	case *Routine:
		x.T = t
	}
	return x
}

func (p *parser) node() Expr {
	switch tok := p.next(); {
	case tok == "(":
		x := p.expr()
		op, wrap := strings.CutSuffix(p.next(), "%")
		if op == "" { // the remainder is written % or %%
			op = "%"
			wrap = false
		}
		y := p.expr()
		p.expect(")")
		fn := binaryOf(op)
		if fn == "" {
			p.failf("%q is no operator", op)
		}
		return &Bin{Fn: fn, X: x, Y: y, Wrap: wrap}
	case tok == "@":
		return p.routine()
	case tok == "gather" && p.arrays[p.peek()] != nil:
		g := &Gather{A: p.array()}
		p.expect("[")
		g.I = p.expr()
		if p.accept("where") {
			g.Mask = p.expr()
		}
		p.expect("]")
		return g
	case tok == "$round":
		return &RoundOf{}
	case strings.HasPrefix(tok, "$"):
		return &Place{What: tok[1:]}
	case tok == "len" && p.peek() == "(":
		p.expect("(")
		l := &Length{A: p.array()}
		p.expect(")")
		return l
	case tok == "found_by":
		p.expect("(")
		g := &Found{Step: p.int()}
		p.expect(")")
		return g
	case tok == "groups_of":
		p.expect("(")
		g := &GroupsOf{Step: p.int()}
		p.expect(")")
		return g
	case tok == "":
		p.failf("the text ends where an expression was expected")
	case p.peek() == "[":
		if a := p.arrays[tok]; a != nil {
			p.expect("[")
			l := &Load{A: a, I: p.expr()}
			if p.accept("by") {
				every := &Every{A: a, I: l.I, By: p.int()}
				p.expect("]")
				return every
			}
			if p.accept("where") {
				l.Mask = p.expr()
			}
			p.expect("]")
			return l
		}
		p.failf("no array is called %q", tok)
	case p.peek() == "(":
		return p.function(tok)
	default:
		if v := p.vars[tok]; v != nil {
			return &Ref{v}
		}
		if c, ok := parseConst(tok); ok {
			return &Const{c}
		}
		p.failf("no variable is called %q, and it is no constant", tok)
	}
	return nil
}

func binaryOf(op string) ir.BinaryFn {
	for _, fn := range []ir.BinaryFn{ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Rem, ir.And, ir.Or, ir.Xor, ir.AndNot, ir.Shl, ir.Shr,
		ir.Eq, ir.Ne, ir.Lt, ir.Le, ir.Gt, ir.Ge} {
		if fn.GoOperator() == op {
			return fn
		}
	}
	return ""
}

func (p *parser) routine() Expr {
	r := &Routine{Name: RoutineName(p.word())}
	p.expect("(")
	for p.peek() != ")" {
		var a Arg
		if p.accept("&") {
			a.A = p.array()
			a.X = p.index()
		} else {
			a.X = p.expr()
		}
		r.Args = append(r.Args, a)
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")
	return r
}

// function reads the operands of a node that is written as a call.
func (p *parser) function(name string) Expr {
	name, wrap := strings.CutPrefix(name, "wrap.")
	xs := p.list()
	need := func(n int) {
		if len(xs) != n {
			p.failf("%s takes %d operands", name, n)
		}
	}
	if k, ok := strings.CutPrefix(name, "lane"); ok {
		if n, err := strconv.Atoi(k); err == nil {
			need(1)
			return &Lane{xs[0], n}
		}
	}
	if fn, ok := strings.CutPrefix(name, "lanes."); ok {
		need(1)
		return &Horizontal{ir.BinaryFn(fn), xs[0]}
	}
	if fn, ok := strings.CutPrefix(name, "subgroup."); ok {
		need(1)
		fn, scan := strings.CutPrefix(fn, "scan.")
		return &Collective{ir.BinaryFn(fn), scan, xs[0]}
	}
	if fn, ok := strings.CutPrefix(name, "iota."); ok {
		need(2)
		return &IotaBy{Fn: ir.BinaryFn(fn), Start: xs[0], D: xs[1]}
	}
	switch name {
	case "first_lanes", "first_lanes_equal":
		need(2)
		return &FirstLanes{Start: xs[0], Bound: xs[1], OrEqual: name != "first_lanes"}
	case "fma":
		need(3)
		return &FMA{xs[0], xs[1], xs[2]}
	case "select":
		need(3)
		return &Select{xs[0], xs[1], xs[2]}
	case "low", "high":
		need(1)
		return &Half{xs[0], name == "high"}
	case "join":
		need(2)
		return &Join{xs[0], xs[1]}
	case "compress":
		need(2)
		return &Compress{xs[0], xs[1]}
	case "lane_where":
		need(2)
		return &LaneWhere{xs[0], xs[1]}
	case "shuffle":
		need(2)
		return &Shuffle{xs[0], xs[1]}
	case "any_lane":
		need(1)
		return &AnyLane{xs[0]}
	case "count_lanes":
		need(1)
		return &CountLanes{xs[0]}
	case "convert":
		need(1)
		return &Convert{X: xs[0]}
	case "zero":
		need(0)
		return &ZeroOf{}
	case "splat":
		need(1)
		return &Splat{X: xs[0]}
	case "iota":
		need(1)
		return &Iota{Start: xs[0]}
	}
	if len(xs) == 1 {
		return &Un{Fn: ir.UnaryFn(name), X: xs[0]}
	}
	need(2)
	return &Bin{Fn: ir.BinaryFn(name), X: xs[0], Y: xs[1], Wrap: wrap}
}

// parseConst reads a constant as [constant] writes it.
func parseConst(text string) (ir.Const, bool) {
	switch text {
	case "true", "false":
		return ir.BoolConst(text == "true"), true
	}
	value, name, ok := strings.Cut(text, ":")
	kind := ir.Int
	if ok {
		if kind, ok = ir.ParseKind(name); !ok {
			return ir.Const{}, false
		}
	}
	switch {
	case kind.IsFloat():
		f, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return ir.Const{}, false
		}
		if math.IsNaN(f) {
			f = math.NaN()
		}
		return ir.FloatConst(kind, f), true
	case kind.IsUnsigned():
		u, err := strconv.ParseUint(value, 10, 64)
		return ir.Const{Kind: kind, Bits: u}, err == nil
	}
	i, err := strconv.ParseInt(value, 10, 64)
	return ir.IntConst(kind, i), err == nil
}
