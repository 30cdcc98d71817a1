// Spreadsheets

package corpus

import "errors"

// Kind is what a cell holds.
type Kind int

const (
	Number Kind = iota
	Sum
	Product
	Average
)

// CellDef is a cell: a number, or a function of a range of cells of the rows above.
type CellDef struct {
	Kind     Kind
	Value    float64
	From, To int
}

// ErrForward is returned for a cell that needs a later one.
var ErrForward = errors.New("a cell needs a later one")

// Recalculate computes the cells of a column, each of which may use those above.
//
//surge:kernel
func Recalculate(cells []CellDef) ([]float64, error) {
	values := make([]float64, len(cells))
	for i, c := range cells {
		if c.Kind == Number {
			values[i] = c.Value
			continue
		}
		if c.From < 0 || c.To > i {
			return nil, ErrForward
		}
		acc := 0.0
		if c.Kind == Product {
			acc = 1
		}
		for _, v := range values[c.From:c.To] {
			switch c.Kind {
			case Sum, Average:
				acc += v
			case Product:
				acc *= v
			}
		}
		if c.Kind == Average && c.To > c.From {
			acc /= float64(c.To - c.From)
		}
		values[i] = acc
	}
	return values, nil
}

// ColumnName returns the letters of columns: A, B, …, Z, AA.
//
//surge:kernel
func ColumnNames(columns []int) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		name := ""
		for n := c + 1; n > 0; n = (n - 1) / 26 {
			name = string(rune('A'+(n-1)%26)) + name
		}
		names[i] = name
	}
	return names
}
