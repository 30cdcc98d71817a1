// Package drive is the part of the torture tests that is linked with generated code: it makes inputs, runs every
// variant of every registered kernel on them, and compares with plain Go. Results and failures are lines of JSON in a
// file.
//
// It imports codegen/cluster and its clustertest, codegen/exec, codegen/harness and selector.
package drive
