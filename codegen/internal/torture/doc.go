// Package torture generates random well-typed kernels, compiles them, and runs every variant of them against plain Go.
// It is for tests: what a kernel means is what the Go compiler and package ops say, so any disagreement is a bug of the
// compiler (or, rarely, of the generator's care about rounding).
//
// Floats are generated so that comparing is well conditioned: inputs are small multiples of a quarter, and every
// expression carries bounds (attr) from which the generator knows whether a sum is exact in any order. Where it is not,
// only elements of one sign are summed, and what depends on such a sum is never compared, rounded or subtracted.
//
// It imports ops/load, ops/ir, codegen and codegen/lower. Package drive below it is linked into the generated programs.
package torture
