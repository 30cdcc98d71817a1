package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestRationaleContents checks that the introduction of RATIONALE.md leads to every part, each once, and that it
// stays what it is for: decisions, in lines that fit a terminal. Measurements have a folder of their own.
func TestRationaleContents(t *testing.T) {
	text, err := os.ReadFile("../../RATIONALE.md")
	if err != nil {
		t.Fatal(err)
	}
	const limit = 30 << 10
	if len(text) > limit {
		t.Errorf("RATIONALE.md has %d bytes, more than %d: results belong into docs/measurements", len(text), limit)
	}
	for i, line := range strings.Split(string(text), "\n") {
		if n := utf8.RuneCountInString(line); n > 120 {
			t.Errorf("RATIONALE.md:%d has %d characters", i+1, n)
		}
	}
	linked := map[string]int{}
	for _, m := range regexp.MustCompile(`\]\(#([^)]+)\)`).FindAllStringSubmatch(string(text), -1) {
		linked[m[1]]++
	}
	for _, m := range regexp.MustCompile(`(?m)^## (.+)$`).FindAllStringSubmatch(string(text), -1) {
		if a := anchor(m[1]); linked[a] != 1 {
			t.Errorf("%d links to the part %q", linked[a], m[1])
		}
	}
}

// TestLinksOfDocuments follows the links of all pages to files and sections of the module.
func TestLinksOfDocuments(t *testing.T) {
	var pages []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "bench/*/*.md"} {
		found, err := filepath.Glob(filepath.Join("../..", pattern))
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	if len(pages) < 10 {
		t.Fatalf("only %v", pages)
	}
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	inline := regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(inline.ReplaceAllString(string(text), ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			file, section, _ := strings.Cut(m[1], "#")
			to := page
			if file != "" {
				to = filepath.Join(filepath.Dir(page), file)
			}
			if err := leads(to, section); err != "" {
				t.Errorf("%s: %s: %s", page, m[1], err)
			}
		}
	}
}

// leads says why there is no such file, or no such section in it, "" if there is one.
func leads(file, section string) string {
	text, err := os.ReadFile(file)
	if section == "" {
		if _, err := os.Stat(file); err != nil {
			return err.Error()
		}
		return ""
	}
	if err != nil {
		return err.Error()
	}
	for _, m := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(string(text), -1) {
		if anchor(m[1]) == section {
			return ""
		}
	}
	return "there is no such section"
}

var notInAnchor = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

// anchor is the name by which Markdown links to a title.
func anchor(title string) string {
	return strings.ReplaceAll(notInAnchor.ReplaceAllString(strings.ToLower(title), ""), " ", "-")
}
