// Package keyed holds kernels with the operators whose places or lengths depend on the data, each alone, nested and
// fused with others, and a test that runs every variant of every one of them against plain Go.
//
// Package drive below it is linked into the program that the test builds.
package keyed
