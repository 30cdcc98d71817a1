package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestRationaleContents checks that the table at the head of RATIONALE.md leads to every section, each once, and that sections
// which are named in the text exist.
func TestRationaleContents(t *testing.T) {
	text, err := os.ReadFile("../../RATIONALE.md")
	if err != nil {
		t.Fatal(err)
	}
	linked := map[string]int{}
	for _, m := range regexp.MustCompile(`\]\(#([^)]+)\)`).FindAllStringSubmatch(string(text), -1) {
		linked[m[1]]++
	}
	var titles []string
	notInAnchor := regexp.MustCompile(`[^a-z0-9 -]`)
	for _, m := range regexp.MustCompile(`(?m)^## (.+)$`).FindAllStringSubmatch(string(text), -1) {
		titles = append(titles, m[1])
		anchor := strings.ReplaceAll(notInAnchor.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-")
		if linked[anchor] != 1 {
			t.Errorf("%d links to the section %q", linked[anchor], m[1])
		}
		delete(linked, anchor)
	}
	if len(linked) > 0 {
		t.Errorf("there are no sections %v", linked)
	}
	for _, m := range regexp.MustCompile(`"((?:Why|What|How) [^"]+)"`).FindAllStringSubmatch(string(text), -1) {
		found := false
		for _, title := range titles {
			found = found || strings.HasPrefix(title, m[1])
		}
		if !found {
			t.Errorf("no section begins with %q", m[1])
		}
	}
}
