// Package drive is the part of package agree that is linked with generated code: it makes inputs from the types of the
// parameters, runs the compiled kernels on them, and compares with plain Go.
//
// It imports codegen/cluster, codegen/exec, codegen/harness and selector.
package drive
