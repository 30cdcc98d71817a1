//go:build amd64 || arm64

package rt

// pause tells the processor n times, n > 0, that the thread is polling: the
// other hardware thread of the core gets the execution units.
//
//go:noescape
func pause(n uint32)
