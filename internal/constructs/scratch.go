// Slices

package constructs

import "slices"

// middleOf moves the middle element of x to where it is when x is sorted, and returns it.
func middleOf(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/2]
}

// RunningMedians is the middle of n elements around each.
//
// Construct: a buffer from outside of a loop that each turn sets before it uses it: copy(buf, row[i:i+n])
//
//surge:kernel
func RunningMedians(row []float64, n int) []float64 {
	if n < 1 || len(row) < n {
		return nil
	}
	out, buf := make([]float64, len(row)-n+1), make([]float64, n)
	for i := range out {
		copy(buf, row[i:i+n])
		out[i] = middleOf(buf)
	}
	return out
}

// DigitsOf is the digit that is in each number most often, and the sum of the digits that are in it once.
//
// Construct: an array, or a slice, from outside of a loop that each turn clears or empties before it uses it
//
//surge:kernel
func DigitsOf(numbers []uint64) (digits, sums []int) {
	digits, sums = make([]int, len(numbers)), make([]int, len(numbers))
	var counts [10]int
	once := make([]int, 0, 10)
	for i, x := range numbers {
		counts = [10]int{}
		for ; x > 0; x /= 10 {
			counts[x%10]++
		}
		once = once[:0]
		for d, n := range counts {
			if n > counts[digits[i]] {
				digits[i] = d
			}
			if n == 1 {
				once = append(once, d)
			}
		}
		for _, d := range once {
			sums[i] += d
		}
	}
	return digits, sums
}

// Spectra are the frames of a signal, weighted, backwards, and without what they have in common.
//
// Construct: a loop that goes by a number of the call, and appends a row in each turn: at += hop
//
//surge:kernel
func Spectra(signal, weights []float64, hop int) [][]float64 {
	if hop < 1 || len(weights) == 0 {
		return nil
	}
	var frames [][]float64
	buf, mirrored := make([]float64, len(weights)), make([]float64, len(weights))
	for at := 0; at+len(weights) <= len(signal); at += hop {
		sum := 0.0
		for i, w := range weights {
			buf[i] = w * signal[at+i]
			sum += buf[i]
		}
		for i := range mirrored {
			mirrored[i] = buf[len(buf)-1-i] - sum
		}
		frames = append(frames, slices.Clone(mirrored))
	}
	return frames
}

// Voted are the labels that nodes without one of their own, -1, take from their neighbours, after so many rounds or
// when nothing changes any more, and how many rounds that took.
//
// Construct: such a buffer in a loop in a loop, whose turns count beside what they assign
//
//surge:kernel
func Voted(own []int, near [][]int, labels, rounds int) ([]int, int) {
	if labels < 0 || len(near) != len(own) {
		return nil, -1
	}
	now, next := slices.Clone(own), slices.Clone(own)
	votes, round := make([]float64, labels), 0
	for ; round < rounds; round++ {
		changed := 0
		for u, label := range own {
			if label >= 0 {
				continue
			}
			clear(votes)
			for k, v := range near[u] {
				if now[v] >= 0 {
					votes[now[v]] += 1 / float64(k+1)
				}
			}
			best := -1
			for l, n := range votes {
				if n > 0 && (best < 0 || n > votes[best]) {
					best = l
				}
			}
			next[u] = best
			if next[u] != now[u] {
				changed++
			}
		}
		if changed == 0 {
			break
		}
		now, next = next, now
	}
	return now, round
}

// Weighted is for each position the mean of the numbers up to it, the nearer ones of more weight, in several groups of
// three numbers side by side.
//
// Construct: the beginning of a buffer, which each turn sets and uses, as w := buf[:i+1]
//
//surge:kernel
func Weighted(x []float64, many uint8) []float64 {
	groups := int(many)%4 + 1
	width := groups * 3
	n := len(x) / width
	out := make([]float64, n*width)
	weights := make([]float64, n)
	var nearest [4]float64
	for g := 0; g < groups; g++ {
		for t := 0; t < n; t++ {
			part, few := weights[:t+1], nearest[:min(t+1, 4)]
			total := 0.0
			for i := range part {
				part[i] = 1 / float64(t-i+1)
				total += part[i]
			}
			copy(few, part[len(part)-len(few):])
			for _, weight := range few {
				total += weight
			}
			mean := out[t*width+g*3 : t*width+g*3+3]
			for i, weight := range part {
				for c, v := range x[i*width+g*3 : i*width+g*3+3] {
					mean[c] += weight / total * v
				}
			}
		}
	}
	return out
}

// Tiered are sums over what lies before each position, in several tiers, of which there may be none.
//
// Construct: a part of a buffer that a loop inside of the turn sets again and again
//
//surge:kernel
func Tiered(n, tiers, most int8) []float64 {
	out := make([]float64, max(int(n), 0)*max(int(tiers), 0))
	buf := make([]float64, max(int(most), 0))
	for i := range int(n) {
		part := buf[:i+1]
		for t := range int(tiers) {
			for k := range part {
				part[k] = float64(k*t) + 0.5
			}
			for k, v := range part {
				out[i*int(tiers)+t] += v * part[i-k]
			}
		}
	}
	return out
}

// Place is a point on a line, and the square of the distance from which it is seen.
type Place struct {
	Name string
	Seen [2]float64
}

// NearPoints are the first few points on a line that each query sees, which have a name.
//
// Construct: p := &x[i], which is only read, in a loop whose turns use a buffer one after the other
//
//surge:kernel
func NearPoints(queries []float64, points []Place, most int) [][]int {
	found := make([][]int, len(queries))
	var near []int
	for i, q := range queries {
		near = near[:0]
		for j := range points {
			p := &points[j]
			if (p.Seen[0]-q)*(p.Seen[0]-q) < p.Seen[1] && p.Name != "" && len(near) < most {
				near = append(near, j)
			}
		}
		found[i] = slices.Clone(near)
	}
	return found
}
