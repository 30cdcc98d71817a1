// Package cluster describes kernels that run block by block, as the outermost level of hardware, a cluster, runs them:
// which parameters are cut, what one block computes, and how what blocks yield is put together.
//
// It takes descriptions that generated code holds (package ops/cut finds them), and inputs from a [Source]. It knows no
// engine: [Run] is the driver for one process, and an engine's driver does the same steps elsewhere. It must not import
// the compiler, nor an engine.
package cluster
