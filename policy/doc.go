// Package policy turns a schedule into the tunable parameters of a platform and enumerates the search space (Surge
// section 3.3, Tables IV and V, Algorithm 1).
//
// A [Platform] is a table: its resource levels, the schedules it cannot implement, its parameters, and the
// constraints on their values. A new platform is a new table and never a branch in a pass. [Infer] is Algorithm 1;
// [Enumerate] takes an expression sequence from package fuse and a [Machine], and gives a [Space]: every valid
// variant, and how many points were pruned for which reason.
//
// A parameter changes either the generated code (vector width, resource) or only its launch (threads, chunk size). The
// values of the former are settled first, so that a code that a constraint refuses is not multiplied by every launch,
// and so that generated code holds one function for each [selector.Code].
//
// The package imports schedule, ops/fuse and selector. It must not import codegen or a platform.
package policy
