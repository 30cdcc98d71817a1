// Package input turns what a user names on the command line into typed arrays
// for a kernel's parameters, and writes results.
//
// It takes an input spec, either a file (Matrix Market, NumPy, text, CSV) or a
// generator (gen:NAME:ARGUMENTS), and gives a [Source]: a few named fields. It
// takes a binding expression such as A.values or random(A.cols, seed=34) and
// gives a [Value] of the type that the parameter has. See [Open] for the specs,
// [Bind] for the expressions and [Generators] for what can be generated.
//
// Everything that is read is unchecked until it has been read: no array is
// allocated because a header claims a size, sizes grow with the bytes that
// really arrive. Whatever is wrong with an input is one [*Error], which says
// where, what, why and what to do.
//
// The package may import readers of file formats, the standard library, and
// selector for names that are nearly right. It must not import the compiler (ops,
// schedule, policy, codegen) nor the command, and generated code must not import it.
package input
