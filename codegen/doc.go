// Package codegen takes a loaded package to generated code: fusion, search spaces, lowering, printing.
//
// It takes a load.Package and gives a [Program]: per kernel its stages and search spaces, generated files, and the
// code of any one variant. It must not import training or cmd; what generated code imports is in exec, goroutine/rt,
// goroutine/vec, opencl/clrt and openmp/omprt, none of which imports this package.
package codegen
