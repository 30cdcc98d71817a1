//go:build gogl && cgo

package clrt

import (
	"runtime"
	"sync"
	"unsafe"

	"github.com/go-gl/cl/v1.2/cl"
)

// Binding names how OpenCL is reached.
const Binding = "go-gl/cl"

// linked is the library that the program is linked with, by way of github.com/go-gl/cl.
type linked struct {
	mu       sync.Mutex
	contexts map[handle]cl.Context // that package keeps its own objects for them
}

func open() ([]binding, string, error) {
	return []binding{&linked{contexts: map[handle]cl.Context{}}}, "linked libOpenCL", nil
}

// The types of that package for objects are pointers that only OpenCL follows.
func platform(h handle) cl.PlatformID { return *(*cl.PlatformID)(unsafe.Pointer(&h)) }
func deviceID(h handle) cl.DeviceId   { return *(*cl.DeviceId)(unsafe.Pointer(&h)) }
func queue(h handle) cl.CommandQueue  { return *(*cl.CommandQueue)(unsafe.Pointer(&h)) }
func mem(h handle) cl.Mem             { return *(*cl.Mem)(unsafe.Pointer(&h)) }
func program(h handle) cl.Program     { return *(*cl.Program)(unsafe.Pointer(&h)) }
func kernel(h handle) cl.Kernel       { return *(*cl.Kernel)(unsafe.Pointer(&h)) }

func object[T any](p *T) handle { return *(*handle)(unsafe.Pointer(p)) }

func (l *linked) context(h handle) cl.Context {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.contexts[h]
}

func (l *linked) platforms() ([]handle, status) {
	var n uint32
	if s := cl.GetPlatformIDs(0, nil, &n); s != 0 || n == 0 {
		return nil, status(s)
	}
	all := make([]handle, n)
	return all, status(cl.GetPlatformIDs(n, (*cl.PlatformID)(unsafe.Pointer(&all[0])), nil))
}

func (l *linked) platformInfo(p handle, what uint32) ([]byte, status) {
	return info(func(n uint64, to unsafe.Pointer, size *uint64) cl.ErrorCode {
		return cl.GetPlatformInfo(platform(p), cl.PlatformInfo(what), n, to, size)
	})
}

// info asks for the size of a value and then for the value.
func info(get func(n uint64, to unsafe.Pointer, size *uint64) cl.ErrorCode) ([]byte, status) {
	var n uint64
	if s := get(0, nil, &n); s != 0 || n == 0 {
		return nil, status(s)
	}
	value := make([]byte, n)
	return value, status(get(n, unsafe.Pointer(&value[0]), nil))
}

func (l *linked) devices(p handle) ([]handle, status) {
	var n uint32
	if s := cl.GetDeviceIDs(platform(p), deviceTypeAll, 0, nil, &n); s != 0 || n == 0 {
		return nil, status(s)
	}
	all := make([]handle, n)
	return all, status(cl.GetDeviceIDs(platform(p), deviceTypeAll, n, (*cl.DeviceId)(unsafe.Pointer(&all[0])), nil))
}

func (l *linked) deviceInfo(d handle, what uint32) ([]byte, status) {
	return info(func(n uint64, to unsafe.Pointer, size *uint64) cl.ErrorCode {
		return cl.GetDeviceInfo(deviceID(d), cl.DeviceInfo(what), n, to, size)
	})
}

