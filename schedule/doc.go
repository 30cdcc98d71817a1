// Package schedule enumerates the platform-independent ways to run a computation (Surge section 3.2, Tables II and
// III).
//
// It takes an expression sequence from package fuse and gives every semantically valid schedule, the strongest first:
// one [Element] a level, looked up by operator (Table III), then weakened by the rewrite rules
//
//	independent → sequential
//	cooperative → sequential
//
// Operators that put elements at places that depend on the data are made of others: a filter is a scan and a scatter, a
// reduction by key besides a map of reductions. docs/operators.md lists operator, level, schedule and resource.
//
// A platform's [Constraint] list prunes the schedules that it cannot implement; each keeps the reason. A pruned
// schedule stays in the result so that a user can see that it was considered.
//
// The package imports ops/fuse only. It must not know any platform: those are tables (package policy) that hold
// constraints of this package's type.
package schedule
