// Package interp runs kernel IR without a driver, and finds what a driver would not tell.
//
// [Device] runs the launches of a computation: the work-items of a workgroup one after the other from one meeting
// point, a barrier or an operation of a subgroup, to the next, in an order that can be chosen. [Func] runs code of
// the worker pool, whose chunks run one after the other in an order that can be chosen too. Both work on a [Frame],
// as compiled code does, and end with nil, with a *[Failure] if a check of the kernel failed, or with a *[Fault] if
// the code is wrong:
//
//   - a race: two work-items, or two chunks, use one element, one of them writes, and nothing orders them;
//   - a barrier that not all work-items of a group come to, or in different turns of a loop;
//   - an element outside of its array, or of scratch memory that was given back;
//   - a result, an index, a check or a barrier that depends on an element which nothing was written to;
//   - an index that the lowering computes, and that exceeds the range of its type.
//
// Turns of a loop that is marked for lanes are checked like chunks.
//
// Races are found whatever the order is: every element of memory knows who used it last. An order only decides on the
// values that racing code computes.
//
// Numbers are those of Go: integers wrap around, floats of 32 bits are rounded after each operation. An element that
// nothing was written to may be read, by a work-item that goes along without an element of its own, or in lanes that
// nobody looks at: what is computed from it has no value either.
//
// It imports codegen/exec (for the errors of checks), codegen/kir, ops/ir and ops/ir/eval.
package interp
