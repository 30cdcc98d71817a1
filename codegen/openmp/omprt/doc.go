// Package omprt is the run time of the openmp platform, which generated code imports: it compiles the C of a
// computation by the machine's own compiler when it is first asked for, keeps what came out in the user's cache
// directory, opens it without cgo, and runs its functions on the arrays of a kernel's frame.
//
// In builds with the tag surge_cgo generated code links the program with the functions instead ([Unit.Link]): then
// nothing is compiled or opened here.
//
// The environment: CC names the compiler and may have arguments (default: cc, gcc or clang, whichever is there);
// SURGE_OPENMP_CACHE is the folder of what was compiled, where "" keeps nothing beyond the process.
package omprt