func (l *linked) createContext(d handle) (handle, status) {
	id := deviceID(d)
	var s cl.ErrorCode
	c := cl.CreateContext(nil, 1, &id, nil, nil, &s)
	if s != 0 {
		return 0, status(s)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	h := handle(len(l.contexts) + 1)
	l.contexts[h] = c
	return h, 0
}

func (l *linked) createQueue(context, d handle) (handle, status) {
	var s cl.ErrorCode
	q := cl.CreateCommandQueue(l.context(context), deviceID(d), 0, &s)
	return object(&q), status(s)
}

func (l *linked) createBuffer(context handle, flags uint64, bytes int, host unsafe.Pointer) (handle, status) {
	var s cl.ErrorCode
	b := cl.CreateBuffer(l.context(context), cl.MemFlags(flags), uint64(bytes), host, &s)
	return object(&b), status(s)
}

func (l *linked) read(q, buffer handle, bytes int, to unsafe.Pointer) status {
	return status(cl.EnqueueReadBuffer(queue(q), mem(buffer), 1, 0, uint64(bytes), to, 0, nil, nil))
}

func (l *linked) fetch(q, buffer handle, bytes int, to unsafe.Pointer) status {
	return status(cl.EnqueueReadBuffer(queue(q), mem(buffer), 0, 0, uint64(bytes), to, 0, nil, nil))
}

func (l *linked) write(q, buffer handle, bytes int, from unsafe.Pointer) status {
	return status(cl.EnqueueWriteBuffer(queue(q), mem(buffer), 1, 0, uint64(bytes), from, 0, nil, nil))
}

func (l *linked) fill(q, buffer handle, bytes int, value byte) status {
	return status(cl.EnqueueFillBuffer(queue(q), mem(buffer), unsafe.Pointer(&value), 1, 0, uint64(bytes), 0, nil, nil))
}

func (l *linked) mapBuffer(q, buffer handle, bytes int) (unsafe.Pointer, status) {
	var s int32
	at := cl.EnqueueMapBuffer(queue(q), mem(buffer), 0, mapRead|mapWrite, 0, uint64(bytes), 0, nil, nil, &s)
	return at, status(s)
}

func (l *linked) unmapBuffer(q, buffer handle, at unsafe.Pointer) status {
	return status(cl.EnqueueUnmapMemObject(queue(q), mem(buffer), at, 0, nil, nil))
}

func (l *linked) programWithSource(context handle, source string) (handle, status) {
	text, size := []byte(source), uint64(len(source))
	var pins runtime.Pinner // cgo refuses pointers to pointers to what may move
	defer pins.Unpin()
	at := unsafe.SliceData(text)
	pins.Pin(at)
	var s cl.ErrorCode
	p := cl.CreateProgramWithSource(l.context(context), 1, &at, &size, &s)
	return object(&p), status(s)
}

func (l *linked) programWithBinary(context, d handle, binary []byte) (handle, status) {
	if len(binary) == 0 {
		return 0, clInvalidBinary
	}
	var pins runtime.Pinner
	defer pins.Unpin()
	at, size := unsafe.SliceData(binary), uint64(len(binary))
	pins.Pin(at)
	id := deviceID(d)
	var loaded int32
	var s cl.ErrorCode
	p := cl.CreateProgramWithBinary(l.context(context), 1, &id, &size, &at, &loaded, &s)
	if s == 0 && loaded != 0 {
		cl.ReleaseProgram(p)
		return 0, status(loaded)
	}
	return object(&p), status(s)
}

func (l *linked) build(p, d handle, options string) status {
	text, id := append([]byte(options), 0), deviceID(d)
	return status(cl.BuildProgram(program(p), 1, &id, &text[0], nil, nil))
}

func (l *linked) buildLog(p, d handle) ([]byte, status) {
	return info(func(n uint64, to unsafe.Pointer, size *uint64) cl.ErrorCode {
		return cl.GetProgramBuildInfo(program(p), deviceID(d), programBuildLog, n, to, size)
	})
}

func (l *linked) binary(p handle) ([]byte, status) {
	sizes, s := info(func(n uint64, to unsafe.Pointer, size *uint64) cl.ErrorCode {
		return cl.GetProgramInfo(program(p), programBinarySizes, n, to, size)
	})
	if s != 0 {
		return nil, s
	}
	n := number(sizes)
	if n == 0 {
		return nil, clInvalidBinary
	}
	out := make([]byte, n)
	var pins runtime.Pinner
	defer pins.Unpin()
	at := unsafe.SliceData(out)
	pins.Pin(at)
	return out, status(cl.GetProgramInfo(program(p), programBinaries, uint64(unsafe.Sizeof(at)), unsafe.Pointer(&at), nil))
}

func (l *linked) createKernel(p handle, name string) (handle, status) {
	text := append([]byte(name), 0)
	var s cl.ErrorCode
	k := cl.CreateKernel(program(p), &text[0], &s)
	return object(&k), status(s)
}

func (l *linked) kernelInfo(k, d handle, what uint32) ([]byte, status) {
	return info(func(n uint64, to unsafe.Pointer, size *uint64) cl.ErrorCode {
		return cl.GetKernelWorkGroupInfo(kernel(k), deviceID(d), cl.KernelWorkGroupInfo(what), n, to, size)
	})
}

func (l *linked) setArg(k handle, index, bytes int, value unsafe.Pointer) status {
	return status(cl.SetKernelArg(kernel(k), uint32(index), uint64(bytes), value))
}

func (l *linked) launch(q, k handle, global, local [2]uintptr) status {
	g, n := [2]uint64{uint64(global[0]), uint64(global[1])}, [2]uint64{uint64(local[0]), uint64(local[1])}
	return status(cl.EnqueueNDRangeKernel(queue(q), kernel(k), 2, nil, &g[0], &n[0], 0, nil, nil))
}

func (l *linked) finish(q handle) status { return status(cl.Finish(queue(q))) }

func (l *linked) releaseBuffer(h handle) status  { return status(cl.ReleaseMemObject(mem(h))) }
func (l *linked) releaseProgram(h handle) status { return status(cl.ReleaseProgram(program(h))) }
func (l *linked) releaseKernel(h handle) status  { return status(cl.ReleaseKernel(kernel(h))) }
