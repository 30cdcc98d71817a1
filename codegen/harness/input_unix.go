//go:build unix

package harness

import (
	"os"
	"syscall"
)

// waiting returns in, such that a goroutine that waits for input there is only a goroutine: one that waits in a system
// call keeps the processor of the Go scheduler that it had for up to 10 ms, and a worker cannot start there meanwhile,
// which is as long as the whole measurement of a short kernel. Only pipes are changed: they belong to this process.
func waiting(in *os.File) *os.File {
	info, err := in.Stat()
	if err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		return in
	}
	fd := in.Fd()
	if syscall.SetNonblock(int(fd), true) != nil {
		return in
	}
	return os.NewFile(fd, in.Name())
}
