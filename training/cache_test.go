package training

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// A damaged cache costs a build and nothing else.
func TestDamagedCache(t *testing.T) {
	dir := t.TempDir()
	opt := Options{CacheDir: dir}
	open(t, spmv, opt).Close()
	find := func(name string) string {
		t.Helper()
		found, _ := filepath.Glob(filepath.Join(dir, "builds", "*", "*", name))
		if len(found) != 1 {
			t.Fatalf("%d files %s", len(found), name)
		}
		return found[0]
	}
	edit := func(name string, f func([]byte) []byte) {
		t.Helper()
		path := find(name)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		// A new file: the system refuses to write to one that still runs.
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for name, damage := range map[string]func(){
		"truncated binary":  func() { edit(binaryName(), func(b []byte) []byte { return b[:len(b)/2] }) },
		"garbled binary":    func() { edit(binaryName(), func(b []byte) []byte { b[len(b)/3] ^= 1; return b }) },
		"garbled manifest":  func() { edit(manifestName, func(b []byte) []byte { return append(b[:len(b)/2], "}{"...) }) },
		"empty manifest":    func() { edit(manifestName, func([]byte) []byte { return nil }) },
		"no manifest":       func() { os.Remove(find(manifestName)) },
		"no binary":         func() { os.Remove(find(binaryName())) },
		"another's program": func() { replaceBinary(t, edit, "#!/bin/sh\necho hello\n") },
		"silent program":    func() { replaceBinary(t, edit, "#!/bin/sh\nexit 3\n") },
		"no program":        func() { replaceBinary(t, edit, "\x00\x01") },
	} {
		damage()
		s := open(t, spmv, opt)
		if s.cached {
			t.Errorf("%s: started from the cache", name)
		}
		s.Close()
		if s := open(t, spmv, opt); !s.cached {
			t.Errorf("%s: not healed", name)
		} else {
			s.Close()
		}
	}
}

// replaceBinary puts another program into the cache, with a manifest that vouches for it.
func replaceBinary(t *testing.T, edit func(string, func([]byte) []byte), program string) {
	var old, now string
	var size int
	path := filepath.Join(t.TempDir(), "p")
	edit(binaryName(), func(b []byte) []byte {
		os.WriteFile(path, b, 0o666)
		old, _ = fileHash(path)
		size = len(b)
		os.WriteFile(path, []byte(program), 0o666)
		now, _ = fileHash(path)
		return []byte(program)
	})
	edit(manifestName, func(b []byte) []byte {
		b = bytes.ReplaceAll(b, []byte(old), []byte(now))
		return bytes.ReplaceAll(b, itoa(size), itoa(len(program)))
	})
}

func itoa(n int) []byte { return []byte(`"size": ` + string(appendInt(n)) + `,`) }

func appendInt(n int) []byte {
	if n < 10 {
		return []byte{byte('0' + n)}
	}
	return append(appendInt(n/10), byte('0'+n%10))
}

// Several processes may open the same package at once with an empty cache.
func TestConcurrentOpens(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			s, err := Open(context.Background(), spmv, Options{CacheDir: dir, NoSIMD: true})
			if err != nil {
				t.Error(err)
				return
			}
			s.Close()
		})
	}
	wg.Wait()
	if s := open(t, spmv, Options{CacheDir: dir}); !s.cached {
		t.Error("nothing was kept")
	}
	if found, _ := filepath.Glob(filepath.Join(dir, "builds", "*", "*")); len(found) != 1 {
		t.Errorf("the cache has %v", found)
	}
}

func TestPrune(t *testing.T) {
	c, err := openCache(t.TempDir(), "p")
	if err != nil {
		t.Fatal(err)
	}
	for i := range keptBuilds + 3 {
		temp, err := c.temporary()
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := c.add(temp, &manifest{Version: manifestVersion, Dir: "p", Hash: string(appendInt(i))}); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(c.builds()); n != keptBuilds {
		t.Errorf("%d builds", n)
	}
}

// BenchmarkOpen is a start from the cache.
func BenchmarkOpen(b *testing.B) {
	for b.Loop() {
		s, err := Open(context.Background(), spmv, Options{CacheDir: sharedCache, NoSIMD: true})
		if err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
}
