// Package ir is the intermediate representation of a kernel: first order, typed, in A-normal form.
//
// It takes what package load read from a Go function and gives it to the passes of package fuse and, from there, to
// schedule, policy and codegen. Tuples and structs are already separate values when they reach the IR; a sequence is
// an array of rank 1, a nested sequence one of rank 2.
//
// Arrays are index spaces. The operators that only rename elements (Gather, Split, Nest, Reverse, …) are [View]
// statements; the ones that compute ([Map], [Reduce], [Scan]) run a block once for every index below their length.
// Reading an element is [Index], and fusion is nothing but rewriting Index of a producer into the producer's body.
//
// The IR prints as text ([Func.String]) and the text parses back ([Parse]); [Verify] checks every invariant and is run
// after each pass in tests. Package eval runs it.
//
// The package imports only the standard library and must not import any other package of this module.
package ir
