package input

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"
)

// A file that stores few entries may still claim billions of rows, which cost
// four bytes each: dimensions beyond freeDimension must come with entries.
const (
	freeDimension = 1 << 24
	rowsPerEntry  = 64
)

// mtxHeader is the first line and the size line of a Matrix Market file.
type mtxHeader struct {
	dense                  bool // array, not coordinate
	pattern, integer       bool
	mirror                 float64 // 1 symmetric, -1 skew-symmetric, 0 general
	rows, cols, entryCount int64   // as claimed
	sizeLine               int
}

// readMatrixMarket reads a file of the NIST Matrix Market format (Boisvert,
// Pozo, Remington 1996): coordinate or array; real, integer or pattern; general,
// symmetric or skew-symmetric, which is expanded. Duplicate entries are kept, in
// the order of the file. size is that of an uncompressed file, and below 0 when
// it is not known.
func readMatrixMarket(ctx context.Context, file string, r io.Reader, size int64) (*Source, error) {
	l := newLineReader(ctx, file, r)
	h, err := readMtxHeader(l)
	if err != nil {
		return nil, err
	}
	if err := h.readSize(l, size); err != nil {
		return nil, err
	}
	if h.dense {
		return readMtxArray(l, h)
	}
	return readMtxEntries(l, h)
}

func readMtxHeader(l *lineReader) (*mtxHeader, error) {
	line, err := l.next()
	if err == io.EOF {
		l.line = 1
		return nil, l.errorf("mtx-header", "the file is empty", "a Matrix Market file starts with %%MatrixMarket", "fetch or write the file again")
	}
	if err != nil {
		return nil, err
	}
	const shape = "a Matrix Market file starts with: %%MatrixMarket matrix coordinate|array real|integer|pattern general|symmetric|skew-symmetric"
	words := strings.Fields(strings.ToLower(strings.TrimPrefix(string(line), "\ufeff")))
	if len(words) > 0 && words[0] == "%matrixmarket" {
		words[0] = "%%matrixmarket"
	}
	if len(words) == 0 || words[0] != "%%matrixmarket" {
		return nil, l.errorf("mtx-header", "this is not a Matrix Market file: it starts with "+excerpt(line), shape,
			"check that this is the right file and that it was downloaded completely")
	}
	if len(words) != 5 {
		return nil, l.errorf("mtx-header", fmt.Sprintf("the header has %d words, not 5", len(words)), shape, "complete the header")
	}
	refuse := func(what, why string) error {
		return l.errorf("mtx-unsupported", what, why, "convert the matrix, for instance to its real part")
	}
	unknown := func(word, valid string) error {
		return l.errorf("mtx-header", "unknown word "+excerpt(word)+" in the header", "expected one of "+valid,
			"correct the header"+nearestHint(word, strings.Split(valid, ", ")))
	}
	h := &mtxHeader{}
	if words[1] != "matrix" {
		return nil, refuse("the file holds a "+excerpt(words[1])+", not a matrix", "only matrices are read")
	}
	switch words[2] {
	case "coordinate":
	case "array":
		h.dense = true
	default:
		return nil, unknown(words[2], "coordinate, array")
	}
	switch words[3] {
	case "real", "double":
	case "integer":
		h.integer = true
	case "pattern":
		h.pattern = true
		if h.dense {
			return nil, l.errorf("mtx-header", "an array cannot be a pattern", "an array stores every value, a pattern none", "correct the header")
		}
	case "complex":
		return nil, refuse("the matrix is complex", "kernels have no complex numbers")
	default:
		return nil, unknown(words[3], "real, integer, pattern")
	}
	switch words[4] {
	case "general":
	case "symmetric":
		h.mirror = 1
	case "skew-symmetric":
		h.mirror = -1
	case "hermitian":
		return nil, refuse("the matrix is hermitian", "that is a complex matrix, and kernels have no complex numbers")
	default:
		return nil, unknown(words[4], "general, symmetric, skew-symmetric")
	}
	return h, nil
}

