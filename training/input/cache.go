package input

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Cache keeps what files were parsed to, so that the next start need not parse
// again. An entry is a directory named by the source's fingerprint with a small
// source.json and one raw file for each array. Entries carry checksums; one that
// is damaged, or that cannot be written, costs time and nothing else. Several
// processes may use the same directory.
type Cache struct {
	// Dir is the directory, made when needed.
	Dir string
	// MaxBytes is how much all entries may take before those used longest ago
	// are removed; 0 stands for 4 GiB.
	MaxBytes int64
}

const (
	// smallestCached: below this, parsing is as fast as opening several files.
	smallestCached = 256 << 10
	entryFile      = "source.json"
)

// cacheEntry is the first line of source.json; its checksum is the second.
type cacheEntry struct {
	Form    form              `json:"form"`
	Rows    int               `json:"rows"`
	Cols    int               `json:"cols"`
	Header  []string          `json:"header,omitempty"`
	Refused map[string]string `json:"refused,omitempty"`
	Arrays  []cacheArray      `json:"arrays"`
}

type cacheArray struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
	Dims []int  `json:"dims"`
	N    int    `json:"n"`
	CRC  uint32 `json:"crc"`
	// SameAs is i+1 where the elements are those of array i, 0 where they are its own.
	SameAs int `json:"same_as,omitempty"`
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// load gives the source from the cache, or parses it and keeps it.
func (c *Cache) load(spec, fingerprint string, parse func() (*Source, error)) (*Source, error) {
	dir := filepath.Join(c.Dir, fingerprint)
	if s, err := readEntry(dir); err == nil {
		now := time.Now()
		os.Chtimes(filepath.Join(dir, entryFile), now, now) // for the choice of what to remove
		s.spec, s.fingerprint = spec, fingerprint
		return s, nil
	}
	os.RemoveAll(dir) // not there, or damaged
	s, err := finish(spec, fingerprint, parse)
	if err == nil && s.Bytes() >= smallestCached && s.Bytes() <= c.most() {
		if c.writeEntry(dir, s) == nil {
			c.prune(dir)
		}
	}
	return s, err
}

func (c *Cache) most() int64 {
	if c.MaxBytes > 0 {
		return c.MaxBytes
	}
	return 4 << 30
}

func arrayFile(dir string, i int) string { return filepath.Join(dir, fmt.Sprintf("%d.raw", i)) }

// writeEntry fills a directory of its own and renames it, so that nobody sees
// half an entry.
func (c *Cache) writeEntry(dir string, s *Source) (err error) {
	if err := os.MkdirAll(c.Dir, 0o777); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(c.Dir, "new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	entry := cacheEntry{Form: s.form, Rows: s.rows, Cols: s.cols, Header: s.header, Refused: s.refused}
	for i, a := range s.arrays {
		shared := 1 + slices.IndexFunc(s.arrays[:i], func(b namedValue) bool { return sameMemory(a.value, b.value) })
		sum := crc32.New(castagnoli)
		if shared == 0 {
			f, err := os.Create(arrayFile(temp, i))
			if err != nil {
				return err
			}
			err = WriteRaw(io.MultiWriter(f, sum), a.value)
			if closed := f.Close(); err == nil {
				err = closed
			}
			if err != nil {
				return err
			}
		}
		entry.Arrays = append(entry.Arrays, cacheArray{Name: a.name, Kind: a.value.Kind.String(), Dims: a.value.Dims, N: a.value.Len(), CRC: sum.Sum32(), SameAs: shared})
	}
	text, err := json.Marshal(entry)
	if err != nil {
		return err
	}
	text = fmt.Appendf(text, "\n%08x\n", crc32.Checksum(text, castagnoli))
	if err := os.WriteFile(filepath.Join(temp, entryFile), text, 0o666); err != nil {
		return err
	}
	return os.Rename(temp, dir)
}

func sameMemory(a, b Value) bool {
	m, n := memory(a.Data), memory(b.Data)
	return a.Kind == b.Kind && len(m) > 0 && len(m) == len(n) && &m[0] == &n[0]
}

// readEntry answers any error for whatever is wrong with an entry.
func readEntry(dir string) (*Source, error) {
	text, err := os.ReadFile(filepath.Join(dir, entryFile))
	if err != nil {
		return nil, err
	}
	damaged := errors.New("input: damaged cache entry")
	text, sum, _ := bytes.Cut(text, []byte("\n"))
	if string(sum) != fmt.Sprintf("%08x\n", crc32.Checksum(text, castagnoli)) {
		return nil, damaged
	}
	var entry cacheEntry
	if err := json.Unmarshal(text, &entry); err != nil {
		return nil, err
	}
	s := &Source{form: entry.Form, rows: entry.Rows, cols: entry.Cols, header: entry.Header, refused: entry.Refused}
	for i, a := range entry.Arrays {
		kind, err := ParseKind(a.Kind)
		if err != nil {
			return nil, damaged
		}
		var v Value
		if from := a.SameAs; from > 0 && from <= i {
			v = s.arrays[from-1].value
		} else if v, err = readArray(arrayFile(dir, i), kind, a); err != nil {
			return nil, damaged
		}
		v.Dims = a.Dims
		s.arrays = append(s.arrays, namedValue{a.Name, v})
	}
	return s, nil
}

// readArray checks the size before allocating and the checksum afterwards.
func readArray(path string, kind Kind, a cacheArray) (Value, error) {
	f, err := os.Open(path)
	if err != nil {
		return Value{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Value{}, err
	}
	if a.N < 0 || info.Size()/int64(kind.Size()) != int64(a.N) || info.Size()%int64(kind.Size()) != 0 {
		return Value{}, io.ErrUnexpectedEOF
	}
	sum := crc32.New(castagnoli)
	v, err := readRaw(io.TeeReader(f, sum), kind, a.N, a.N)
	if err == nil && sum.Sum32() != a.CRC {
		err = errors.New("input: wrong checksum")
	}
	return v, err
}

// prune removes the entries used longest ago, never keep.
func (c *Cache) prune(keep string) {
	type entry struct {
		dir   string
		used  time.Time
		bytes int64
	}
	var all []entry
	var total int64
	found, _ := filepath.Glob(filepath.Join(c.Dir, "*", entryFile))
	for _, path := range found {
		info, err := os.Stat(path)
		if err != nil {
			continue
		}
		e := entry{dir: filepath.Dir(path), used: info.ModTime()}
		files, _ := os.ReadDir(e.dir)
		for _, f := range files {
			if i, err := f.Info(); err == nil {
				e.bytes += i.Size()
			}
		}
		total += e.bytes
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b entry) int { return a.used.Compare(b.used) })
	for _, e := range all {
		if total <= c.most() {
			return
		}
		if e.dir != keep {
			os.RemoveAll(e.dir)
			total -= e.bytes
		}
	}
}
