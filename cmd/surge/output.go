package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"golang.org/x/term"
)

// printJSON prints a value for programs.
func (a *app) printJSON(v any) error {
	enc := json.NewEncoder(a.out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// output is where the command prints. It keeps the first error, so that a command whose output is lost does not end as
// if all were well.
type output struct {
	io.Writer
	err error
}

func (o *output) Write(text []byte) (int, error) {
	n, err := o.Writer.Write(text)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

func (a *app) printf(format string, args ...any) { fmt.Fprintf(a.out, format, args...) }

// terminalWidth returns the width of the terminal that w is, or 0 when it is none.
func terminalWidth(w io.Writer) int {
	if o, ok := w.(*output); ok {
		w = o.Writer
	}
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// columns is a table without lines: text that is aligned, for people and for cut and awk.
type columns struct {
	titles  []string
	right   []bool
	rows    [][]string
	visible bool
}

// newColumns begins a table. A title that starts with ">" makes its column right-aligned; without any title there is no
// line of titles.
func newColumns(titles ...string) *columns {
	c := &columns{}
	for _, t := range titles {
		name, right := strings.CutPrefix(t, ">")
		c.titles, c.right = append(c.titles, name), append(c.right, right)
		c.visible = c.visible || name != ""
	}
	return c
}

func (c *columns) row(cells ...string) { c.rows = append(c.rows, cells) }

// print writes the table behind an indent. Where w is a terminal, the last column wraps at its edge.
func (c *columns) print(w io.Writer, indent string) {
	t := table.NewWriter()
	style := table.StyleDefault
	style.Box = table.BoxStyle{PaddingRight: "  "}
	style.Options = table.OptionsNoBordersAndSeparators
	style.Format.Header = text.FormatDefault
	t.SetStyle(style)
	t.SuppressTrailingSpaces()

	last := len(c.titles) - 1
	before := len(indent)
	configs := make([]table.ColumnConfig, len(c.titles))
	for i := range configs {
		configs[i].Number = i + 1
		if c.right[i] {
			configs[i].Align, configs[i].AlignHeader = text.AlignRight, text.AlignRight
		}
		if i == last {
			break
		}
		width := text.StringWidth(c.titles[i])
		for _, r := range c.rows {
			width = max(width, text.StringWidth(r[i]))
		}
		before += width + len(style.Box.PaddingRight)
	}
	if width := terminalWidth(w); width > 0 {
		configs[last].WidthMax, configs[last].WidthMaxEnforcer = max(width-before, 40), text.WrapSoft
	}
	t.SetColumnConfigs(configs)
	if c.visible {
		t.AppendHeader(cells(c.titles))
	}
	for _, r := range c.rows {
		t.AppendRow(cells(r))
	}
	for line := range strings.Lines(t.Render()) {
		io.WriteString(w, strings.TrimRight(indent+strings.TrimSuffix(line, "\n"), " ")+"\n")
	}
}

func cells(texts []string) table.Row {
	row := make(table.Row, len(texts))
	for i, t := range texts {
		row[i] = t
	}
	return row
}

// count writes a whole number with commas: 1,234,567.
func count[T int | int64](n T) string {
	text := strconv.FormatInt(int64(n), 10)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// plural writes a count with its noun: 1 variant, 2 variants.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return count(n) + " " + noun + "s"
}

// duration writes a time with three significant digits.
func duration(d time.Duration) string {
	switch ns := float64(d.Nanoseconds()); {
	case ns < 1e3:
		return strconv.FormatFloat(ns, 'f', 0, 64) + " ns"
	case ns < 1e6:
		return digits(ns/1e3) + " µs"
	case ns < 1e9:
		return digits(ns/1e6) + " ms"
	default:
		return digits(ns/1e9) + " s"
	}
}

// digits writes a positive number with three significant digits and without an exponent.
func digits(x float64) string {
	switch {
	case x < 10:
		return strconv.FormatFloat(x, 'f', 2, 64)
	case x < 100:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 0, 64)
}

// size writes a number of bytes in decimal units, as rates are given.
func size(bytes int64) string {
	switch b := float64(bytes); {
	case b < 1e3:
		return plural(int(bytes), "byte")
	case b < 1e6:
		return digits(b/1e3) + " kB"
	case b < 1e9:
		return digits(b/1e6) + " MB"
	default:
		return digits(b/1e9) + " GB"
	}
}

// sameFile reports whether two names are those of the same file, which need not exist.
func sameFile(a, b string) bool {
	if one, err := os.Stat(a); err == nil {
		other, err := os.Stat(b)
		return err == nil && os.SameFile(one, other)
	}
	absA, errA := filepath.Abs(a)
	absB, errB := filepath.Abs(b)
	return errA == nil && errB == nil && absA == absB
}

// checkWritable says that a file could not be written, before much is done for what is to stand in it.
func checkWritable(path, flag string) error {
	var err error
	place := path
	if real, failed := filepath.EvalSymlinks(path); failed == nil {
		place = real
	}
	info, missing := os.Stat(place)
	switch {
	case missing == nil && info.IsDir():
		err = errors.New("it is a directory")
	case missing == nil && !info.Mode().IsRegular(): // a device or a pipe is written to, and not replaced
	default:
		var f *os.File
		if f, err = os.CreateTemp(filepath.Dir(place), "."+filepath.Base(place)+".*.tmp"); err == nil {
			f.Close()
			os.Remove(f.Name())
		} else if of := (*fs.PathError)(nil); errors.As(err, &of) {
			err = of.Err // the name is not the user's
		}
	}
	if err == nil {
		return nil
	}
	return problem{File: path, Code: "write", What: "this file cannot be written: " + err.Error(), Why: "nothing was measured yet: it would be in vain", Fix: "name another file with " + flag}
}
