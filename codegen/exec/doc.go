// Package exec is what a generated file needs at run time whatever platform its variants run on: the options of a call,
// the choice of a variant for every computation, destinations of results, and the errors of checks (the paper's
// execute(expr, [destination, platform, schedule, policy]), Surge section 2).
//
// It is linked into the user's program and imports the standard library, ops and selector only.
package exec
