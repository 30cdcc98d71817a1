// Package meaning runs the code of kernels in an interpreter, and compares what it does with what their IR means.
// Each step, a computation or what stands between computations, begins with what the IR computes before it, so that a
// disagreement is found where it arises. It is for tests.
//
// It imports codegen, codegen/goroutine, codegen/harness (to compare), codegen/kir, codegen/kir/interp, codegen/lower,
// ops/fuse, ops/ir, ops/ir/eval, ops/load, policy and selector.
package meaning
