package clrt

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

const (
	// cacheVariable names the folder of built programs, sizeVariable says how many MiB it may hold.
	cacheVariable = "SURGE_OPENCL_CACHE"
	sizeVariable  = "SURGE_OPENCL_CACHE_SIZE"
	// defaultCacheSize is that many where nothing else is said: some thousand programs.
	defaultCacheSize = 256
)

// cacheMagic begins a file of the cache; another version is another format.
const cacheMagic = "surge opencl program 1\n"

// programSuffix ends the names of whole files, unfinished begins those of files that are being written.
const (
	programSuffix = ".clbin"
	unfinished    = ".program-"
)

func cacheKey(d *Device, source, options string) string {
	sum := sha256.New()
	for _, part := range []string{d.Platform, d.Name, d.Driver, d.Version, options, source} {
		fmt.Fprintf(sum, "%d %s\n", len(part), part)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// CacheDir is the folder of built programs: below the user's cache folder, or what SURGE_OPENCL_CACHE says; "" keeps
// none.
func CacheDir() string {
	if dir, ok := os.LookupEnv(cacheVariable); ok {
		return dir
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "surge", "opencl")
}

func cacheFile(key string) string {
	dir := CacheDir()
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, key+programSuffix)
}

func checksum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// store writes a cache file. Another process sees all of it or nothing.
func store(file, key string, binary []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(file), unfinished+"*")
	if err != nil {
		return err
	}
	_, err = temp.WriteString(cacheMagic + key + "\n" + checksum(binary) + "\n")
	if err == nil {
		_, err = temp.Write(binary)
	}
	if e := temp.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(temp.Name(), file)
	}
	if err != nil {
		os.Remove(temp.Name())
		return err
	}
	trimAfter(filepath.Dir(file), int64(len(binary)))
	return nil
}

// CacheSize is how many bytes the folder of built programs may hold: 256 MiB, or as many MiB as
// SURGE_OPENCL_CACHE_SIZE says.
func CacheSize() int64 {
	if n, err := wholeNumber(sizeVariable, 0); err == nil && os.Getenv(sizeVariable) != "" {
		return n << 20
	}
	return defaultCacheSize << 20
}

// written is what this process has stored since it looked at the size of the whole cache.
var written struct {
	sync.Mutex
	bytes int64
}

// trimAfter trims the cache when a process has stored a part of what it may hold.
func trimAfter(dir string, bytes int64) {
	most := CacheSize()
	written.Lock()
	written.bytes += bytes
	due := written.bytes > most/16
	if due {
		written.bytes = 0
	}
	written.Unlock()
	if due {
		trim(dir, most, time.Now())
	}
}

// abandoned is the age at which a file that a process was writing is left over: that process has died.
const abandoned = time.Hour

// trim removes programs, those first that were not used for longest, until the cache has room again for a quarter of
// what it may hold, if it holds more than that. Several processes may do it at once: a file that is gone already is
// as good as removed, and a program that one of them has just looked for is built again.
func trim(dir string, most int64, now time.Time) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	type program struct {
		path  string
		used  time.Time
		bytes int64
	}
	var all []program
	var total int64
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		path := filepath.Join(dir, e.Name())
		switch {
		case strings.HasSuffix(e.Name(), programSuffix):
			all = append(all, program{path, info.ModTime(), info.Size()})
			total += info.Size()
		case strings.HasPrefix(e.Name(), unfinished) && now.Sub(info.ModTime()) > abandoned:
			os.Remove(path)
		}
	}
	if total <= most {
		return
	}
	slices.SortFunc(all, func(a, b program) int { return a.used.Compare(b.used) })
	for _, p := range all {
		if total <= most/4*3 {
			return
		}
		os.Remove(p.path)
		total -= p.bytes
	}
}
