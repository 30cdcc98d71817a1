//go:build !gogl && (amd64 || arm64) && (darwin || freebsd || linux || netbsd || windows)

package clrt

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Binding names how OpenCL is reached.
const Binding = "purego"

// dynamic is a library that was opened at run time: the addresses of its functions.
type dynamic struct {
	getPlatformIDs, getPlatformInfo, getDeviceIDs, getDeviceInfo, createContextFn, createCommandQueue, createBufferFn,
	enqueueRead, enqueueWrite, enqueueFill, enqueueMap, enqueueUnmap, createWithSource, createWithBinary, buildProgram,
	getProgramBuildInfo, getProgramInfo, createKernelFn, getKernelWorkGroupInfo, setKernelArg, enqueueNDRange, finishFn,
	releaseMem, releaseProgramFn, releaseKernelFn uintptr
}

// open finds the OpenCL loader.
func open() (library, string, error) {
	if os.Getenv(libraryVariable) == "" {
		if at, ok := preloaded(); ok {
			lib, err := resolve(at, "this process")
			return lib, "a library of this process", err
		}
	}
	var tried []string
	var why string
	for _, name := range libraryNames() {
		at, err := openLibrary(name)
		if err != nil {
			tried, why = append(tried, name), err.Error()
			continue
		}
		lib, err := resolve(at, name)
		return lib, name, err
	}
	if len(tried) == 1 {
		return nil, "", errors.New(why)
	}
	return nil, "", errors.New("there is no " + strings.Join(tried, " and no "))
}

func libraryNames() []string {
	if name := os.Getenv(libraryVariable); name != "" {
		return []string{name}
	}
	switch runtime.GOOS {
	case "darwin":
		return []string{"/System/Library/Frameworks/OpenCL.framework/OpenCL"}
	case "windows":
		return []string{"OpenCL.dll"}
	}
	return []string{"libOpenCL.so.1", "libOpenCL.so"}
}

func resolve(at uintptr, name string) (library, error) {
	d := &dynamic{}
	for _, f := range []struct {
		name string
		to   *uintptr
	}{
		{"clGetPlatformIDs", &d.getPlatformIDs}, {"clGetPlatformInfo", &d.getPlatformInfo}, {"clGetDeviceIDs", &d.getDeviceIDs},
		{"clGetDeviceInfo", &d.getDeviceInfo}, {"clCreateContext", &d.createContextFn}, {"clCreateCommandQueue", &d.createCommandQueue},
		{"clCreateBuffer", &d.createBufferFn}, {"clEnqueueReadBuffer", &d.enqueueRead}, {"clEnqueueWriteBuffer", &d.enqueueWrite},
		{"clEnqueueFillBuffer", &d.enqueueFill}, {"clEnqueueMapBuffer", &d.enqueueMap}, {"clEnqueueUnmapMemObject", &d.enqueueUnmap},
		{"clCreateProgramWithSource", &d.createWithSource}, {"clCreateProgramWithBinary", &d.createWithBinary}, {"clBuildProgram", &d.buildProgram},
		{"clGetProgramBuildInfo", &d.getProgramBuildInfo}, {"clGetProgramInfo", &d.getProgramInfo}, {"clCreateKernel", &d.createKernelFn},
		{"clGetKernelWorkGroupInfo", &d.getKernelWorkGroupInfo}, {"clSetKernelArg", &d.setKernelArg}, {"clEnqueueNDRangeKernel", &d.enqueueNDRange},
		{"clFinish", &d.finishFn}, {"clReleaseMemObject", &d.releaseMem}, {"clReleaseProgram", &d.releaseProgramFn}, {"clReleaseKernel", &d.releaseKernelFn},
	} {
		fn, err := symbol(at, f.name)
		if err != nil {
			return nil, errors.New(name + " has no " + f.name + ": it is not an OpenCL 1.2 library")
		}
		*f.to = fn
	}
	return d, nil
}

