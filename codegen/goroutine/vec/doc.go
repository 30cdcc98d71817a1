// Package vec is the vector layer that generated Go code imports: vector and mask types, unchecked scalar access,
// gathers, and routines that work on whole strips of memory.
//
// It takes base pointers and positions that the caller has checked, and gives vectors, scalars and written memory. It
// checks nothing, allocates nothing and starts no goroutines. It must not import anything but the standard library;
// generated code imports it, the run time beside it, and the compiler, which asks what lanes this processor has.
//
// # Types
//
// A vector type is named by kind, bits and lanes: F64x4 F64x8 F32x4 F32x8 F32x16 I64x4 I64x8 I32x4 I32x8 I32x16. Its
// mask type is M64x4, M64x8, M32x4, M32x8 or M32x16. Vectors of 512 bits (F64x8, F32x16, …) need AVX-512 F, CD, BW,
// DQ, VL; the others AVX2 and FMA.
//
// There are two builds with the same names and the same results:
//
//   - with GOEXPERIMENT=simd on amd64 the types are those of simd/archsimd. An operation of a type that the CPU
//     lacks is an illegal instruction: call [Lanes] first and use nothing else.
//   - otherwise they are arrays and loops, so that everything compiles and can be tested, but [Native] is false and
//     [Lanes] is empty: there is no speed in them.
//
// Methods are those of archsimd that do what Go does, on every CPU with such vectors: Add and Sub of all vectors,
// their comparisons (Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual), Mul, Div, Sqrt and MulAdd of floats,
// and Compress of vectors of 512 bits. Everything else is a function whose name ends with the type, MinF64x4 or
// AndM64x8: archsimd has methods of some of these names too, which give other results (Min, Max), need a later CPU
// (Mul of I64x4), or are compiled wrongly (And, Floor). Methods are no calls, and so leave no instruction in a loop
// that marks where one was inlined.
//
// The results agree bit by bit, NaN payloads aside, with the plain Go expression in every lane: Min and Max have the
// semantics of Go's min and max for NaNs and signed zeros, comparisons those of Go's operators, integers wrap, shifts
// by the width and more give 0 or the sign. MulAdd rounds once, like math.FMA. Conversions of floats that do not fit
// the integer type give what Go gives on the same platform (the least integer on amd64). Sum and ReduceMul associate
// by halves: lane k with lane k+N/2, then again with N/2 lanes, down to one.
//
// # Functions
//
// Exp, Log, Sin and Cos of float vectors are not the plain Go expression but near the exact value, in units in the
// last place (ULP) of the lane's type, for every argument, subnormal ones and results included; special values are
// those of package math:
//
//	          Exp    Log    Sin    Cos
//	float64   1      1      1      1       (Sin and Cos beyond 2^20: package math, lane by lane)
//	float32   1.02   1      1.5    1.5     (beyond 2^17: package math, rounded)
//
// The others differ from the nearest number by at most so many ULP of float64; those of float32 are these, rounded:
//
//	1        Exp2, Log2, Log10, Log1p, Pow, Cbrt, Cosh, Asin, Atan, Atan2, Erf
//	2        Expm1, Sinh, Tanh, Tan, Acos, Hypot, Erfc, Asinh, Acosh, Atanh
//	exact    Round, RoundToEven, Mod, Copysign (Mod with a quotient beyond 2^52: package math, lane by lane)
//
// For Exp and Log of float32 that is from all 2^32 arguments (go test -vec.all): the largest errors are 1.013, at
// 59.306038, and 0.827, at 1.413642. The others are from arguments at regular distances.
//
// math.Exp and its like are within 1 ULP of float64 themselves, float32(math.Exp(float64(x))) within 0.5 ULP of
// float32. Vectors of 256 and of 512 bits may differ in the last bit.
//
// # Memory
//
// Functions take a base pointer p and a position i in elements: the address is p + i*size. Whole vectors are loaded
// from and stored to what Addr… returns, by a pointer as Go's own values are. Part variants touch the first n
// elements only, p may then be nil if n is 0. [Ptr] gives the base of a slice.
//
// # Scalar floating point among vectors
//
// Go's own floating point instructions are of the old SSE encoding. Among vector operations of 256 and 512 bits each
// change from one to the other costs up to 100 ns on processors where the upper halves of the registers must be saved
// (measured on a Xeon of 2023: 160-200 ns a loop iteration with one scalar load in it; 2 ns without). Therefore
//
//   - call [Clear] after the last vector operation before scalar floating point code runs, and before returning. It
//     costs about 1 ns, and vectors that live across it are saved in memory;
//   - Sum…, Reduce… and Lane… of float vectors do it themselves: what follows them may be scalar, as long as it
//     comes after them in the source (evaluate the sum into a variable first, then the rest of the expression);
//   - broadcast from memory by LoadSplat…, not by Splat… of a loaded scalar; Splat… of a constant is fine;
//   - keep arrays, structs and copies by Array… out of vector loops: Go moves them by the same instructions. So it
//     does when it saves vectors of 128 bits (F32x4, I32x4) on the stack: prefer other ways than to keep them alive
//     across calls among wider vectors.
//
// The strip routines need no care: they leave the registers clear.
//
// # Gathers and strips
//
// archsimd has no gather. Gather… of a vector collects the elements by scalar integer loads, in a call that saves all
// vectors that are alive; the strip routines ([GatherStripF64], [DotGatherF64] and their like) are assembly with the
// hardware's gather and pay from about 8 elements on; below that a plain inlined loop is as good. Streaming stores
// ([StreamF64], [ScanAddStreamF64]) pay when the destination exceeds the caches, and cost when it does not.
//
// # Fields
//
// Numbers of structs lie at a distance from each other, where vectors cannot be loaded. [TakeFields] copies those of
// a strip of structs side by side, and [PutFields] back; scalar code reads and writes them through [Elem]:
// vec.Elem(bodies, i).Mass. Gather… reads those of the structs i from the address of the first one's number, at i times
// the size of a struct by that of the number.
//
// The types, the scans and most of the assembly are generated: go generate.
package vec

//go:generate go run gen.go
