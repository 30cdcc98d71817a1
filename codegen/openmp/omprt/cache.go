package omprt

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// cacheVariable names the folder of what was compiled.
const cacheVariable = "SURGE_OPENMP_CACHE"

// cacheSize is how many bytes the folder may hold.
const cacheSize = 256 << 20

// In the cache, KEY.ref holds the digest of an object, whose file is DIGEST.so: the key is that of the source, the
// compiler, its flags and the processor. An object that does not have its digest is made again.
const (
	refSuffix    = ".ref"
	objectSuffix = ".so"
	unfinished   = ".object-"
)

// CacheDir is the folder of compiled code: below the user's cache folder, or what SURGE_OPENMP_CACHE says; "" keeps
// none.
func CacheDir() string {
	if dir, ok := os.LookupEnv(cacheVariable); ok {
		return dir
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "surge", "openmp")
}

func digest(parts ...string) string {
	sum := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(sum, "%d %s\n", len(part), part)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// identity is what makes two compilers the same to the cache.
func (t *toolchain) identity() string {
	return digest(strings.Join(t.command, " "), t.version, Prelude, strings.Join(flags, " "), processor())
}

// recall finds the flags that the compiler took before.
func (t *toolchain) recall() bool {
	if CacheDir() == "" {
		return false
	}
	text, err := os.ReadFile(filepath.Join(CacheDir(), t.identity()+".flags"))
	if err != nil || !strings.HasSuffix(string(text), "\n") {
		return false
	}
	t.flags = strings.Fields(string(text))
	return true
}

// keep notes the flags that the compiler takes. That they are found out again elsewhere is no harm.
func (t *toolchain) keep() {
	if CacheDir() != "" && os.MkdirAll(CacheDir(), 0o777) == nil {
		_ = replace(filepath.Join(CacheDir(), t.identity()+".flags"), []byte(strings.Join(t.flags, " ")+"\n"))
	}
}

// replace writes a file. Another process sees all of it or nothing.
func replace(path string, text []byte) error {
	temp, err := os.CreateTemp(filepath.Dir(path), unfinished+"*")
	if err != nil {
		return err
	}
	_, err = temp.Write(text)
	if e := temp.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		os.Remove(temp.Name())
	}
	return err
}

// building is a place for each compiler that runs.
var building = make(chan struct{}, max(1, builders()))

// compiled returns the opened shared object of a source: from the cache, or compiled.
func (t *toolchain) compiled(source string) (library, error) {
	building <- struct{}{}
	defer func() { <-building }()
	dir := CacheDir()
	if dir == "" || os.MkdirAll(dir, 0o777) != nil {
		temp, err := os.MkdirTemp("", "surge-openmp-")
		if err != nil {
			return library{}, err
		}
		defer os.RemoveAll(temp)
		object := filepath.Join(temp, "kernel.so")
		if err := t.compile(source, object); err != nil {
			return library{}, err
		}
		return openLibrary(object)
	}
	ref := filepath.Join(dir, digest(t.identity(), strings.Join(t.flags, " "), source)+refSuffix)
	if name, err := os.ReadFile(ref); err == nil {
		if lib, err := cached(dir, strings.TrimSpace(string(name))); err == nil {
			return lib, nil
		}
	}
	temp, err := os.CreateTemp(dir, unfinished+"*")
	if err != nil {
		return library{}, err
	}
	temp.Close()
	defer os.Remove(temp.Name())
	if err := t.compile(source, temp.Name()); err != nil {
		return library{}, err
	}
	object, err := os.ReadFile(temp.Name())
	if err != nil {
		return library{}, err
	}
	name := digest(string(object))
	if err := os.Rename(temp.Name(), filepath.Join(dir, name+objectSuffix)); err != nil {
		return library{}, err
	}
	if err := replace(ref, []byte(name+"\n")); err != nil {
		return library{}, err
	}
	defer trim(dir, time.Now())
	return openLibrary(filepath.Join(dir, name+objectSuffix))
}

// cached opens an object of the cache if it is what was stored.
func cached(dir, name string) (library, error) {
	path := filepath.Join(dir, name+objectSuffix)
	object, err := os.ReadFile(path)
	if err != nil {
		return library{}, err
	}
	if len(name) != 32 || digest(string(object)) != name {
		return library{}, fmt.Errorf("%s is damaged", path)
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now) // what is used stays longest
	return openLibrary(path)
}

// abandoned is the age at which a file that a process was writing is left over: that process has died.
const abandoned = time.Hour

// trimming lets one goroutine at a time look through the folder.
var trimming sync.Mutex

// trim removes objects, those first that were not used for longest, until the cache has room again for a quarter of
// what it may hold, if it holds more than that. An object that is open stays open.
func trim(dir string, now time.Time) {
	trimming.Lock()
	defer trimming.Unlock()
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	var all []os.FileInfo
	var total int64
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		switch {
		case strings.HasPrefix(e.Name(), unfinished):
			if now.Sub(info.ModTime()) > abandoned {
				os.Remove(filepath.Join(dir, e.Name()))
			}
		case strings.HasSuffix(e.Name(), objectSuffix), strings.HasSuffix(e.Name(), refSuffix):
			all = append(all, info)
			total += info.Size()
		}
	}
	if total <= cacheSize {
		return
	}
	slices.SortFunc(all, func(a, b os.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, info := range all {
		if total <= cacheSize/4*3 {
			return
		}
		os.Remove(filepath.Join(dir, info.Name()))
		total -= info.Size()
	}
}
