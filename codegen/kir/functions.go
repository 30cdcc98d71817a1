package kir

import "github.com/surge-ndp/surge/ops/ir"

// laneFunctions are the functions of package math that lanes have besides those that are an instruction or a few. They
// are calls.
var laneFunctions = map[string]bool{
	"Exp": true, "Log": true, "Sin": true, "Cos": true, "Acos": true, "Acosh": true, "Asin": true, "Asinh": true, "Atan": true,
	"Atanh": true, "Cbrt": true, "Cosh": true, "Erf": true, "Erfc": true, "Exp2": true, "Expm1": true, "Log10": true, "Log1p": true, "Log2": true, "Round": true, "Sinh": true, "Tan": true, "Tanh": true,
}

// CallsUnary reports whether a function of lanes is a call, and exists.
func CallsUnary(fn ir.UnaryFn) bool { return laneFunctions[fn.GoMath()] }

// CallsBinary reports whether a function of two vectors is a call, and exists.
func CallsBinary(fn ir.BinaryFn) bool {
	switch fn {
	case ir.Pow, ir.Atan2, ir.Hypot, ir.Mod, ir.CopyS:
		return true
	}
	return false
}
