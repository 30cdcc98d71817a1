// Package training builds a user's kernels on demand, runs them on real input, measures their variants and verifies
// each against plain Go execution (Surge sections 3.4 and 4).
//
// It takes the directory of a Go package ([Open]), arguments of its kernels (values of package training/input) and
// variants. It gives what ran: choices, times, checksums, results, comparisons ([Bound.Run], [Bound.Bench]).
//
// The kernels run in a process of their own, a harness that is generated and built in the user's module with
// go build -overlay, so nothing is written into the user's tree. Its binary is kept in a cache: a second start neither
// loads nor compiles anything.
//
// [Train] carries out a [Plan]: what is measured, learned and installed, all that surge train does but for flags and
// printing. A [Trainer] measures variants on many inputs for it, keeps every run in an append-only file
// ([Measurements]), and learns from these (package fit): first all variants, or what a [Search] looks at; then, in
// turns and for longer, those that matter; then once more those where the model's choice looks bad, which may be the
// fault of a measurement; and where there are several algorithms for a kernel, these as a whole. The same
// measurements give the same model.
//
// The package may import codegen and everything below it. It must not import the command, and generated code must not
// import it.
package training
