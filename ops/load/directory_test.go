package load

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Where the go command has no place for its cache, for modules or for temporary files, the message says so.
func TestNoBuildCache(t *testing.T) {
	without := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "HOME=") || strings.HasPrefix(v, "XDG_") || strings.HasPrefix(v, "GOCACHE=") || strings.HasPrefix(v, "GOMODCACHE=") || strings.HasPrefix(v, "GOPATH=") ||
			strings.HasPrefix(v, "LocalAppData=") || strings.HasPrefix(v, "LOCALAPPDATA=")
	})
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	modules := "GOMODCACHE=" + t.TempDir()
	for _, c := range []struct {
		more []string
		want string
	}{
		{[]string{modules}, "GOCACHE is not defined"},
		{nil, "neither GOMODCACHE nor GOPATH nor HOME is defined"},
		{[]string{modules, "GOCACHE=" + filepath.Join(file, "cache")}, "failed to initialize build cache"},
		{[]string{modules, "GOCACHE=" + t.TempDir(), "TMPDIR=" + file}, "set TMPDIR"},
	} {
		_, err := Load(t.Context(), "../../examples/spmv", Options{Env: slices.Concat(without, []string{"GOENV=off"}, c.more)})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "fix: set ") {
			t.Errorf("%s: %v", c.more, err)
		}
	}
}

// A symbolic link to a package's directory is that package, wherever the link lies.
func TestLinkedDirectory(t *testing.T) {
	real, err := filepath.Abs("../../examples/spmv")
	if err != nil {
		t.Fatal(err)
	}
	if real, err = filepath.EvalSymlinks(real); err != nil {
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
