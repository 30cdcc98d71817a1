package input

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// readCSV reads comma-separated numbers (RFC 4180, lines that start with #
// skipped) into a table of float64. A first record that is not all numbers
// names the columns.
func readCSV(ctx context.Context, file string, r io.Reader, limit int64) (*Source, error) {
	bound := &record{r: r}
	in := csv.NewReader(bound)
	in.ReuseRecord, in.TrimLeadingSpace, in.Comment = true, true, '#'
	var (
		header []string
		data   []float64
		rows   int
		cols   int
	)
	for first := true; ; first = false {
		if rows&0xfff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		bound.left = longestRecord
		record, err := in.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, csvError(file, err, in.FieldsPerRecord, len(record))
		}
		cols = len(record)
		if first {
			record[0] = strings.TrimPrefix(record[0], "\ufeff")
			if isHeader(record) {
				for _, name := range record {
					header = append(header, strings.TrimSpace(strings.Clone(name)))
				}
				continue
			}
		}
		for i, text := range record {
			token := []byte(strings.TrimSpace(text))
			x, problem := parseFloat(token)
			if problem != numberFine {
				e := numberError(token, problem)
				e.File = file
				e.Line, e.Col = in.FieldPos(i)
				if len(header) > 0 {
					e.Why = fmt.Sprintf("column %s holds numbers; ", excerpt(header[i])) + e.Why
				}
				return nil, e
			}
			data = append(data, x)
		}
		rows++
		if large := (*Error)(nil); errors.As(tooLarge(len(data), limit), &large) {
			large.File = file
			return nil, large
		}
	}
	if cols == 0 {
		return nil, &Error{File: file, What: "the file holds no record", Code: "empty",
			Why: "a CSV input has a record a line", Do: "check that this is the right file"}
	}
	for i, name := range header {
		if j := slices.Index(header[:i], name); j >= 0 && name != "" {
			return nil, &Error{File: file, Line: 1, What: fmt.Sprintf("columns %d and %d are both named %s", j, i, excerpt(name)),
				Code: "duplicate-name", Why: "a column is chosen by its name", Do: "rename one of them"}
		}
	}
	s := newTable(Value{Kind: Float64, Dims: []int{rows, cols}, Data: data})
	s.header = header
	return s, nil
}

// isHeader: some field is neither a number nor an attempt at one.
func isHeader(record []string) bool {
	for _, text := range record {
		if _, problem := parseFloat([]byte(strings.TrimSpace(text))); problem == numberSyntax {
			return true
		}
	}
	return false
}

func csvError(file string, err error, want, got int) error {
	var parse *csv.ParseError
	if !errors.As(err, &parse) {
		return readError(file, 0, err)
	}
	e := &Error{File: file, Line: parse.Line, Col: parse.Column, What: parse.Err.Error(), Code: "bad-csv",
		Why: "the record is not what RFC 4180 describes", Do: "correct the line", Err: err}
	if errors.Is(err, csv.ErrFieldCount) {
		e.Code, e.Col = "ragged", 0
		e.What = fmt.Sprintf("the record has %d fields, the ones before have %d", got, want)
		e.Why, e.Do = "each record of a table has the same fields", "complete the record"
	}
	return e
}