// readSize reads the size line and refuses what cannot be true or be held.
func (h *mtxHeader) readSize(l *lineReader, fileSize int64) error {
	line, err := l.content(func() string { return "the size line" })
	if err != nil {
		return err
	}
	h.sizeLine = l.line
	want := []*int64{&h.rows, &h.cols, &h.entryCount}
	shape := "it holds three numbers: rows, columns, entries"
	if h.dense {
		want, shape = want[:2], "it holds two numbers: rows, columns"
	}
	from := 0
	for _, n := range want {
		token, at, next := field(line, from)
		var ok bool
		if *n, ok = parseIndex(token); !ok {
			e := l.errorf("mtx-size", "the size line is "+excerpt(line), shape, "correct the line, or fetch the file again")
			e.Col = at + 1
			return e
		}
		from = next
	}
	if token, at, _ := field(line, from); len(token) > 0 {
		e := l.errorf("mtx-size", "the size line has more after its numbers: "+excerpt(token), shape, "correct the line")
		e.Col = at + 1
		return e
	}
	if h.rows > math.MaxInt32-1 || h.cols > math.MaxInt32-1 {
		return l.errorf("too-large", fmt.Sprintf("the matrix claims %d × %d", h.rows, h.cols),
			fmt.Sprintf("column numbers and row offsets are int32, which end at %d", math.MaxInt32), "use a smaller matrix")
	}
	if h.mirror != 0 && h.rows != h.cols {
		return l.errorf("mtx-size", fmt.Sprintf("a symmetric matrix of %d × %d", h.rows, h.cols),
			"only square matrices are symmetric", "correct the size or the header")
	}
	if h.dense {
		h.entryCount = h.rows * h.cols // below 2^62
		switch h.mirror {
		case 1:
			h.entryCount = h.rows * (h.rows + 1) / 2
		case -1:
			h.entryCount = h.rows * max(h.rows-1, 0) / 2
		}
		if h.rows*h.cols > math.MaxInt32 {
			return l.place(tooMany(h.rows * h.cols))
		}
	}
	if h.entryCount > math.MaxInt32 {
		return l.place(tooMany(h.entryCount))
	}
	// The shortest entry is "1 1" and a line end, the shortest element "1" and one.
	shortest := int64(4)
	if h.dense {
		shortest = 2
	}
	if fileSize >= 0 && h.entryCount > (fileSize+1)/shortest {
		return l.errorf("mtx-truncated", fmt.Sprintf("the header claims %d entries, but the file has only %d bytes", h.entryCount, fileSize),
			"the file was cut off, or its header is wrong", "fetch or write the file again")
	}
	return nil
}

func (l *lineReader) place(e *Error) *Error {
	e.File, e.Line = l.file, l.line
	return e
}

// content gives the next line that is neither blank nor a comment; missing says
// what the file lacks when it ends before.
func (l *lineReader) content(missing func() string) ([]byte, error) {
	for {
		line, err := l.next()
		if err == io.EOF {
			l.line++
			return nil, l.errorf("mtx-truncated", "the file ends before "+missing(), "it was cut off while it was written or copied", "fetch or write the file again")
		}
		if err != nil {
			return nil, err
		}
		token, _, _ := field(line, 0)
		if len(token) > 0 && token[0] != '%' {
			return line, nil
		}
	}
}

