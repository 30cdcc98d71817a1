package rt

import (
	"runtime"
	"syscall"
)

// yield gives way to other goroutines and to other threads of the system. The
// second matters when processors are shared: polling on the processor that
// the polled-for thread waits for would delay it by a time slice. A raw call,
// as it does not block.
func yield() {
	runtime.Gosched()
	syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0)
}
