package ir

// UnaryFn is a scalar function of one argument.
type UnaryFn string

// The unary functions. Names of package math mean that function; on float32 it is applied in float64 and rounded, as
// the Go source float32(math.F(float64(x))) does.
const (
	Neg   UnaryFn = "neg"  // -x
	Not   UnaryFn = "not"  // !x
	BitNo UnaryFn = "inv"  // ^x
	Sqrt  UnaryFn = "sqrt" // math.Sqrt
	Abs   UnaryFn = "abs"  // math.Abs
	Floor UnaryFn = "floor"
	Ceil  UnaryFn = "ceil"
	Trunc UnaryFn = "trunc"
	Exp   UnaryFn = "exp"
	Log   UnaryFn = "log"
	Sin   UnaryFn = "sin"
	Cos   UnaryFn = "cos"

	Round       UnaryFn = "round"
	RoundToEven UnaryFn = "roundtoeven"
)

// mathUnary are the functions of package math with one float64 argument and one float64 result, by their IR names
// (lower case), and what they are called in Go.
var mathUnary = map[UnaryFn]string{
	Sqrt: "Sqrt", Abs: "Abs", Floor: "Floor", Ceil: "Ceil", Trunc: "Trunc", Exp: "Exp", Log: "Log", Sin: "Sin", Cos: "Cos",
	Round: "Round", RoundToEven: "RoundToEven", "exp2": "Exp2", "expm1": "Expm1", "log2": "Log2", "log10": "Log10", "log1p": "Log1p",
	"tan": "Tan", "asin": "Asin", "acos": "Acos", "atan": "Atan", "sinh": "Sinh", "cosh": "Cosh", "tanh": "Tanh",
	"asinh": "Asinh", "acosh": "Acosh", "atanh": "Atanh", "cbrt": "Cbrt", "erf": "Erf", "erfc": "Erfc", "gamma": "Gamma",
}

// MathUnary returns the IR function for math.<goName> of one argument.
func MathUnary(goName string) (UnaryFn, bool) {
	for fn, name := range mathUnary {
		if name == goName {
			return fn, true
		}
	}
	return "", false
}

// GoMath returns the name in package math of a unary function, or "" for those that are none of package math, and for
// isnan and the functions that change the kind.
func (f UnaryFn) GoMath() string { return mathUnary[f] }

// IsNaN is math.IsNaN; its result is a bool.
const IsNaN UnaryFn = "isnan"

// The functions of package math/bits for which machines have instructions. The argument is an unsigned integer.
// Counts are ints, and those of zero are the width of the argument, as in Go.
const (
	OnesCount     UnaryFn = "onescount"
	LeadingZeros  UnaryFn = "leadingzeros"
	TrailingZeros UnaryFn = "trailingzeros"
	ReverseBits   UnaryFn = "reversebits"
	ReverseBytes  UnaryFn = "reversebytes"
)

// The bits of a floating-point number as an unsigned integer of its width, and back.
const (
	FloatBits UnaryFn = "floatbits" // math.Float32bits, math.Float64bits
	FromBits  UnaryFn = "frombits"  // math.Float32frombits, math.Float64frombits
)

var bitsUnary = map[UnaryFn]string{
	OnesCount: "OnesCount", LeadingZeros: "LeadingZeros", TrailingZeros: "TrailingZeros", ReverseBits: "Reverse", ReverseBytes: "ReverseBytes",
}

// GoBits returns the name in package math/bits of a unary function, without the width behind it, or "".
func (f UnaryFn) GoBits() string { return bitsUnary[f] }

// Result returns the kind of f(x) for an x of kind k, [Invalid] if there is none.
func (f UnaryFn) Result(k Kind) Kind {
	switch f {
	case Not:
		return only(k == Bool, k)
	case Neg:
		return only(k.IsNumeric(), k)
	case BitNo:
		return only(k.IsInteger(), k)
	case IsNaN:
		return only(k.IsFloat(), Bool)
	case OnesCount, LeadingZeros, TrailingZeros:
		return only(k.IsUnsigned(), Int)
	case ReverseBits, ReverseBytes:
		return only(k.IsUnsigned(), k)
	case FloatBits:
		return map[Kind]Kind{Float32: Uint32, Float64: Uint64}[k]
	case FromBits:
		return map[Kind]Kind{Uint32: Float32, Uint64: Float64}[k]
	}
	return only(f.GoMath() != "" && k.IsFloat(), k)
}

func only(ok bool, k Kind) Kind {
	if ok {
		return k
	}
	return Invalid
}

// BinaryFn is a scalar function of two arguments.
type BinaryFn string

