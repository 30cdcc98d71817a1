// Package rodinia has programs of Rodinia, written as one would in Go: what the literature on nested data parallelism
// measures, on the same sizes.
package rodinia
