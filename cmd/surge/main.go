// Command surge compiles nested data-parallel kernels, which are plain Go functions, into variants for multicore CPUs,
// shows the search space of variants, and runs and measures them (Surge sections 3 and 5).
//
// Each subcommand has a file of its own, which turns flags into calls of the module's packages and their answers into
// text or JSON; surge.yaml is read in config.go, errors become messages and exit codes in errors.go. Nothing else
// imports cobra, viper or this package.
package main

import "os"

func main() { os.Exit(execute(os.Args[1:], os.Stdout, os.Stderr)) }
