// Package kernels holds kernels that nobody tuned the compiler for, written from the descriptions of the benchmark
// suites that the papers use (Rodinia, Parboil, FinPar and the examples of Accelerate). Its test compiles them and
// compares every variant of each with plain Go.
//
// It imports ops alone, and nothing imports it.
package kernels
