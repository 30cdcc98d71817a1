package load

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Where the go command has no place for its cache, or for modules, the message says so.
func TestNoBuildCache(t *testing.T) {
	without := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "HOME=") || strings.HasPrefix(v, "XDG_") || strings.HasPrefix(v, "GOCACHE=") || strings.HasPrefix(v, "GOMODCACHE=") || strings.HasPrefix(v, "GOPATH=") ||
			strings.HasPrefix(v, "LocalAppData=") || strings.HasPrefix(v, "LOCALAPPDATA=")
	})
	for more, want := range map[string]string{"GOMODCACHE=" + t.TempDir(): "GOCACHE is not defined", "GOENV=off": "neither GOMODCACHE nor GOPATH nor HOME is defined"} {
		_, err := Load(t.Context(), "../../examples/spmv", Options{Env: append(slices.Clip(without), "GOENV=off", more)})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "set HOME, or GOCACHE") {
			t.Errorf("%s: %v", more, err)
		}
	}
}

// A symbolic link to a package's directory is that package, wherever the link lies.
func TestLinkedDirectory(t *testing.T) {
	real, err := filepath.Abs("../../examples/spmv")
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(real, link); err != nil {
		t.Skip(err)
	}
	pkg, err := Load(t.Context(), link, Options{})
	if err != nil || pkg.Dir != real || len(pkg.Kernels) != 1 {
		t.Errorf("%+v, %v", pkg, err)
	}
}