func readMtxEntries(l *lineReader, h *mtxHeader) (*Source, error) {
	e := entries{rows: int(h.rows), cols: int(h.cols), mirror: h.mirror}
	guess := min(h.entryCount, 1<<16) // more than this only as lines arrive
	e.row, e.column = make([]int32, 0, guess), make([]int32, 0, guess)
	if !h.pattern {
		e.value = make([]float64, 0, guess)
	}
	missing := func() string {
		return fmt.Sprintf("entry %d of the %d that its header claims", len(e.row)+1, h.entryCount)
	}
	for int64(len(e.row)) < h.entryCount {
		line, err := l.content(missing)
		if err != nil {
			return nil, err
		}
		row, rowAt, next := field(line, 0)
		col, colAt, next := field(line, next)
		r, ok := parseIndex(row)
		if !ok || r < 1 || r > h.rows {
			return nil, l.index("row", row, rowAt, h.rows)
		}
		c, ok := parseIndex(col)
		if !ok || c < 1 || c > h.cols {
			return nil, l.index("column", col, colAt, h.cols)
		}
		if !h.pattern {
			token, at, end := field(line, next)
			v, err := h.number(l, token, at)
			if err != nil {
				return nil, err
			}
			if h.mirror < 0 && r == c && v != 0 {
				return nil, l.errorf("mtx-entry", fmt.Sprintf("entry %d,%d is on the diagonal", r, c),
					"the diagonal of a skew-symmetric matrix is zero", "correct the entry or the header")
			}
			e.value = append(e.value, v)
			next = end
		} else if token, _, end := field(line, next); len(token) > 0 {
			// Published pattern files exist that list the weights all the same.
			if _, problem := parseFloat(token); problem == numberFine {
				next = end
			}
		}
		if token, at, _ := field(line, next); len(token) > 0 && token[0] != '%' {
			return nil, l.extra(token, at)
		}
		e.row, e.column = append(e.row, int32(r-1)), append(e.column, int32(c-1))
	}
	if err := h.finish(l); err != nil {
		return nil, err
	}
	if most := max(h.rows, h.cols); most > freeDimension && most > rowsPerEntry*h.entryCount {
		return nil, &Error{File: l.file, Line: h.sizeLine, What: fmt.Sprintf("the header claims %d × %d for %d entries", h.rows, h.cols, h.entryCount),
			Code: "too-large", Why: "nearly all rows would be empty, so the header is probably wrong", Do: "correct the size line"}
	}
	m, err := e.compress()
	if err != nil {
		return nil, l.place(err)
	}
	return m.source(), nil
}

// readMtxArray reads the elements column by column, a symmetric matrix's lower
// triangle only. The result is both dense and, with every element stored,
// compressed.
func readMtxArray(l *lineReader, h *mtxHeader) (*Source, error) {
	listed := make([]float64, 0, min(h.entryCount, 1<<16))
	missing := func() string {
		return fmt.Sprintf("element %d of the %d that its header claims", len(listed)+1, h.entryCount)
	}
	for int64(len(listed)) < h.entryCount {
		line, err := l.content(missing)
		if err != nil {
			return nil, err
		}
		token, at, next := field(line, 0)
		v, err := h.number(l, token, at)
		if err != nil {
			return nil, err
		}
		if token, at, _ := field(line, next); len(token) > 0 && token[0] != '%' {
			return nil, l.extra(token, at)
		}
		listed = append(listed, v)
	}
	if err := h.finish(l); err != nil {
		return nil, err
	}
	// Rows or columns beyond freeDimension can only come with none of the others.
	if h.rows*h.cols == 0 && max(h.rows, h.cols) > freeDimension {
		return nil, &Error{File: l.file, Line: h.sizeLine, What: fmt.Sprintf("the header claims %d × %d", h.rows, h.cols), Code: "too-large",
			Why: "there is no element in it, so the header is probably wrong", Do: "correct the size line"}
	}
	rows, cols := int(h.rows), int(h.cols)
	m := &csr{rows: rows, cols: cols, offsets: make([]int32, rows+1), columns: make([]int32, rows*cols), dense: make([]float64, rows*cols)}
	next := 0
	for c := range cols {
		first := 0
		switch h.mirror {
		case 1:
			first = c
		case -1:
			first = c + 1
		}
		for r := first; r < rows; r++ {
			m.dense[r*cols+c] = listed[next]
			if h.mirror != 0 && r != c {
				m.dense[c*cols+r] = h.mirror * listed[next]
			}
			next++
		}
	}
	for r := range rows {
		m.offsets[r+1] = int32((r + 1) * cols)
		for c := range cols {
			m.columns[r*cols+c] = int32(c)
		}
	}
	m.values = m.dense
	return m.source(), nil
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
