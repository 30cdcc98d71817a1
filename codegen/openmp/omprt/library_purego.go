//go:build (amd64 || arm64) && (darwin || linux)

package omprt

import (
	"os"
	"runtime"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

// loader names what opens shared objects.
const loader = "purego"

// library is an open shared object.
type library struct{ handle uintptr }

func openLibrary(path string) (library, error) {
	waiting()
	runtime.LockOSThread() // what went wrong the loader tells the thread on which it did
	defer runtime.UnlockOSThread()
	h, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	return library{h}, err
}

func (l library) symbol(name string) (uintptr, error) { return purego.Dlsym(l.handle, name) }

// call calls a variant's function. What the pointers lead to stays where it is while it runs.
func call(entry uintptr, r, slots unsafe.Pointer) {
	purego.SyscallN(entry, uintptr(r), uintptr(slots))
	runtime.KeepAlive(r)
	runtime.KeepAlive(slots)
}

// waiting bounds for how long threads of a team that have nothing to do wait without sleeping, if the environment
// says nothing of it: by default they take processors for milliseconds, which the program around may need. The
// libraries of compilers look at the environment of C when they are opened.
var waiting = sync.OnceFunc(func() {
	for _, name := range []string{"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME"} {
		if _, set := os.LookupEnv(name); set {
			return
		}
	}
	setenv, err := purego.Dlsym(purego.RTLD_DEFAULT, "setenv")
	if err != nil {
		return
	}
	for _, v := range [][2]string{{"GOMP_SPINCOUNT", "5000"}, {"KMP_BLOCKTIME", "1"}} {
		name, value := append([]byte(v[0]), 0), append([]byte(v[1]), 0)
		purego.SyscallN(setenv, uintptr(unsafe.Pointer(&name[0])), uintptr(unsafe.Pointer(&value[0])), 0)
		runtime.KeepAlive(name)
		runtime.KeepAlive(value)
	}
})

func builders() int { return runtime.GOMAXPROCS(0) }
