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
	if err := h.readSize(l, size, math.MaxInt32); err != nil {
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
	words := strings.Fields(strings.ToLower(string(line)))
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

// readSize reads the size line and refuses what cannot be true, and more than so many entries, rows or columns.
func (h *mtxHeader) readSize(l *lineReader, fileSize, most int64) error {
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
	if h.rows > most-1 || h.cols > most-1 {
		why := "column numbers and row offsets are int32, which end at %d"
		if most > math.MaxInt32 {
			why = "rows and columns of shards end at %d"
		}
		return l.errorf("too-large", fmt.Sprintf("the matrix claims %d × %d", h.rows, h.cols), fmt.Sprintf(why, most), "use a smaller matrix")
	}
	if h.mirror != 0 && h.rows != h.cols {
		return l.errorf("mtx-size", fmt.Sprintf("a symmetric matrix of %d × %d", h.rows, h.cols),
			"only square matrices are symmetric", "correct the size or the header")
	}
	if h.dense {
		if h.cols > 0 && h.rows > math.MaxInt64/h.cols {
			return l.place(tooMany(math.MaxInt64, most))
		}
		h.entryCount = h.rows * h.cols
		switch h.mirror {
		case 1:
			h.entryCount = h.rows * (h.rows + 1) / 2
		case -1:
			h.entryCount = h.rows * max(h.rows-1, 0) / 2
		}
		if h.rows*h.cols > most {
			return l.place(tooMany(h.rows*h.cols, most))
		}
	}
	if h.entryCount > most {
		return l.place(tooMany(h.entryCount, most))
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
	err := h.scanEntries(l, func(r, c int64, v float64) error {
		if e.row, e.column = append(e.row, int32(r)), append(e.column, int32(c)); !h.pattern {
			e.value = append(e.value, v)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	m, bad := e.compress()
	if bad != nil {
		return nil, l.place(bad)
	}
	return m.source(), nil
}

// readMtxArray reads the elements column by column. The result is both dense and, with every element stored,
// compressed.
func readMtxArray(l *lineReader, h *mtxHeader) (*Source, error) {
	listed := make([]float64, 0, min(h.entryCount, 1<<16)) // there may be fewer than the header claims
	err := h.scanArray(l, func(_, _ int64, v float64) error {
		listed = append(listed, v)
		return nil
	})
	if err != nil {
		return nil, err
	}
	rows, cols := int(h.rows), int(h.cols)
	m := &csr{rows: rows, cols: cols, offsets: make([]int32, rows+1), columns: make([]int32, rows*cols), dense: make([]float64, rows*cols)}
	next := 0
	for c := range cols {
		for r := h.firstOf(int64(c)); r < h.rows; r++ {
			m.dense[int(r)*cols+c] = listed[next]
			if h.mirror != 0 && int(r) != c {
				m.dense[c*cols+int(r)] = h.mirror * listed[next]
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
