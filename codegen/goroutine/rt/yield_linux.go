package rt

import (
	"runtime"
	"syscall"
)

// yield gives way to other goroutines and to other threads of the system. The
// second matters when processors are shared: polling on the processor that
// the polled-for thread waits for would delay it by a time slice.
func yield() {
	runtime.Gosched()
	yieldProcessor()
}

// yieldProcessor gives way to threads that wait for the caller's processor. A
// raw call, as it does not block.
func yieldProcessor() {
	syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0)
}
