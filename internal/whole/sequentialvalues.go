package whole

// Tallied calls a function that counts its calls.
//
//surge:kernel
func Tallied(rows [][]int) []int {
	calls := 0
	fs := []func(int) int{func(x int) int { calls++; return x + calls }, func(x int) int { return x }}
	out := make([]int, len(rows))
	for i, row := range rows {
		out[i] = fs[i&1](len(row))
	}
	return out
}

// Reused has a function write to a row that all turns have.
//
//surge:kernel
func Reused(rows [][]int) []int {
	fs := []func(to, from []int){func(to, from []int) { copy(to, from) }}
	all := make([]int, 30)
	out := make([]int, len(rows))
	for i, row := range rows {
		fs[0](all, row)
		out[i] = sum(all)
	}
	return out
}

type counter struct{ n int }

func (c *counter) next(x int) int {
	c.n++
	return c.n * x
}

// Advanced calls a method that is a value, and changes its receiver.
//
//surge:kernel
func Advanced(rows [][]int) []int {
	var c counter
	fs := []func(int) int{c.next}
	out := make([]int, len(rows))
	for i, row := range rows {
		out[i] = fs[0](len(row))
	}
	return out
}

// Hoarded calls a function that keeps what it is given.
//
//surge:kernel
func Hoarded(rows [][]int) []int {
	var kept [][]int
	fs := []func([]int) int{func(row []int) int {
		kept = append(kept, row)
		return len(kept)
	}}
	out := make([]int, len(rows))
	for i, row := range rows {
		out[i] = fs[0](row)
	}
	if len(kept) > 0 {
		out[0] += sum(kept[len(kept)-1])
	}
	return out
}
