package input

import (
	"io"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
)

// Write stores a result as .npy (with its dimensions) or .txt (one element a
// line, one row a line where there are rows, blanks between), so that Open reads it back exactly.
// The file is complete or not there: it is written beside its place under another
// name, and renamed. Rows of different length only fit .txt.
func Write(path string, v Value) error {
	var write func(io.Writer, Value) error
	switch format := strings.ToLower(filepath.Ext(path)); format {
	case ".npy":
		write = WriteNpy
		if v.Offsets != nil {
			return &Error{File: path, What: "rows of different length do not fit a .npy file", Code: "unsupported-type",
				Why: "a NumPy array is rectangular", Do: "write a .txt file"}
		}
	case ".txt":
		write = writeText
	default:
		return &Error{File: path, What: "unknown file format " + excerpt(format), Code: "unknown-format",
			Why: "the end of the name tells the format", Do: "write a .npy or a .txt file" + nearestHint(format, []string{".npy", ".txt"})}
	}
	err := ReplaceFile(path, func(w io.Writer) error { return write(w, v) })
	if err != nil {
		return &Error{File: path, What: "the result cannot be written", Code: "unwritable", Why: err.Error(), Do: "check the directory, its permissions and the space left", Err: err}
	}
	return nil
}

// WriteNpy writes a value in the form of a .npy file.
func WriteNpy(w io.Writer, v Value) error {
	if _, err := w.Write(npyHeader(v)); err != nil {
		return err
	}
	return WriteRaw(w, v)
}

// writeText ends a line after each row, or after each element of a flat value.
func writeText(w io.Writer, v Value) error {
	data, n := reflect.ValueOf(v.Data), v.Len()
	lines, end := n, func(line int) int { return line + 1 }
	if rows, err := v.nest(v.Type().Rank); err == nil { // the innermost ones
		inner := rows.Offsets[len(rows.Offsets)-1]
		lines, end = len(inner)-1, func(line int) int { return inner[line+1] }
	}
	var text []byte
	next := 0
	for line := range lines {
		text = text[:0]
		for to := end(line); next < to; next++ {
			text = append(appendElement(text, data.Index(next), v.Kind), ' ')
		}
		if len(text) > 0 {
			text = text[:len(text)-1]
		}
		if _, err := w.Write(append(text, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// appendElement writes the shortest text that reads back as the same element.
func appendElement(b []byte, x reflect.Value, k Kind) []byte {
	switch {
	case k == Bool:
		if x.Bool() {
			return append(b, '1')
		}
		return append(b, '0')
	case k == Float32:
		return strconv.AppendFloat(b, x.Float(), 'g', -1, 32)
	case k == Float64:
		return strconv.AppendFloat(b, x.Float(), 'g', -1, 64)
	case x.CanInt():
		return strconv.AppendInt(b, x.Int(), 10)
	}
	return strconv.AppendUint(b, x.Uint(), 10)
}
