package ops

// Transpose exchanges rows and columns of a regular nested sequence.
//
//	y[j][i] = s[i][j]        0 ≤ j < m = len(s[0]), 0 ≤ i < n = len(s)
//
// Shape: n rows of m → m rows of n; without rows, no rows. Work O(n·m), span O(1). Strongest schedule:
// independent>independent. The result is fresh; its rows lie one after the other in one array. Error: "length" if the
// rows differ in length. Beside Table I of the paper.
func Transpose[T any](s [][]T) [][]T {
	if len(s) == 0 {
		return [][]T{}
	}
	for _, row := range s {
		sameLength("Transpose", "s[0]", len(s[0]), "a row of s", len(row))
	}
	n, m := len(s), len(s[0])
	flat, y := make([]T, n*m), make([][]T, m)
	for j := range y {
		y[j] = flat[j*n : (j+1)*n : (j+1)*n]
		for i, row := range s {
			y[j][i] = row[j]
		}
	}
	return y
}
