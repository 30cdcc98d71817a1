// Package fuse turns the IR of a kernel into computations: it simplifies, resolves views, fuses producers into their
// consumers (Surge section 4) and splits what is left into top-level nests, each with its expression sequence.
//
// It takes an ir.Func from package load and gives a Kernel to schedule, policy and codegen. It imports ops/ir only.
package fuse
