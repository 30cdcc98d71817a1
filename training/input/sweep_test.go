package input

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestSweep(t *testing.T) {
	texts := []string{"gen:powerlaw:rows=1e3..1e6,avg=1..200", "64..1Mi", "A.cols", "0.5..2"}
	samples, err := Sweep(texts, 50, 0, 0)
	if err != nil || len(samples) != 50 {
		t.Fatal(len(samples), err)
	}
	again, _ := Sweep(texts, 50, 0, 0)
	other, _ := Sweep(texts, 50, 1, 0)
	rest, _ := Sweep(texts, 20, 0, 30)
	if !slices.EqualFunc(rest, samples[30:], slices.Equal) {
		t.Error("samples after the first 30 are not those that go on there")
	}
	small := 0
	for i, s := range samples {
		if !slices.Equal(s, again[i]) {
			t.Fatal("another sample the second time")
		}
		if slices.ContainsFunc(other, func(o []string) bool { return o[0] == s[0] }) {
			t.Errorf("%s is in both phases", s[0])
		}
		rows, _ := strconv.Atoi(strings.TrimPrefix(strings.Split(s[0], ",")[0], "gen:powerlaw:rows="))
		avg, _ := strconv.Atoi(s[0][strings.Index(s[0], "avg=")+4:])
		tile, _ := strconv.Atoi(s[1])
		x, _ := strconv.ParseFloat(s[3], 64)
		if rows < 1000 || rows > 1e6 || avg < 1 || avg > 200 || tile < 64 || tile > 1<<20 || s[2] != "A.cols" || x < 0.5 || x > 2 {
			t.Errorf("sample %v", s)
		}
		if rows < 31623 {
			small++
		}
	}
	if small < 20 || small > 30 {
		t.Errorf("%d of 50 below the geometric mean", small)
	}
	if one, err := Sweep([]string{"a", "b"}, 9, 0, 0); err != nil || len(one) != 1 {
		t.Errorf("without ranges: %v, %v", one, err)
	}
	for _, bad := range []string{"gen:ones:n=9..1", "1..1e999"} {
		if got, err := Sweep([]string{bad}, 3, 0, 0); err == nil {
			t.Errorf("%s gave %v", bad, got)
		}
	}
	for text, want := range map[string]bool{"1..2": true, "1<<4..1<<9": true, "../x.mtx": false, "a..b": false, "A.cols": false, "v1.2": false} {
		if IsSweep(text) != want {
			t.Errorf("IsSweep(%q) = %v", text, !want)
		}
	}
}

func TestMatch(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.mtx", "a.mtx.gz", "c.npy", "notes.md"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for pattern, want := range map[string]string{
		"": "a.mtx.gz b.mtx c.npy", "*.mtx*": "a.mtx.gz b.mtx", "b.mtx": "b.mtx", "none.mtx": "none.mtx", // Open says that it does not exist
	} {
		got, err := Match(pattern, dir)
		for i := range got {
			got[i] = filepath.Base(got[i])
		}
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%q: %v, %v", pattern, got, err)
		}
	}
	for _, pattern := range []string{"*.csv", "[", "*.md"} {
		if got, err := Match(pattern, dir); err == nil {
			t.Errorf("%q gave %v", pattern, got)
		}
	}
}
