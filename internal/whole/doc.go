// Package whole has kernels that run as they stand, as plain Go, with loops whose turns may run on several threads, and
// with loops whose turns may not, however much they look like the others. Its tests run all of them against plain Go.
//
// It imports what generated code does.
package whole
