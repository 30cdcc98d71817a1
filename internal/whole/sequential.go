package whole

// Here are kernels whose loops look as if their turns had nothing to do with each other.

// Before reads what another turn writes.
//
//surge:kernel
func Before(rows [][]int) []int {
	out := make([]int, len(rows))
	for i, row := range rows {
		seen := map[int]bool{}
		for _, x := range row {
			seen[x] = true
		}
		out[i] = len(seen)
		if i > 0 {
			out[i] += out[i-1]
		}
	}
	return out
}

// Shifted writes where another turn reads.
//
//surge:kernel
func Shifted(rows [][]int) []int {
	out := make([]int, len(rows)+1)
	other := out[1:]
	for i, row := range rows {
		seen := map[int]bool{}
		for _, x := range row {
			seen[x+out[i]] = true
		}
		other[i] = len(seen)
	}
	return out
}

// SharedRow has one row in all elements, which turns write to.
//
//surge:kernel
func SharedRow(rows [][]int) [][]int {
	out := make([][]int, len(rows))
	shared := make([]int, 4)
	for i := range out {
		out[i] = shared
	}
	for i, row := range rows {
		seen := map[int]bool{}
		for _, x := range row {
			if !seen[x] {
				out[i][x&3] = 3*out[i][x&3] + x
			}
			seen[x] = true
		}
	}
	return out
}

// Remembered keeps what it has seen from turn to turn.
//
//surge:kernel
func Remembered(rows [][]int) []int {
	out := make([]int, len(rows))
	seen := map[int]bool{}
	for i, row := range rows {
		for _, x := range row {
			seen[x] = true
		}
		out[i] = len(seen)
	}
	return out
}

// Counted has a function that changes a variable which it shares with all turns.
//
//surge:kernel
func Counted(rows [][]int) []int {
	out := make([]int, len(rows))
	calls := 0
	next := func() int { calls++; return calls }
	for i, row := range rows {
		seen := map[int]int{}
		for _, x := range row {
			seen[x] = next()
		}
		out[i] = len(seen) + calls
	}
	return out
}

type generator struct{ state uint32 }

func (g *generator) next() uint32 {
	g.state = g.state*1664525 + 1013904223
	return g.state >> 8
}

// Random takes numbers from one generator, turn by turn.
//
//surge:kernel
func Random(rows [][]int) []uint32 {
	out := make([]uint32, len(rows))
	g := generator{1}
	for i, row := range rows {
		seen := map[int]bool{}
		for _, x := range row {
			if !seen[x] {
				out[i] ^= g.next()
			}
			seen[x] = true
		}
	}
	return out
}

// First stops where it has found something.
//
//surge:kernel
func First(rows [][]int) int {
	found := -1
	for i, row := range rows {
		seen := map[int]bool{}
		for _, x := range row {
			seen[x] = true
		}
		if len(seen) == 3 {
			found = i
			break
		}
	}
	return found
}

// Pointed keeps the address of an element, which a later turn writes to.
//
//surge:kernel
func Pointed(rows [][]int) []int {
	out := make([]int, len(rows))
	links := make([]*int, len(rows))
	for i := range rows {
		links[i] = &out[max(i-1, 0)]
	}
	for i, row := range rows {
		seen := map[int]bool{}
		for _, x := range row {
			seen[x] = true
		}
		*links[i] += len(seen)
		out[i] += 1
	}
	return out
}

// Summed adds up numbers whose sum depends on the order.
//
//surge:kernel
func Summed(rows [][]int) float64 {
	sum := 0.0
	for _, row := range rows {
		seen := map[int]bool{}
		for _, x := range row {
			seen[x] = true
		}
		sum += 1 / float64(len(seen)+1)
	}
	return sum
}

// Passed hands a slice on to the next turn.
//
//surge:kernel
func Passed(rows [][]int) [][]int {
	out := make([][]int, len(rows))
	var last []int
	for i, row := range rows {
		seen := map[int]bool{}
		for _, x := range row {
			seen[x] = true
		}
		out[i] = last
		last = append(last, len(seen))
	}
	return out
}

// Ends has a loop whose end its turns move.
//
//surge:kernel
func Ends(rows [][]int) (out []int) {
	n := len(rows)
	for i := 0; i < n; i++ {
		seen := map[int]bool{}
		for _, x := range rows[i] {
			seen[x] = true
		}
		if len(seen) > 2 && n > 1 {
			n--
		}
		out = append(out, len(seen))
	}
	return out
}

// Doubled appends to a slice that it also ranges over.
//
//surge:kernel
func Doubled(rows [][]int) []int {
	out := []int{1, 2}
	for i, row := range rows {
		seen := map[int]bool{}
		for _, x := range row {
			seen[x] = true
		}
		out = append(out, len(seen)+out[i])
	}
	return out
}

// Replaced may have the rows of another loop, which share memory, or new ones.
//
//surge:kernel
func Replaced(rows [][]int, anew bool) [][]int {
	out := make([][]int, len(rows))
	shared := make([]int, 4)
	for i := range out {
		out[i] = shared
	}
	if anew {
		out = make([][]int, len(rows))
	}
	for i, row := range rows {
		seen := map[int]bool{}
		for _, x := range row {
			if !seen[x] && !anew {
				out[i][x&3] = 3*out[i][x&3] + x
			}
			seen[x] = true
		}
	}
	return out
}

// Crossed groups share memory.
//
//surge:kernel
func Crossed(rows [][]int) [][]int {
	groups := make([][]int, 8)
	for _, row := range rows[:min(len(rows), 50)] {
		for _, x := range row {
			groups[x&7] = append(groups[(x+1)&7], x)
		}
	}
	for g, group := range groups {
		seen := map[int]bool{}
		for k, x := range group {
			seen[x] = true
			group[k] += len(seen)
		}
		groups[g] = group[:len(group)/2]
	}
	return groups
}

// Skipped leaves rows out by counting on.
//
//surge:kernel
func Skipped(rows [][]int) []int {
	out := make([]int, len(rows))
	for i := 0; i < len(rows); i++ {
		seen := map[int]bool{}
		for _, x := range rows[i] {
			seen[x] = true
		}
		out[i] = len(seen)
		if len(seen) > 9 {
			i++
		}
	}
	return out
}

// Elsewhere writes where another turn may, too.
//
//surge:kernel
func Elsewhere(rows [][]int) []int {
	out := make([]int, len(rows)+40)
	for i, row := range rows {
		seen := map[int]bool{}
		for _, x := range row {
			seen[x] = true
		}
		i += len(seen)
		out[i] = 2*out[i] + len(row)
	}
	return out
}

// vec has the name of a package that generated files import.
var vec = struct{ most int }{3}

// Hidden uses it: the text of the kernel would mean something else there.
//
//surge:kernel
func Hidden(rows [][]int) []int {
	out := make([]int, len(rows))
	for i, row := range rows {
		seen := map[int]bool{}
		for _, x := range row {
			seen[x] = true
		}
		out[i] = min(len(seen), vec.most)
	}
	return out
}
