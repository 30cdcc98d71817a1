//go:build !linux

package rt

import "runtime"

// yield gives way to other goroutines.
func yield() { runtime.Gosched() }

func yieldProcessor() {}
