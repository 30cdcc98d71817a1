// Package opencl is the platform of GPUs and of every other device that OpenCL reaches.
//
// It holds the platform's table: resource levels, parameters and constraints (Surge Tables IV and V, with OpenCL's
// terms for CUDA's), and the printer from the kernel IR to OpenCL C 1.2. The search space of a computation on it can
// be enumerated and inspected, and its code printed, on any machine; package clrt runs it.
//
// # Schedules
//
// Every schedule of Surge's Figure 2(b) is here: an element of an outer independent level is given to a work-item, to
// a logical warp or to a workgroup, whose work-items then share the inner level; a reduction or a scan by the whole
// grid is two or three kernels, with partial results between them; a histogram over the grid gives each work-item
// bins of its own. All results are combined in a fixed order, so that a variant gives the same bits for the same
// input and launch.
//
// The work-items of a workgroup reduce by a tree in local memory, by raking or by shuffles. They scan by raking,
// where each goes over a run of neighbours twice, or tile by tile: with Hillis and Steele's steps, up and down
// Blelloch's tree (Prefix sums and their applications, 1990), or by subgroup operations, which need a neutral
// element. The others take any associative function.
//
// Loops over what is given to a resource are strided by the number of resources: a kernel is right whatever the
// number of workgroups, and the grain size is only a matter of the launch. Logical warps are not assumed to run in
// step: their work-items exchange values through local memory behind barriers that the whole workgroup comes to. A
// loop over elements that are given to logical warps therefore has as many turns in all warps of a workgroup, and one
// without an element of its own reads the last one and stores nothing.
//
// Where work-items run a reduction each and all of a workgroup read the same elements in it, local_tile makes the
// workgroup read them once, tile by tile, into local memory. Its work-items then run in step, as logical warps do:
// each comes to every barrier, and one without an element of its own computes the last one and stores nothing.
//
// # Semantics
//
// Values are those of Go: int has 64 bits, integers wrap around, shifts by the width or more shift everything out,
// min and max are NaN if an operand is, a conversion from a float that is out of range gives what the processor
// gives. Sums and products are not contracted. Functions of package math are those of OpenCL C, for float32 those of
// float: within the tolerance of comparisons, but not bit by bit.
//
// A check that fails writes its number and values to the status buffer, once, and leaves the element, or the kernel if
// nobody waits in it; nothing is read or written out of bounds.
//
// A run looks at its context between launches. OpenCL has no way to end a launch that has begun, and to bound the
// turns of a loop inside an element would mean to keep the state of each element between launches: a loop that never
// ends keeps its device, and the run, until the process ends or the driver does.
//
// The package imports policy, schedule, selector, ops/fuse, ops/ir, codegen/kir, codegen/kir/pass, codegen/lower,
// codegen/target and clrt. It must not import another platform.
//
// The printer has kernels and what they are given in print.go, statements in stmt.go, and expressions in expr.go.
package opencl
