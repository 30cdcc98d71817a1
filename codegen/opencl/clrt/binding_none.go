//go:build (gogl && !cgo) || (!gogl && !((amd64 || arm64) && (darwin || freebsd || linux || netbsd || windows)))

package clrt

import (
	"errors"
	"runtime"
)

// Binding names how OpenCL is reached.
const Binding = "none"

func open() ([]binding, string, error) {
	return nil, "", errors.New("this program was built without a loader for " + runtime.GOOS + "/" + runtime.GOARCH + "; build it with -tags gogl")
}
