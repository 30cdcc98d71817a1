package load

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"golang.org/x/tools/go/packages"
)

// kernelLine is a line that marks a kernel.
var kernelLine = regexp.MustCompile(`(?m)^//surge:kernel\b`)

// leftOut says why a package has no kernels where a file in its directory has one: the file belongs to the package's
// tests, or build constraints leave it out.
func leftOut(dir string, root *packages.Package) (why, fix string) {
	marked := func(file string) bool {
		f, err := os.Open(file)
		if err != nil {
			return false
		}
		defer f.Close()
		text, err := io.ReadAll(io.LimitReader(f, maxSourceBytes))
		return err == nil && kernelLine.Match(text)
	}
	if at := slices.IndexFunc(root.IgnoredFiles, marked); at >= 0 {
		return filepath.Base(root.IgnoredFiles[at]) + " has a kernel, and build constraints leave that file out",
			"set the tags that it needs, as in GOFLAGS=-tags=NAME, or GOOS and GOARCH; or drop the constraint"
	}
	tests, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if at := slices.IndexFunc(tests, marked); at >= 0 {
		return filepath.Base(tests[at]) + " has a kernel, and belongs to the tests of the package, which programs cannot import",
			"move the kernel into a file whose name does not end in _test.go"
	}
	return "", ""
}
