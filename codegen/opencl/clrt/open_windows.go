//go:build !gogl && (amd64 || arm64) && windows

package clrt

import "syscall"

func openLibrary(name string) (uintptr, error) {
	h, err := syscall.LoadLibrary(name)
	return uintptr(h), err
}

func symbol(library uintptr, name string) (uintptr, error) {
	return syscall.GetProcAddress(syscall.Handle(library), name)
}

func preloaded() (uintptr, bool) { return 0, false }
