// Package goroutine is the platform of multicore CPUs: its table of resources, parameters and constraints, and the
// printer that turns kernel IR into Go. The runtime that the printed code calls is package rt, its vectors are package
// vec; both are linked into user programs, this package is not.
//
// The printer: what is printed once for a computation and shared by its codes is in unit.go, functions in print.go,
// statements in stmt.go (several in a line in together.go, checks in checks.go, parallel loops in region.go),
// expressions in expr.go, where elements lie in memory.go, calls of routines in routines.go. What stands where is
// decided before: in once.go, what is used once, and in order.go.
//
// It runs [Passes] over kernel IR from codegen/lower and prints it as Go. It imports policy, schedule, selector,
// ops/fuse, ops/ir, codegen/kir, codegen/kir/pass, codegen/lower, codegen/target and vec, and must not import another
// platform.
package goroutine
