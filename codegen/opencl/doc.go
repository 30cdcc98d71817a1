// Package opencl is the platform of GPUs and of every other device that OpenCL reaches.
//
// It holds the platform's table: resource levels, parameters and constraints (Surge Tables IV and V, with OpenCL's terms
// for CUDA's). The search space of a computation on it can be enumerated and inspected on any machine.
//
// The package imports policy, schedule, ops/fuse. It must not import another platform.
package opencl
