// Package sorting holds a kernel for each type of keys, and a test that sorts adversarial keys on an OpenCL device
// and on goroutines, and compares with plain Go. The kernels import ops; nothing but the test imports the package.
package sorting
