package training

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"
)

// cache is the part of the cache directory that belongs to one package: a directory for each build, named by what it
// was made from, with a manifest and a binary. A build appears by renaming, so several processes may work at once.
type cache struct {
	root string // of all builds
	dir  string // of this package's
}

const (
	manifestName = "manifest.json"
	// keptBuilds is how many builds of a package are kept: of a version or two of its source, with and without vectors.
	keptBuilds = 4
	// abandoned is the age at which an unfinished build is garbage of a process that was killed.
	abandoned = 24 * time.Hour
)

func binaryName() string {
	if runtime.GOOS == "windows" {
		return "harness.exe"
	}
	return "harness"
}

// openCache makes the directories that are missing.
func openCache(dir, pkg string) (*cache, error) {
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return nil, cacheError("", err)
		}
		dir = filepath.Join(user, "surge")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, cacheError(dir, err)
	}
	key := sha256.Sum256([]byte(pkg))
	c := &cache{root: filepath.Join(dir, "builds")}
	c.dir = filepath.Join(c.root, hex.EncodeToString(key[:8]))
	if err := os.MkdirAll(c.dir, 0o777); err != nil {
		return nil, cacheError(dir, err)
	}
	return c, nil
}

func cacheError(dir string, err error) *Error {
	return &Error{Where: dir, What: "the cache directory cannot be used: " + err.Error(), Code: CodeCache, Err: err,
		Why: "compiled kernels are kept there", Do: "check its permissions and the space left, or name another directory with --cache DIR or in SURGE_CACHE"}
}

// builds returns the directories of the builds, the one used last first.
func (c *cache) builds() []string {
	found, _ := filepath.Glob(filepath.Join(c.dir, "*", manifestName))
	used := map[string]time.Time{}
	for _, f := range found {
		if info, err := os.Stat(f); err == nil {
			used[f] = info.ModTime()
		}
	}
	slices.SortFunc(found, func(a, b string) int { return used[b].Compare(used[a]) })
	for i, f := range found {
		found[i] = filepath.Dir(f)
	}
	return found
}

// find returns the directory of a build that is up to date, and its binary; "" if there is none. Damaged builds are
// removed.
func (c *cache) find(pkg, surge string, settings map[string]string) (build, binary string) {
	for _, dir := range c.builds() {
		m := readManifest(filepath.Join(dir, manifestName))
		binary := filepath.Join(dir, binaryName())
		if m == nil || m.current(pkg, surge, settings) && !m.intact(binary) {
			os.RemoveAll(dir)
			continue
		}
		if m.current(pkg, surge, settings) {
			now := time.Now()
			os.Chtimes(filepath.Join(dir, manifestName), now, now) // for prune
			return dir, binary
		}
	}
	return "", ""
}

// add moves a finished build from its temporary directory into the cache and returns where the binary is.
func (c *cache) add(temp string, m *manifest) (build, binary string, err error) {
	text, err := json.MarshalIndent(m, "", "\t")
	if err != nil {
		return "", "", err
	}
	if err := os.WriteFile(filepath.Join(temp, manifestName), text, 0o666); err != nil {
		return "", "", cacheError(c.root, err)
	}
	build = filepath.Join(c.dir, m.key())
	binary = filepath.Join(build, binaryName())
	for try := 0; ; try++ {
		if err = os.Rename(temp, build); err == nil || try == 3 {
			break
		}
		// There is one of that name. Another process was faster, or it is damaged and could not be removed: then it is
		// moved away.
		if other := readManifest(filepath.Join(build, manifestName)); other != nil && other.intact(binary) {
			os.RemoveAll(temp)
			return build, binary, nil
		}
		if old, err := c.temporary(); err == nil {
			os.Rename(build, filepath.Join(old, "old"))
			os.RemoveAll(old)
		}
	}
	if err != nil {
		return "", "", cacheError(c.root, err)
	}
	c.prune()
	return build, binary, nil
}

// temporary makes a directory for a build that is not finished. It lies beside the finished ones, so that it can be
// renamed.
func (c *cache) temporary() (string, error) {
	dir, err := os.MkdirTemp(c.dir, "new-")
	if err != nil {
		return "", cacheError(c.root, err)
	}
	return dir, nil
}

// refused is the directory for generated files of this package that the Go compiler refuses: those of the last time.
func (c *cache) refused() string { return filepath.Join(c.dir, "refused") }

// prune removes builds beyond those that are kept, and what killed processes left.
func (c *cache) prune() {
	for i, dir := range c.builds() {
		if i >= keptBuilds {
			os.RemoveAll(dir)
		}
	}
	left, _ := filepath.Glob(filepath.Join(c.root, "*", "new-*"))
	for _, dir := range left {
		if info, err := os.Stat(dir); err == nil && time.Since(info.ModTime()) > abandoned {
			os.RemoveAll(dir)
		}
	}
}
