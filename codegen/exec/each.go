package exec

import (
	"sync"
	"unsafe"
)

// Each calls f for [0, len(data)), by several threads of the call, each with a part, if the elements have so many bytes
// together that this takes less time: where structs and complex numbers become sequences, and sequences these. The
// parts have nothing to do with each other.
func Each[T any](c *Call, data []T, f func(lo, hi int)) {
	n := len(data)
	threads := min(c.Threads(), n*int(unsafe.Sizeof(*new(T)))/(leastJoined/2))
	if threads < 2 {
		f(0, n)
		return
	}
	var all sync.WaitGroup
	for t := range threads - 1 {
		all.Go(func() { f(n/threads*t, n/threads*(t+1)) })
	}
	f(n/threads*(threads-1), n)
	all.Wait()
}
