// Rows that a kernel makes

package constructs

import (
	"math"
	"slices"

	"github.com/surge-ndp/surge/ops"
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
// Without: opencl
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

// Depths are the distances from the first vertex.
//
// Construct: a list of neighbours made by append, and a search with a queue
//
//surge:kernel
func Depths(from, to []uint8) []int {
	n := 16
	adj := make([][]int, n)
	for i := range min(len(from), len(to)) {
		a, b := int(from[i]%16), int(to[i]%16)
		adj[a] = append(adj[a], b)
		adj[b] = append(adj[b], a)
	}
	dist := make([]int, n)
	for i := range dist {
		dist[i] = -1
	}
	dist[0] = 0
	queue := make([]int, 0, n)
	queue = append(queue, 0)
	for head := 0; head < len(queue); head++ {
		u := queue[head]
		for _, v := range adj[u] {
			if dist[v] < 0 {
				dist[v] = dist[u] + 1
				queue = append(queue, v)
			}
		}
	}
	return dist
}

// Lines are what lies between certain bytes.
//
// Construct: append of parts of a string, in a loop whose turns need each other, and behind it
//
//surge:kernel
func Lines(s string) []string {
	var out []string
	start := 0
	for i := 0; i < len(s); i++ {
		if s[i]%16 == 0 {
			out = append(out, s[start:i])
			start = i + 1
		}
	}
	out = append(out, s[start:])
	return out
}

// Chunks cuts a slice.
//
// Construct: append of parts of a slice, in a loop with a condition
//
//surge:kernel
func Chunks(x []float64, n uint8) [][]float64 {
	var out [][]float64
	k := int(n) + 1
	for len(x) > k {
		out = append(out, x[:k])
		x = x[k:]
	}
	out = append(out, x)
	return out
}

// States keeps copies of what a loop updates.
//
// Construct: append of copies, in a loop whose turns need each other
//
//surge:kernel
func States(n uint8) [][]int {
	var out [][]int
	cur := make([]int, n%4)
	for t := 0; t < 10; t++ {
		for i := range cur {
			cur[i] = (cur[i] + i + t) % 7
		}
		c := make([]int, len(cur))
		copy(c, cur)
		out = append(out, c)
	}
	return out
}

// Token is a part of a text.
type Token struct {
	Text string
	Kind int
	At   int
}

// Tokens cuts a text into words and others.
//
// Construct: append of structs with strings, in a loop with a condition
//
//surge:kernel
func Tokens(s string) []Token {
	var out []Token
	i := 0
	for i < len(s) {
		c := s[i] % 32
		switch {
		case c < 8:
			i++
		case c < 20:
			j := i
			for j < len(s) && s[j]%32 >= 8 && s[j]%32 < 20 {
				j++
			}
			out = append(out, Token{s[i:j], 1, i})
			i = j
		default:
			out = append(out, Token{Text: s[i : i+1], At: i})
			i++
		}
	}
	return out
}

// Grouped sorts numbers into four rows.
//
// Construct: rows that grow side by side, are asked for their lengths, and are updated behind the loop
//
//surge:kernel
func Grouped(x []int) ([][]int, int) {
	groups := make([][]int, 4)
	n := 0
	for _, v := range x {
		k := v & 3
		groups[k] = append(groups[k], v)
		if len(groups[k]) > n {
			n = len(groups[k])
		}
	}
	for i := range groups {
		for j := range groups[i] {
			groups[i][j] *= 2
		}
	}
	return groups, n
}

// Framed makes single rows in place.
//
// Construct: single rows that are made where they are assigned
//
//surge:kernel
func Framed(x []int, n uint8) [][]int {
	z := make([][]int, 3)
	z[0] = make([]int, n)
	z[2] = append([]int(nil), x...)
	z = append(z, []int{1, 2}, make([]int, 2))
	if len(x) > 0 {
		z[1] = []int{x[0], 7}
	}
	return z
}

// Dealt appends whole rows.
//
// Construct: rows that grow side by side by whole slices
//
//surge:kernel
func Dealt(x [][]int) [][]int {
	b := make([][]int, 3)
	for i, row := range x {
		b[i%3] = append(b[i%3], row...)
	}
	return b
}

// Layer is a layer of a network, whose first row of weights is added as it is.
//
// Construct: a row of a parameter, rows[k], read at the top and inside of loops
//
//surge:kernel
func Layer(in []float64, weights [][]float64) ([]float64, float64) {
	if len(weights) <= len(in) {
		return nil, 0
	}
	bias := weights[0]
	out := make([]float64, len(bias))
	for j := range out {
		sum := bias[j]
		for k, v := range in {
			if row := weights[k+1]; j < len(row) {
				sum += row[j] * v
			}
		}
		out[j] = sum
	}
	return out, ops.Reduce(func(a, b float64) float64 { return max(a, b) }, bias, 0)
}

// Collected is the greatest absolute value of the elements that an index and its neighbours have, of each the first
// ones, weighted.
//
// Construct: rows copied one behind the other into one slice, whose next place goes on from loop to loop
//
//surge:kernel
func Collected(x []float64, sizes []uint8, room uint8) []float64 {
	return ops.Map(func(i int) float64 {
		row := make([]float64, room)
		at := 0
		for k := max(i-1, 0); k < min(i+2, len(sizes)); k++ {
			for j := 0; j < int(sizes[k])%32; j++ {
				row[at] = x[j] * float64(k)
				at++
			}
		}
		return ops.Reduce(func(a, b float64) float64 { return max(a, math.Abs(b)) }, row, 0)
	}, ops.Range(0, len(sizes), 1))
}

// Pooled adds up rows, each times a weight, and begins anew where a weight is negative.
//
// Construct: a row of an element that loops inside of another one add to, and set to a constant
//
//surge:kernel
func Pooled(rows [][]float64, weights []float64, each int) [][]float64 {
	out := make([][]float64, len(weights))
	for b := range out {
		sum := make([]float64, len(rows[0]))
		for k := b; k < min(b+each, len(weights)); k++ {
			if weights[k] < 0 {
				for d := range sum {
					sum[d] = 1.5
				}
				continue
			}
			for d, x := range rows[k%len(rows)] {
				if d < len(sum) {
					sum[d] += weights[k] * x
				}
			}
		}
		out[b] = sum
	}
	return out
}