// call calls a function that returns a status. SyscallN keeps what its arguments point to where it is.
//
//go:uintptrescapes
func call(fn uintptr, args ...uintptr) status {
	r, _, _ := purego.SyscallN(fn, args...)
	return status(int32(r))
}

// create calls a function that returns an object and sets a status through its last parameter.
//
//go:uintptrescapes
func create(fn uintptr, args ...uintptr) (handle, status) {
	s := new(status)
	r, _, _ := purego.SyscallN(fn, append(args, uintptr(unsafe.Pointer(s)))...)
	runtime.KeepAlive(s)
	return handle(r), *s
}

// list calls a function of the form f(a, b, n, *handle, *n) for the number and then for the objects.
func list(fn uintptr, leading ...uintptr) ([]handle, status) {
	n := new(uint32)
	args := append(append([]uintptr(nil), leading...), 0, 0)
	if s := call(fn, append(args, uintptr(unsafe.Pointer(n)))...); s != 0 || *n == 0 {
		return nil, s
	}
	all := make([]handle, *n)
	args = append(append([]uintptr(nil), leading...), uintptr(*n))
	s := call(fn, append(args, uintptr(unsafe.Pointer(&all[0])), 0)...)
	runtime.KeepAlive(all)
	return all, s
}

// info calls a function of the form f(object…, what, size, *value, *size) for the size and then for the value.
func info(fn uintptr, leading ...uintptr) ([]byte, status) {
	size := new(uintptr)
	args := append(append([]uintptr(nil), leading...), 0, 0)
	if s := call(fn, append(args, uintptr(unsafe.Pointer(size)))...); s != 0 || *size == 0 {
		return nil, s
	}
	value := make([]byte, *size)
	args = append(append([]uintptr(nil), leading...), *size)
	s := call(fn, append(args, uintptr(unsafe.Pointer(&value[0])), 0)...)
	runtime.KeepAlive(value)
	return value, s
}

func (d *dynamic) platforms() ([]handle, status) { return list(d.getPlatformIDs) }

func (d *dynamic) platformInfo(p handle, what uint32) ([]byte, status) {
	return info(d.getPlatformInfo, uintptr(p), uintptr(what))
}

func (d *dynamic) devices(p handle) ([]handle, status) {
	return list(d.getDeviceIDs, uintptr(p), deviceTypeAll)
}

func (d *dynamic) deviceInfo(dev handle, what uint32) ([]byte, status) {
	return info(d.getDeviceInfo, uintptr(dev), uintptr(what))
}

func (d *dynamic) createContext(dev handle) (handle, status) {
	return create(d.createContextFn, 0, 1, uintptr(unsafe.Pointer(&dev)), 0, 0)
}

func (d *dynamic) createQueue(context, dev handle) (handle, status) {
	return create(d.createCommandQueue, uintptr(context), uintptr(dev), 0)
}

func (d *dynamic) createBuffer(context handle, flags uint64, bytes int, host unsafe.Pointer) (handle, status) {
	return create(d.createBufferFn, uintptr(context), uintptr(flags), uintptr(bytes), uintptr(host))
}

func (d *dynamic) read(queue, buffer handle, bytes int, to unsafe.Pointer) status {
	return call(d.enqueueRead, uintptr(queue), uintptr(buffer), 1, 0, uintptr(bytes), uintptr(to), 0, 0, 0)
}

func (d *dynamic) write(queue, buffer handle, bytes int, from unsafe.Pointer) status {
	return call(d.enqueueWrite, uintptr(queue), uintptr(buffer), 1, 0, uintptr(bytes), uintptr(from), 0, 0, 0)
}

func (d *dynamic) fill(queue, buffer handle, bytes int, value byte) status {
	return call(d.enqueueFill, uintptr(queue), uintptr(buffer), uintptr(unsafe.Pointer(&value)), 1, 0, uintptr(bytes), 0, 0, 0)
}

