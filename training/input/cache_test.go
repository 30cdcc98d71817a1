package input

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// cachedText is large enough to be kept.
func cachedText(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%%%%MatrixMarket matrix array integer general\n%d 40\n", n)
	for i := range n * 40 {
		fmt.Fprintln(&b, i%100)
	}
	return b.String()
}

func TestCache(t *testing.T) {
	path := writeFile(t, "A.mtx", cachedText(1000))
	cache := &Cache{Dir: filepath.Join(t.TempDir(), "not", "yet")}
	load := func() *Source {
		t.Helper()
		s, err := Open(t.Context(), path, Options{Cache: cache})
		if err != nil {
			t.Fatal(err)
		}
		checkCSR(t, s)
		return s
	}
	first := load()
	entry := filepath.Join(cache.Dir, first.Fingerprint())
	same := func(what string) {
		t.Helper()
		s := load()
		for i, a := range first.arrays {
			b := s.arrays[i]
			if a.name != b.name || a.value.String() != b.value.String() || string(memory(a.value.Data)) != string(memory(b.value.Data)) {
				t.Errorf("%s: %s differs", what, a.name)
			}
		}
		if s.Fingerprint() != first.Fingerprint() || s.Spec() != path || s.String() != first.String() {
			t.Errorf("%s: %v, %v", what, s, first)
		}
		if _, err := readEntry(entry); err != nil {
			t.Errorf("%s: afterwards %v", what, err)
		}
	}
	same("second time")
	for _, file := range []string{"source.json", "0.raw", "1.raw", "2.raw"} {
		name := filepath.Join(entry, file)
		text := must(os.ReadFile(name))
		change := func(what string, data []byte) {
			t.Helper()
			if err := os.WriteFile(name, data, 0o666); err != nil {
				t.Fatal(err)
			}
			same(file + " " + what)
		}
		flipped := append([]byte(nil), text...)
		flipped[len(text)/2] ^= 1
		change("empty", nil)
		change("cut", text[:len(text)/2])
		change("longer", append(text[:len(text):len(text)], 0))
		change("flipped", flipped)
		os.Remove(name)
		same(file + " removed")
	}
	if left, _ := filepath.Glob(filepath.Join(cache.Dir, "new-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	// Where the cache cannot be made, everything works all the same.
	cache.Dir = filepath.Join(path, "below-a-file")
	load()
}

func TestCacheForgetsTheOldest(t *testing.T) {
	cache := &Cache{Dir: t.TempDir(), MaxBytes: 3 << 19}
	var entries []string
	for i := range 5 {
		s, err := Open(t.Context(), writeFile(t, "A.mtx", cachedText(1000+i)), Options{Cache: cache})
		if err != nil {
			t.Fatal(err)
		}
		entry := filepath.Join(cache.Dir, s.Fingerprint())
		entries = append(entries, entry)
		used := time.Now().Add(time.Duration(i-100) * time.Hour)
		os.Chtimes(filepath.Join(entry, entryFile), used, used)
	}
	for i, entry := range entries {
		if _, err := os.Stat(entry); (err == nil) != (i >= 2) {
			t.Errorf("entry %d: %v", i, err)
		}
	}
}
