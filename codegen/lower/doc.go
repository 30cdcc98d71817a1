// Package lower turns one computation under one form, schedule and choice of code parameters into the kernel IR. It
// knows resources (a pool of workers, lanes; a grid of work-items), not syntax. [Computation] is for platforms whose
// workers call a function, [Device] for those that launch kernels: the latter lowers every statement for the team of
// work-items that runs it, and scalar code for one work-item is what it is for one worker. Choices that cannot be
// realised are errors with the reason, and prune the point of the search space.
//
// What comes out still holds what nothing uses, and what a compiler or a driver is better served by is not in it yet:
// the platform runs its passes over it (package codegen/kir/pass).
//
// It imports ops/ir, ops/fuse, schedule, selector and codegen/kir.
package lower
