package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/codegen/target"
	"github.com/surge-ndp/surge/training"
	"github.com/surge-ndp/surge/training/input"
)

func TestNumbers(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{count(0), "0"}, {count(999), "999"}, {count(1000), "1,000"}, {count(-1234567), "-1,234,567"}, {count(-123), "-123"},
		{plural(1, "run"), "1 run"}, {plural(1200, "run"), "1,200 runs"},
		{duration(371), "371 ns"}, {duration(2440), "2.44 µs"}, {duration(15200 * time.Microsecond), "15.2 ms"}, {duration(123 * time.Second), "123 s"},
		{size(1), "1 byte"}, {size(56000), "56.0 kB"}, {size(80e6), "80.0 MB"}, {size(2.5e9), "2.50 GB"},
		{numbers([]int{1, 2, 3}, 3), "all"}, {numbers([]int{1, 3, 4, 5}, 6), "1 3-5"}, {numbers([]int{1, 2}, 4), "1 2"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestColumns(t *testing.T) {
	c := newColumns(">n", "name", "")
	c.row("1", "map ▷ reduce", "")
	c.row("1,000", "x", "note")
	var buf bytes.Buffer
	c.print(&buf, "  ")
	want := "      n  name\n      1  map ▷ reduce\n  1,000  x             note\n"
	if buf.String() != want {
		t.Errorf("\n%q, want\n%q", buf.String(), want)
	}
}

// A panic of surge is not a page of stack unless that is asked for, and a problem of an input is one error in every
// form.
func TestReport(t *testing.T) {
	var buf bytes.Buffer
	a := &app{err: &buf}
	a.reportPanic("boom", []byte("STACK"))
	if text := buf.String(); !strings.Contains(text, "internal error: boom [bug]") || !strings.Contains(text, "please report it") || strings.Contains(text, "STACK") {
		t.Error(text)
	}
	buf.Reset()
	a.verbose = true
	a.reportPanic("boom", []byte("STACK"))
	if !strings.Contains(buf.String(), "STACK") {
		t.Error(buf.String())
	}
	buf.Reset()
	err := fmt.Errorf("wrapped: %w", &input.Error{File: "a.mtx", Line: 3, What: "what", Code: "code", Why: "why", Do: "do"})
	if code := a.report(err); code != exitUser || buf.String() != "a.mtx:3: what [code]\n\twhy: why\n\tfix: do\n" {
		t.Errorf("%d, %q", code, buf.String())
	}
	buf.Reset()
	a.json = true
	if a.report(err); buf.String() != `{"errors":[{"file":"a.mtx","line":3,"code":"code","message":"what","why":"why","fix":"do"}]}`+"\n" {
		t.Error(buf.String())
	}
	for _, c := range []struct {
		err  error
		want int
	}{
		{fmt.Errorf("wrapped: %w", context.Canceled), exitInterrupted},
		{&training.Error{What: "what", Code: "build"}, exitUser},
		{fmt.Errorf("wrapped: %w", &usageError{problem{What: "what"}, "surge run"}), exitUsage},
		{fmt.Errorf("wrapped: %w", &training.Error{What: "what", Code: "internal", Bug: true}), exitBug},
		{fmt.Errorf("wrapped: %w", &codegen.NotGoError{Line: "x :=", Err: errors.New("expected operand")}), exitBug},
	} {
		if code := a.report(c.err); code != c.want {
			t.Errorf("%v: exit code %d, want %d", c.err, code, c.want)
		}
	}
	if code := execute([]string{"run", "spmv", "--repeat", "many"}, &buf, &buf); code != exitUsage {
		t.Errorf("a flag's value of the wrong kind: exit code %d", code)
	}
}

// Names keep their letter case and order, values their text.
func TestConfig(t *testing.T) {
	path := filepath.Join(t.TempDir(), configName)
	text := "kernel: K\nrepeat: 3\ndata: {A: 'gen:ones:n=1', b: x.npy}\nbind:\n  rowOffsets: A.row_offsets\n  tileSize: 0x10\n  ok: true\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := readConfig(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := placed(c.Data, path); got != "[{A gen:ones:n=1 3 11} {b x.npy 3 30}]" {
		t.Error(got)
	}
	if got := placed(c.Bind, path); got != "[{rowOffsets A.row_offsets 5 15} {tileSize 0x10 6 13} {ok true 7 7}]" {
		t.Error(got)
	}
	if got := fmt.Sprint(c.settings); got != "map[kernel:K repeat:3]" {
		t.Error(got)
	}
	if got := placed(input.Merge(c.Data, []input.Entry{{Name: "b", Value: "y"}, {Name: "c", Value: "z"}}), path); got != "[{A gen:ones:n=1 3 11} {b y 0 0} {c z 0 0}]" {
		t.Error(got)
	}
	for _, bad := range []string{"[1]", "a", "bind: 3", "bind: {x: [1]}", "bind: {x: 1, x: 2}", "kernel:", "kernel: {a: b}", "? [a]\n: b", "data: *a", "\tx"} {
		if err := os.WriteFile(path, []byte(bad), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := readConfig(path); err == nil || !strings.HasPrefix(err.Error(), path+":") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// What a device has is said in a line of its own.
func TestDevices(t *testing.T) {
	var buf bytes.Buffer
	a := &app{out: &buf}
	a.printDevices([]target.Device{{Name: "A", Used: true, Subgroups: true, SizedSubgroups: true}, {Number: 1, Name: "B", Missing: "no compiler"}})
	for _, want := range []string{"device 0: A  (used)", "subgroups  yes, of a size that SURGE_SUBGROUP_SIZE may name", "device 1: B\n", "no compiler", "no\n"} {
		if !strings.Contains(buf.String(), want) {
			t.Errorf("no %q in\n%s", want, buf.String())
		}
	}
}

// placed prints entries as {name value line column}; those that do not stand in the file have no place.
func placed(entries []input.Entry, path string) string {
	var all []string
	for _, e := range entries {
		if (e.File == path) != (e.Line > 0) {
			return fmt.Sprintf("%+v does not say that it stands in %s", e, path)
		}
		all = append(all, fmt.Sprintf("{%s %s %d %d}", e.Name, e.Value, e.Line, e.Col))
	}
	return "[" + strings.Join(all, " ") + "]"
}
