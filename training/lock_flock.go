//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package training

import (
	"errors"
	"os"
	"syscall"
)

// locked takes a file for this process until it is closed, and reports whether another process has it. A file system
// that knows no locks gives it to everybody.
func locked(f *os.File) bool {
	return errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK)
}
