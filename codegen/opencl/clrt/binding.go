package clrt

import (
	"fmt"
	"unsafe"
)

// handle is an object of OpenCL; 0 is none.
type handle uintptr

// status is what an OpenCL function returns; 0 is success.
type status int32

// binding is the part of OpenCL 1.2 that the run time uses: one method for each function, with its blocking form where
// there are two, unless it says otherwise. Memory that is handed over is not kept, but for createBuffer's with
// memUseHostPtr and fetch's, which the caller has to keep pinned. Bindings implement it.
type binding interface {
	platforms() ([]handle, status)
	platformInfo(p handle, what uint32) ([]byte, status)
	devices(p handle) ([]handle, status)
	deviceInfo(d handle, what uint32) ([]byte, status)
	createContext(d handle) (handle, status)
	createQueue(context, d handle) (handle, status)
	createBuffer(context handle, flags uint64, bytes int, host unsafe.Pointer) (handle, status)
	read(queue, buffer handle, bytes int, to unsafe.Pointer) status
	// fetch is read that does not wait: the bytes are there after finish.
	fetch(queue, buffer handle, bytes int, to unsafe.Pointer) status
	write(queue, buffer handle, bytes int, from unsafe.Pointer) status
	// fill sets all bytes to the value.
	fill(queue, buffer handle, bytes int, value byte) status
	// mapBuffer and unmapBuffer give a buffer with memUseHostPtr to the host and back to the device. They do not wait: the
	// buffer is the host's after finish.
	mapBuffer(queue, buffer handle, bytes int) (unsafe.Pointer, status)
	unmapBuffer(queue, buffer handle, at unsafe.Pointer) status
	programWithSource(context handle, source string) (handle, status)
	programWithBinary(context, d handle, binary []byte) (handle, status)
	build(program, d handle, options string) status
	buildLog(program, d handle) ([]byte, status)
	binary(program handle) ([]byte, status)
	createKernel(program handle, name string) (handle, status)
	kernelInfo(kernel, d handle, what uint32) ([]byte, status)
	setArg(kernel handle, index, bytes int, value unsafe.Pointer) status
	// launch enqueues a kernel over a two-dimensional range.
	launch(queue, kernel handle, global, local [2]uintptr) status
	finish(queue handle) status
	releaseBuffer(handle) status
	releaseProgram(handle) status
	releaseKernel(handle) status
}

// Constants of cl.h.
const (
	platformName    = 0x0902
	platformVersion = 0x0901

	deviceTypeInfo         = 0x1000
	deviceComputeUnits     = 0x1002
	deviceMaxWorkGroup     = 0x1004
	deviceMaxItemSizes     = 0x1005
	deviceMaxAlloc         = 0x1010
	deviceGlobalMemory     = 0x101F
	deviceLocalMemory      = 0x1023
	deviceAvailable        = 0x1027
	deviceCompiler         = 0x1028
	deviceLittleEndian     = 0x1026
	deviceName             = 0x102B
	driverVersion          = 0x102D
	deviceVersion          = 0x102F
	deviceExtensions       = 0x1030
	deviceDoubleConfig     = 0x1032
	deviceSingleConfig     = 0x101B
	correctlyRoundedDivide = 1 << 7
	deviceMaxSubgroups     = 0x105C // OpenCL 2.1
	deviceTypeCPU          = 1 << 1
	deviceTypeGPU          = 1 << 2
	deviceTypeAll          = 0xFFFFFFFF
	memReadWrite           = 1 << 0
	memUseHostPtr          = 1 << 3
	mapRead                = 1 << 0
	mapWrite               = 1 << 1
	programBinarySizes     = 0x1165
	programBinaries        = 0x1166
	programBuildLog        = 0x1183
	kernelWorkGroupSize    = 0x11B0
	kernelCompileSize      = 0x11B1 // of reqd_work_group_size
	kernelLocalMemory      = 0x11B2
	clDeviceNotFound       = status(-1)
	clOutOfDeviceMemory    = status(-4)
	clOutOfResources       = status(-5)
	clOutOfHostMemory      = status(-6)
	clBuildFailure         = status(-11)
	clInvalidBinary        = status(-42)
	clInvalidBufferSize    = status(-61)
	clPlatformNotFoundMS   = status(-1001) // the loader has no driver
)

var statusNames = map[status]string{
	-1: "CL_DEVICE_NOT_FOUND", -2: "CL_DEVICE_NOT_AVAILABLE", -3: "CL_COMPILER_NOT_AVAILABLE", -4: "CL_MEM_OBJECT_ALLOCATION_FAILURE",
	-5: "CL_OUT_OF_RESOURCES", -6: "CL_OUT_OF_HOST_MEMORY", -7: "CL_PROFILING_INFO_NOT_AVAILABLE", -8: "CL_MEM_COPY_OVERLAP",
	-11: "CL_BUILD_PROGRAM_FAILURE", -12: "CL_MAP_FAILURE", -13: "CL_MISALIGNED_SUB_BUFFER_OFFSET",
	-14: "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST", -15: "CL_COMPILE_PROGRAM_FAILURE", -16: "CL_LINKER_NOT_AVAILABLE",
	-17: "CL_LINK_PROGRAM_FAILURE", -30: "CL_INVALID_VALUE", -31: "CL_INVALID_DEVICE_TYPE", -32: "CL_INVALID_PLATFORM",
	-33: "CL_INVALID_DEVICE", -34: "CL_INVALID_CONTEXT", -35: "CL_INVALID_QUEUE_PROPERTIES", -36: "CL_INVALID_COMMAND_QUEUE",
	-37: "CL_INVALID_HOST_PTR", -38: "CL_INVALID_MEM_OBJECT", -42: "CL_INVALID_BINARY", -43: "CL_INVALID_BUILD_OPTIONS",
	-44: "CL_INVALID_PROGRAM", -45: "CL_INVALID_PROGRAM_EXECUTABLE", -46: "CL_INVALID_KERNEL_NAME", -47: "CL_INVALID_KERNEL_DEFINITION",
	-48: "CL_INVALID_KERNEL", -49: "CL_INVALID_ARG_INDEX", -50: "CL_INVALID_ARG_VALUE", -51: "CL_INVALID_ARG_SIZE",
	-52: "CL_INVALID_KERNEL_ARGS", -53: "CL_INVALID_WORK_DIMENSION", -54: "CL_INVALID_WORK_GROUP_SIZE", -55: "CL_INVALID_WORK_ITEM_SIZE",
	-56: "CL_INVALID_GLOBAL_OFFSET", -57: "CL_INVALID_EVENT_WAIT_LIST", -58: "CL_INVALID_EVENT", -59: "CL_INVALID_OPERATION",
	-61: "CL_INVALID_BUFFER_SIZE", -63: "CL_INVALID_GLOBAL_WORK_SIZE", -1001: "CL_PLATFORM_NOT_FOUND_KHR",
}

// String returns the name that cl.h has for it.
func (s status) String() string {
	if name := statusNames[s]; name != "" {
		return name
	}
	return fmt.Sprintf("OpenCL error %d", int32(s))
}

// Error is the failure of an OpenCL function.
type Error struct {
	Call string // clBuildProgram
	Code int32  // as in cl.h
}

// Error returns `clFinish: CL_OUT_OF_RESOURCES`.
func (e *Error) Error() string { return e.Call + ": " + status(e.Code).String() }

// failure returns nil for success.
func failure(call string, s status) error {
	if s == 0 {
		return nil
	}
	return &Error{Call: call, Code: int32(s)}
}
