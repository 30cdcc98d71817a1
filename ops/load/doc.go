// Package load finds the kernels of a Go package, checks that they keep to the Go that can be data-parallel, and lowers
// them to the IR (package ops/ir).
//
// It takes a directory. A kernel is a function whose doc comment has the line //surge:kernel; its body, and those of
// the functions of the same module that it calls, are read from source, everything else from export data. It gives a
// [Package] with one ir.Func a kernel, or [Diagnostics]: every problem of the user's program that was found, each with
// its position, a stable code, the reason and what to write instead.
//
// A function with the line //surge:variant-of KERNEL is another algorithm for a kernel. One with the line
// //surge:feature KERNEL [UNIT] computes a number from some of the kernel's parameters, which it names as the kernel
// does: a property of the input that helps to choose a variant (Surge section 3.4). It is not compiled, and may do
// what Go can. The line //surge:features NAME… at a kernel asks for ready-made ones.
//
// Lowering removes everything that the IR lacks: calls of functions are inlined, structs and tuples become separate
// values, assignments become new variables, jumps become conditions, operators on several sequences become index
// spaces with a check of the lengths before them. It optimises nothing: that is the work of package ops/fuse.
//
// It imports ops/ir, selector (for the names of features) and golang.org/x/tools (go/packages, go/gcexportdata), and
// must not import fuse, schedule, policy, codegen or training.
package load
