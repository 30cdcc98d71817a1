package whole

import "slices"

// Emptied fills a buffer anew in each turn.
//
//surge:kernel
func Emptied(rows [][]int) []int {
	out := make([]int, len(rows))
	var buf []int
	for i, row := range rows {
		buf = buf[:0]
		seen := map[int]bool{}
		for _, x := range row {
			if !seen[x] {
				seen[x] = true
				buf = append(buf, x)
			}
		}
		slices.Sort(buf)
		for k, x := range buf {
			out[i] += k * x
		}
	}
	return out
}

// Cleared sets all elements of a buffer in each turn.
//
//surge:kernel
func Cleared(rows [][]int, n int) [][]int {
	out := make([][]int, len(rows))
	counts, marks := make([]int, max(n, 0)+50), [50]bool{}
	for i, row := range rows {
		if len(row) == 7 {
			continue
		}
		clear(counts)
		seen := map[int]bool{}
		for _, x := range row {
			seen[x] = true
			counts[max(x, 0)%len(counts)]++
		}
		for k := range counts {
			if counts[k] > 1 && !marks[k%50] {
				out[i] = append(out[i], k, counts[k], len(seen))
			}
		}
	}
	return out
}

type cursor struct {
	key   [4]int
	at, n int
}

func (c cursor) next() int { return c.key[0] + c.key[3]*c.at }

// Keyring sets parts of an array and of a struct before it uses them.
//
//surge:kernel
func Keyring(rows [][]int) []int {
	out := make([]int, len(rows))
	c := cursor{key: [4]int{3, 1, 4, 1}}
	last := 0
	for i, row := range rows {
		c.at, c.n = 2, len(row)
		c.key[3] = i
		last = c.next()
		seen := map[int]bool{}
		for _, x := range row {
			seen[x] = true
			c.at++
			c.key[3] += c.next() & 3
			last += c.key[3]
		}
		out[i] = last + c.n + len(seen)
	}
	return out
}
