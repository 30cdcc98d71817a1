// Package lower turns one computation under one form, schedule and choice of code parameters into the kernel IR. It is
// the same for every platform: it knows resources (a pool of workers, lanes), not syntax. Choices that cannot be
// realised are reported as a [Veto] with the reason, and prune the point of the search space.
//
// It imports ops/ir, ops/fuse, schedule, selector and codegen/kir.
package lower
