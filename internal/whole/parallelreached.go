package whole

func mk(n int) []int {
	row := make([]int, 30)
	row[n%30] = n
	return row
}

// Doubles appends each row twice.
//
//surge:kernel
func Doubles(rows [][]int) [][]int {
	out := make([][]int, 0)
	for i, row := range rows {
		r := mk(distinct(row) + i)
		out = append(out, r, r)
	}
	for i := range out {
		d := len(rows) + i
		for k := range 30 {
			out[i][k] = out[i][k]*3 + d + k + i
		}
	}
	return out
}

// Integers has parameters of the names of types, and a loop on one line.
//
//surge:kernel
func Integers(rows [][]int, float64 int) (out []int, sum int) {
	for i, row := range rows {
		if i < float64 || distinct(row) > 5 {
			out = append(out, distinct(row))
		}
	}
	for _, row := range rows {
		sum += distinct(row)
	}
	return out, sum
}

// Length is an error.
type Length int

func (l Length) Error() string { return "too long" }

// Measured returns the length of an array, a constant, as an error.
//
//surge:kernel
func Measured(rows [][]int) ([]int, error) {
	arrays := make([][3]int, len(rows))
	out := make([]int, len(rows))
	for i, a := range arrays {
		out[i] = distinct(rows[i])
		if len(rows[i]) == 29 && out[i] < 16 {
			return nil, Length(len(a))
		}
	}
	return out, nil
}
