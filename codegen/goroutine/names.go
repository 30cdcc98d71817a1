package goroutine

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// letters abbreviates the kinds of lanes in names of package vec.
func letters(k ir.Kind) string {
	switch container(k) {
	case ir.Float64:
		return "F64"
	case ir.Float32:
		return "F32"
	case ir.Int32:
		return "I32"
	case ir.Int64:
		return "I64"
	}
	panic("goroutine: no vectors of " + k.String())
}

// vecName is the name of a vector or mask type without its package: F64x8, M32x4. It is that of the container.
func vecName(t kir.Type) string {
	if t.Kind == ir.Bool {
		return "M" + strconv.Itoa(t.Bits) + "x" + strconv.Itoa(t.Lanes)
	}
	return letters(t.Kind) + "x" + strconv.Itoa(t.Lanes)
}

// goType is the Go type of a variable.
func goType(t kir.Type) string {
	if t.Lanes > 1 {
		return "vec." + vecName(t)
	}
	return t.Kind.String()
}

// numbered takes a name apart into what it begins with and the number at its end, 0 if there is none.
func numbered(name string) (base string, number int) {
	base = strings.TrimRight(name, "0123456789")
	number, _ = strconv.Atoi(name[len(base):])
	return base, number
}

// byName compares names: of those that differ in the number at their end, the lower comes first.
func byName(a, b string) int {
	baseA, numberA := numbered(a)
	baseB, numberB := numbered(b)
	return cmp.Or(cmp.Compare(baseA, baseB), cmp.Compare(numberA, numberB), cmp.Compare(a, b))
}

// vectorBits is the width of the widest vectors in a function, 0 if it has none.
func vectorBits(f *kir.Func) int {
	bits := 0
	kir.Walk(f.Body, nil, func(x kir.Expr) { // routines do not count: every build has them
		bits = max(bits, bitsOf(x.Type()))
		if c, ok := x.(*kir.Convert); ok && throughInts(c) {
			bits = max(bits, bitsOf(kir.Type{Kind: ir.Int64, Lanes: c.T.Lanes}))
		}
	})
	return bits
}

// constant prints a constant so that it has its kind where Go would otherwise infer another: typed.
func constant(c ir.Const, typed bool) string {
	text, _, _ := strings.Cut(c.String(), ":")
	switch {
	case c.Kind == ir.Bool:
		return text
	case c.Kind.IsFloat():
		switch text {
		case "NaN":
			text = "math.NaN()"
		case "+Inf":
			text = "math.Inf(1)"
		case "-Inf":
			text = "math.Inf(-1)"
		case "-0":
			text = "math.Copysign(0, -1)"
		default:
			if c.Kind == ir.Float64 && strings.ContainsAny(text, ".e") && typed {
				return text
			}
			if !typed {
				return text
			}
			return c.Kind.String() + "(" + text + ")"
		}
		if c.Kind == ir.Float32 {
			return "float32(" + text + ")"
		}
		return text
	case !typed || c.Kind == ir.Int:
		return text
	}
	return c.Kind.String() + "(" + text + ")"
}

// Constant prints a constant as a Go expression of its kind.
func Constant(c ir.Const) string { return constant(c, true) }
