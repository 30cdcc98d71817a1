// Package goroutine is the platform of multicore CPUs: its table of resources, parameters and constraints, and the
// printer that turns kernel IR into Go. The runtime that the printed code calls is package rt, its vectors are package
// vec; both are linked into user programs, this package is not.
//
// It runs [Passes] over kernel IR from codegen/lower and prints it as Go. It imports policy, schedule, selector,
// ops/fuse, ops/ir, codegen/kir, codegen/kir/pass, codegen/lower, codegen/target and vec, and must not import another
// platform.
package goroutine
