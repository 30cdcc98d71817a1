// Package refills has elements that make rows by several loops, beside a Reduce. The last line of a kernel's comment
// says how many of these loops stay.
package refills

// What a loop has made is made another one by others, one of which leaves some elements as they are.
//
// Loops: 0
//
//surge:kernel
func Shared(x, y []int) [][]int {
	out := make([][]int, len(x))
	for i, v := range x {
		row := make([]int, len(y))
		top := 0
		for _, w := range y {
			top = max(top, w)
		}
		for j, w := range y {
			row[j] = w*v - top
		}
		for j := range row {
			if row[j] > 3 {
				row[j] -= v
			}
		}
		sum := 0
		for j := range row {
			sum += row[j]
		}
		for j := range row {
			row[j] = row[j]*5 - sum
		}
		out[i] = row
	}
	return out
}

// The second loop reads the element before, which it has made itself.
//
// Loops: 2
//
//surge:kernel
func Chained(x, y []int) [][]int {
	out := make([][]int, len(x))
	for i, v := range x {
		row := make([]int, len(y))
		top := 0
		for _, w := range y {
			top = max(top, w)
		}
		for j, w := range y {
			row[j] = w*v - top
		}
		for j := range row {
			if j > 0 {
				row[j] += row[j-1]
			}
		}
		out[i] = row
	}
	return out
}
