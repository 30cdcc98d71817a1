package load

import (
	"fmt"
	"go/types"
)

// The codes of diagnostics. They are stable: programs and documentation may name them.
const (
	// The package as a whole.
	CodeNoPackage = "no-package" // the directory is missing, or holds no Go package or no module
	CodeToolchain = "toolchain"  // there is no go command
	CodeNoKernel  = "no-kernel"  // no function is marked
	CodeImport    = "import"     // an import cannot be resolved
	CodeCgo       = "cgo"        // the package has files with C
	CodeSyntax    = "syntax"     // the file does not parse
	CodeType      = "type"       // the Go type checker refuses the program
	CodeDirective = "directive"  // a //surge: line that is unknown or in the wrong place
	CodeVariantOf = "variant-of" // //surge:variant-of whose kernel is missing, or has another signature
	CodeFeature   = "feature"    // //surge:feature or //surge:features that does not fit its function or its kernel

	// The signature of a kernel or of a function that it calls.
	CodeSignature = "signature"  // a kernel that is a method, has no body, or no results
	CodeParamType = "param-type" // a kernel's parameter or result of a type that is not compiled
	CodeGeneric   = "generic"    // type parameters
	CodeVariadic  = "variadic"   // a variable number of arguments

	// What one iteration must not do.
	CodeGoroutine     = "goroutine"      // go statement
	CodeChannel       = "channel"        // channels: make, send, receive, range, close
	CodeSelect        = "select"         // select statement
	CodeDefer         = "defer"          // defer statement
	CodeJump          = "jump"           // goto, labels, fallthrough
	CodePanic         = "panic"          // panic, recover
	CodeIO            = "io"             // input, output, anything outside the program
	CodeGlobal        = "global"         // a package-level variable is read
	CodeGlobalWrite   = "global-write"   // a package-level variable is written
	CodeCapturedWrite = "captured-write" // a function literal writes a variable of the function around it
	CodeInputWrite    = "input-write"    // an element of a slice that came in, or out of an operator, is written
	CodeUnique        = "unique"         // a local slice is updated that something else reads as well
	CodeRecursion     = "recursion"      // a function that calls itself, directly or not

	// What the language of kernels lacks.
	CodePointer     = "pointer"      // pointers
	CodeMapType     = "map"          // Go maps
	CodeString      = "string"       // strings
	CodeErrorValue  = "error-value"  // an error that is none of a list of constants
	CodeInterface   = "interface"    // interface values, type assertions and switches
	CodeArray       = "array"        // arrays [N]T that are too large for where they stand
	CodeElement     = "element-type" // other types that are no scalars, structs or slices of these
	CodeForeignCall = "foreign-call" // a function outside the module
	CodeMathFunc    = "math-func"    // a function of package math that is not known
	CodeBuiltin     = "builtin"      // a built-in function without meaning in a kernel
	CodeFuncValue   = "func-value"   // a function stored, returned or chosen at run time
	CodeRange       = "range"        // range over something else than a slice or an integer
	CodeCompare     = "compare"      // comparison of slices, nil, functions
	CodeConstant    = "constant"     // a constant argument that can only fail

	// What is not compiled yet.
	CodeMake       = "make"         // make of anything but a slice of scalars or structs, with a length
	CodeAppend     = "append"       // append
	CodeSliceLit   = "slice-lit"    // []T{…} where T holds slices
	CodeSlice3     = "slice3"       // x[a:b:c]
	CodeOperator   = "operator"     // a function of package ops that is no operator
	CodeRows       = "rows"         // an operator that would combine whole rows
	CodeArrayMerge = "array-choice" // an array chosen by a branch or carried by a loop
	CodeTooLarge   = "too-large"    // inlining never ends, or nearly so
)

// problem is a diagnostic without its position.
type problem struct{ code, message, why, fix string }

const onlyPure = "the iterations of a data-parallel operator run in any order, many at the same time, so that they may only compute"

// typeProblem says why values of type t cannot be compiled; ok is false if they can.
func typeProblem(t types.Type) (p problem, bad bool) {
	if t == nil || isFunc(t) {
		return problem{}, false
	}
	if p, ok := t.Underlying().(*types.Pointer); ok { // known when the kernel is compiled: see Note [Pointers]
		t = p.Elem()
	}
	if t == types.Typ[types.Invalid] {
		return problem{}, false // reported by the type checker
	}
	if _, err := layout(t); err == nil {
		return problem{}, false
	}
	return explainType(t, t, 0), true
}

