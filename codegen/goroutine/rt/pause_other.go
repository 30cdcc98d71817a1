//go:build !amd64 && !arm64

package rt

// pause waits some ten nanoseconds a unit.
func pause(n uint32) {
	for range n * 16 {
	}
}
