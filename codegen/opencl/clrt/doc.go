// Package clrt is the run time of the OpenCL platform: what a generated OpenCL variant needs besides its OpenCL C
// source. Code that the OpenCL platform prints imports it; nothing else in a user's program does. It imports
// codegen/exec, selector and the library of one of its bindings, and must not import the compiler.
//
// A [Code] describes one variant of a computation: the source, the buffers that live on the device only, the kernels
// to launch and their arguments. It implements [exec.Func]. The run time picks a device, builds the program with the
// launch parameters as macros (and keeps binaries in a cache on disk), moves arrays, launches, and turns what a
// kernel wrote into its status buffer into the error that a goroutine variant would give.
//
// # Binding
//
// OpenCL is reached through a narrow interface with two bindings: a loader that opens libOpenCL when a program asks for
// it (the default: it needs neither cgo nor headers), and github.com/go-gl/cl behind the build tag gogl. A machine
// without OpenCL is no error: [Code.Available] says what is missing.
//
// # Launch
//
// A program is built with -DBLOCK_SIZE_X=… -DBLOCK_SIZE_Y=… -DLOGICAL_WARP_SIZE=… (1 where the variant has no logical
// warps), -DGRAIN_SIZE_d=… for every level d that has a grain size that the source names; on CPUs also with
// -DSURGE_BLOCKWISE=1, since there a work-item had better take neighbouring elements, and elsewhere neighbouring
// work-items.
//
// Workgroups are BLOCK_SIZE_X × BLOCK_SIZE_Y work-items; workgroups lie along x, so that the linear number of a
// work-item is
//
//	get_group_id(0) * BLOCK_SIZE_X * BLOCK_SIZE_Y + get_local_id(1) * BLOCK_SIZE_X + get_local_id(0)
//
// A step whose count is 0 is not launched.
//
// What a variant needs before it can run is made in prepare.go, what it keeps on the device is in objects.go, and its
// runs are in launch.go.
package clrt
