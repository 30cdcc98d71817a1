// Rows that a kernel makes

package constructs

import (
	"math"

	"github.com/surge-ndp/surge/ops"
)

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

// Labelled numbers runs of set cells, from row to row, and says where each begins.
//
// Construct: rows as long as what the loop ranges over, made in a loop whose turns need each other
//
//surge:kernel
func Labelled(mask [][]bool) (labels [][]int32, begins []int32) {
	labels = make([][]int32, len(mask))
	for y, row := range mask {
		labels[y] = make([]int32, len(row))
		for x, set := range row {
			if !set {
				continue
			}
			label := int32(0)
			if x > 0 {
				label = labels[y][x-1]
			}
			if label == 0 && y > 0 && x < len(labels[y-1]) {
				label = labels[y-1][x]
			}
			if label == 0 {
				begins = append(begins, int32(x))
				label = int32(len(begins))
			}
			labels[y][x] = label
		}
	}
	return labels, begins
}
