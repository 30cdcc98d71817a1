package input

import (
	"fmt"
	"math"
	"slices"
)

// csr is a matrix in compressed sparse rows: the entries of row i are those
// from offsets[i] up to offsets[i+1], by rising column, duplicates kept.
type csr struct {
	rows, cols int
	offsets    []int32 // rows+1
	columns    []int32
	values     []float64
	dense      []float64 // row-major, when the file stored every element
}

func (m *csr) source() *Source {
	s := &Source{form: formMatrix, rows: m.rows, cols: m.cols, arrays: []namedValue{
		{"values", Vector(m.values)},
		{"columns", Vector(m.columns)},
		{"row_offsets", Vector(m.offsets)},
	}}
	if m.dense != nil {
		s.arrays = append(s.arrays, namedValue{"data",
			Value{Kind: Float64, Dims: []int{m.rows, m.cols}, Data: m.dense}})
	}
	return s
}

// entries is a matrix as a list of coordinates, counted from 0.
type entries struct {
	rows, cols  int
	row, column []int32
	value       []float64 // nil when every value is 1
	mirror      float64   // 0: as listed; 1 or -1: entries off the diagonal also stand transposed, times this
}

// compress sorts by row, then column; entries of equal place stay in the order
// in which they were listed. Two counting passes: entries mostly come sorted by
// column, so the rows come out sorted and only the others are sorted again.
func (e *entries) compress() (*csr, *Error) {
	m := &csr{rows: e.rows, cols: e.cols, offsets: make([]int32, e.rows+1)}
	count := len(e.row)
	for k, r := range e.row {
		m.offsets[r+1]++
		if c := e.column[k]; e.mirror != 0 && c != r {
			m.offsets[c+1]++
			count++
		}
	}
	if count > math.MaxInt32 {
		return nil, tooMany(int64(count), math.MaxInt32)
	}
	for r := range e.rows {
		m.offsets[r+1] += m.offsets[r]
	}
	m.columns, m.values = make([]int32, count), make([]float64, count)
	next := slices.Clone(m.offsets)
	for k, r := range e.row {
		c, v := e.column[k], 1.0
		if e.value != nil {
			v = e.value[k]
		}
		at := next[r]
		next[r]++
		m.columns[at], m.values[at] = c, v
		if e.mirror != 0 && c != r {
			at = next[c]
			next[c]++
			m.columns[at], m.values[at] = r, v*e.mirror
		}
	}
	var buffer []rowEntry
	for r := range e.rows {
		from, to := m.offsets[r], m.offsets[r+1]
		if columns := m.columns[from:to]; !slices.IsSorted(columns) {
			buffer = sortRow(columns, m.values[from:to], buffer)
		}
	}
	return m, nil
}

type rowEntry struct {
	column int32
	value  float64
}

// sortRow sorts one row by column, stably, in a buffer that it hands back for
// the next one.
func sortRow(columns []int32, values []float64, buffer []rowEntry) []rowEntry {
	buffer = buffer[:0]
	for i, c := range columns {
		buffer = append(buffer, rowEntry{c, values[i]})
	}
	slices.SortStableFunc(buffer, func(a, b rowEntry) int { return int(a.column) - int(b.column) })
	for i, e := range buffer {
		columns[i], values[i] = e.column, e.value
	}
	return buffer
}

func tooMany(n, most int64) *Error {
	e := &Error{What: fmt.Sprintf("the matrix has %d entries", n), Code: "too-large", Why: fmt.Sprintf("there are at most %d in shards", most),
		Do: "split the matrix, or make a smaller one"}
	if most == math.MaxInt32 {
		e.Why, e.Do = fmt.Sprintf("row offsets are int32, which end at %d", most), "cut it into shards with surge shard, or make a smaller one"
	}
	return e
}
