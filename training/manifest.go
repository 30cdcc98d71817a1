package training

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/surge-ndp/surge/codegen"
)

// manifest says what a cached binary was made from. It stands beside the binary.
type manifest struct {
	Version  int               `json:"version"`
	Surge    string            `json:"surge"`    // hash of the program that generated the code
	Settings map[string]string `json:"settings"` // of the go command
	Dir      string            `json:"dir"`
	Built    time.Time         `json:"built"`
	Files    []sourceFile      `json:"files"`
	Folders  []folder          `json:"folders"`
	Size     int64             `json:"size"` // of the binary
	Hash     string            `json:"hash"`
}

const manifestVersion = 1

// sourceFile is a file that the build read.
type sourceFile struct {
	Path string    `json:"path"`
	Size int64     `json:"size"`
	Time time.Time `json:"time"` // of change
	Hash string    `json:"hash"`
}

// folder is a directory of a package that the build read, with a hash of the names of its source files: one more file
// changes the package too.
type folder struct {
	Path  string `json:"path"`
	Names string `json:"names"`
}

// racy is the time after a change within which another change need not show in the time of change.
const racy = 2 * time.Second

func readSource(path string) (sourceFile, error) {
	info, err := os.Stat(path)
	if err != nil {
		return sourceFile{}, err
	}
	hash, err := fileHash(path)
	return sourceFile{Path: path, Size: info.Size(), Time: info.ModTime(), Hash: hash}, err
}

// unchanged reports whether the file still has its content, and reads it only if its time has changed or was too close
// to the time of the build to be trusted.
func (f *sourceFile) unchanged(built time.Time) bool {
	info, err := os.Stat(f.Path)
	if err != nil || info.Size() != f.Size {
		return false
	}
	if info.ModTime().Equal(f.Time) && f.Time.Before(built.Add(-racy)) {
		return true
	}
	hash, err := fileHash(f.Path)
	return err == nil && hash == f.Hash
}

// readFolder hashes the names of a package's source files, those that surge generated and tests left out.
func readFolder(dir string) (folder, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return folder{}, err
	}
	h := sha256.New()
	for _, e := range entries {
		name := e.Name()
		switch ext := filepath.Ext(name); {
		case e.IsDir(), name[0] == '.', name[0] == '_', strings.HasSuffix(name, "_test.go"), codegen.IsGenerated(name):
		case slices.Contains([]string{".go", ".s", ".S", ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".m", ".f", ".F", ".f90", ".swig", ".swigcxx", ".syso"}, ext):
			h.Write([]byte(name + "\x00"))
		}
	}
	return folder{Path: dir, Names: hex.EncodeToString(h.Sum(nil)[:8])}, nil
}

// readManifest answers nil for whatever is wrong with a manifest.
func readManifest(path string) *manifest {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	m := new(manifest)
	if json.Unmarshal(text, m) != nil || m.Version != manifestVersion || m.Hash == "" {
		return nil
	}
	return m
}

// key names the build: manifests that differ in times alone have the same.
func (m *manifest) key() string {
	k := *m
	k.Built, k.Files = time.Time{}, slices.Clone(m.Files)
	for i := range k.Files {
		k.Files[i].Time = time.Time{}
	}
	text, _ := json.Marshal(k) // strings, numbers and times: cannot fail
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// current reports whether a build now would give the same binary.
func (m *manifest) current(dir, surge string, settings map[string]string) bool {
	if m.Dir != dir || m.Surge != surge || !maps.Equal(m.Settings, settings) {
		return false
	}
	for i := range m.Files {
		if !m.Files[i].unchanged(m.Built) {
			return false
		}
	}
	for _, f := range m.Folders {
		if now, err := readFolder(f.Path); err != nil || now != f {
			return false
		}
	}
	return true
}

// intact reports whether the binary is the one that was built.
func (m *manifest) intact(binary string) bool {
	info, err := os.Stat(binary)
	if err != nil || info.Size() != m.Size {
		return false
	}
	hash, err := fileHash(binary)
	return err == nil && hash == m.Hash
}
