package whole

// Mixed has a row twice after the first step.
//
//surge:kernel
func Mixed(rows [][]int, steps int) [][]int {
	if len(rows) < 2 {
		return nil
	}
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
		now[0] = now[1]
	}
	return now
}

// Exchanged has rows of others behind an exchange.
//
//surge:kernel
func Exchanged(rows [][]int, steps int) [][]int {
	now, other := make([][]int, len(rows)), make([][]int, len(rows))
	same := make([]int, 30)
	for y := range now {
		now[y], other[y] = make([]int, 30), same
	}
	for range steps & 3 {
		for y, row := range rows {
			seen := map[int]bool{}
			for x, v := range row {
				seen[v] = true
				now[y][x] = 2*now[y][x] + len(seen)
			}
		}
		now, other = other, now
	}
	return now
}

// Rotated writes to what was read in the turn before, under another name.
//
//surge:kernel
func Rotated(rows [][]int, steps int) [][]int {
	a, b := make([][]int, len(rows)), make([][]int, len(rows))
	for y := range a {
		a[y], b[y] = make([]int, 31), make([]int, 31)
	}
	for range steps & 7 {
		for y, row := range rows {
			seen := map[int]bool{}
			for x, v := range row {
				seen[v] = true
				a[y][x+1] += len(seen)
				b[(y+1)%len(b)][x] = a[y][x]
			}
		}
		a, b = b, a
	}
	return a
}
