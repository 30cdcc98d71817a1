package whole

import "slices"

// Diffused makes steps over rows that change places.
//
//surge:kernel
func Diffused(rows [][]int, steps int) [][]int {
	now, next := make([][]int, len(rows)), make([][]int, len(rows))
	for y, row := range rows {
		now[y], next[y] = slices.Clone(row), make([]int, len(row))
	}
	for step := range steps & 15 {
		for y, row := range now {
			seen := map[int]bool{}
			for x, v := range row {
				seen[v] = true
				up := now[(y+1)%len(now)]
				next[y][x] = v + len(seen) + step
				if x < len(up) {
					next[y][x] -= up[x]
				}
			}
		}
		now, next = next, now
	}
	return now
}

// Grown fills new rows in each step, of those of the step before.
//
//surge:kernel
func Grown(rows [][]int, steps int) [][]int {
	now := make([][]int, len(rows))
	for i, row := range rows {
		now[i] = slices.Clone(row)
	}
	for range steps & 7 {
		next := make([][]int, len(now))
		for i, row := range now {
			seen := map[int]bool{}
			for _, x := range row {
				seen[x] = true
			}
			next[i] = append(slices.Clone(row), len(seen))
		}
		now = next
	}
	return now
}

// Gathered appends in each step, in the order of the turns.
//
//surge:kernel
func Gathered(rows [][]int, steps int) (out []int) {
	for step := range steps & 7 {
		for _, row := range rows {
			seen := map[int]bool{}
			for _, x := range row {
				seen[x] = true
			}
			if len(seen) > step {
				out = append(out, len(seen)-step)
			}
		}
	}
	return out
}

// Stepped writes to the same rows in each step, each turn to its own.
//
//surge:kernel
func Stepped(rows [][]int, steps int) [][]int {
	now := make([][]int, len(rows))
	for y := range now {
		now[y] = make([]int, 30)
	}
	for range steps & 15 {
		for y, row := range rows {
			seen := map[int]bool{}
			for x, v := range row {
				seen[v] = true
				now[y][x] = 2*now[y][x] + len(seen)
			}
		}
	}
	return now
}
