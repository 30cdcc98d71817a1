package training

import (
	"strings"
	"sync"
)

// ends keeps the beginning and the end of what a process prints: a Go program that panics says why at the beginning.
type ends struct {
	mu         sync.Mutex
	head, tail []byte
}

const endBytes = 8 << 10

// Write keeps what it can and never fails.
func (e *ends) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := len(p)
	if room := endBytes - len(e.head); room > 0 {
		k := min(room, len(p))
		e.head, p = append(e.head, p[:k]...), p[k:]
	}
	e.tail = append(e.tail, p...)
	if over := len(e.tail) - endBytes; over > 0 {
		e.tail = append(e.tail[:0], e.tail[over:]...)
	}
	return n, nil
}

// last returns at most n lines: those from the first that begins a report of the Go runtime, otherwise the last ones.
func (e *ends) last(n int) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(string(e.head)+string(e.tail)), "\n")
	for i, line := range lines {
		for _, mark := range []string{"panic:", "fatal error:", "SIG", "runtime:", "unexpected fault address"} {
			if strings.HasPrefix(line, mark) {
				return strings.Join(lines[i:min(len(lines), i+n)], "\n")
			}
		}
	}
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
