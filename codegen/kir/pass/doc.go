// Package pass runs passes over kernel IR. Lowering yields a function or a device program that every target could
// take; each target then has a list of passes that make it what its compiler, its driver and its hardware are best
// served by. A list is data: a pass has a name, a line that says what it does, the passes that it relies on, and a
// function over the code. [Run] runs a list and shows the code to an observer after each pass, which is how surge
// inspect prints every stage and how tests verify every stage.
//
// The passes of this package are those that know no target: [Prune], [Elements], [Stack], [Barriers]. A pass that
// knows a compiler or a driver lives with its target.
//
// It imports codegen/kir and ops/ir and nothing else of this module.
package pass
