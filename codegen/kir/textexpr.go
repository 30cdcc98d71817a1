package kir

import (
	"fmt"
	"strings"

	"github.com/surge-ndp/surge/ops/ir"
)

// full is the type with the width of the elements that a mask selects.
func (t Type) full() string {
	if t.Bits > 0 {
		return fmt.Sprintf("%s/%d", t, t.Bits)
	}
	return t.String()
}

func texts(xs []Expr) string {
	parts := make([]string, len(xs))
	for i, x := range xs {
		parts[i] = Text(x)
	}
	return strings.Join(parts, ", ")
}

func where(mask Expr) string {
	if mask == nil {
		return ""
	}
	return " where " + Text(mask)
}

// plainType is the type of an expression as far as it follows from its operands.
func plainType(x Expr) Type {
	lanes := func(t Type, lanes int) Type {
		t.Lanes = lanes
		if lanes > 1 && t.Kind != ir.Bool {
			t.Bits = 0
		}
		return t
	}
	truth := func(of Type) Type {
		if of.Lanes > 1 {
			return Type{Kind: ir.Bool, Lanes: of.Lanes, Bits: LaneBits(of.Kind)}
		}
		return ScalarType(ir.Bool)
	}
	switch x := x.(type) {
	case *Bin:
		if x.Fn.IsComparison() {
			return truth(x.X.Type())
		}
		return x.X.Type()
	case *Un:
		t := x.X.Type()
		switch k := x.Fn.Result(t.Kind); {
		case k == ir.Bool && t.Kind != ir.Bool:
			return truth(t)
		case k != ir.Invalid && t.Lanes == 1:
			return ScalarType(k)
		case x.Fn == ir.OnesCount || x.Fn == ir.LeadingZeros:
			return Type{Kind: k, Lanes: t.Lanes}
		}
		return t
	case *Load:
		return ScalarType(x.A.Kind)
	case *Gather:
		return lanes(ScalarType(x.A.Kind), x.I.Type().Lanes)
	case *ZeroOf, *Every, *IotaBy, *Iota, *Splat, *FirstLanes, *Convert, *Routine:
		return Type{} // always written
	}
	return x.Type()
}

// node is the text of an expression without its type.
func node(x Expr) string {
	switch x := x.(type) {
	case *Ref:
		return x.V.Name
	case *Const:
		return constant(x.C)
	case *Length:
		return "len(" + x.A.Name + ")"
	case *Place:
		return "$" + x.What
	case *RoundOf:
		return "$round"
	case *Found:
		return fmt.Sprintf("found_by(%d)", x.Step)
	case *GroupsOf:
		return fmt.Sprintf("groups_of(%d)", x.Step)
	case *Bin:
		if op := x.Fn.GoOperator(); op != "" {
			return "(" + Text(x.X) + " " + op + flag("%", x.Wrap) + " " + Text(x.Y) + ")"
		}
		return flag("wrap.", x.Wrap) + string(x.Fn) + "(" + Text(x.X) + ", " + Text(x.Y) + ")"
	case *Un:
		return string(x.Fn) + "(" + Text(x.X) + ")"
	case *Load:
		return x.A.Name + "[" + Text(x.I) + where(x.Mask) + "]"
	case *Gather:
		return "gather " + x.A.Name + "[" + Text(x.I) + where(x.Mask) + "]"
	case *Every:
		return fmt.Sprintf("%s[%s by %d]", x.A.Name, Text(x.I), x.By)
	case *Lane:
		return fmt.Sprintf("lane%d(%s)", x.K, Text(x.X))
	case *Horizontal:
		return "lanes." + string(x.Fn) + "(" + Text(x.X) + ")"
	case *Collective:
		return "subgroup." + flag("scan.", x.Scan) + string(x.Fn) + "(" + Text(x.X) + ")"
	case *IotaBy:
		return "iota." + string(x.Fn) + "(" + texts(Operands(x)) + ")"
	case *Routine:
		parts := make([]string, len(x.Args))
		for i, a := range x.Args {
			parts[i] = Text(a.X)
			if a.A != nil {
				parts[i] = "&" + a.A.Name + "[" + parts[i] + "]"
			}
		}
		return "@" + string(x.Name) + "(" + strings.Join(parts, ", ") + ")"
	case *FirstLanes:
		return "first_lanes" + flag("_equal", x.OrEqual) + "(" + texts(Operands(x)) + ")"
	}
	if word := functionWord(x); word != "" {
		return word + "(" + texts(Operands(x)) + ")"
	}
	panic(fmt.Sprintf("kir: expression %T has no text", x))
}

// functionWord is the word of a node that is nothing but a function of its operands.
func functionWord(x Expr) string {
	switch x := x.(type) {
	case *Half:
		if x.High {
			return "high"
		}
		return "low"
	case *Join:
		return "join"
	case *FMA:
		return "fma"
	case *Select:
		return "select"
	case *Compress:
		return "compress"
	case *LaneWhere:
		return "lane_where"
	case *Shuffle:
		return "shuffle"
	case *AnyLane:
		return "any_lane"
	case *CountLanes:
		return "count_lanes"
	case *Convert:
		return "convert"
	case *ZeroOf:
		return "zero"
	case *Splat:
		return "splat"
	case *Iota:
		return "iota"
	}
	return ""
}

// constant is the text of a constant: ints and float64s as they are, others with their kind.
func constant(c ir.Const) string {
	text := c.String()
	if v, kind, ok := strings.Cut(text, ":"); ok && kind == "int" {
		return v
	}
	return text
}
