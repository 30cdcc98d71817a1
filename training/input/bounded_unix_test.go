//go:build unix

package input

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// TestDevices checks that what never ends is not read for ever.
func TestDevices(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.txt", "a.csv", "a.mtx", "a.npy", "a.npz"} {
		path := filepath.Join(dir, name)
		if err := os.Symlink("/dev/zero", path); err != nil {
			t.Fatal(err)
		}
		_, err := Open(t.Context(), path, Options{})
		var e *Error
		if !errors.As(err, &e) || e.Code != "unreadable" || !strings.Contains(e.What, "a device") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, path := range []string{"/dev/zero", dir} {
		if _, err := ReadFile(path, 100); err == nil {
			t.Errorf("%s was read", path)
		}
	}
	path := filepath.Join(dir, "file")
	if err := os.WriteFile(path, make([]byte, 100), 0o666); err != nil {
		t.Fatal(err)
	}
	if text, err := ReadFile(path, 100); err != nil || len(text) != 100 {
		t.Error(len(text), err)
	}
	if _, err := ReadFile(path, 99); err == nil {
		t.Error("100 bytes were read where 99 are allowed")
	}
}

// TestPipes checks that a pipe is read, that it is bounded, and that waiting for it ends with the context.
func TestPipes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.txt")
	if err := syscall.Mkfifo(path, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadFile(path, 100); err == nil {
		t.Error("a pipe was read as a file")
	}
	var writers sync.WaitGroup // each has ended before the pipe is opened again, which would give it another reader
	write := func(text string, times int) {
		writers.Go(func() {
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				t.Error(err)
				return
			}
			defer f.Close()
			for range times {
				if _, err := f.WriteString(text); err != nil {
					return // the reader has seen enough
				}
			}
		})
	}
	write("1\n2\n", 1)
	s, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if v, err := s.Field(""); err != nil || v.Len() != 2 {
		t.Error(v, err)
	}
	writers.Wait()
	for _, text := range []string{strings.Repeat("1\n", 1000), strings.Repeat("# nothing\n", 1000)} {
		write(text, 1<<30)
		_, err = Open(t.Context(), path, Options{MaxBytes: 1 << 20})
		var e *Error
		if !errors.As(err, &e) || e.Code != "too-large" {
			t.Error(err)
		}
		writers.Wait()
	}
	for _, fill := range []bool{false, true} { // nobody opens it, nobody writes
		if fill {
			f, err := os.OpenFile(path, os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
		}
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		if _, err := Open(ctx, path, Options{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	}
}
