package input

import (
	"fmt"
	"io"
	"math"
)

// scanEntries calls a function for each entry that the file lists, in order, with its row and column, counted from 0.
// The value of an entry of a pattern is 1.
func (h *mtxHeader) scanEntries(l *lineReader, each func(r, c int64, v float64) error) error {
	done := int64(0)
	missing := func() string {
		return fmt.Sprintf("entry %d of the %d that its header claims", done+1, h.entryCount)
	}
	for ; done < h.entryCount; done++ {
		line, err := l.content(missing)
		if err != nil {
			return err
		}
		row, rowAt, next := field(line, 0)
		col, colAt, next := field(line, next)
		r, ok := parseIndex(row)
		if !ok || r < 1 || r > h.rows {
			return l.index("row", row, rowAt, h.rows)
		}
		c, ok := parseIndex(col)
		if !ok || c < 1 || c > h.cols {
			return l.index("column", col, colAt, h.cols)
		}
		v := 1.0
		if !h.pattern {
			token, at, end := field(line, next)
			if v, err = h.number(l, token, at); err != nil {
				return err
			}
			if h.mirror < 0 && r == c && v != 0 {
				return l.errorf("mtx-entry", fmt.Sprintf("entry %d,%d is on the diagonal", r, c),
					"the diagonal of a skew-symmetric matrix is zero", "correct the entry or the header")
			}
			next = end
		} else if token, _, end := field(line, next); len(token) > 0 {
			// Published pattern files exist that list the weights all the same.
			if _, problem := parseFloat(token); problem == numberFine {
				next = end
			}
		}
		if token, at, _ := field(line, next); len(token) > 0 && token[0] != '%' {
			return l.extra(token, at)
		}
		if err := each(r-1, c-1, v); err != nil {
			return err
		}
	}
	if err := h.finish(l); err != nil {
		return err
	}
	if most := max(h.rows, h.cols); most > freeDimension && most/rowsPerEntry > h.entryCount {
		return &Error{File: l.file, Line: h.sizeLine, What: fmt.Sprintf("the header claims %d × %d for %d entries", h.rows, h.cols, h.entryCount),
			Code: "too-large", Why: "nearly all rows would be empty, so the header is probably wrong", Do: "correct the size line"}
	}
	return nil
}

// scanArray calls a function for each element that the file lists: column by column, of a symmetric matrix the lower
// triangle only.
func (h *mtxHeader) scanArray(l *lineReader, each func(r, c int64, v float64) error) error {
	done := int64(0)
	missing := func() string {
		return fmt.Sprintf("element %d of the %d that its header claims", done+1, h.entryCount)
	}
	for c, r := int64(0), h.firstOf(0); done < h.entryCount; done++ {
		for r >= h.rows {
			c++
			r = h.firstOf(c)
		}
		line, err := l.content(missing)
		if err != nil {
			return err
		}
		token, at, next := field(line, 0)
		v, err := h.number(l, token, at)
		if err != nil {
			return err
		}
		if token, at, _ := field(line, next); len(token) > 0 && token[0] != '%' {
			return l.extra(token, at)
		}
		if err := each(r, c, v); err != nil {
			return err
		}
		r++
	}
	if err := h.finish(l); err != nil {
		return err
	}
	// Rows or columns beyond freeDimension can only come with none of the others.
	if h.rows*h.cols == 0 && max(h.rows, h.cols) > freeDimension {
		return &Error{File: l.file, Line: h.sizeLine, What: fmt.Sprintf("the header claims %d × %d", h.rows, h.cols), Code: "too-large",
			Why: "there is no element in it, so the header is probably wrong", Do: "correct the size line"}
	}
	return nil
}

// firstOf is the first row that an array lists of a column.
func (h *mtxHeader) firstOf(c int64) int64 {
	switch h.mirror {
	case 1:
		return c
	case -1:
		return c + 1
	}
	return 0
}

// number reads a value; those of integer matrices must be integers that a
// double holds exactly.
func (h *mtxHeader) number(l *lineReader, token []byte, at int) (float64, error) {
	if len(token) == 0 {
		e := l.errorf("mtx-entry", "the entry has no value", "the header says that every entry has one", "fetch or write the file again")
		e.Col = at + 1
		return 0, e
	}
	v, problem := parseFloat(token)
	if problem != numberFine {
		return 0, l.number(token, at, problem)
	}
	if h.integer && (v != math.Trunc(v) || math.Abs(v) > 1<<53) {
		e := l.errorf("bad-number", excerpt(token)+" is not an integer of at most 53 bits", "the header says integer",
			"write real in the header, or correct the value")
		e.Col = at + 1
		return 0, e
	}
	return v, nil
}

func (l *lineReader) index(what string, token []byte, at int, limit int64) error {
	e := l.errorf("mtx-index", fmt.Sprintf("%s %s is out of range", what, token), fmt.Sprintf("%ss are counted from 1 to %d", what, limit),
		"correct the entry, or the size in the header")
	if _, ok := parseIndex(token); !ok {
		e.Code, e.What = "mtx-entry", fmt.Sprintf("the %s is %s", what, excerpt(token))
		e.Why = "an entry is a row, a column and, unless it is a pattern, a value"
	}
	e.Col = at + 1
	return e
}

func (l *lineReader) extra(token []byte, at int) error {
	e := l.errorf("mtx-entry", "the entry goes on with "+excerpt(token), "the header says that this is one number too many",
		"correct the line, or the kind of value in the header")
	e.Col = at + 1
	return e
}

// finish checks that nothing follows the claimed entries.
func (h *mtxHeader) finish(l *lineReader) error {
	for {
		line, err := l.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if token, _, _ := field(line, 0); len(token) > 0 && token[0] != '%' {
			return l.errorf("mtx-extra", fmt.Sprintf("there are more than the %d entries that the header claims", h.entryCount),
				"header and content disagree, and which one is right cannot be known", "correct the size line, or write the file again")
		}
	}
}
