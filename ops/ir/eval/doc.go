// Package eval runs IR as it is written, one statement after the other. It is what the IR means: the passes of
// package fuse must not change what it gives, and compiled code must agree with it. It is written to be read, not to
// be fast.
//
// A value is an [ir.Const], which is a scalar, or a []any of values, which is an array. [Unary], [Binary] and
// [Convert] are the functions of scalars, as Go has them on this machine: package codegen/kir/interp computes with
// them too.
//
// It imports ops and ops/ir.
package eval
