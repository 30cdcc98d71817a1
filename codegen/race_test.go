//go:build race

package codegen_test

// race reports whether the race detector is on: it makes everything ten times slower.
const race = true
