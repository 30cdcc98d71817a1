// Package kir is the kernel IR: what a computation looks like once its form, schedule and policy are decided. Loops are
// explicit and bound to a resource, values are scalars or vectors of lanes, memory spaces, partial results and checks
// are statements. Package lower builds it, once for all platforms; a platform's printer turns it into source text.
//
// It imports ops/ir (for element kinds and positions) and nothing else of this module.
package kir
