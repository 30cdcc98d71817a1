package load

import (
	"cmp"
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/ops/ir"
)

// Diagnostic is one problem of the user's program.
type Diagnostic struct {
	Pos     ir.Pos // File is relative to the current directory where that is shorter; no position: the whole directory
	Code    string // stable short code, one of the Code constants
	Message string // what was found
	Why     string // why it cannot be compiled; may be empty
	Fix     string // what to write instead; may be empty

	at token.Pos // where it was found; none if no source is at fault
}

// Error gives "file:line:col: message [code]", then the reason and the remedy, each indented on a line of its own.
func (d Diagnostic) Error() string {
	var sb strings.Builder
	switch {
	case d.Pos.IsValid():
		fmt.Fprintf(&sb, "%s: ", d.Pos)
	case d.Pos.File != "":
		fmt.Fprintf(&sb, "%s: ", d.Pos.File)
	}
	fmt.Fprintf(&sb, "%s [%s]", d.Message, d.Code)
	if d.Why != "" {
		fmt.Fprintf(&sb, "\n\twhy: %s", d.Why)
	}
	if d.Fix != "" {
		fmt.Fprintf(&sb, "\n\tfix: %s", d.Fix)
	}
	return sb.String()
}

// Diagnostics are the problems of one package, sorted by position, one for each cause. It is never empty as an error.
type Diagnostics []Diagnostic

// Error gives all diagnostics, each as [Diagnostic.Error] does.
func (ds Diagnostics) Error() string {
	lines := make([]string, len(ds))
	for i, d := range ds {
		lines[i] = d.Error()
	}
	return strings.Join(lines, "\n")
}

// reporter collects diagnostics. A second one with the code and position of an earlier one is the same cause seen
// twice (a function that is inlined twice, say) and is dropped.
type reporter struct {
	fset *token.FileSet
	list Diagnostics
	seen map[seenKey]bool

	// What the checks refused stands in the way of lowering: on the same line it may cause problems that are none.
	follows bool         // lowering goes on after the checks have refused something
	lines   map[int]bool // where they did, by a position at the beginning of the line
}

type seenKey struct {
	pos  token.Pos
	code string
}

func newReporter(fset *token.FileSet) *reporter {
	return &reporter{fset: fset, seen: map[seenKey]bool{}, lines: map[int]bool{}}
}

// line identifies the line of pos.
func (r *reporter) line(pos token.Pos) int {
	f := r.fset.File(pos)
	if f == nil {
		return 0
	}
	return f.Base() + f.Line(pos)
}

// at reports a problem at pos.
func (r *reporter) at(pos token.Pos, p problem) {
	if r.seen[seenKey{pos, p.code}] || r.follows && (r.lines[r.line(pos)] || p.code == CodeElement || p.code == CodeArrayMerge) {
		return
	}
	if !r.follows {
		r.lines[r.line(pos)] = true
	}
	r.seen[seenKey{pos, p.code}] = true
	r.list = append(r.list, Diagnostic{r.position(pos), p.code, p.message, p.why, p.fix, pos})
}

func (r *reporter) position(pos token.Pos) ir.Pos {
	return irPosition(r.fset.Position(pos))
}

// irPosition is a position as diagnostics show it.
func irPosition(p token.Position) ir.Pos {
	return ir.Pos{File: shortPath(p.Filename), Line: p.Line, Col: p.Column}
}

// sorted returns the diagnostics by file, line and column, without the exact repetitions that a type checker may give.
func (r *reporter) sorted() Diagnostics {
	slices.SortStableFunc(r.list, func(a, b Diagnostic) int {
		return cmp.Or(
			strings.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col),
			strings.Compare(a.Code, b.Code),
		)
	})
	return slices.Compact(r.list)
}

// shortPath returns path relative to the current directory if that is shorter.
func shortPath(path string) string {
	if !filepath.IsAbs(path) {
		return path
	}
	if wd, err := filepath.Abs("."); err == nil {
		if rel, err := filepath.Rel(wd, path); err == nil && len(rel) < len(path) {
			return rel
		}
	}
	return path
}

// irPos is the position that a statement of the IR carries: the file is relative to the directory of the kernels'
// package (a base name, but for helpers of another package), so that generated code does not depend on where that
// lies.
func (p *program) irPos(pos token.Pos) ir.Pos {
	at := p.fset.Position(pos)
	if at.Line == 0 {
		return ir.Pos{}
	}
	file, err := filepath.Rel(p.dir, at.Filename)
	if err != nil { // on another drive
		file = filepath.Base(at.Filename)
	}
	return ir.Pos{File: filepath.ToSlash(file), Line: at.Line, Col: at.Column}
}
