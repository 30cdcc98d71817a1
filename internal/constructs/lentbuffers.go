// Slices

package constructs

// Nearby says which of the texts b is nearest to each of a by the number of edits, and how many buffers hold what
// they held before.
//
// Construct: a function that exchanges the slices that it was given, the buffers of its caller: prev, cur = cur, prev
//
//surge:kernel
func Nearby(a, b []string) ([]int, int) {
	longest := 0
	for _, s := range b {
		longest = max(longest, len(s))
	}
	nearest := make([]int, len(a))
	changed := make([]int, len(a))
	for i, s := range a {
		before, prev, cur := make([]int, longest+1), make([]int, longest+1), make([]int, longest+1)
		best := 1 << 30
		for k, t := range b {
			if d := edits(s, t, best, before, prev, cur); d < best {
				best, nearest[i] = d, k
			}
		}
		changed[i] = before[0] + 3*prev[longest/2] + 5*cur[longest]
	}
	total := 0
	for _, n := range changed {
		total += n
	}
	return nearest, total
}

// edits is the number of insertions, deletions, replacements and exchanges that make t of s, or limit if that is less.
func edits(s, t string, limit int, before, prev, cur []int) int {
	for j := range len(t) + 1 {
		prev[j] = j
	}
	for i := 1; i <= len(s); i++ {
		cur[0] = i
		least := i
		for j := 1; j <= len(t); j++ {
			d := min(prev[j], cur[j-1]) + 1
			if s[i-1] == t[j-1] {
				d = min(d, prev[j-1])
			} else {
				d = min(d, prev[j-1]+1)
			}
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				d = min(d, before[j-2]+1)
			}
			cur[j] = d
			least = min(least, d)
		}
		if least >= limit {
			return limit
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(t)]
}

// Unequal runs a step an even and an odd number of times, in buffers of its own and in some of different lengths.
//
// Construct: such a function whose buffers have different lengths: it runs once more, as plain Go
//
//surge:kernel
func Unequal(x []float64, n int) []float64 {
	out := make([]float64, len(x))
	for i := range out {
		a, b := make([]float64, 3), make([]float64, 3+max(n, 0)%2)
		for k := range a {
			a[k] = x[i] + float64(k)
		}
		smoothed(i%4, a, b)
		out[i] = a[0] + 2*b[1] + 4*float64(len(b))
	}
	return out
}

func smoothed(n int, from, to []float64) {
	for range n {
		for k := range from {
			to[k%len(to)] = from[k] + from[(k+1)%len(from)]/2
		}
		from, to = to, from
	}
}
