package training

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/surge-ndp/surge/ops/load"
	"github.com/surge-ndp/surge/training/input"
)

// Measurements is an append-only file of measurements, of any kernels, inputs and machines. Each line is complete in
// itself, so nothing is lost when a run is interrupted. Files are merged by reading several, or joined to one; of
// comparisons of the same input in two of them the later file's count. Several goroutines may use it.
type Measurements struct {
	mu     sync.Mutex
	file   *os.File // nil: nothing can be added
	path   string
	inputs map[inputKey]*measuredInput
	order  []inputKey
	// Warnings tell what was skipped.
	Warnings []string
}

type inputKey struct{ hash, device, computation, input string }

type measuredInput struct {
	record   // the line that introduced it
	variants map[string]*measuredVariant
	order    []string
	done     int
	noting   float64 // nanoseconds that noting the paths took
	finals   int     // the number of the latest final comparison
	duels    int     // the number of the latest duel
}

type measuredVariant struct {
	status Status
	reason string
	times  []float64
	final  []float64 // the time of each round of the latest final comparison, NaN where there is none
	number int       // of that comparison
	duel   []float64 // the same for the latest duel
	duels  int       // its number
	took   float64   // nanoseconds, without the final comparison
}

// measurementsName is the file of measurements in the cache directory of a package.
const measurementsName = "measurements.jsonl"

// MeasurementsPath is where the measurements of the package in dir are kept, below the cache directory ("" stands for
// the user's).
func MeasurementsPath(cacheDir, dir string) (string, error) {
	abs, err := load.Directory(dir)
	if err != nil {
		return "", err
	}
	c, err := openCache(cacheDir, abs)
	if err != nil {
		return "", err
	}
	return filepath.Join(c.dir, measurementsName), nil
}

// maxMeasurementBytes is the size of the largest measurement file that is read.
const maxMeasurementBytes = 2 << 30

// OpenMeasurements reads measurement files. New measurements go to the first one, which is made if it does not exist;
// the others have to exist. With readOnly nothing can be added. Lines that are damaged or of another version are
// skipped with a warning; a file of which no line even begins as a measurement does is something else, and refused.
// So is one to which another process adds.
func OpenMeasurements(paths []string, readOnly bool) (*Measurements, error) {
	m := &Measurements{inputs: map[inputKey]*measuredInput{}}
	if len(paths) > 0 {
		m.path = paths[0]
	}
	for i, path := range paths {
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
			return nil, &Error{Where: path, Code: CodeMeasurements, What: "it is no file", Why: "measurements are read as a whole, and kept for later", Do: "name a file, or one that does not exist yet"}
		}
		text, err := input.ReadFile(path, maxMeasurementBytes)
		if errors.Is(err, fs.ErrNotExist) && i == 0 && !readOnly {
			continue
		}
		if err != nil {
			return nil, &Error{Where: path, Code: CodeMeasurements, What: "the measurements cannot be read: " + err.Error(), Err: err}
		}
		if !m.read(path, text) {
			return nil, &Error{Where: path, Code: CodeMeasurements, What: "it is no measurement file: none of its lines is a measurement", Why: "measurements are added to the end of the file, which would spoil what it is", Do: "name another file with --measurements, or one that does not exist yet; remove this one if it is not needed"}
		}
	}
	if readOnly {
		return m, nil
	}
	if err := os.MkdirAll(filepath.Dir(m.path), 0o777); err != nil {
		return nil, m.failed(err)
	}
	f, err := os.OpenFile(m.path, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, m.failed(err)
	}
	if locked(f) {
		f.Close()
		return nil, &Error{Where: m.path, Code: CodeMeasurements, What: "another process measures into this file now",
			Why: "two that measure at once disturb each other's times", Do: "wait until it is done, or stop it, after which what it measured is not measured again"}
	}
	// A line that was cut by a crash must not swallow the next one.
	if info, err := f.Stat(); err == nil && info.Size() > 0 {
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, info.Size()-1); err == nil && last[0] != '\n' {
			f.Write([]byte("\n"))
		}
	}
	m.file = f
	return m, nil
}

func (m *Measurements) failed(err error) *Error {
	return &Error{Where: m.path, Code: CodeMeasurements, What: "measurements cannot be kept: " + err.Error(), Err: err,
		Why: "each is written as soon as it is made, so that none is lost", Do: "make room on the disk, or name another file with --measurements; what was written stays valid"}
}

// Close closes the file.
func (m *Measurements) Close() error {
	if m.file == nil {
		return nil
	}
	return m.file.Close()
}

// read takes the lines of a file into the tables, and reports whether it is a measurement file: an empty one is.
func (m *Measurements) read(path string, text []byte) bool {
	var all []record
	damaged, foreign, first, n := 0, 0, 0, 0
	filled, alien := 0, 0 // lines that are not blank, and those of them that do not begin as a record does
	bad := func(line int) {
		if damaged++; first == 0 || line < first {
			first = line
		}
	}
	var lines []int // of the records
	for line := range bytes.Lines(text) {
		n++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if filled++; !bytes.HasPrefix(line, []byte(recordStart)) {
			alien++
		}
		var r record
		switch err := json.Unmarshal(line, &r); {
		case err != nil || r.Version < 1:
			bad(n)
		case r.Version != recordVersion:
			foreign++
		default:
			all, lines = append(all, r), append(lines, n)
		}
	}
	part, parts := recordings(all)
	for p := range parts {
		var own []record
		var at []int
		for i := range all {
			if part[i] == p {
				own, at = append(own, all[i]), append(at, lines[i])
			}
		}
		m.renumber(own)
		for i := range own {
			if !m.add(&own[i]) {
				bad(at[i])
			}
		}
	}
	if damaged > 0 {
		m.Warnings = append(m.Warnings, fmt.Sprintf("%s:%d: %s skipped: damaged", path, first, plural(damaged, "line")))
	}
	if foreign > 0 {
		m.Warnings = append(m.Warnings, fmt.Sprintf("%s: %s skipped: written by another version of surge", path, plural(foreign, "line")))
	}
	return alien == 0 || alien < filled
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// put adds a line to the tables and to the file.
func (m *Measurements) put(r record) error {
	r.Version = recordVersion
	m.mu.Lock()
	defer m.mu.Unlock()
	m.add(&r)
	if m.file == nil {
		return nil
	}
	line, err := json.Marshal(r)
	if err != nil {
		return m.failed(err)
	}
	if _, err := m.file.Write(append(line, '\n')); err != nil {
		return m.failed(err)
	}
	return nil
}

// find returns the measurements of an input, or nil.
func (m *Measurements) find(hash, device, computation, input string) *measuredInput {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.inputs[inputKey{hash, device, computation, input}]
}
