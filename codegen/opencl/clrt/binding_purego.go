//go:build !gogl && (amd64 || arm64) && (darwin || freebsd || linux || netbsd || windows)

package clrt

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
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

// open finds the OpenCL loader, which knows all drivers; where there is none, the drivers themselves.
func open() ([]binding, string, error) {
	if os.Getenv(libraryVariable) == "" {
		if at, ok := preloaded(); ok {
			lib, err := resolve(at, "this process")
			return []binding{lib}, "a library of this process", err
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
		if err == nil && os.Getenv(libraryVariable) == "" {
			if ps, _ := lib.platforms(); len(ps) == 0 { // a driver may be there that is not registered
				if drivers, what := unregistered(); len(drivers) > 0 {
					return drivers, what, nil
				}
			}
		}
		return []binding{lib}, name, err
	}
	if os.Getenv(libraryVariable) != "" {
		return nil, "", errors.New(why)
	}
	if drivers, what := unregistered(); len(drivers) > 0 {
		return drivers, what, nil
	}
	return nil, "", errors.New("there is no " + strings.Join(tried, " and no ") + ", and no driver either")
}

// unregistered opens the drivers without the loader's help.
func unregistered() ([]binding, string) {
	var drivers []binding
	var names []string
	for _, name := range driverNames() {
		if at, err := openLibrary(name); err == nil {
			if lib, err := driver(at, name); err == nil {
				drivers, names = append(drivers, lib), append(names, name)
			}
		}
	}
	return drivers, strings.Join(names, ", ") + " without a loader"
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

// functions are the functions of OpenCL that are used, with their places in the table that every object of a driver
// begins with (cl_icd.h); -1 for what is no part of it.
func (d *dynamic) functions() []function {
	return []function{
		{"clGetPlatformIDs", -1, &d.getPlatformIDs}, {"clGetPlatformInfo", 1, &d.getPlatformInfo}, {"clGetDeviceIDs", 2, &d.getDeviceIDs},
		{"clGetDeviceInfo", 3, &d.getDeviceInfo}, {"clCreateContext", 4, &d.createContextFn}, {"clCreateCommandQueue", 9, &d.createCommandQueue},
		{"clCreateBuffer", 14, &d.createBufferFn}, {"clEnqueueReadBuffer", 48, &d.enqueueRead}, {"clEnqueueWriteBuffer", 49, &d.enqueueWrite},
		{"clEnqueueFillBuffer", 102, &d.enqueueFill}, {"clEnqueueMapBuffer", 56, &d.enqueueMap}, {"clEnqueueUnmapMemObject", 58, &d.enqueueUnmap},
		{"clCreateProgramWithSource", 26, &d.createWithSource}, {"clCreateProgramWithBinary", 27, &d.createWithBinary}, {"clBuildProgram", 30, &d.buildProgram},
		{"clGetProgramBuildInfo", 33, &d.getProgramBuildInfo}, {"clGetProgramInfo", 32, &d.getProgramInfo}, {"clCreateKernel", 34, &d.createKernelFn},
		{"clGetKernelWorkGroupInfo", 40, &d.getKernelWorkGroupInfo}, {"clSetKernelArg", 38, &d.setKernelArg}, {"clEnqueueNDRangeKernel", 59, &d.enqueueNDRange},
		{"clFinish", 47, &d.finishFn}, {"clReleaseMemObject", 18, &d.releaseMem}, {"clReleaseProgram", 29, &d.releaseProgramFn}, {"clReleaseKernel", 37, &d.releaseKernelFn},
	}
}

type function struct {
	name string
	slot int
	to   *uintptr
}

// tableSize is the length of the table as far as it is used.
const tableSize = 103

// resolve looks the functions of a library up.
func resolve(at uintptr, name string) (binding, error) {
	d := &dynamic{}
	for _, f := range d.functions() {
		fn, err := symbol(at, f.name)
		if err != nil {
			if lib, err := driver(at, name); err == nil {
				return lib, nil
			}
			return nil, errors.New(name + " has no " + f.name + ": it is not an OpenCL 1.2 library")
		}
		*f.to = fn
	}
	return d, nil
}

// driver finds the functions of a driver, as the loader would: it has one function by name, which finds the one that
// lists platforms, and a platform begins with a table of the others.
func driver(at uintptr, name string) (binding, error) {
	find, err := symbol(at, "clGetExtensionFunctionAddress")
	if err != nil {
		return nil, err
	}
	wanted := []byte("clIcdGetPlatformIDsKHR\x00")
	d := &dynamic{}
	if d.getPlatformIDs, _, _ = purego.SyscallN(find, uintptr(unsafe.Pointer(&wanted[0]))); d.getPlatformIDs == 0 {
		return nil, errors.New(name + " is not an OpenCL driver")
	}
	ps, s := d.platforms()
	if s != 0 || len(ps) == 0 {
		return nil, errors.New(name + " has no platform: " + s.String())
	}
	platform := *(*unsafe.Pointer)(unsafe.Pointer(&ps[0]))
	table := *(**[tableSize]uintptr)(platform)
	for _, f := range d.functions() {
		if f.slot >= 0 {
			*f.to = table[f.slot]
		}
		if *f.to == 0 {
			return nil, errors.New(name + " has no " + f.name + ": it is not a driver for OpenCL 1.2")
		}
	}
	return d, nil
}

// driverNames are the libraries of drivers: those that are registered, and one that is often there without being so.
func driverNames() []string {
	dir := os.Getenv("OCL_ICD_VENDORS")
	known := []string{"libnvidia-opencl.so.1"}
	if dir == "" {
		dir = "/etc/OpenCL/vendors"
	} else {
		known = nil
	}
	var names []string
	files, _ := filepath.Glob(filepath.Join(dir, "*.icd"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if name := strings.TrimSpace(string(text)); err == nil && name != "" {
			names = append(names, name)
		}
	}
	for _, name := range known {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// call calls a function that returns a status. SyscallN keeps what its arguments point to where it is.
//
//go:uintptrescapes
func call(fn uintptr, args ...uintptr) status {
	r, _, _ := purego.SyscallN(fn, args...)
	return status(int32(r))
}

// Memory that a library writes through a pointer hidden among other arguments is pinned: nothing else keeps the
// compiler from placing it on the stack, which moves when it grows.

// create calls a function that returns an object and sets a status through its last parameter.
//
//go:uintptrescapes
func create(fn uintptr, args ...uintptr) (handle, status) {
	var pins runtime.Pinner
	defer pins.Unpin()
	s := new(status)
	pins.Pin(s)
	r, _, _ := purego.SyscallN(fn, append(args, uintptr(unsafe.Pointer(s)))...)
	return handle(r), *s
}

// list calls a function of the form f(a, b, n, *handle, *n) for the number and then for the objects.
func list(fn uintptr, leading ...uintptr) ([]handle, status) {
	var pins runtime.Pinner
	defer pins.Unpin()
	n := new(uint32)
	pins.Pin(n)
	args := append(slices.Clone(leading), 0, 0)
	if s := call(fn, append(args, uintptr(unsafe.Pointer(n)))...); s != 0 || *n == 0 {
		return nil, s
	}
	all := make([]handle, *n)
	pins.Pin(&all[0])
	args = append(slices.Clone(leading), uintptr(*n))
	return all, call(fn, append(args, uintptr(unsafe.Pointer(&all[0])), 0)...)
}

// info calls a function of the form f(object…, what, size, *value, *size) for the size and then for the value.
func info(fn uintptr, leading ...uintptr) ([]byte, status) {
	var pins runtime.Pinner
	defer pins.Unpin()
	size := new(uintptr)
	pins.Pin(size)
	args := append(slices.Clone(leading), 0, 0)
	if s := call(fn, append(args, uintptr(unsafe.Pointer(size)))...); s != 0 || *size == 0 {
		return nil, s
	}
	value := make([]byte, *size)
	pins.Pin(&value[0])
	args = append(slices.Clone(leading), *size)
	return value, call(fn, append(args, uintptr(unsafe.Pointer(&value[0])), 0)...)
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

func (d *dynamic) fetch(queue, buffer handle, bytes int, to unsafe.Pointer) status {
	return call(d.enqueueRead, uintptr(queue), uintptr(buffer), 0, 0, uintptr(bytes), uintptr(to), 0, 0, 0)
}

func (d *dynamic) write(queue, buffer handle, bytes int, from unsafe.Pointer) status {
	return call(d.enqueueWrite, uintptr(queue), uintptr(buffer), 1, 0, uintptr(bytes), uintptr(from), 0, 0, 0)
}

func (d *dynamic) fill(queue, buffer handle, bytes int, value byte) status {
	return call(d.enqueueFill, uintptr(queue), uintptr(buffer), uintptr(unsafe.Pointer(&value)), 1, 0, uintptr(bytes), 0, 0, 0)
}

func (d *dynamic) mapBuffer(queue, buffer handle, bytes int) (unsafe.Pointer, status) {
	at, s := create(d.enqueueMap, uintptr(queue), uintptr(buffer), 0, mapRead|mapWrite, 0, uintptr(bytes), 0, 0, 0)
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
