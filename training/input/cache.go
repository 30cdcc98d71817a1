package input

import (
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

// cacheEntry is source.json.
type cacheEntry struct {
	Form    form              `json:"form"`
	Rows    int               `json:"rows"`
	Cols    int               `json:"cols"`
	Header  []string          `json:"header,omitempty"`
	Refused map[string]string `json:"refused,omitempty"`
	Arrays  []cacheArray      `json:"arrays"`
	// Shared is i+1 where array j is the same as array i, 0 where it is its own.
	Shared []int `json:"shared"`
}

type cacheArray struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
	Dims []int  `json:"dims"`
	N    int    `json:"n"`
	CRC  uint32 `json:"crc"`
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
	} else if !errors.Is(err, os.ErrNotExist) {
		os.RemoveAll(dir)
	}
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
		entry.Shared = append(entry.Shared, shared)
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
		entry.Arrays = append(entry.Arrays, cacheArray{Name: a.name, Kind: a.value.Kind.String(), Dims: a.value.Dims, N: a.value.Len(), CRC: sum.Sum32()})
	}
	text, err := json.Marshal(entry)
	if err != nil {
		return err
	}
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
	var entry cacheEntry
	if err := json.Unmarshal(text, &entry); err != nil {
		return nil, err
	}
	damaged := errors.New("input: damaged cache entry")
	s := &Source{form: entry.Form, rows: entry.Rows, cols: entry.Cols, header: entry.Header, refused: entry.Refused}
	if len(entry.Shared) != len(entry.Arrays) {
		return nil, damaged
	}
	for i, a := range entry.Arrays {
		kind, err := ParseKind(a.Kind)
		if err != nil {
			return nil, damaged
		}
		var v Value
		if from := entry.Shared[i]; from > 0 && from <= i {
			v = s.arrays[from-1].value
		} else if v, err = readArray(arrayFile(dir, i), kind, a); err != nil {
			return nil, damaged
		}
		elements := 1
		for _, d := range a.Dims {
			if d < 0 || d > a.N && d*elements != 0 {
				return nil, damaged
			}
			elements *= d
		}
		if v.Kind != kind || elements != v.Len() {
			return nil, damaged
		}
		v.Dims = a.Dims
		s.arrays = append(s.arrays, namedValue{a.Name, v})
	}
	return s, s.wellFormed()
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

// wellFormed checks that a source has what its form promises.
func (s *Source) wellFormed() error {
	ok := len(s.arrays) > 0
	switch s.form {
	case formMatrix:
		v, c, o := s.array("values"), s.array("columns"), s.array("row_offsets")
		ok = v.Kind == Float64 && c.Kind == Int32 && o.Kind == Int32 && v.Len() == c.Len() && o.Len() == s.rows+1
	case formTable:
		d := s.array("data").Dims
		ok = len(d) == 2 && d[0] == s.rows && d[1] == s.cols && len(s.header) <= s.cols
	case formVector, formArchive:
	default:
		ok = false
	}
	if !ok {
		return errors.New("input: a source that is not what it says")
	}
	return nil
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
