package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// widest is the most characters that a line of text has, so that two files fit beside each other.
const widest = 120

// TestLinesOfText checks that no line of prose is wider: of a comment that has its line for itself, or of Markdown
// outside of tables. Generated files, whose comments name types, are left out.
func TestLinesOfText(t *testing.T) {
	read := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && path != "../.." && (name == "testdata" || name == "out" || strings.HasPrefix(name, ".")) {
			return filepath.SkipDir
		}
		comment, table := "//", "\x00"
		switch ext := filepath.Ext(name); {
		case strings.Contains(name, "_surge"):
			return nil
		case ext == ".md":
			comment, table = "", "|"
		case ext == ".sh" || name == "Makefile":
			comment = "#"
		case ext != ".go":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		read++
		for i, line := range strings.Split(string(text), "\n") {
			start := strings.TrimLeft(line, " \t")
			if n := utf8.RuneCountInString(line); n > widest && strings.HasPrefix(start, comment) && !strings.HasPrefix(start, table) {
				t.Errorf("%s:%d: %d characters", path, i+1, n)
			}
		}
		return nil
	})
	if err != nil || read < 400 {
		t.Error(read, err)
	}
}
