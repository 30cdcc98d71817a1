//go:build !race

package codegen_test

// race reports whether the race detector is on.
const race = false
