//go:build linux && (amd64 || arm64)

package rt

import (
	"runtime"
	"testing"
)

// A thread leaves the processor that it is asked to leave, only that one, and may return later. Where it has no other
// one it stays.
func TestLeaveProcessor(t *testing.T) {
	runtime.LockOSThread() // and never unlocked: the thread ends with the test, whatever it may do then
	before, size := allowed()
	here := processor()
	if size == 0 || here < 0 {
		t.Skip("the system does not say where a thread may run")
	}
	leaveProcessor(-1)
	leaveProcessor(len(before)*64 + 1)
	for i := range 20 {
		alone := processors{}
		alone[here/64] = 1 << (here % 64)
		if !allow(&alone, size) {
			t.Skip("the system does not let a thread choose")
		}
		leaveProcessor(here)
		if now := processor(); now != here {
			t.Fatalf("time %d: it left the only processor %d that it may run on for %d", i, here, now)
		}
		allow(&before, size)
		leaveProcessor(here)
		others := before
		others[here/64] &^= 1 << (here % 64)
		now := processor()
		if now == here && others != (processors{}) {
			// The system may have moved it back meanwhile, but not every time.
			if i == 19 {
				t.Errorf("it is still on processor %d", here)
			}
			continue
		}
		here = now
		if after, _ := allowed(); after != before {
			t.Fatalf("it may run on %x, and might on %x before", after, before)
		}
	}
}
