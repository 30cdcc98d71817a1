// Package beamrt runs kernels block by block on Apache Beam: on Prism, which is embedded, and on the engines that Beam
// has runners for.
//
// It takes a [cluster.Kernel], which generated code registers, and [Inputs], and builds a pipeline whose elements are
// blocks. It is a module of its own, so that nobody else carries Beam's dependencies. It may import
// codegen/cluster, training/blockwise and training/input, and nothing of the compiler.
package beamrt
