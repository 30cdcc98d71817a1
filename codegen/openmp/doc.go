// Package openmp is the platform of C with OpenMP: what may run where on it, and the printer that turns kernel IR
// into C11 with OpenMP pragmas. A team of threads takes chunks of a level; loops whose turns may run in lanes carry a
// pragma that tells the C compiler so, which makes the vectors. Package omprt compiles and runs what is printed.
package openmp
