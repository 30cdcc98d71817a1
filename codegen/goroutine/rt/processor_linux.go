//go:build linux && (amd64 || arm64)

package rt

import (
	"runtime"
	"syscall"
	"unsafe"
)

// processors is a set of processors, as the system's affinity calls take it.
type processors [16]uint64

// processor returns the number of the processor that the calling thread is on, -1 if the system does not say.
func processor() int {
	var n uint32
	if _, _, e := syscall.RawSyscall(sysGetCPU, uintptr(unsafe.Pointer(&n)), 0, 0); e != 0 {
		return -1
	}
	return int(n)
}

// leaveProcessor moves the calling thread to another processor if it is on that one and may run elsewhere. Where it may
// run is as it was when leaveProcessor returns; it stays where it is because that is where it was last.
func leaveProcessor(from int) {
	if from < 0 || processor() != from {
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	all, size := allowed()
	others := all
	if from >= 64*len(others) || size == 0 {
		return
	}
	if others[from/64] &^= 1 << (from % 64); others == (processors{}) {
		return
	}
	if allow(&others, size) { // it moves now
		allow(&all, size)
	}
}

// allowed returns the processors that the calling thread may run on, and the size of that set in bytes, 0 if the system
// does not say.
func allowed() (set processors, size uintptr) {
	n, _, e := syscall.RawSyscall(syscall.SYS_SCHED_GETAFFINITY, 0, unsafe.Sizeof(set), uintptr(unsafe.Pointer(&set)))
	if e != 0 {
		return set, 0
	}
	return set, n
}

func allow(set *processors, size uintptr) bool {
	_, _, e := syscall.Syscall(syscall.SYS_SCHED_SETAFFINITY, 0, size, uintptr(unsafe.Pointer(set)))
	return e == 0
}
