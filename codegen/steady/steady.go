// Package steady checks, for tests, that what runs for a long time needs no more than at its start.
// It imports the standard library only, and nothing but tests and the programs that they build imports it.
package steady

import (
	"fmt"
	"runtime"
	"time"
)

// Check calls turn with the numbers from 0 up to but without runs, after a hundred turns that do not count, and
// returns an error if there are more goroutines then, or more than 64 KiB of memory that can be reached.
func Check(runs int, turn func(i int)) error {
	for i := range 100 {
		turn(i)
	}
	heap, goroutines := inUse()
	for i := range runs {
		turn(i)
	}
	laterHeap, laterGoroutines := inUse()
	if grown := int64(laterHeap) - int64(heap); grown > 64<<10 {
		return fmt.Errorf("%d runs need %d bytes more", runs, grown)
	}
	if laterGoroutines > goroutines {
		return fmt.Errorf("%d goroutines, %d after %d runs", goroutines, laterGoroutines, runs)
	}
	return nil
}

// inUse returns the bytes that are reachable and the number of goroutines, when both have come to rest.
func inUse() (heap uint64, goroutines int) {
	for range 3 {
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc, runtime.NumGoroutine()
}
