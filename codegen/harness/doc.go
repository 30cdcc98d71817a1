// Package harness is the server side of an on-demand run: a program that is generated around the user's package links
// it, registers the package's kernels, and answers requests on its standard input and output (describe, bind, run).
// The client is package training, which builds and starts that program.
//
// It takes kernels ([Register]: the compiled twin and the plain Go function) and arguments as raw little-endian bytes.
// It gives the choices that were made, times, checksums, results, and a comparison with plain Go execution ([Compare]).
// The protocol is newline-delimited JSON, described at [Request] and [Response]; standard output is kept for it, and
// what the user's code prints goes to standard error.
//
// It is linked into a program of the user's module, so it imports the standard library, ops, selector, codegen/exec and
// codegen/goroutine/rt only.
package harness
