package input

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// readText reads numbers separated by blanks: one a line is a vector, the same
// number of several on each line is a table. Blank lines and lines that start
// with # or % are skipped. A file with integers only, none beyond 18 digits,
// gives int64, any other float64.
func readText(ctx context.Context, file string, r io.Reader, limit int64) (*Source, error) {
	l := newLineReader(ctx, file, r)
	var (
		integers []int64
		floats   []float64
		exact    = true // so far everything is an integer, and is in integers
		cols     int
		rows     int
	)
	for {
		line, err := l.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		n := 0
		token, at, next := field(line, 0)
		if len(token) == 0 || token[0] == '#' || token[0] == '%' {
			continue
		}
		for ; len(token) > 0; token, at, next = field(line, next) {
			n++
			if exact {
				if x, ok := parseSigned(token); ok {
					integers = append(integers, x)
					continue
				}
				exact = false
				floats = make([]float64, len(integers), 2*len(integers)+16)
				for i, x := range integers {
					floats[i] = float64(x)
				}
				integers = nil
			}
			x, problem := parseFloat(token)
			if problem != numberFine {
				return nil, l.number(token, at, problem)
			}
			floats = append(floats, x)
		}
		if rows > 0 && n != cols {
			return nil, l.errorf("ragged", fmt.Sprintf("the line has %d numbers, the ones before have %d", n, cols),
				"each line of a text file holds the same number of values", "complete the line; put rows of different length in a .npz with offsets")
		}
		cols = n
		rows++
		if large := (*Error)(nil); errors.As(tooLarge(max(len(integers), len(floats)), limit), &large) {
			return nil, l.place(large)
		}
	}
	if rows == 0 {
		return nil, &Error{File: file, What: "the file holds no number", Code: "empty",
			Why: "a text input has a number a line", Do: "check that this is the right file"}
	}
	data := Vector(floats)
	if exact {
		data = Vector(integers)
	}
	if cols == 1 {
		return newVector(data), nil
	}
	data.Dims = []int{rows, cols}
	return newTable(data), nil
}

func parseSigned(token []byte) (int64, bool) {
	if token[0] == '-' && len(token) > 1 && token[1] != '+' {
		n, ok := parseIndex(token[1:])
		return -n, ok && n != 0 // -0 is a float
	}
	return parseIndex(token)
}
