package whole

// Lasting uses what the last turn left behind.
//
//surge:kernel
func Lasting(rows [][]int) (out []int, last int) {
	out = make([]int, len(rows))
	x := 0
	for i, row := range rows {
		x = len(row)
		seen := map[int]bool{}
		for _, y := range row {
			seen[y] = true
			x += len(seen)
		}
		out[i] = x
	}
	return out, x
}

// Carried sets a part in some turns only.
//
//surge:kernel
func Carried(rows [][]int) []int {
	out := make([]int, len(rows))
	var c cursor
	for i, row := range rows {
		c.n = len(row)
		if len(row) > 5 {
			c.at = i
		}
		seen := map[int]bool{}
		for _, y := range row {
			seen[y] = true
		}
		out[i] = c.at + c.n + len(seen)
	}
	return out
}

// Handed gives a buffer away.
//
//surge:kernel
func Handed(rows [][]int) [][]int {
	out := make([][]int, len(rows))
	buf := make([]int, 30)
	for i, row := range rows {
		clear(buf)
		seen := map[int]bool{}
		for k, y := range row {
			seen[y] = true
			buf[k] = len(seen)
		}
		out[i] = buf
	}
	return out
}

// Named has a second name for a buffer.
//
//surge:kernel
func Named(rows [][]int) []int {
	out := make([]int, len(rows))
	buf := make([]int, 30)
	again := buf
	for i, row := range rows {
		clear(buf)
		seen := map[int]bool{}
		for k, y := range row {
			seen[y] = true
			buf[k] = len(seen)
		}
		out[i] = buf[len(row)/2]
	}
	return append(out, again...)
}

// Partial sets some elements of a buffer, and uses others.
//
//surge:kernel
func Partial(rows [][]int) []int {
	out := make([]int, len(rows))
	buf := make([]int, 30)
	for i, row := range rows {
		seen := map[int]bool{}
		for k, y := range row {
			seen[y] = true
			buf[k] = len(seen)
		}
		out[i] = buf[3] + buf[20]
	}
	return out
}

// Indexed reads a part for the place where it sets another one.
//
//surge:kernel
func Indexed(rows [][]int) []int {
	out := make([]int, len(rows))
	var at [32]int
	for i, row := range rows {
		at[at[0]&31] = len(row)
		at[0] = i
		seen := map[int]bool{}
		for _, y := range row {
			seen[y] = true
		}
		out[i] = at[0] + len(seen)
	}
	return out
}

// Stepwise uses a number in the turn of another loop behind.
//
//surge:kernel
func Stepwise(rows [][]int, steps int) []int {
	out := make([]int, len(rows))
	x := 1
	for range steps & 7 {
		if len(out) > 0 {
			out[0] += x
		}
		for i, row := range rows {
			x = len(row)
			seen := map[int]bool{}
			for _, y := range row {
				seen[y] = true
				x += len(seen)
			}
			out[i] += x
		}
	}
	return out
}
