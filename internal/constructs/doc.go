// Package constructs holds a small kernel for each construct of Go that kernels may contain. A test compiles all of
// them, runs them on each platform against plain Go, and makes the table docs/go.md, with what is refused from
// testdata/refused.
//
// A kernel is a Go function with the line //surge:kernel, and a line "Construct: …" in its doc comment that names its
// row of the table, in a file whose first line is the section of the table. Inputs are made from the types of the
// parameters; a kernel that needs particular ones has, beside it, a function InputsKERNEL(n int, r *rand.Rand) []any,
// which makes an input of about n elements, a value a parameter.
//
// A refused construct is a file in testdata/refused, whose first comment has the lines "Section: …", "Construct: …",
// "Code: …", with the code of the refusal, and "Instead: …", with the kernel of this package that shows what to write
// in its place.
//
// It imports ops.
package constructs
