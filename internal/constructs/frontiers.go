// Slices

package constructs

import (
	"errors"
	"fmt"
)

// Reached finds how far places are from the first one.
//
// Construct: var next []T, filled by append in a turn of a loop, and frontier = next at its end
// Without: opencl
//
//surge:kernel
func Reached(adj [][]int32) []int32 {
	level := make([]int32, len(adj))
	for i := range level {
		level[i] = -1
	}
	frontier := []int32{0}
	for depth := int32(1); len(frontier) > 0; depth++ {
		var next []int32
		for _, u := range frontier {
			if int(u) >= len(adj) {
				break
			}
			for _, v := range adj[u] {
				v = int32(uint32(v) % uint32(len(adj)))
				if level[v] < 0 {
					level[v] = depth
					next = append(next, v)
				}
			}
		}
		frontier = next
	}
	return level
}

var errCycle = errors.New("a cycle")

// Ordered orders tasks so that each comes behind those that it needs.
//
// Construct: a queue: queue[0], queue = queue[1:] and append
//
//surge:kernel
func Ordered(needs [][]int) ([]int, error) {
	n := len(needs)
	waiting := make([]int, n)
	users := make([][]int, n)
	for t, ds := range needs {
		for _, d := range ds {
			d = int(uint(d) % uint(n+2))
			if d < t || d == t+1 && d < n {
				waiting[t]++
				users[d] = append(users[d], t)
			}
		}
	}
	queue := make([]int, 0, n)
	for t, w := range waiting {
		if w == 0 {
			queue = append(queue, t)
		}
	}
	var order []int
	for len(queue) > 0 {
		t := queue[0]
		queue = queue[1:]
		order = append(order, t)
		for _, u := range users[t] {
			waiting[u]--
			if waiting[u] == 0 {
				queue = append(queue, u)
			}
		}
	}
	if len(order) < n {
		return nil, fmt.Errorf("%w: %d tasks are left", errCycle, n-len(order))
	}
	return order, nil
}

// Backwards turns words around.
//
// Construct: []rune(s), string(runes) and string(r) of a rune or a byte
//
//surge:kernel
func Backwards(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		rs := []rune(w)
		for a, b := 0, len(rs)-1; a < b; a, b = a+1, b-1 {
			rs[a], rs[b] = rs[b], rs[a]
		}
		out[i] = string(rs) + string(rune(100*len(w))) + string('a'+byte(i%26))
	}
	return out
}

// Parsed adds up the digits of lines.
//
// Construct: rows := make([][]T, len(x)), or a []string, filled by a loop over x that may return nil and an error
//
//surge:kernel
func Parsed(lines []string) ([][]int, []string, error) {
	rows := make([][]int, len(lines))
	for i, line := range lines {
		if len(line) == 0 {
			rows[i] = []int{-1}
			continue
		}
		row := make([]int, len(line))
		for j := range line {
			if line[j] == 'a' && j > 20 {
				return nil, nil, fmt.Errorf("line %d: %q", i, line)
			}
			row[j] = int(line[j] - '0')
		}
		rows[i] = row
	}
	marked := make([]string, len(lines))
	for i, line := range lines {
		if len(line) == 63 {
			return rows, nil, errCycle
		}
		marked[i] = line + "!"
	}
	return rows, marked, nil
}