func explainType(t, whole types.Type, depth int) problem {
	found := "a value of type " + typeName(whole)
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Kind() == types.UntypedNil:
			return problem{CodeCompare, "found nil", "a nil slice is an empty sequence, no value of its own", "compare len(s) with 0"}
		}
	case *types.Map:
		return problem{CodeMapType, "found " + found,
			"a map is updated one entry at a time, and its order is not defined", "use a slice that is indexed by a number, or sort the keys, as in sorted := slices.Clone(keys) and slices.Sort(sorted), and go through equal neighbours"}
	case *types.Chan:
		return problem{CodeChannel, "found " + found,
			onlyPure + ", and not communicate", "return the values: an operator such as ops.Map collects them"}
	case *types.Pointer:
		return problem{CodePointer, "found " + found,
			"where a pointer leads must be known when the kernel is compiled, and a stored one may lead anywhere", "keep the values in a slice, and in place of a pointer the index of what it points to"}
	case *types.Interface:
		return problem{CodeInterface, "found " + found,
			"the type of every value must be known when the kernel is compiled", "use the concrete type"}
	case *types.Array:
		return explainArray(t, whole, depth)
	case *types.Slice:
		if depth < maxNesting {
			return explainType(u.Elem(), whole, depth+1)
		}
	case *types.Struct:
		if u.NumFields() == 0 {
			return problem{CodeElement, "found " + found, "an empty struct holds no number", "use a bool or a number"}
		}
		for f := range u.Fields() {
			if isFunc(f.Type()) {
				return problem{CodeFuncValue, "found " + found + ", whose field " + f.Name() + " is a function",
					"which function is called must be known when the kernel is compiled", "pass the function as an argument of the operator"}
			}
			if _, err := layoutIn(f.Type(), 1); err != nil && depth < maxNesting {
				return explainType(f.Type(), whole, depth+1)
			}
		}
	case *types.Signature:
		return problem{CodeFuncValue, "found " + found,
			"which function is called must be known when the kernel is compiled", "pass the function as an argument of the operator"}
	}
	return problem{CodeElement, "found " + found,
		"a kernel's values are bool, integers, float32, float64, structs of these, and slices of these", "use one of these types"}
}

func capturedWrite(name string) problem {
	return problem{CodeCapturedWrite, "the function of an operator assigns " + name + ", which is declared outside it",
		"an operator calls its function in any order and many times at once, so that these assignments race",
		"return the value; to sum up or to find an extreme, use ops.Reduce, for running values ops.Scan"}
}

// explainArray is explainType for an array, which has too many elements, or elements of a type that cannot be compiled.
func explainArray(t, whole types.Type, depth int) problem {
	found := "found a value of type " + typeName(whole)
	base, n := arrayBase(t)
	if _, err := layoutIn(base, 1); err != nil && depth < maxNesting {
		return explainType(base, whole, depth+1)
	}
	switch {
	case n == 0:
		return problem{CodeArray, found, "an array without elements holds no number", "use a bool or a number, or leave it out"}
	case t == whole && n <= maxNumbers:
		return problem{CodeArray, found, fmt.Sprintf("an array of slices is compiled to one sequence an element, of which there may be %d", MaxComponents),
			"use a slice of rows, made with ops.Map"}
	case t == whole:
		return problem{CodeArray, found, fmt.Sprintf("an array has at most %d elements", maxNumbers), "use a slice, made with the length"}
	}
	return problem{CodeArray, found,
		fmt.Sprintf("an array inside a slice or another array, or in a struct inside one, is compiled to one value an element, of which there may be %d in all", MaxComponents),
		"make the array a variable, or a parameter, of its own, or use a slice"}
}

func notYet(code, what, why, fix string) problem {
	return problem{code, what + " is not compiled yet", why, fix}
}

func elementWrite(name string) problem {
	return problem{CodeInputWrite, fmt.Sprintf("an element of %s is assigned", name),
		"a slice that comes into a function, or out of an operator, is read by other iterations at the same time",
		"update a copy, as in copied := slices.Clone(" + name + "), or compute the new elements with ops.Map, and return them"}
}

// paramWrite is elementWrite for a parameter of a function that a kernel calls.
func paramWrite(name, function string) problem {
	p := elementWrite(name)
	p.fix = "let " + function + " make the slice and return it, or compute the new elements with ops.Map and return them"
	return p
}
