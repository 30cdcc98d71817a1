//go:build unix

package load

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestIrregularFiles has Go files that are pipes and devices, which nothing is read of.
func TestIrregularFiles(t *testing.T) {
	for _, name := range []string{"q.go", "p_surge.go"} {
		for kind, make := range map[string]func(file string) error{
			"pipe":   func(file string) error { return syscall.Mkfifo(file, 0o666) },
			"device": func(file string) error { return os.Symlink("/dev/zero", file) },
		} {
			t.Run(name+"/"+kind, func(t *testing.T) {
				dir := module(t, map[string]string{"p.go": goodKernel})
				if err := make(filepath.Join(dir, name)); err != nil {
					t.Skip(err)
				}
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
				defer cancel()
				_, err := Load(ctx, dir, Options{})
				if err == nil || !strings.Contains(err.Error(), name+": is no regular file ["+CodeNoPackage+"]") {
					t.Errorf("got %v", err)
				}
			})
		}
	}
}
