// Package form rewrites a computation to others that compute the same: its forms.
//
// A [Rule] rewrites the IR of one computation, or says why it does not apply. [Derive] applies the rules of one list to
// each computation of a kernel, and to what comes of it; how far is bounded. A [Form] is data: its own IR, and all that
// follows from it, as the expression sequence, features and costs. What comes later does not know rules: it sees
// computations, and the name of a form in the canonical text of a variant.
//
// The package imports ops/ir, ops/ir/analysis, ops/fuse and selector. It must not import schedule, policy, codegen or a
// platform.
package form
