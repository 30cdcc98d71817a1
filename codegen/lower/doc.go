// Package lower turns one computation under one form, schedule and choice of code parameters into the kernel IR. It is
// the same for every platform: it knows resources (a pool of workers, lanes; a grid of work-items), not syntax. [Computation]
// is for platforms whose workers call a function, [Device] for those that launch kernels: the latter lowers every statement
// for the team of work-items that runs it, and scalar code for one work-item is what it is for one worker. Choices that cannot be
// realised are reported as a [Veto] with the reason, and prune the point of the search space.
//
// It imports ops/ir, ops/fuse, schedule, selector and codegen/kir.
package lower
