// Package corpus holds 145 kernels as Go programmers of several fields write them: with methods, named types,
// tables, strings, errors and the standard library. Tests compile all of them, run them on each platform against plain
// Go on realistic inputs, and measure them against it.
//
// The first line of a file names its field. Beside each kernel there is a function InputsKERNEL, which makes an input
// of about n elements.
//
// It imports ops.
package corpus
