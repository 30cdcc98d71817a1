package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/opencl/clrt"
	"github.com/surge-ndp/surge/codegen/openmp/omprt"
)

// TestDocumentation runs every command of the README, the guide and the tutorial, in order, as a reader would. What a
// page prints behind a command is an excerpt of what the command prints: each of its lines has to begin as a line of
// the output does, in the same order, up to the first digit, variant or "…", since times, counts and choices differ
// from machine to machine.
//
// Blocks of code are
//
//	sh           commands, a line each
//	console      commands behind "$ ", and an excerpt of what they print
//	LANG FILE    a file that the reader writes
//
// and all others are only shown.
func TestDocumentation(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range []string{"README.md", "docs/guide.md", "docs/tutorial.md"} {
		t.Run(filepath.Base(page), func(t *testing.T) {
			if testing.Short() && page != "docs/tutorial.md" {
				t.Skip("its commands run in a copy of the module, which is compiled again; the tutorial has most of them")
			}
			text, err := os.ReadFile(filepath.Join(root, page))
			if err != nil {
				t.Fatal(err)
			}
			r := &reader{t: t, root: root, dir: t.TempDir()}
			if page != "docs/tutorial.md" { // which begins in an empty directory
				r.clone()
			}
			r.environment()
			r.read(page, string(text))
		})
	}
}

// reader does what a page says.
type reader struct {
	t         *testing.T
	root, dir string
	env       []string
}

// notRun are the commands that a test cannot run, and why.
var notRun = map[string]string{
	"make test": "it would run this test",
}

// shorter are the budgets of commands in a short run: what they print looks the same.
var shorter = strings.NewReplacer("--budget 30s", "--budget 5s")

// instead are commands that would ask the network for the module under test.
var instead = map[string]string{
	"go get -tool github.com/surge-ndp/surge/cmd/surge@latest": "go mod edit -require=github.com/surge-ndp/surge@v0.0.0 " +
		"-replace=github.com/surge-ndp/surge=$ROOT -tool=github.com/surge-ndp/surge/cmd/surge && cp $ROOT/go.sum . && go mod tidy",
}

// clone copies the files of this module, without what commands may have left among them.
func (r *reader) clone() {
	list := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = r.root
	out, err := list.Output()
	if err != nil {
		r.t.Skip("the files of the module are found by git: ", err)
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(r.root, name))
		if os.IsNotExist(err) { // deleted and not yet committed
			continue
		}
		if err != nil {
			r.t.Fatal(err)
		}
		to := filepath.Join(r.dir, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			r.t.Fatal(err)
		}
		if err := os.WriteFile(to, text, 0o644); err != nil {
			r.t.Fatal(err)
		}
	}
}

func (r *reader) environment() {
	r.env = append(os.Environ(), "ROOT="+r.root, "GOBIN="+r.t.TempDir(), "SURGE_CACHE="+r.t.TempDir(), "GOFLAGS=", "GOEXPERIMENT=")
}

var fence = regexp.MustCompile("(?ms)^```(\\w*) *(\\S*)\n(.*?)^```$")

func (r *reader) read(page, text string) {
	commands := 0
	for _, m := range fence.FindAllStringSubmatchIndex(text, -1) {
		lang, file, body := text[m[2]:m[3]], text[m[4]:m[5]], text[m[6]:m[7]]
		at := fmt.Sprintf("%s:%d", page, strings.Count(text[:m[6]], "\n")+1)
		switch {
		case file != "":
			to := filepath.Join(r.dir, file)
			if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
				r.t.Fatal(err)
			}
			if err := os.WriteFile(to, []byte(body), 0o644); err != nil {
				r.t.Fatal(err)
			}
		case lang == "sh":
			for line := range strings.Lines(body) {
				r.run(at, line, "")
				commands++
			}
		case lang == "console":
			for _, part := range strings.Split("\n"+body, "\n$ ")[1:] {
				command, excerpt, _ := strings.Cut(part, "\n")
				r.run(at, command, excerpt)
				commands++
			}
		}
	}
	if commands < 4 {
		r.t.Errorf("%s has %d commands", page, commands)
	}
}

// run runs one command and compares what it prints with the excerpt.
func (r *reader) run(at, line, excerpt string) {
	line, _, _ = strings.Cut(line, "  #")
	line = strings.TrimSpace(line)
	if reason := notRun[line]; line == "" || reason != "" {
		return
	}
	if _, err := clrt.Find(""); err != nil && strings.Contains(line, "opencl") {
		r.t.Logf("%s: not run: %s: %v", at, line, err)
		return
	}
	if _, missing := omprt.Compiler(); missing != nil && strings.Contains(line, "openmp") {
		r.t.Logf("%s: not run: %s: %v", at, line, missing)
		return
	}
	if _, err := exec.LookPath("gcc"); err != nil && strings.Contains(line, "surge_cgo") {
		r.t.Logf("%s: not run: %s: %v", at, line, err)
		return
	}
	command := line
	if other := instead[line]; other != "" {
		command = other
	}
	if testing.Short() {
		command = shorter.Replace(command)
	}
	cmd := exec.CommandContext(r.t.Context(), "bash", "-ec", command)
	cmd.Dir, cmd.Env = r.dir, r.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("%s: %s: %v\n%s", at, line, err, out)
	}
	printed := strings.Split(string(out), "\n")
	for want := range strings.Lines(excerpt) {
		begin := beginning(want)
		if begin == "" {
			continue
		}
		found := false
		for i, got := range printed {
			if strings.HasPrefix(squeeze(got), begin) {
				printed, found = printed[i+1:], true
				break
			}
		}
		if !found {
			r.t.Errorf("%s: %s does not print, behind the lines before, one that begins with %q:\n%s", at, line, begin, out)
			return
		}
	}
}

// differs is where a line may begin to differ: a number, the identifier of a variant, or what a page leaves out.
var differs = regexp.MustCompile(`[0-9]|\b[0-9a-f]{8}\b|…`)

// beginning is what of a line is the same on every machine.
func beginning(line string) string {
	line = strings.TrimSpace(line)
	if at := differs.FindStringIndex(line); at != nil {
		line = line[:at[0]]
	}
	return squeeze(line)
}

// squeeze makes one blank of several: columns are as wide as what is in them.
func squeeze(line string) string { return strings.Join(strings.Fields(line), " ") }