// The binary functions. Integer division and remainder need a nonzero divisor (a [Check] precedes them).
const (
	Add    BinaryFn = "add"
	Sub    BinaryFn = "sub"
	Mul    BinaryFn = "mul"
	Div    BinaryFn = "div"
	Rem    BinaryFn = "rem"
	And    BinaryFn = "and" // bits, or bools (both evaluated)
	Or     BinaryFn = "or"
	Xor    BinaryFn = "xor"
	AndNot BinaryFn = "andnot"
	Shl    BinaryFn = "shl"
	Shr    BinaryFn = "shr"
	Min    BinaryFn = "min" // Go's builtin min: NaN if either is NaN
	Max    BinaryFn = "max"
	Eq     BinaryFn = "eq"
	Ne     BinaryFn = "ne"
	Lt     BinaryFn = "lt"
	Le     BinaryFn = "le"
	Gt     BinaryFn = "gt"
	Ge     BinaryFn = "ge"
	Pow    BinaryFn = "pow"
	Atan2  BinaryFn = "atan2"
	Hypot  BinaryFn = "hypot"
	Mod    BinaryFn = "mod"
	CopyS  BinaryFn = "copysign"
	FMin   BinaryFn = "fmin" // math.Min: -Inf if either is, even if the other is NaN
	FMax   BinaryFn = "fmax" // math.Max: +Inf if either is, even if the other is NaN
	Fall   BinaryFn = "fall" // what `if y < x { x = y }` leaves of floats: x, unless y is less
	Rise   BinaryFn = "rise" // what `if y > x { x = y }` leaves of floats: x, unless y is greater

	RotateLeft BinaryFn = "rotateleft" // bits.RotateLeft: of an unsigned integer; the count is an int, negative ones rotate right
	MulHigh    BinaryFn = "mulhigh"    // the high half of the product of two uint64: the first result of bits.Mul64
)

// IsComparison reports whether the result is a bool whatever the operands are.
func (f BinaryFn) IsComparison() bool {
	switch f {
	case Eq, Ne, Lt, Le, Gt, Ge:
		return true
	}
	return false
}

var goOperators = map[BinaryFn]string{
	Add: "+", Sub: "-", Mul: "*", Div: "/", Rem: "%", And: "&", Or: "|", Xor: "^", AndNot: "&^", Shl: "<<", Shr: ">>",
	Eq: "==", Ne: "!=", Lt: "<", Le: "<=", Gt: ">", Ge: ">=",
}

// GoOperator returns the Go operator for f, or "" if f is a function call.
func (f BinaryFn) GoOperator() string { return goOperators[f] }

var mathBinary = map[BinaryFn]string{Pow: "Pow", Atan2: "Atan2", Hypot: "Hypot", Mod: "Mod", CopyS: "Copysign", FMin: "Min", FMax: "Max"}

// MathBinary returns the IR function for math.<goName> of two arguments.
func MathBinary(goName string) (BinaryFn, bool) {
	for fn, name := range mathBinary {
		if name == goName {
			return fn, true
		}
	}
	return "", false
}

// GoMath returns the name in package math of a binary function, or "".
func (f BinaryFn) GoMath() string { return mathBinary[f] }

// ViewFn is an operator that only renames elements (Surge Table I), or gives a closed form of the index.
type ViewFn string

// The views. The defining equations are those of package ops.
const (
	Nest      ViewFn = "nest"      // nest s offsets
	Split     ViewFn = "split"     // split s size
	Grid      ViewFn = "grid"      // grid s n width: n rows, of width elements each, which are all that s has
	Cyclic    ViewFn = "cyclic"    // cyclic s size
	Gather    ViewFn = "gather"    // gather s idx
	Reverse   ViewFn = "reverse"   // reverse s
	Striding  ViewFn = "striding"  // striding s stride
	RangeOf   ViewFn = "range"     // range start end stride
	Replicate ViewFn = "replicate" // replicate v n (v scalar or array)
	Slice     ViewFn = "slice"     // slice s lo hi
	Flatten   ViewFn = "flatten"   // flatten ss
	Concat    ViewFn = "concat"    // concat a b
	ConcatRow ViewFn = "concatrow" // concatrow a b i: element i, a row, of concat a b
)

var viewArity = map[ViewFn]int{
	Nest: 2, Split: 2, Grid: 3, Cyclic: 2, Gather: 2, Reverse: 1, Striding: 2, RangeOf: 3, Replicate: 2, Slice: 3, Flatten: 1, Concat: 2, ConcatRow: 3,
}

// CheckKind says which condition a [Check] states.
type CheckKind string

// The conditions.
const (
	CheckIndex   CheckKind = "index"   // args i, n: 0 <= i < n
	CheckLength  CheckKind = "length"  // args n, m: n == m
	CheckBounds  CheckKind = "bounds"  // args lo, hi, n: 0 <= lo <= hi <= n (slicing; rows of a Nest)
	CheckSize    CheckKind = "size"    // args x: x > 0 (tile size)
	CheckNonzero CheckKind = "nonzero" // args x: x != 0 (integer divisor, range stride)
	CheckNonneg  CheckKind = "nonneg"  // args x: x >= 0 (length, shift count)
	CheckCount   CheckKind = "count"   // args n, m: n <= m as 64 unsigned bits (length that no input bounds; m is what memory can hold)
	CheckUnique  CheckKind = "unique"  // args i, j, k: i == j (first and last position of the index k in a sequence of them)
	CheckPanic   CheckKind = "panic"   // args x: x is true (the text of a panic is Arg)
	CheckFinite  CheckKind = "finite"  // args x: x is no infinity and not NaN (bound of a range)
)
