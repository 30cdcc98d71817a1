//go:build !gogl && (amd64 || arm64) && (darwin || freebsd || linux || netbsd)

package clrt

import (
	"runtime"

	"github.com/ebitengine/purego"
)

func openLibrary(name string) (uintptr, error) {
	// What went wrong the loader tells the thread on which it did.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

func symbol(library uintptr, name string) (uintptr, error) { return purego.Dlsym(library, name) }

// preloaded finds OpenCL in the process itself: tools such as oclgrind preload theirs.
func preloaded() (uintptr, bool) {
	_, err := purego.Dlsym(purego.RTLD_DEFAULT, "clGetPlatformIDs")
	return purego.RTLD_DEFAULT, err == nil
}