func (d *dynamic) mapBuffer(queue, buffer handle, bytes int) (unsafe.Pointer, status) {
	at, s := create(d.enqueueMap, uintptr(queue), uintptr(buffer), 1, mapRead|mapWrite, 0, uintptr(bytes), 0, 0, 0)
	return *(*unsafe.Pointer)(unsafe.Pointer(&at)), s
}

func (d *dynamic) unmapBuffer(queue, buffer handle, at unsafe.Pointer) status {
	return call(d.enqueueUnmap, uintptr(queue), uintptr(buffer), uintptr(at), 0, 0, 0)
}

func (d *dynamic) programWithSource(context handle, source string) (handle, status) {
	text, size := []byte(source), uintptr(len(source))
	var pins runtime.Pinner
	defer pins.Unpin()
	at := unsafe.SliceData(text)
	pins.Pin(at)
	return create(d.createWithSource, uintptr(context), 1, uintptr(unsafe.Pointer(&at)), uintptr(unsafe.Pointer(&size)))
}

func (d *dynamic) programWithBinary(context, dev handle, binary []byte) (handle, status) {
	if len(binary) == 0 {
		return 0, clInvalidBinary
	}
	var pins runtime.Pinner
	defer pins.Unpin()
	at, size := unsafe.SliceData(binary), uintptr(len(binary))
	pins.Pin(at)
	loaded := new(status)
	p, s := create(d.createWithBinary, uintptr(context), 1, uintptr(unsafe.Pointer(&dev)), uintptr(unsafe.Pointer(&size)),
		uintptr(unsafe.Pointer(&at)), uintptr(unsafe.Pointer(loaded)))
	if s == 0 && *loaded != 0 {
		d.releaseProgram(p)
		return 0, *loaded
	}
	return p, s
}

func (d *dynamic) build(program, dev handle, options string) status {
	text := append([]byte(options), 0)
	return call(d.buildProgram, uintptr(program), 1, uintptr(unsafe.Pointer(&dev)), uintptr(unsafe.Pointer(&text[0])), 0, 0)
}

func (d *dynamic) buildLog(program, dev handle) ([]byte, status) {
	return info(d.getProgramBuildInfo, uintptr(program), uintptr(dev), programBuildLog)
}

func (d *dynamic) binary(program handle) ([]byte, status) {
	sizes, s := info(d.getProgramInfo, uintptr(program), programBinarySizes)
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
	return out, call(d.getProgramInfo, uintptr(program), programBinaries, unsafe.Sizeof(at), uintptr(unsafe.Pointer(&at)), 0)
}

func (d *dynamic) createKernel(program handle, name string) (handle, status) {
	text := append([]byte(name), 0)
	return create(d.createKernelFn, uintptr(program), uintptr(unsafe.Pointer(&text[0])))
}

func (d *dynamic) kernelInfo(kernel, dev handle, what uint32) ([]byte, status) {
	return info(d.getKernelWorkGroupInfo, uintptr(kernel), uintptr(dev), uintptr(what))
}

func (d *dynamic) setArg(kernel handle, index, bytes int, value unsafe.Pointer) status {
	return call(d.setKernelArg, uintptr(kernel), uintptr(index), uintptr(bytes), uintptr(value))
}

func (d *dynamic) launch(queue, kernel handle, global, local [2]uintptr) status {
	return call(d.enqueueNDRange, uintptr(queue), uintptr(kernel), 2, 0, uintptr(unsafe.Pointer(&global)), uintptr(unsafe.Pointer(&local)), 0, 0, 0)
}

func (d *dynamic) finish(queue handle) status { return call(d.finishFn, uintptr(queue)) }

func (d *dynamic) releaseBuffer(h handle) status  { return call(d.releaseMem, uintptr(h)) }
func (d *dynamic) releaseProgram(h handle) status { return call(d.releaseProgramFn, uintptr(h)) }
func (d *dynamic) releaseKernel(h handle) status  { return call(d.releaseKernelFn, uintptr(h)) }
