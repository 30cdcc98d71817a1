// Rows that a kernel makes

package constructs

import (
	"slices"
	"sort"
)

// Rescaled makes each row in its turn.
//
// Construct: z := make([][]T, n), and a loop that makes its rows, which runs in parallel
//
//surge:kernel
func Rescaled(a [][]float64, f float64) [][]float64 {
	z := make([][]float64, len(a))
	for i := range a {
		z[i] = make([]float64, len(a[i]))
		for j, v := range a[i] {
			z[i][j] = f * v
		}
	}
	return z
}

// Edits is the Levenshtein distance, by a table.
//
// Construct: a table of rows that loops update: dp[i][j] = min(dp[i-1][j], dp[i][j-1])
//
//surge:kernel
func Edits(a, b []byte) int {
	dp := make([][]int, len(a)+1)
	for i := range dp {
		dp[i] = make([]int, len(b)+1)
		dp[i][0] = i
	}
	for j := range dp[0] {
		dp[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			dp[i][j] = min(dp[i-1][j]+1, dp[i][j-1]+1, dp[i-1][j-1]+cost)
		}
	}
	return dp[len(a)][len(b)]
}

// Triangles is Pascal's triangle, of rows of different lengths.
//
// Construct: rows whose lengths differ, each computed from the one before
//
//surge:kernel
func Triangles(n uint8) [][]int {
	z := make([][]int, n%40)
	for i := range z {
		z[i] = make([]int, i+1)
		z[i][0], z[i][i] = 1, 1
		for j := 1; j < i; j++ {
			z[i][j] = z[i-1][j-1] + z[i-1][j]
		}
	}
	return z
}

// newGrid makes a matrix of zeros.
func newGrid[T any](h, w int) [][]T {
	g := make([][]T, h)
	for y := range g {
		g[y] = make([]T, w)
	}
	return g
}

// neighbours counts the living cells around one.
func neighbours(cells [][]bool, x, y int) int {
	n := 0
	for v := max(y-1, 0); v <= min(y+1, len(cells)-1); v++ {
		for u := max(x-1, 0); u <= min(x+1, len(cells[v])-1); u++ {
			if (u != x || v != y) && cells[v][u] {
				n++
			}
		}
	}
	return n
}

// Living is the game of life.
//
// Construct: tables that a function makes, that change places in a loop, whose rows have other names: row := next[y]
//
//surge:kernel
func Living(start [][]bool, w, steps uint8) [][]bool {
	cur, next := newGrid[bool](len(start), int(w)%8), newGrid[bool](len(start), int(w)%8)
	for y, row := range start {
		copy(cur[y], row)
	}
	for range steps % 4 {
		for y := range cur {
			row := next[y]
			for x, alive := range cur[y] {
				n := neighbours(cur, x, y)
				row[x] = n == 3 || alive && n == 2
			}
		}
		cur, next = next, cur
	}
	return cur
}

// Smeared updates copies of rows.
//
// Construct: rows that are copies, updated by another loop
//
//surge:kernel
func Smeared(img [][]float32) [][]float32 {
	out := make([][]float32, len(img))
	for y := range img {
		out[y] = slices.Clone(img[y])
	}
	for y := 1; y < len(out); y++ {
		for x := range min(len(out[y-1]), len(out[y])) {
			out[y][x] = (out[y-1][x] + out[y][x]) / 2
		}
	}
	return out
}

// Borders keeps the first and the last row.
//
// Construct: rows that are parts of something, assigned one by one or by loops over some of them
//
//surge:kernel
func Borders(a [][]int) [][]int {
	z := make([][]int, len(a))
	if len(a) < 2 {
		return a
	}
	z[0] = a[0]
	for i := 1; i < len(a)-1; i++ {
		if len(a[i]) > 2 {
			z[i] = a[i][1 : len(a[i])-1]
		}
	}
	z[len(z)-1] = a[len(a)-1]
	return z
}

// Evens picks rows and elements.
//
// Construct: append of rows, in a loop whose turns append one each, or none
//
//surge:kernel
func Evens(a [][]int) [][]int {
	var out [][]int
	for _, row := range a {
		if len(row) == 0 {
			continue
		}
		r := make([]int, 0, len(row))
		for _, x := range row {
			if x%2 == 0 {
				r = append(r, x)
			}
		}
		slices.Sort(r)
		out = append(out, r)
	}
	return out
}

// Abbreviated makes strings, and numbers beside them.
//
// Construct: make([]string, n), and append to a []string, in a loop that fills other slices as well
//
//surge:kernel
func Abbreviated(words []string, n uint8) ([]string, []string, []int) {
	short := make([]string, len(words))
	var long []string
	lengths := make([]int, len(words))
	for i, w := range words {
		lengths[i] = len(w)
		if most := int(n%8) + 1; len(w) > most {
			short[i] = w[:most] + "."
			long = append(long, w)
		} else {
			short[i] = w
		}
	}
	return short, long, lengths
}

// Track is a name and where it was seen.
type Track struct {
	Name string
	At   []float64
	Best float64
}

