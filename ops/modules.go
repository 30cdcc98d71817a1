//go:build surge_modules

package ops

// This file is never built. The go command reads it, as files of every build tag, when it puts together go.mod and
// go.sum ("go get", "go mod tidy"): so a module with kernels has the checksum of what the OpenCL run time needs from
// the start, and surge run, train and generate --platform opencl find it.
import _ "github.com/ebitengine/purego"
