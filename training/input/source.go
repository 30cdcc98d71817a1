package input

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// form says which computed fields a source has beside its arrays.
type form string

const (
	formMatrix  form = "matrix"  // compressed sparse rows: values, columns, row_offsets
	formVector  form = "vector"  // one array, named ""
	formTable   form = "table"   // dense rows × columns in data
	formArchive form = "archive" // several arrays by name
)

// Source is one loaded input: named fields, each a [Value].
//
//	matrix    values []float64, columns []int32, row_offsets []int32 (rows+1),
//	          rows, cols, nnz int; from a dense file also data, row-major
//	vector    itself (the field ""), len int
//	table     data (row-major), rows, cols int, and each column as a vector by
//	          its name or by its number, counted from 0; the names data, rows
//	          and cols stay the table's own
//	archive   its members by name
//
// A source is read-only once opened and safe for concurrent use. Nobody may
// write to its arrays.
type Source struct {
	spec        string
	fingerprint string
	form        form
	rows, cols  int
	arrays      []namedValue
	header      []string          // names of a table's columns, or nothing
	refused     map[string]string // members that cannot be used, and why
}

type namedValue struct {
	name  string
	value Value
}

// Spec is the text that the source was opened with.
func (s *Source) Spec() string { return s.spec }

// Fingerprint identifies the content as a cache key: 32 hexadecimal digits, made
// from the generator's arguments, or from a file's absolute path, size and time
// of change. The same fingerprint means the same fields; it is cheap and does not
// read the file.
func (s *Source) Fingerprint() string { return s.fingerprint }

// Bytes is the memory that the arrays take.
func (s *Source) Bytes() int64 {
	var n int64
	for _, a := range s.arrays {
		n += a.value.Bytes()
	}
	return n
}

// String describes the source in a few words: its form and size.
func (s *Source) String() string {
	switch s.form {
	case formMatrix:
		return fmt.Sprintf("matrix of %d × %d with %d entries", s.rows, s.cols, s.array("values").Len())
	case formTable:
		return fmt.Sprintf("table of %d × %d %ss", s.rows, s.cols, s.array("data").Kind)
	case formVector:
		v := s.arrays[0].value
		if len(v.Dims) == 0 {
			return v.String()
		}
		return fmt.Sprintf("vector of %d %ss", v.Len(), v.Kind)
	}
	return "archive of " + strings.Join(s.Fields(), ", ")
}

// Fields lists the names of the fields, arrays first. The source itself, where
// it may be used without a field, is not in the list.
func (s *Source) Fields() []string {
	var names []string
	for _, a := range s.arrays {
		if a.name != "" {
			names = append(names, a.name)
		}
	}
	switch s.form {
	case formMatrix:
		return append(names, "rows", "cols", "nnz")
	case formVector:
		return append(names, "len")
	case formTable:
		names = append(names, "rows", "cols")
		for _, h := range s.header {
			if h != "" && !slices.Contains(names, h) {
				names = append(names, h)
			}
		}
	}
	return names
}

// Field gives a field by name; "" is the source itself, which vectors and tables
// have, and which a matrix has as its values in rows. An unknown name is an
// [*Error] with the nearest and the valid ones.
func (s *Source) Field(name string) (Value, error) {
	for _, a := range s.arrays {
		if a.name == name {
			return a.value, nil
		}
	}
	switch s.form {
	case formMatrix:
		switch name {
		case "rows":
			return Scalar(s.rows), nil
		case "cols":
			return Scalar(s.cols), nil
		case "nnz":
			return Scalar(s.array("values").Len()), nil
		}
	case formVector:
		if name == "len" {
			return Scalar(s.arrays[0].value.Length()), nil
		}
	case formTable:
		switch name {
		case "":
			return s.array("data"), nil
		case "rows":
			return Scalar(s.rows), nil
		case "cols":
			return Scalar(s.cols), nil
		}
		if c := s.column(name); c >= 0 {
			return column(s.array("data"), c), nil
		}
	}
	return Value{}, s.noField(name)
}

// rowsOf gives a field as rows ([][]T and so on, with so many dimensions): the values and the columns of a matrix
// know their rows, tables and other arrays of several dimensions are rectangular.
func (s *Source) rowsOf(name string, rank int) (Value, error) {
	if rank == 2 && s.form == formMatrix && (name == "" || name == "values" || name == "columns") {
		if name == "" {
			name = "values"
		}
		v := s.array(name)
		offsets, _ := Slice[int32](s.array("row_offsets"))
		v.Dims, v.Offsets = []int{s.rows}, [][]int{make([]int, len(offsets))}
		for i, o := range offsets {
			v.Offsets[0][i] = int(o)
		}
		return v, nil
	}
	v, err := s.Field(name)
	if err != nil {
		return v, err
	}
	return v.nest(rank)
}

func (s *Source) array(name string) Value {
	for _, a := range s.arrays {
		if a.name == name {
			return a.value
		}
	}
	return Value{}
}

// column finds a table's column by name, or by number; -1 when there is none.
func (s *Source) column(name string) int {
	if c := slices.Index(s.header, name); c >= 0 {
		return c
	}
	if c, err := strconv.Atoi(name); err == nil && c >= 0 && c < s.cols {
		return c
	}
	return -1
}

func (s *Source) noField(name string) error {
	if why, ok := s.refused[name]; ok {
		return &Error{File: s.spec, What: fmt.Sprintf("member %s cannot be used", name),
			Code: "unsupported-type", Why: why, Do: "save it with a numeric or boolean type"}
	}
	names := s.Fields()
	do := "use one of its fields: " + strings.Join(names, ", ")
	if s.form == formTable {
		do += fmt.Sprintf(", or a column by number, [0] to [%d]", s.cols-1)
	}
	if name == "" {
		return &Error{File: s.spec, What: "a " + string(s.form) + " is not one array", Code: "which-field",
			Why: "it has several fields, and a parameter takes one", Do: do}
	}
	return &Error{File: s.spec, What: "there is no field " + excerpt(name), Code: "unknown-field",
		Why: "this is a " + s.String(), Do: do + nearestHint(name, names)}
}

// column copies column c of a two-dimensional value.
func column(v Value, c int) Value {
	switch data := v.Data.(type) {
	case []float64:
		return strided(data, v.Dims, c)
	case []int64:
		return strided(data, v.Dims, c)
	}
	converted, _ := Convert(v, Float64)
	return strided(converted.Data.([]float64), v.Dims, c)
}

func strided[T element](data []T, dims []int, c int) Value {
	out := make([]T, dims[0])
	for i := range out {
		out[i] = data[i*dims[1]+c]
	}
	return Vector(out)
}

func newVector(v Value) *Source {
	return &Source{form: formVector, arrays: []namedValue{{"", v}}}
}

func newTable(data Value) *Source {
	return &Source{form: formTable, rows: data.Dims[0], cols: data.Dims[1],
		arrays: []namedValue{{"data", data}}}
}
