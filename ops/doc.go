// Package ops holds the data-parallel operators that kernels are written with.
//
// Every operator here is the plain, sequential definition: it runs under `go test`, in a debugger
// and in a program that never calls surge, and it is the reference that each generated variant is
// checked against. The compiler recognises calls of these functions inside a `//surge:kernel`
// function and replaces them; their meaning does not change.
//
// A sequence is a []T, and a nested sequence is a [][]T. The operators are those of Table I of the Surge paper
// (Muralidharan et al., "Designing a Tunable Nested Data-Parallel Programming System"), with [InclusiveScan],
// [Flatten], [Concat], [Transpose], [Filter], [Partition], [Histogram] and [SortByKey] beside them. docs/operators.md
// tells how each one is compiled, at which level and under which schedules.
//
// # Conventions
//
// In the equations, s[i] is element i (from 0), n is len(s), and y is the result. Work is the
// number of elementary steps; span is the number of steps on the longest chain of dependences,
// that is, the time with unlimited processors. Both count calls of a function argument as one
// step. The strongest schedule is the entry of Table III: the most parallel way to run the
// operator, from which a schedule is weakened level by level to sequential. Operators that the
// table lacks name the schedule that follows from their definition.
//
// # Function arguments
//
// They must be pure: the result depends on the arguments only, and nothing is written. An ⊕ given
// to [Reduce], [ReduceByKey], [Histogram], [Scan] or [InclusiveScan] must be associative, and commutative
// too for the three reductions, or else variants that combine elements in another order give another
// result. Floating-point addition is accepted as associative, as in the paper (footnote 1), so
// variants agree with this package within rounding. With maximum and minimum, write what a NaN
// does: the built-in max and min propagate it whatever the order, a comparison with < does not.
//
// # Ownership
//
// Inputs are never modified. A result is either fresh (it shares nothing with the inputs) or a
// view (it shares their memory: writing one writes the other); each operator says which. Views end
// at their own capacity, so that appending to one reallocates and never overwrites its neighbour.
// A result without elements is an empty slice, never nil, and a nil argument is an empty sequence.
//
// # Errors
//
// Misuse (lengths that disagree, an index out of range, decreasing offsets and so on) panics with
// an [*Error] before any function argument is called. Compiled kernels return an error of the same
// type instead of panicking.
//
// The package imports the standard library only, and must not import any other package of surge.
package ops
