package load

import (
	"go/token"
	"go/types"
	"strconv"

	"github.com/surge-ndp/surge/ops/ir"
)

// intrinsic is a function of the standard library that is one or a few functions of the IR, because machines have
// instructions for it. The rest of the standard library that kernels may call is Go text: see prelude.go.
type intrinsic struct {
	name string // bits.OnesCount
	// call lowers a call; the arguments are single values of the kinds that the signature says.
	call func(l *lowerer, xs []ir.Atom) []ir.Atom
}

// intrinsics has every intrinsic by the path of its package, a point and its name.
var intrinsics = map[string]*intrinsic{}

func init() {
	one := func(path, name string, call func(l *lowerer, xs []ir.Atom) ir.Atom) {
		intrinsics[path+"."+name] = &intrinsic{packageName(path) + "." + name, func(l *lowerer, xs []ir.Atom) []ir.Atom { return []ir.Atom{call(l, xs)} }}
	}
	for suffix, kind := range map[string]ir.Kind{"": ir.Uint, "8": ir.Uint8, "16": ir.Uint16, "32": ir.Uint32, "64": ir.Uint64} {
		for _, fn := range []ir.UnaryFn{ir.OnesCount, ir.LeadingZeros, ir.TrailingZeros, ir.ReverseBits} {
			one("math/bits", fn.GoBits()+suffix, unaryCall(fn))
		}
		if kind != ir.Uint8 {
			one("math/bits", ir.ReverseBytes.GoBits()+suffix, unaryCall(ir.ReverseBytes))
		}
		one("math/bits", "Len"+suffix, func(l *lowerer, xs []ir.Atom) ir.Atom {
			width := ir.IntConst(ir.Int, int64(8*kind.Bytes()))
			return l.bin("len", ir.Sub, width, unaryCall(ir.LeadingZeros)(l, xs))
		})
		one("math/bits", "RotateLeft"+suffix, func(l *lowerer, xs []ir.Atom) ir.Atom { return l.bin("rotated", ir.RotateLeft, xs[0], xs[1]) })
	}
	for _, width := range []string{"", "64"} {
		intrinsics["math/bits.Mul"+width] = &intrinsic{"bits.Mul" + width, func(l *lowerer, xs []ir.Atom) []ir.Atom {
			kind := xs[0].Type().Kind
			hi := l.bin("hi", ir.MulHigh, l.convert(xs[0], ir.Uint64), l.convert(xs[1], ir.Uint64))
			return []ir.Atom{l.convert(hi, kind), l.bin("lo", ir.Mul, xs[0], xs[1])}
		}}
	}
	for _, width := range []int{32, 64} {
		one("math", "Float"+strconv.Itoa(width)+"bits", unaryCall(ir.FloatBits))
		one("math", "Float"+strconv.Itoa(width)+"frombits", unaryCall(ir.FromBits))
	}
}

func unaryCall(fn ir.UnaryFn) func(l *lowerer, xs []ir.Atom) ir.Atom {
	return func(l *lowerer, xs []ir.Atom) ir.Atom {
		return l.emit(string(fn), ir.Scalar(fn.Result(xs[0].Type().Kind)), &ir.Unary{Fn: fn, X: xs[0]})
	}
}

// packageName is the last element of the path of a standard package.
func packageName(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' {
			return path[i+1:]
		}
	}
	return path
}

// intrinsicOf returns the intrinsic that a function is, or nil.
func intrinsicOf(f *types.Func) *intrinsic {
	if f.Pkg() == nil || f.Signature().Recv() != nil {
		return nil
	}
	return intrinsics[f.Pkg().Path()+"."+f.Name()]
}

// intrinsicCall lowers a call of an intrinsic.
func (l *lowerer) intrinsicCall(in *intrinsic, args []value, pos token.Pos) []value {
	l.pos = pos
	var xs []ir.Atom
	for _, a := range args {
		if a.bad || len(a.atoms) != 1 {
			return []value{{bad: true}, {bad: true}}
		}
		xs = append(xs, a.atoms[0])
	}
	var out []value
	for _, a := range in.call(l, xs) {
		out = append(out, value{typ: typeOfKind(a.Type().Kind), atoms: []ir.Atom{a}})
	}
	return out
}

// typeOfKind is the Go type of an element kind.
func typeOfKind(k ir.Kind) types.Type {
	t, _ := types.Universe.Lookup(k.String()).(*types.TypeName)
	return t.Type()
}
