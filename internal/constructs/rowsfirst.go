// Slices

package constructs

// EditTable returns in how many edits the beginnings of a become those of b.
//
// Construct: table[0] = make(…), and table[i+1] = make(…) in the loop that fills it from the rows before
//
//surge:kernel
func EditTable(a, b []byte) [][]int32 {
	table := make([][]int32, len(a)+1)
	table[0] = make([]int32, len(b)+1)
	for j := range table[0] {
		table[0][j] = int32(j)
	}
	for i := range a {
		same := int32(0)
		table[i+1] = make([]int32, len(b)+1)
		table[i+1][0] = int32(i + 1)
		for j := range b {
			if a[i]%4 == b[j]%4 {
				same = table[i][j]
			} else {
				same = table[i][j] + 1
			}
			table[i+1][j+1] = min(same, table[i][j+1]+1, table[i+1][j]+1)
		}
	}
	return table
}

// Descents returns the least sums of paths down a grid, which go straight or to a side.
//
// Construct: row := make(…), filled from the row before, and least[i] = row at the end of the turn
//
//surge:kernel
func Descents(grid [][]uint8, width int) [][]int {
	w := width & 31
	least := make([][]int, len(grid))
	for i, costs := range grid {
		row := make([]int, w)
		for j := range row {
			if j < len(costs) {
				row[j] = int(costs[j])
			}
			if i > 0 {
				row[j] += min(least[i-1][j], least[i-1][max(j-1, 0)], least[i-1][min(j+1, w-1)])
			}
		}
		least[i] = row
	}
	return least
}

// EditRows returns in how many edits a becomes b, by rows that are stored when they are done, behind a first one.
//
// Construct: table[0] = make(…), and row := make(…) … table[i+1] = row
//
//surge:kernel
func EditRows(a, b []byte) int32 {
	table := make([][]int32, len(a)+1)
	table[0] = make([]int32, len(b)+1)
	for j := range table[0] {
		table[0][j] = int32(j)
	}
	for i := range a {
		row := make([]int32, len(b)+1)
		row[0] = int32(i + 1)
		for j := range b {
			row[j+1] = 1 + min(table[i][j+1], row[j], table[i][j]+int32(a[i]&1))
		}
		table[i+1] = row
	}
	return table[len(a)][len(b)]
}

// Summit is a place in a grid that is higher than those beside it.
type Summit struct {
	Row, Column int32
	Height      float32
}

// Summits lists the places of a grid that are higher than those beside them, and above the ground.
//
// Construct: found = append(found, …) in a loop in a loop over rows, whose turns have a list each
//
//surge:kernel
func Summits(grid [][]float32, ground float32) []Summit {
	var found []Summit
	above := func(a, b float32) bool { return a > b && a > ground }
	for y := 1; y < len(grid)-1; y++ {
		row := grid[y]
		for x := 1; x < len(row)-1; x++ {
			if !above(row[x], row[x-1]) || !above(row[x], row[x+1]) {
				continue
			}
			if x < len(grid[y-1]) && grid[y-1][x] > row[x] {
				continue
			}
			found = append(found, Summit{int32(y), int32(x), row[x]})
		}
	}
	return found
}

// Walked follows a walk through each row, which it notes in a row that is made behind where the walk begins.
//
// Construct: z[i] = make([]T, w) in the midst of a turn, where nothing else looks at rows of z: turns run in parallel
//
//surge:kernel
func Walked(steps [][]int, n int) [][]int {
	walks := make([][]int, len(steps))
	n = max(0, min(n, 50))
	for i, row := range steps {
		at := len(row) / 2
		walks[i] = make([]int, n)
		for k := range n {
			if at >= 0 && at < len(row) {
				at = (at + row[at]) & 15
			}
			walks[i][k] = at
		}
	}
	return walks
}