// Tracks makes structs with slices.
//
// Construct: a slice of structs with slices, made by a loop
//
//surge:kernel
func Tracks(names []string, at [][]float64) []Track {
	tracks := make([]Track, min(len(names), len(at)))
	for i := range tracks {
		tracks[i].Name = names[i]
		for _, x := range at[i] {
			if x > 0 {
				tracks[i].At = append(tracks[i].At, x)
			}
			tracks[i].Best = max(tracks[i].Best, x)
		}
	}
	return tracks
}

// Route is a name and where it leads.
type Route struct {
	Name string
	At   []float64
}

// Routes puts rows of the input together.
//
// Construct: a slice of structs that hold strings and rows of the input
//
//surge:kernel
func Routes(names []string, at [][]float64) []Route {
	routes := make([]Route, min(len(names), len(at)))
	for i := range routes {
		routes[i] = Route{names[i], at[i]}
	}
	return routes
}

// Adjacent lists the neighbours of each vertex.
//
// Construct: adj[v] = append(adj[v], w), rows that grow side by side
//
//surge:kernel
func Adjacent(from, to []uint8, n uint8) [][]int {
	adj := make([][]int, n)
	for i := range min(len(from), len(to)) {
		a, b := int(from[i]), int(to[i])
		if a >= int(n) || b >= int(n) {
			continue
		}
		adj[a] = append(adj[a], b)
		if a != b && len(adj[b]) < 3 {
			adj[b] = append(adj[b], a)
		}
	}
	return adj
}

// Stretch is a number of steps of one size.
type Stretch struct{ Step, Times int32 }

// Coded codes columns as stretches, and counts these and the samples that are no part of longer ones.
//
// Construct: loops that make rows and add up integers besides: total += len(row)
//
//surge:kernel
func Coded(columns [][]int32) (coded [][]Stretch, total int, alone uint8) {
	coded = make([][]Stretch, len(columns))
	total = -len(columns)
	for c, column := range columns {
		var row []Stretch
		var last int32
		for _, v := range column {
			step := v - last
			last = v
			if n := len(row); n > 0 && row[n-1].Step == step {
				row[n-1].Times++
				continue
			}
			row = append(row, Stretch{step, 1})
		}
		if len(row) == 0 {
			alone--
			continue
		}
		for _, s := range row {
			if s.Times == 1 {
				alone++
			}
		}
		coded[c] = row
		total += len(row)
	}
	return coded, total, alone
}

// RowsDoubled makes rows, and updates them by their names.
//
// Construct: for _, row := range rows { row[i] = … }, where the kernel made the rows
//
//surge:kernel
func RowsDoubled(x []int32, width uint8) [][]int32 {
	w := int(width%7) + 1
	rows := make([][]int32, (len(x)+w-1)/w)
	for i := range rows {
		rows[i] = make([]int32, w)
	}
	for i, e := range x {
		rows[i/w][i%w] = e
	}
	for i, row := range rows {
		for k := range row {
			row[k] *= int32(i)
		}
	}
	return rows
}

// Ranked has the places of the elements of each row in order, which it makes in a copy and puts back.
//
// Construct: a row of indices that sort.SliceStable sorts where it lies, in each turn of a loop
//
//surge:kernel
func Ranked(rows [][]float64) [][]int {
	out := make([][]int, len(rows))
	for i, row := range rows {
		order := make([]int, len(row))
		for j := range order {
			order[j] = j
		}
		sort.SliceStable(order, func(a, b int) bool { return row[order[a]] < row[order[b]] })
		out[i] = order
	}
	return out
}

// Binned counts the elements of each row in bins, and adds up the means of what lies in the first one.
//
// Construct: a row that is assigned, out[i] = row, before its elements are, and a sum of floats beside it
//
//surge:kernel
func Binned(rows [][]float64) ([][]int32, float64) {
	out, total := make([][]int32, len(rows)), 0.0
	for i, row := range rows {
		bins := make([]int32, 4)
		out[i] = bins
		if len(row) == 0 {
			continue
		}
		low := 0.0
		for _, x := range row {
			if k := int(x) & 3; k != 0 {
				bins[k]++
				continue
			}
			bins[0]--
			low += x
		}
		if bins[0] < 0 {
			total -= low / float64(bins[0])
		}
	}
	return out, total
}

// Attended are, for each position and head, the sums of what the positions up to it have, each by its likeness.
//
// Construct: rows that lie in another order than the loops go: for h … { for t … { row := out[t*width+h*dim:][:dim] } }
//
//surge:kernel
func Attended(x []float64, positions, heads, dim int8) []float64 {
	width := int(heads) * int(dim)
	out := make([]float64, int(positions)*width)
	for h := range int(heads) {
		for t := range int(positions) {
			at := t*width + h*int(dim)
			row, likeness := out[at:at+int(dim)], make([]float64, t+1)
			for u := range likeness {
				likeness[u] = x[(u*width+h)%len(x)] - x[at%len(x)]
			}
			for u, like := range likeness {
				for c := range row {
					row[c] += like * x[(u*width+h*int(dim)+c)%len(x)]
				}
			}
		}
	}
	return out
}
